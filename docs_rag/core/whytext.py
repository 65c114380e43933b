"""An explanation in words: one line a hit, and what decided about the answer as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from docs_rag.core.confidence import OF_KNOWN, OF_NOTE, OF_SECTION, Confidence
from docs_rag.core.why import HitWhy, Passed, TermWhy, Why


def hit_line(why: HitWhy) -> str:
    """`why: score 0.299, above 99.8 % of sections; words 52 % in it, 64 % in its note; order 0.543; rare: TLS (3)`."""
    return "why: " + "; ".join(_of_hit(why))


def _of_hit(why: HitWhy) -> Iterator[str]:
    if why.score is not None:
        above = "" if why.percentile is None else f", above {why.percentile:.1f} % of sections"
        yield f"score {why.score:.3f}{above}"
        yield f"words {_percent(why.backing.section)} in it, {_percent(why.backing.note)} in its note"
    if why.order is not None:
        yield f"order {why.order:.3f}" + "".join(f" × {factor:g} ({name})" for name, factor in why.factors)
    if why.rare:
        yield "rare: " + ", ".join(f"{term} ({count})" for term, count in why.rare)
    elif why.score is None:
        yield "it holds the question's words"


def end_lines(why: Why) -> list[str]:
    """What decided about the answer as a whole, in lines."""
    return list(_end(why))


def _end(why: Why) -> Iterator[str]:
    if why.confidence is not None:
        yield _confidence(why.confidence)
    if why.best is not None:
        cutoff = "" if why.cutoff is None else f"; a hit needs {why.cutoff:.3f} beside it"
        yield f"best score: {why.best:.3f} of {why.sections} sections{cutoff}"
    if why.terms:
        yield "terms: " + ", ".join(map(_term, why.terms))
    if why.next is not None:
        yield f"next: {_passed(why.next)}"
    for each in why.hidden:
        yield f"kept out: {_passed(each)}"


def _confidence(found: Confidence) -> str:
    """`confidence: 0.82, needed 0.52 = score 0.30 + 0.1 × 52 % + 0.3 × 64 % + 0.3 × 91 % known`."""
    if not found.needed:
        decided = "an exact name stands nowhere" if found.is_named_in_vain else "not asked for: the score decides"
        return f"confidence: {decided}{_absent(found)}"
    if found.alone is not None and found.value == found.score + found.alone:
        return (
            f"confidence: {found.value:.3f}, needed {found.needed:.2f}; score {found.score:.3f} + {found.alone:.2f},"
            f" since the question's words are not the vault's{_absent(found)}"
        )
    parts = [
        f"score {found.score:.3f}",
        f"{OF_SECTION:g} × {_percent(found.backing.section)} of the words in the section",
        f"{OF_NOTE:g} × {_percent(found.backing.note)} in its note",
        f"{OF_KNOWN:g} × {_percent(found.known)} anywhere",
    ]
    missing = f" - {found.missing:.2f}" if found.missing else ""
    return f"confidence: {found.value:.3f}, needed {found.needed:.2f}; {' + '.join(parts)}{missing}{_absent(found)}"


def _absent(found: Confidence) -> str:
    return f" (nothing is called {', '.join(found.absent)})" if found.absent else ""


def _term(term: TermWhy) -> str:
    return f"{term.text} ({term.kind})" if term.kind == "absent" else f"{term.text} ({term.kind}, {term.sections})"


def _passed(found: Passed) -> str:
    place = found.path + (f" › {' > '.join(found.headings)}" if found.headings else "")
    score = "" if found.score is None else f"  {found.score:.3f}"
    return f"{place}{score}  {found.reason}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
