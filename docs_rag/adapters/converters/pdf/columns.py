"""Tables without rules: lines whose words stand in the same columns, one below the other.

Only what is plainly a table counts (three columns and three rows of short texts): text in columns that is made a
table would be worse than a table that stays lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import mean
from typing import Final, NamedTuple

from docs_rag.adapters.converters.pdf.shapes import Char, Line, Rows, joined
from docs_rag.core.mdtables import Cell

_GAP: Final = 0.75
"""Of the font's box: a wider space between words parts columns."""
_APART: Final = 2.2
"""Of the font's box: rows further from each other do not belong together."""
_SAME_ROW: Final = 0.35
_COLUMNS: Final = 3
_ROWS: Final = 3
_LONGEST: Final = 18
"""Characters of a cell on average; prose in columns has more."""
_FILLED: Final = 0.4
_ALONE: Final = 0.85
"""The least share of texts that stand in one column, and alone there."""
_COVER: Final = 0.2
"""The share of rows that makes a place part of a column: a few wide texts may bridge two."""


class Table(NamedTuple):
    """Which lines of the page a table takes, and its rows."""

    start: int
    end: int
    rows: Rows


class _Piece(NamedTuple):
    text: str
    left: float
    right: float


class _Column(NamedTuple):
    left: float
    right: float


_Row = list[_Piece]


def tables(lines: Sequence[Line]) -> Iterator[Table]:
    """The tables in the lines of a page, in their order."""
    pieces = [_pieces(line) for line in lines]
    for start, end in _runs(lines, pieces):
        rows = list(_rows(lines[start:end], pieces[start:end]))
        if (cells := _cells(rows, lines[start].size)) is not None:
            yield Table(start, end, cells)


def _pieces(line: Line) -> _Row:
    """The texts of a line that wide gaps part; one for a line that does not run from left to right."""
    if not line.chars:
        return []
    groups: list[list[Char]] = [[line.chars[0]]]
    for before, char in pairwise(line.chars):
        if char.left < before.left - line.size:
            return [_Piece(line.text, line.left, line.right)]
        if char.left - before.right > _GAP * line.size:
            groups.append([])
        groups[-1].append(char)
    return [_Piece(joined(group), group[0].left, max(char.right for char in group)) for group in groups]


def _runs(lines: Sequence[Line], pieces: Sequence[_Row]) -> Iterator[tuple[int, int]]:
    """Stretches of lines close below one another that begin and end with several texts, most with several."""
    start = 0
    while start < len(lines):
        if len(pieces[start]) < 2:
            start += 1
            continue
        end = last = start + 1
        while end < len(lines) and pieces[end] and _follows(lines[end - 1], lines[end]):
            end += 1
            if len(pieces[end - 1]) > 1 or (last == end - 1 and _is_beside(lines[end - 2], lines[end - 1])):
                last = end
            elif end - last > 1:
                break
        yield start, last
        start = last


def _follows(upper: Line, lower: Line) -> bool:
    down = upper.bottom - lower.bottom
    return -_SAME_ROW * upper.size <= down <= _APART * max(upper.size, lower.size)


def _is_beside(before: Line, line: Line) -> bool:
    return abs(before.bottom - line.bottom) <= _SAME_ROW * line.size


def _rows(lines: Sequence[Line], pieces: Sequence[_Row]) -> Iterator[_Row]:
    """The texts of each row: lines at one height are one row."""
    row: _Row = []
    for at, line in enumerate(lines):
        if row and not _is_beside(lines[at - 1], line):
            yield row
            row = []
        row = [*row, *pieces[at]]
    yield row


def _cells(rows: Sequence[_Row], size: float) -> Rows | None:
    """The rows as cells; None where they make no table."""
    every = [piece for row in rows for piece in row]
    if len(rows) < _ROWS or mean(len(piece.text) for piece in every) > _LONGEST:
        return None
    columns = _columns(every, _COVER * len(rows), size)
    if len(columns) < _COLUMNS or len(every) < _FILLED * len(rows) * len(columns):
        return None
    places = [[_place(piece, columns) for piece in row] for row in rows]
    alone = sum(len(set(row)) for row in places)
    if alone - sum(_is_wide(piece, columns) for piece in every) < _ALONE * len(every):
        return None
    return [
        [Cell(" ".join(texts)) for texts in _spread(*each, len(columns))] for each in zip(rows, places, strict=True)
    ]


def _columns(pieces: Sequence[_Piece], least: float, size: float) -> list[_Column]:
    """Places that more than `least` texts cover; those that no gap parts are one column."""
    turns = sorted([(piece.left, 1) for piece in pieces] + [(piece.right, -1) for piece in pieces])
    found: list[_Column] = []
    depth, start = 0, 0.0
    for at, turn in turns:
        before, depth = depth, depth + turn
        if before <= least < depth:
            start = at
        elif depth <= least < before:
            if found and start - found[-1].right < _GAP * size / 3:
                found[-1] = found[-1]._replace(right=at)
            else:
                found.append(_Column(start, at))
    return found


def _place(piece: _Piece, columns: Sequence[_Column]) -> int:
    """The column that a text shares most with; the nearest one where it shares nothing."""
    return max(range(len(columns)), key=lambda at: _shared(piece, columns[at]))


def _shared(piece: _Piece, column: _Column) -> float:
    """Width of what both cover; negative: how far they are apart."""
    return min(piece.right, column.right) - max(piece.left, column.left)


def _is_wide(piece: _Piece, columns: Sequence[_Column]) -> bool:
    """Whether a text covers more than half of two columns."""
    return sum(_shared(piece, each) > (each.right - each.left) / 2 for each in columns) > 1


def _spread(row: _Row, places: Sequence[int], columns: int) -> list[list[str]]:
    """The texts of a row by column."""
    found: list[list[str]] = [[] for _ in range(columns)]
    for piece, place in sorted(zip(row, places, strict=True), key=lambda each: each[0].left):
        found[place].append(piece.text)
    return found
