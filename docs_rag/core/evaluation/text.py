"""An evaluation for people: aligned tables, each figure with its interval of 95 %."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from docs_rag.core.cleaning import one_line
from docs_rag.core.evaluation.figures import LOWER_IS_BETTER, OF_A_KIND, TITLES, Evaluation, by_kind, curve, estimates
from docs_rag.core.evaluation.outcomes import DEPTH, Outcome
from docs_rag.core.evaluation.plotting import draw
from docs_rag.core.width import columns

if TYPE_CHECKING:
    from docs_rag.core.evaluation.comparing import Change, Comparison
    from docs_rag.core.metrics import Estimate, Point

_HEADS: Final = {
    "hit1": "hit@1",
    "hit5": "hit@5",
    "mrr": "MRR",
    "ndcg5": "nDCG@5",
    "abstained": "refused",
    "wronglyRefused": "refused",
}
"""What the figures are called above the columns of the table of kinds."""
_MOST_ROWS: Final = 12
"""Thresholds that the table of the curve shows."""
_MOST_HITS: Final = 3

_Table = Sequence[Sequence[str]]


def lines(evaluation: Evaluation) -> Iterator[str]:
    """The head, the figures, and those of each kind where there is more than one."""
    yield from _head(evaluation)
    yield ""
    yield from _figures(estimates(evaluation.outcomes))
    kinds = by_kind(evaluation.outcomes)
    for is_answerable in (True, False):
        groups = {kind: group for (side, kind), group in kinds.items() if side is is_answerable}
        if len(groups) > 1 or any(groups):
            yield ""
            yield from _kinds(groups, is_answerable)


def _head(evaluation: Evaluation) -> Iterator[str]:
    """What was asked, and of what."""
    answerable = sum(each.is_answerable for each in evaluation.outcomes)
    index = evaluation.index
    floor = "no floor" if evaluation.threshold is None else f"floor {evaluation.threshold:.2f}"
    floor += f", confidence {evaluation.needed:.2f}" if evaluation.needed else ""
    model = index.mode if evaluation.threshold is None else f"{index.model} ({index.score})"
    without = len(evaluation.outcomes) - answerable
    yield f"questions: {answerable} with an answer, {without} without; {evaluation.milliseconds:.0f} ms each"
    yield f"{index.documents} notes, {index.chunks} sections; {one_line(model)}, {floor}, {evaluation.limit} hits"


def _figures(found: Mapping[str, Estimate]) -> Iterator[str]:
    rows = [["", "value", "95 % interval", ""]]
    for key, each in found.items():
        counted = f"of {each.of}" if each.count is None else f"{each.count} of {each.of}"
        better = ", less is better" if key in LOWER_IS_BETTER else ""
        rows.append([TITLES[key], f"{each.value:.3f}", f"{each.low:.3f} - {each.high:.3f}", counted + better])
    yield from aligned(rows)


def _kinds(groups: Mapping[str, Sequence[Outcome]], is_answerable: bool) -> Iterator[str]:
    found = {kind: estimates(group) for kind, group in groups.items()}
    keys = [key for key in OF_A_KIND if any(key in each for each in found.values())]
    rows = [["with an answer" if is_answerable else "without", "", *(_HEADS[key] for key in keys)]]
    for kind, group in groups.items():
        figures = [found[kind].get(key) for key in keys]
        rows.append([one_line(kind) or "(no kind)", str(len(group)), *map(_with_interval, figures)])
    yield from aligned(rows)


def _with_interval(estimate: Estimate | None) -> str:
    return "" if estimate is None else f"{estimate.value:.2f} ({estimate.low:.2f} - {estimate.high:.2f})"


def plot_lines(evaluation: Evaluation) -> Iterator[str]:
    """The curve of risk and coverage: a table of thresholds and the drawing."""
    points = curve(evaluation.outcomes)
    if not points:
        yield "no curve of risk and coverage: words alone decide, without scores"
        return
    rows = [["floor", "answered", "of these wrong", "unanswerable refused", "answerable refused"]]
    for point in _some(points):
        shares = (point.coverage, point.risk, point.refused, point.wrongly)
        rows.append([f"{point.threshold:.3f}", *("-" if each is None else f"{each:.3f}" for each in shares)])
    yield from aligned(rows, right=True)
    yield ""
    yield from draw(points, evaluation.needed)


def _some(points: Sequence[Point]) -> Iterator[Point]:
    """Points at even distances, the last one among them, the lowest threshold first."""
    count = min(_MOST_ROWS, len(points))
    return (points[len(points) - 1 - place * (len(points) - 1) // max(1, count - 1)] for place in range(count))


def wrong_lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Every question that went wrong, with what came instead."""
    blocks = (
        ("no right note in the first five:", [each for each in outcomes if each.is_answerable and _is_missed(each)]),
        ("a dead record came back:", [each for each in outcomes if each.leaks]),
        ("answered, and should have been refused:", [o for o in outcomes if not o.is_answerable and not o.refused]),
    )
    for title, found in blocks:
        if found:
            yield ""
            yield title
            for each in found:
                yield f"  {one_line(each.text)}" + (f"  [{one_line(each.id)}]" if each.id != each.text else "")
                yield f"      {_instead(each)}"


def _is_missed(outcome: Outcome) -> bool:
    return outcome.rank is None or outcome.rank > DEPTH


def _instead(outcome: Outcome) -> str:
    hits = [f"{one_line(hit.path)} ({hit.label}{_scored(hit.score)})" for hit in outcome.hits[:_MOST_HITS]]
    return ", ".join(hits) or f"refused{_scored(outcome.confidence)}"


def _scored(score: float | None) -> str:
    return "" if score is None else f" {score:.3f}"


def comparison_lines(comparison: Comparison, name: str) -> Iterator[str]:
    """What changed since the baseline, with a sign, and whether that is more than noise."""
    yield f"compared with {one_line(name)}"
    yield f"questions in both runs: {comparison.common}; only here: {comparison.added}; only there: {comparison.gone}"
    yield ""
    rows = [["", "then", "now", "change", "better", "worse", "p (worse)"]]
    rows += [_change(each) for each in comparison.changes]
    yield from aligned(rows)
    worse = [TITLES[each.key] for each in comparison.changes if each.is_worse]
    yield ""
    yield f"worse beyond noise: {', '.join(worse)}" if worse else "nothing is worse beyond noise"


def _change(change: Change) -> list[str]:
    counts = ("" if each is None else str(each) for each in (change.better, change.worse))
    numbers = (f"{change.then:.3f}", f"{change.now:.3f}", f"{change.difference:+.3f}")
    return [TITLES[change.key], *numbers, *counts, f"{change.chance:.3f}"]


def aligned(rows: _Table, *, right: bool = False) -> Iterator[str]:
    """Rows as columns, two spaces apart; numbers to the right where `right` says so."""
    widths = [max(columns(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = (_padded(cell, width, right=right) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _padded(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - columns(cell))
    return space + cell if right else cell + space
