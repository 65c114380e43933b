"""A run as text: a line for each figure, a column for each vault, the ratio to an earlier run behind each."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.results import Results

NAME, CELL = 48, 20
"""Widths."""


def table(now: Results, before: Results) -> Iterator[str]:
    """How the cost grows, and what became of it since."""
    labels = [f"{int(label):,}" if label.isdecimal() else label for label in now.sizes]
    yield f"{'':{NAME}}" + "".join(f"{label:>{CELL}}" for label in labels) + "  notes"
    for part, figure in now.rows():
        cells = (_cell(now.value(label, part, figure), before.value(label, part, figure)) for label in now.sizes)
        yield (f"{part + ' ' + figure:{NAME}}" + "".join(f"{cell:>{CELL}}" for cell in cells)).rstrip()
    yield _place(now)
    if before.sizes:
        yield f"compared with: {_place(before)}"


def _cell(value: float | None, earlier: float | None) -> str:
    if value is None:
        return ""
    shown = f"{value:,}"
    return f"{shown} ({value / earlier:.2f}x)" if earlier else shown


def _place(results: Results) -> str:
    return ", ".join(filter(None, (results.machine, results.commit and f"commit {results.commit}")))
