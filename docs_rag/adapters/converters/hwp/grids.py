"""Which tables of a Korean document are tables, and their cells in rows.

Forms and reports use tables as frames: around a title, around a whole page. Those are text, not tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from docs_rag.adapters.converters.hwp.model import Paragraph, Table, TableCell, Text
from docs_rag.core.mdtables import Cell

_PAGE: Final = 400
"""Characters of a cell in a one-column table above which it is a page and no entry."""
_WIDEST: Final = 1_000
_MOST_PLACES: Final = 1_000_000
"""Columns of a table, and its places with those that cells claim; more is damage or malice."""


def is_frame(block: Table) -> bool:
    """One cell around text; or cells that claim places as no real table does, whose text alone is kept."""
    height, width = _height(block.cells), 1 + max((cell.column for cell in block.cells), default=0)
    claimed = sum(min(cell.rowspan, height) * min(cell.colspan, width) for cell in block.cells)
    return len(block.cells) < 2 or width > _WIDEST or claimed + height * width > _MOST_PLACES


def is_layout(block: Table) -> bool:
    """A frame, or one column with more in a cell than a table holds."""
    if is_frame(block):
        return True
    return all(cell.column == 0 for cell in block.cells) and any(map(_is_page, block.cells))


def grid(cells: Sequence[TableCell], made: Callable[[TableCell], Cell]) -> tuple[tuple[Cell, ...], ...]:
    """The cells in rows, with blank ones where the document has none; not for frames."""
    height = _height(cells)
    rows: list[dict[int, TableCell]] = [{} for _ in range(height)]
    for cell in cells:
        rows[cell.row][cell.column] = cell
    covered: set[tuple[int, int]] = set()
    return tuple(tuple(_row(number, row, covered, height, made)) for number, row in enumerate(rows))


def _row(
    number: int,
    row: dict[int, TableCell],
    covered: set[tuple[int, int]],
    height: int,
    made: Callable[[TableCell], Cell],
) -> Iterator[Cell]:
    for column in range(max(row, default=-1) + 1):
        cell = row.get(column)
        if cell:
            covered.update(_covers(cell, height))
            yield made(cell)
        elif (number, column) not in covered:
            yield Cell("")


def _covers(cell: TableCell, height: int) -> Iterator[tuple[int, int]]:
    """The places of a cell in a table of so many rows."""
    for row in range(cell.row, min(cell.row + cell.rowspan, height)):
        for column in range(cell.column, cell.column + min(cell.colspan, _WIDEST)):
            yield row, column


def _height(cells: Iterable[TableCell]) -> int:
    return 1 + max((cell.row for cell in cells), default=-1)


def _is_page(cell: TableCell) -> bool:
    if any(isinstance(block, Table) and not is_frame(block) for block in cell.blocks):
        return True
    return len(cell.blocks) > 1 and sum(map(len, _texts(cell))) > _PAGE


def _texts(cell: TableCell) -> list[str]:
    pieces = (piece for block in cell.blocks if isinstance(block, Paragraph) for piece in block.pieces)
    return [piece.text for piece in pieces if isinstance(piece, Text)]
