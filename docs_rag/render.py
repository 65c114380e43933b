"""Answers and reports as lines of text, the same for a terminal and for an agent.

A line at column 0 is ours; every line of a note's text is indented, so that no note can write a label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from docs_rag.core.answers import Answer, HiddenRecord, Hit
from docs_rag.core.cleaning import one_line
from docs_rag.core.counting import counted as counted
from docs_rag.core.labels import brackets, reason, record_name, superseded
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from docs_rag.core.calibration import Calibration, Floor
    from docs_rag.core.documents import Skipped
    from docs_rag.core.report import IndexReport

INDENT: Final = "    "
LINES_PER_HIT: Final = 12
MOST_FAILURES: Final = 10
"""Files that could not be read which a report names; `list --problems` has them all."""

SOURCES: Final = {
    "config": "from the config",
    "registry": "from the model registry",
    "calibration": "from the calibration",
    "fallback": "a fallback: nothing was measured yet",
}
"""Where a floor comes from, in words."""


def answer_lines(answer: Answer, *, most_lines: int | None = LINES_PER_HIT, see_hidden: str = "") -> list[str]:
    """An answer without its notices: hits with their passages, or why there are none; then what was hidden.

    `most_lines` of a passage are shown, None for all. `see_hidden` is what brings hidden records back, in the words
    of who reads this: an option's name.
    """
    day = [f"as of {answer.as_of}:"] if answer.as_of else []
    if not answer.hits:
        hint = f" {see_hidden} shows them." if see_hidden and any(answer.hidden.values()) else ""
        return [*day, answer.message + hint, *_end(answer)]
    blocks = [[*_hit(hit, most_lines), *_why(answer, at)] for at, hit in enumerate(answer.hits)]
    if answer.hidden_records:
        blocks.append([_hidden(record, see_hidden) for record in answer.hidden_records])
    if answer.why is not None:
        blocks.append(_end(answer))
    lines = [line for block in blocks for line in ["", *block]]
    return day + lines if day else lines[1:]


def _why(answer: Answer, at: int) -> list[str]:
    if answer.why is None:
        return []
    from docs_rag.core.whytext import hit_line  # noqa: PLC0415  # few answers are explained

    return [hit_line(answer.why.hits[at])]


def _end(answer: Answer) -> list[str]:
    if answer.why is None:
        return []
    from docs_rag.core.whytext import end_lines  # noqa: PLC0415

    return end_lines(answer.why)


def _hit(hit: Hit, most_lines: int | None) -> Iterator[str]:
    section = hit.section
    place = section.path + (f" › {' > '.join(section.headings)}" if section.headings else "")
    state = " ".join(brackets(hit))
    first, last = section.lines
    location = f"({section.location or f'lines {first}-{last}'})"
    yield "  ".join(part for part in (reason(hit), place, state, location) if part)
    if hit.standing:
        yield hit.standing
    if section.partial:
        yield section.partial.replace("partly superseded", "PARTLY SUPERSEDED", 1)
    yield from _passage(hit, most_lines)
    if hit.also_in:
        yield f"also in: {', '.join(hit.also_in)}"


def _passage(hit: Hit, most_lines: int | None) -> Iterator[str]:
    lines = hit.text.strip("\n").split("\n")
    yield from (INDENT + line for line in lines[:most_lines])
    if hit.truncated or (most_lines is not None and len(lines) > most_lines):
        yield f"{INDENT}…"


def _hidden(record: HiddenRecord, see: str) -> str:
    """`hidden: ADR-0012 (old/auth.md)  [superseded → reference/auth.md; 2026-03-01]; --all shows it`."""
    name = record_name(record.title, record.path)
    known_as = record.path if name == record.path else f"{name} ({record.path})"
    if record.force is not None and record.force.is_later:
        state = record.force.bracket()
    elif record.status is Status.SUPERSEDED:
        state = superseded(record.chain, record.superseded_by, record.superseded_on, record.current_end)
    else:
        state = f"[{record.status}]"
    return f"hidden: {known_as}  {state}" + (f"; {see} shows it" if see else "")


def report_lines(report: IndexReport) -> list[str]:
    """What a run of `index` did, what it could not read, and the noise floor that it measured."""
    notes = report.added + report.modified + report.unchanged
    lines = [
        f"{counted(notes, 'note')} in {report.seconds:.1f} s: {report.added} added, {report.modified} modified,"
        f" {report.removed} removed, {report.unchanged} unchanged",
        _coverage(report),
    ]
    if report.failed:
        amount, told = failures_told(report.failed)
        lines += [f"{amount} could not be read:", *told]
    return lines + calibration_lines(report)


def failures_told(failed: Sequence[Skipped]) -> tuple[str, list[str]]:
    """How much could not be read (`2 files and 1 folder`), and the first of it, a line each.

    A root whose folder is missing is one case, whatever the number of its notes: they are counted in its line.
    """
    from docs_rag.core.changes import MISSING_ROOT  # noqa: PLC0415  # a search shows no failures

    kept: dict[str, int] = {str(each.path): 0 for each in failed if _is_root(each, MISSING_ROOT)}
    told: list[Skipped] = []
    for each in failed:
        root = each.path.partition("/")[0]
        if each.code == MISSING_ROOT and root in kept and root != each.path:
            kept[root] += 1
        else:
            told.append(each)
    amounts = ((len(told) - len(kept), "file"), (len(kept), "folder"))
    lines = [_failure(each, kept.get(each.path, 0)) for each in told[:MOST_FAILURES]]
    if len(told) > MOST_FAILURES:
        lines.append(f"  and {len(told) - MOST_FAILURES} more: docs-rag list --problems")
    return " and ".join(counted(amount, noun) for amount, noun in amounts if amount), lines


def _is_root(failed: Skipped, code: str) -> bool:
    return failed.code == code and "/" not in failed.path


def _failure(failed: Skipped, kept: int) -> str:
    stays = f"; {counted(kept, 'note')} of it {'stays' if kept == 1 else 'stay'} in the index" if kept else ""
    return f"  {one_line(failed.path)}  {failed.code}: {one_line(failed.message)}{stays}"


def _coverage(report: IndexReport) -> str:
    sections = counted(report.chunks, "section")
    if not (report.embedded or report.pending):
        return f"{sections}, searchable by words"
    waiting = f", {report.pending} still to be embedded" if report.pending else ""
    return f"{sections}, {report.embedded} searchable by meaning{waiting}"


def calibration_lines(report: IndexReport) -> list[str]:
    """What scores are worth on this vault, beside the floor in use; nothing where no model answers."""
    from docs_rag.core.calibration import MINIMUM_SECTIONS  # noqa: PLC0415  # a search shows no calibration

    if not report.measured or report.floor is None:
        return []
    if report.calibration is None:
        return [
            f"Calibration: fewer than {MINIMUM_SECTIONS} sections, too few to measure the background noise"
            f" ({_in_use(report.floor)})."
        ]
    return [
        f"Own headings as questions: {headings_line(report.calibration)}.",
        *_measured(report.calibration, report.floor),
    ]


def headings_line(found: Calibration) -> str:
    """What the vault's own headings score when they are asked, and that real questions score less."""
    from docs_rag.core.calibration import MINIMUM_QUESTIONS  # noqa: PLC0415  # a search shows no calibration

    if found.questions is None:
        return "not asked yet (run: docs-rag index)"
    if found.sides is None:
        return f"not enough data ({found.questions} of the {MINIMUM_QUESTIONS} that are needed)"
    sides = found.sides
    return (
        f"{found.questions}; the right note reaches {sides.own:.3f} for 90 %, other notes stay below {sides.others:.3f}"
        f" for 95 %, overlap {sides.overlap * 100:.0f} % (optimistic: a heading's words stand in its own section)"
    )


def _measured(found: Calibration, floor: Floor) -> Iterator[str]:
    yield (
        f"Calibration: background noise p99 = {found.p99:.3f} over {found.pairs} random pairs"
        f" -> suggested minScore {number(found.suggested)} ({_in_use(floor)})."
    )
    if found.suggested > floor.value:
        yield _below_noise(found, floor)


def _below_noise(found: Calibration, floor: Floor) -> str:
    if floor.confidence is not None:
        return (
            "The floor lies below the noise on purpose: an answer must also reach confidence"
            f" {number(floor.confidence)}, which a minScore in the config would turn off."
        )
    return (
        "The suggestion lies above the value in use: the floor lets noise through."
        f' Set "minScore": {number(found.suggested)} in the config.'
    )


def _in_use(floor: Floor) -> str:
    return f"in use: {number(floor.value)}, {SOURCES.get(floor.source, floor.source)}"


def number(score: float) -> str:
    """A floor with two digits, or three where it has them."""
    return f"{score:.2f}" if round(score, 2) == round(score, 3) else f"{score:.3f}"
