"""Tables of documents as markdown pipe tables.

One text stands in one cell: a merged cell has its text in its first place and the others are blank. A table inside
a cell follows the table around it, since no pipe table can hold another. A table of one cell is a frame, not a
table, and becomes paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_WIDEST: Final = 1_000
"""Columns; what a document claims beyond that is damage."""
_DEEPEST: Final = 8
"""Tables in tables; deeper ones are dropped to their text."""
_EVEN: Final = 200_000
"""Up to so many places short rows are filled up; beyond, readers do it themselves."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; where it stands follows from the cells before and above it."""

    text: str
    """Markdown of one or more lines; pipes are escaped here, not before."""
    rowspan: int = 1
    colspan: int = 1
    tables: tuple[tuple[tuple[Cell, ...], ...], ...] = ()
    """Tables inside the cell, each as rows of cells."""


def table(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """The lines of a pipe table, its first row as header; then the tables inside it, each after a blank line.

    A place that a row does not fill is blank. A table without any text gives no line.
    """
    return _table(rows, 1)


def _table(rows: Sequence[Sequence[Cell]], depth: int) -> list[str]:
    cells = [cell for row in rows for cell in row]
    if depth > _DEEPEST:
        return [" ".join(_words(rows))]
    if len(cells) == 1:
        return _joined([*_paragraphs(cells[0].text), *(_table(inner, depth + 1) for inner in _inside(cells[0]))])
    inner = [each for cell in cells for each in _inside(cell)]
    lines = _pipes(list(_grid(_marked(rows, len(inner)) if inner else iter(rows))))
    blocks = [_table(each, depth + 1) for each in inner]
    if len(inner) > 1:
        blocks = [[f"(table {number})", "", *block] for number, block in enumerate(blocks, 1)]
    return _joined([lines, *blocks])


def _inside(cell: Cell) -> list[tuple[tuple[Cell, ...], ...]]:
    """The tables in a cell that say anything."""
    return [each for each in cell.tables if next(_words(each), None) is not None]


def _words(rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    """Every word of a table and the tables in it; a stack, since their depth is the document's."""
    waiting = [cell for row in reversed(rows) for cell in reversed(row)]
    while waiting:
        cell = waiting.pop()
        yield from cell.text.split()
        waiting += [each for inner in reversed(cell.tables) for row in reversed(inner) for each in reversed(row)]


def _paragraphs(text: str) -> list[list[str]]:
    return [[line.strip()] for line in text.split("\n") if line.strip()]


def _joined(blocks: Sequence[Sequence[str]]) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        lines += ["", *block] if lines and block else block
    return lines


def _marked(rows: Sequence[Sequence[Cell]], tables: int) -> Iterator[Sequence[Cell]]:
    """The rows with a word in each cell that says where its tables went."""
    number = 0
    for row in rows:
        marked = []
        for cell in row:
            marks = [f"(table {number + each} below)" for each in range(1, len(_inside(cell)) + 1)]
            number += len(marks)
            if tables == 1 and marks:
                marks = ["(table below)"]
            marked.append(Cell("\n".join([cell.text, *marks]), cell.rowspan, cell.colspan))
        yield marked


def _grid(rows: Iterator[Sequence[Cell]]) -> Iterator[list[str]]:
    """Texts by place: merged cells take the places that they cover, later cells the next free ones."""
    taken: dict[int, int] = {}
    for row in rows:
        texts: dict[int, str] = {}
        blocked, taken, column = taken, {at: left - 1 for at, left in taken.items() if left > 1}, 0
        for cell in row:
            while column in blocked:
                column += 1
            if column >= _WIDEST:
                break
            width = max(1, min(cell.colspan, _WIDEST - column))
            texts[column] = cell.text
            if cell.rowspan > 1:
                taken.update(dict.fromkeys(range(column, column + width), cell.rowspan - 1))
            column += width
        yield [texts.get(at, "") for at in range(max([column, *(at + 1 for at in blocked)]))]


def _pipes(grid: list[list[str]]) -> list[str]:
    if not any(text.strip() for row in grid for text in row):
        return []
    width = max(len(row) for row in grid)
    even = width if width * len(grid) <= _EVEN else 1
    header, *body = grid
    rows = [header + [""] * (width - len(header)), *(row + [""] * (even - len(row)) for row in body)]
    lines = [f"| {' | '.join(map(_escaped, row))} |" for row in rows]
    return [lines[0], f"|{' --- |' * width}", *lines[1:]]


def _escaped(text: str) -> str:
    """One line; a pipe after a backslash needs two more, else the backslash would be taken for its escape."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "<br>".join(line for line in lines if line).replace("\\|", "\\\\|").replace("|", "\\|")
