"""Tables as reStructuredText draws them: grids with merged cells, and simple ones between rules.

Format: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#tables
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from docs_rag.core.mdtables import Cell, table

GRID: Final = re.compile(r"\+(?:[-=]+\+)+\s*$")
"""The first line of a grid."""
SIMPLE: Final = re.compile(r"=+(?: +=+)+\s*$")
"""The first line of a simple table."""
_SPANS: Final = re.compile(r"-+(?: +-+)*\s*$")
_FILLER: Final = "\0"
"""Stands behind characters of double width, so that columns are where they look to be."""

Text = Callable[[Sequence[str]], str]
"""Lines of a cell -> its markdown."""


def grid_end(lines: Sequence[str], start: int) -> int:
    """The line after a grid that begins at `start`."""
    end = start
    while end < len(lines) and lines[end].lstrip()[:1] in ("+", "|"):
        end += 1
    return end


def grid(lines: Sequence[str], text: Text) -> list[str]:
    """The lines of a grid as a markdown table; no lines when its borders do not meet."""
    wide = [_widened(line.strip()) for line in lines]
    width = max(map(len, wide))
    cells = list(_grid_cells([line.ljust(width) for line in wide]))
    tops, lefts = (sorted({cell[at] for cell in cells}) for at in (0, 1))
    rows: dict[int, list[Cell]] = {top: [] for top in tops}
    for top, left, bottom, right in cells:
        inside = text(_narrowed(wide, top + 1, bottom, left + 1, right))
        rows[top].append(Cell(inside, _between(tops, top, bottom), _between(lefts, left, right)))
    return table(list(rows.values()))


def _between(borders: Sequence[int], first: int, last: int) -> int:
    """How many of the sorted borders a cell covers: its span."""
    return bisect_left(borders, last) - bisect_left(borders, first)


def _grid_cells(lines: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Top, left, bottom and right border of each cell, row by row."""
    for top, line in enumerate(lines[:-1]):
        for left, sign in enumerate(line[:-1]):
            if sign == "+" and line[left + 1] in "-=" and lines[top + 1][left] in "|+":
                corner = _opposite(lines, top, left)
                if corner is not None:
                    yield top, left, *corner


def _opposite(lines: Sequence[str], top: int, left: int) -> tuple[int, int] | None:
    """The nearest corner that closes the cell which begins at a corner."""
    for right in range(left + 1, len(lines[top])):
        if lines[top][right] not in "+-=":
            return None
        if lines[top][right] != "+":
            continue
        for bottom in range(top + 1, len(lines)):
            if lines[bottom][right] not in "|+":
                break
            edge = lines[bottom][left : right + 1]
            if edge[0] == edge[-1] == "+" and not edge.strip("+-="):
                return bottom, right
    return None


def simple_end(lines: Sequence[str], start: int) -> int:
    """The line after a simple table that begins at `start`: behind its last rule."""
    last = start
    for at in range(start + 1, len(lines)):
        if SIMPLE.match(lines[at].strip()):
            last = at
            if at + 1 >= len(lines) or not lines[at + 1].strip():
                break
    return last + 1 if last > start else start


def simple(lines: Sequence[str], text: Text) -> list[str]:
    """The lines of a simple table as a markdown table."""
    wide = [_widened(line) for line in lines]
    starts = [found.start() for found in re.finditer("=+", wide[0])]
    rows: list[list[Cell]] = []
    waiting: list[str] = []
    for line in wide[1:]:
        if SIMPLE.match(line.strip()) or (waiting and _SPANS.match(line.strip())):
            rows += _simple_rows(waiting, starts, line, text)
            waiting = []
        else:
            waiting.append(line)
    return table(rows)


def _simple_rows(lines: Sequence[str], starts: Sequence[int], rule: str, text: Text) -> Iterator[list[Cell]]:
    """Rows above a rule; where it is drawn below several columns, the last row has merged cells."""
    groups: list[list[str]] = []
    for line in lines:
        if not line.strip():
            continue
        if not groups or line[starts[0] : starts[1]].strip(f" {_FILLER}"):
            groups.append([])
        groups[-1].append(line)
    for at, group in enumerate(groups):
        begins = [found.start() for found in re.finditer("[-=]+", rule)] if at == len(groups) - 1 else starts
        begins = [each for each in begins if each in starts] or list(starts)
        cells = []
        for left, right in pairwise([*begins, 1 << 30]):
            span = sum(left <= each < right for each in starts)
            cells.append(Cell(text([_plain(line[left:right]) for line in group]), 1, span))
        yield cells


def _narrowed(lines: Sequence[str], top: int, bottom: int, left: int, right: int) -> list[str]:
    return [_plain(line[left:right]) for line in lines[top:bottom]]


def _plain(text: str) -> str:
    return text.replace(_FILLER, "").strip()


def _widened(line: str) -> str:
    if line.isascii():
        return line
    return "".join(sign + _FILLER if unicodedata.east_asian_width(sign) in "WF" else sign for sign in line)
