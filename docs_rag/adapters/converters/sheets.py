"""Sheets of cells as markdown: what Excel files and all other spreadsheets have in common.

A sheet is a section under its name. Rows that belong together, up to a blank one, are a table; one cell alone is a
paragraph. Columns without text are left out; a long table is cut, its header said again, so that each piece can be
understood and found by its range.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import heading, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docs_rag.adapters.converters.drafting import Draft

_LONG: Final = 60
"""Rows of the longest table that is kept whole."""
_PIECE: Final = 50
"""Rows of a piece of a longer one, without its header."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A range of cells shown as one, whose text stands in its first; from 0."""

    top: int
    left: int
    bottom: int
    """The last row, included."""


@dataclass(slots=True)
class Sheet:
    """One sheet; only cells with text are there."""

    name: str
    is_hidden: bool = False
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    """Row -> column -> text, from 0."""
    merged: list[Merged] = field(default_factory=list)
    after: list[list[str]] = field(default_factory=list)
    """Blocks of markdown that follow the cells: comments, texts of boxes."""


def write_sheet(draft: Draft, sheet: Sheet) -> None:
    """Append a sheet; its name alone when it is empty. A short one is one place, of a long one each table is."""
    pieces = [piece for rows in _blocks(sheet) for piece in _pieces(rows)]
    if len(sheet.rows) <= _LONG:
        places = [_place(sheet, sorted(sheet.rows))] * max(len(pieces), 1)
    else:
        places = [_place(sheet, _own(piece)) for piece in pieces]
    draft.add([heading(2, sheet.name + (" (hidden)" if sheet.is_hidden else ""))], places[0])
    for piece, place in zip(pieces, places, strict=False):
        draft.add(_lines(sheet, piece), place)
    for lines in sheet.after:
        draft.add(lines, places[-1])


def column_name(column: int) -> str:
    """`A` for 0, `AB` for 27."""
    name = ""
    while column >= 0:
        column, letter = divmod(column, 26)
        name, column = chr(ord("A") + letter) + name, column - 1
    return name


def _blocks(sheet: Sheet) -> Iterator[list[int]]:
    """Runs of rows without a blank one between; what a merged cell covers is not blank."""
    last = max(sheet.rows, default=-1)
    used = {row for row, cells in sheet.rows.items() if cells}
    for each in sheet.merged:
        if each.top in used and each.left in sheet.rows[each.top]:
            used.update(range(each.top, min(each.bottom, last) + 1))
    block: list[int] = []
    for row in sorted(used):
        if block and row > block[-1] + 1:
            yield block
            block = []
        block.append(row)
    if block:
        yield block


def _pieces(rows: list[int]) -> Iterator[list[int]]:
    """A long block in pieces that begin with its first row."""
    if len(rows) <= _LONG:
        yield rows
        return
    for start in range(1, len(rows), _PIECE):
        yield [rows[0], *rows[start : start + _PIECE]]


def _lines(sheet: Sheet, rows: Sequence[int]) -> list[str]:
    cells = [(column, text) for row in rows for column, text in sheet.rows.get(row, {}).items()]
    if len(cells) == 1:
        return paragraph(cells[0][1]).split("\n")
    columns = sorted({column for column, _ in cells})
    texts = (sheet.rows.get(row, {}) for row in rows)
    return table([[Cell(row.get(column, "")) for column in columns] for row in texts])


def _own(rows: list[int]) -> list[int]:
    """The rows of a piece without the header that it says again."""
    return rows if len(rows) < 2 or rows[1] == rows[0] + 1 else rows[1:]


def _place(sheet: Sheet, rows: Sequence[int]) -> str:
    """`sheet Budget, A1:F20`: the range of the cells with text in these rows."""
    columns = [column for row in rows for column in sheet.rows.get(row, {})]
    if not columns:
        return f"sheet {sheet.name}"
    first, last = f"{column_name(min(columns))}{rows[0] + 1}", f"{column_name(max(columns))}{rows[-1] + 1}"
    return f"sheet {sheet.name}, {first if first == last else f'{first}:{last}'}"
