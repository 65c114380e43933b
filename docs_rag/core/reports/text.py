"""For people: findings under their note, and a line that sums up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from docs_rag.core.cleaning import one_line
from docs_rag.core.linting.codes import BY_ID, Level
from docs_rag.core.linting.findings import Finding
from docs_rag.core.reports.outcome import Outcome


def lines(outcome: Outcome) -> Iterator[str]:
    """A block for each note, its findings in columns."""
    widths = _widths(outcome.findings)
    for path, group in groupby(outcome.findings, key=lambda each: each.path):
        yield one_line(outcome.place(path))
        for finding in group:
            yield _row(finding, widths)
        yield ""
    yield summary(outcome)


def statistics(outcome: Outcome) -> Iterator[str]:
    """How often each code was found, the commonest first, and the sum."""
    counts = Counter(each.code.id for each in outcome.findings)
    levels = {each.code.id: each.level for each in outcome.findings}
    for code, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        yield f"{count:>6}  {levels[code]:<7}  {BY_ID[code].title}"
    if counts:
        yield ""
    yield summary(outcome)


def summary(outcome: Outcome) -> str:
    """`3 findings in 2 notes: 1 error, 2 warnings (120 notes checked)`, or that there is nothing."""
    asides = [f"{_counted(len(outcome.checked), 'note')} checked"]
    if outcome.suppressed:
        asides.append(f"{outcome.suppressed} ignored by comments")
    if outcome.known:
        asides.append(f"{outcome.known} known to the baseline")
    if outcome.stale:
        asides.append(f"{len(outcome.stale)} of the baseline no longer there")
    aside = f" ({', '.join(asides)})"
    if not outcome.findings:
        return f"nothing found{aside}"
    found = [(level, count) for level, count in outcome.counts.items() if count]
    kinds = [_counted(count, level) if level is not Level.INFO else f"{count} info" for level, count in found]
    notes = len({each.path for each in outcome.findings})
    mendable = sum(each.mend is not None for each in outcome.findings)
    hint = f"; --fix can mend {mendable} of them" if mendable else ""
    return f"{_counted(len(outcome.findings), 'finding')} in {_counted(notes, 'note')}: {', '.join(kinds)}{aside}{hint}"


def _widths(findings: Sequence[Finding]) -> tuple[int, int]:
    """Columns that line and code need."""
    line = max((len(str(each.line or "")) for each in findings), default=0)
    return max(line, 4), max((len(each.code.title) for each in findings), default=0)


def _row(finding: Finding, widths: tuple[int, int]) -> str:
    line = "" if finding.line is None else str(finding.line)
    return f"{line:>{widths[0]}}  {finding.level:<7}  {finding.code.title:<{widths[1]}}  {one_line(finding.message)}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
