"""What one run of `index` did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.calibration import Calibration, Floor
    from docs_rag.core.documents import Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """Counts of notes, sections and vectors, and everything that went wrong on the way."""

    added: int
    modified: int
    removed: int
    unchanged: int
    failed: tuple[Skipped, ...]
    chunks: int
    embedded: int
    """Sections that have their vector now."""
    pending: int
    """Sections that still wait for one."""
    seconds: float
    calibration: Calibration | None
    floor: Floor | None
    """The floor in use; None without a model."""
    measured: bool
    """True where a model answers, so that a calibration is due as soon as there are enough sections."""
    warnings: tuple[str, ...]


def as_json(report: IndexReport) -> dict[str, object]:
    """The report with the keys of the contract."""
    return {
        "added": report.added,
        "modified": report.modified,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "failed": failures(report.failed),
        "chunks": report.chunks,
        "embedded": report.embedded,
        "pending": report.pending,
        "seconds": round(report.seconds, 3),
        "calibration": calibration_json(report.calibration, report.floor),
        "warnings": list(report.warnings),
    }


def failures(failed: Sequence[Skipped]) -> list[dict[str, str]]:
    """Files that could not be had, as JSON objects."""
    return [{"path": each.path, "code": each.code, "message": each.message} for each in failed]


def calibration_json(measured: Calibration | None, floor: Floor | None) -> dict[str, object] | None:
    """A calibration with the keys of the contract, and `headings`: None before any were asked.

    Its figures are None where the headings were too few.
    """
    if measured is None or floor is None:
        return None
    return {
        "p99": measured.p99,
        "pairs": measured.pairs,
        "suggested": measured.suggested,
        "inUse": floor.value,
        "source": floor.source,
        "headings": _headings(measured),
    }


def _headings(measured: Calibration) -> dict[str, object] | None:
    if measured.questions is None:
        return None
    sides = measured.sides
    return {
        "questions": measured.questions,
        "own": None if sides is None else sides.own,
        "others": None if sides is None else sides.others,
        "overlap": None if sides is None else sides.overlap,
    }
