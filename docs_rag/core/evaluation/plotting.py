"""Risk against coverage, drawn with plain characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from docs_rag.core.metrics import Point

WIDTH: Final = 61
"""Columns of the field, so that each tenth has one of its own."""
HEIGHT: Final = 13
_MARGIN: Final = 7
"""Columns before the field."""


def draw(points: Sequence[Point], needed: float | None) -> Iterator[str]:
    """The curve, and `O` on it for the confidence that is needed; nothing of nothing."""
    if not points:
        return
    top = max(0.1, max(point.risk for point in points))
    field = [[" "] * WIDTH for _ in range(HEIGHT)]
    for point in points:
        row, column = _place(point, top)
        field[row][column] = "*"
    in_use = [point for point in points if needed is not None and point.threshold >= needed]
    if in_use:
        row, column = _place(in_use[-1], top)
        field[row][column] = "O"
    yield "risk: wrong answers among those given"
    for number, row_of_signs in enumerate(field):
        label = f"{top * (1 - number / (HEIGHT - 1)):.2f}" if number % 3 == 0 else ""
        yield f"{label:>{_MARGIN - 2}} |{''.join(row_of_signs)}".rstrip()
    yield f"{'':>{_MARGIN - 2}} +{'-' * WIDTH}"
    marks = "".join(f"{tenth / 10:<12.1f}" for tenth in range(0, 11, 2))
    yield f"{'':>{_MARGIN}}{marks}".rstrip()
    yield f"{'':>{_MARGIN}}coverage: questions that get an answer" + ("; O: as it is set" if in_use else "")


def _place(point: Point, top: float) -> tuple[int, int]:
    return round((HEIGHT - 1) * (1 - point.risk / top)), round((WIDTH - 1) * point.coverage)
