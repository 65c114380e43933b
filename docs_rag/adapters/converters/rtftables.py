"""Rows of tables in rich text: how wide and how high their cells are (RTF Specification 1.9.1, "Table Definitions")."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from docs_rag.core.mdtables import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARKS: Final = frozenset({"clmrg", "clvmgf", "clvmrg"})


@dataclass(slots=True)
class Row:
    """One row; its definition may stand before or after its cells, and holds for the next one too."""

    cells: list[Cell] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    """The right edge of each cell, in twips."""
    marks: list[frozenset[str]] = field(default_factory=list)
    """How each cell is merged: `clmrg` with the one before, `clvmrg` with the one above."""
    _now: set[str] = field(default_factory=set)

    def define(self, word: str, number: int) -> None:
        """Take in a control word of the row's definition; others are ignored."""
        if word == "trowd":
            self.edges, self.marks, self._now = [], [], set()
        elif word in _MARKS:
            self._now.add(word)
        elif word == "cellx":
            self.edges.append(number)
            self.marks.append(frozenset(self._now))
            self._now = set()

    def following(self) -> Row:
        """The next row, with the same definition until it has its own."""
        return Row(edges=list(self.edges), marks=list(self.marks))

    def left_of(self, number: int) -> int:
        """The left edge of a cell."""
        return self.edges[number - 1] if 0 < number <= len(self.edges) else 0

    def is_marked(self, number: int, mark: str) -> bool:
        """Whether a cell is merged in that way."""
        return number < len(self.marks) and mark in self.marks[number]


def cells_of(rows: Sequence[Row]) -> list[list[Cell]]:
    """The cells with their spans; those that are merged into others are left out."""
    edges = sorted({edge for row in rows for edge in row.edges})
    return [_spanned(rows, number, edges) for number in range(len(rows))]


def _spanned(rows: Sequence[Row], number: int, edges: Sequence[int]) -> list[Cell]:
    row = rows[number]
    made: list[Cell] = []
    for at, cell in enumerate(row.cells):
        if row.is_marked(at, "clmrg") and made and not cell.text.strip():
            made[-1] = Cell(made[-1].text, made[-1].rowspan, made[-1].colspan + 1, made[-1].tables)
        elif not (row.is_marked(at, "clvmrg") and number and not cell.text.strip()):
            made.append(Cell(cell.text, _height(rows, number, at), _width(row, at, edges), cell.tables))
    return made


def _width(row: Row, at: int, edges: Sequence[int]) -> int:
    """Columns that a cell takes: edges of any row between its own two."""
    if at >= len(row.edges):
        return 1
    start = bisect_left(edges, row.edges[at - 1]) + 1 if at else 0
    return max(1, bisect_left(edges, row.edges[at]) + 1 - start)


def _height(rows: Sequence[Row], number: int, at: int) -> int:
    height = 1
    for below in rows[number + 1 :]:
        same = [each for each in range(len(below.cells)) if below.left_of(each) == rows[number].left_of(at)]
        if not any(below.is_marked(each, "clvmrg") and not below.cells[each].text.strip() for each in same):
            break
        height += 1
    return height
