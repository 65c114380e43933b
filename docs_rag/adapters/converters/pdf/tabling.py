"""Takes the tables out of the lines of a page: those drawn with rules first, then those that only stand in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docs_rag.adapters.converters.pdf.columns import tables
from docs_rag.adapters.converters.pdf.grids import Grid, filled, grids
from docs_rag.adapters.converters.pdf.shapes import Line, Page, Rows, joined, line_of, words

_Parts = list[Line | Rows]


def tabled(page: Page) -> Page:
    """The page with its tables apart, each at its place; lines forget their characters, of which a book has many."""
    lines: list[Line] = []
    found: dict[int, list[Rows]] = {}
    for part in _aligned(_ruled(page)):
        if isinstance(part, Line):
            lines.append(replace(part, chars=()))
        else:
            found.setdefault(len(lines), []).append(part)
    return replace(page, lines=tuple(lines), tables=found, rules=())


def _ruled(page: Page) -> _Parts:
    found = [(grid, rows) for grid in grids(page.rules) if (rows := filled(grid, page.lines))]
    parts: _Parts = []
    shown: set[int] = set()
    for line in page.lines:
        at = next((at for at, (grid, _) in enumerate(found) if _holds(grid, line)), None)
        if at is None:
            parts.append(line)
            continue
        if at not in shown:
            shown.add(at)
            parts.append(found[at][1])
        if rest := _outside(found[at][0], line):
            parts.append(rest)
    return parts


def _holds(grid: Grid, line: Line) -> bool:
    return any(grid.place(word) for word in words(line))


def _outside(grid: Grid, line: Line) -> Line | None:
    """What of a line stands beside the table that holds the rest of it."""
    chars = [char for word in words(line) if not grid.place(word) for char in word]
    return line_of(chars, bold=line.bold) if chars and joined(chars) else None


def _aligned(parts: _Parts) -> _Parts:
    found: _Parts = []
    waiting: list[Line] = []
    for part in parts:
        if isinstance(part, Line):
            waiting.append(part)
        else:
            found += [*_with_columns(waiting), part]
            waiting = []
    return [*found, *_with_columns(waiting)]


def _with_columns(lines: Sequence[Line]) -> _Parts:
    parts: _Parts = []
    at = 0
    for table in tables(lines):
        parts += [*lines[at : table.start], table.rows]
        at = table.end
    return [*parts, *lines[at:]]
