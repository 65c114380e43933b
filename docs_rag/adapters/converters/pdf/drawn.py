"""What is drawn on a PDF page: the rules that tables are made of, and whether its text is a picture."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import pypdfium2.raw as raw

from docs_rag.adapters.converters.pdf.shapes import Rule

_MOST_PATHS: Final = 4000
"""More than this is a drawing or a map, not a table."""
_MOST_POINTS: Final = 2000
_STRAIGHT: Final = 0.8
"""Points by which the ends of a rule may differ across it."""
_THIN: Final = 3.0
"""A filled box thinner than this is a rule."""
_SHORT: Final = 4.0
_MANY_DRAWINGS: Final = 30
"""So many paths, or texts whose letters are not known, on a page without text may be its text."""
_FEW_LETTERS: Final = 10
"""Fewer on a page with an image are a page number or a stamp on a scan."""
_DEPTH: Final = 3


def rules_of(page: Any) -> Iterator[Rule]:
    """The straight lines of a page, each side of a box too; none where the page is a drawing."""
    paths = list(islice(page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=_DEPTH), _MOST_PATHS + 1))
    if len(paths) > _MOST_PATHS:
        return
    points = 0
    for path in paths:
        points += max(raw.FPDFPath_CountSegments(path), 0)
        if points > _MOST_POINTS * 10:
            return
        yield from _rules(path)


def is_pictured(page: Any, letters: int) -> bool:
    """Whether the text of a page with so many letters is a picture: an image, or drawings that may be letters."""
    if letters >= _FEW_LETTERS:
        return False
    drawings = 0
    for thing in page.get_objects(max_depth=_DEPTH):
        drawings += thing.type in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_TEXT)
        if thing.type == raw.FPDF_PAGEOBJ_IMAGE or (drawings >= _MANY_DRAWINGS and not letters):
            return True
    return False


def _rules(path: Any) -> Iterator[Rule]:
    count = raw.FPDFPath_CountSegments(path)
    if not 2 <= count <= _MOST_POINTS:
        return
    left, bottom, right, top = path.get_bounds()
    if right - left < _THIN and top - bottom > _SHORT:
        yield Rule(False, (left + right) / 2, bottom, top)
    elif top - bottom < _THIN and right - left > _SHORT:
        yield Rule(True, (bottom + top) / 2, left, right)
    else:
        for start, end in _edges(path, count):
            yield from _edge(start, end)


_Point = tuple[float, float]


def _edges(path: Any, count: int) -> Iterator[tuple[_Point, _Point]]:
    """The straight pieces of a path, those that close it too."""
    matrix = path.get_matrix()
    x, y = ctypes.c_float(), ctypes.c_float()
    first = before = (0.0, 0.0)
    for at in range(count):
        segment = raw.FPDFPath_GetPathSegment(path, at)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = matrix.on_point(x.value, y.value)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == raw.FPDF_SEGMENT_LINETO:
            yield before, point
        if raw.FPDFPathSegment_GetClose(segment):
            yield point, first
        before = point


def _edge(start: _Point, end: _Point) -> Iterator[Rule]:
    across, along = abs(start[0] - end[0]), abs(start[1] - end[1])
    if along <= _STRAIGHT and across > _SHORT:
        yield Rule(True, start[1], min(start[0], end[0]), max(start[0], end[0]))
    elif across <= _STRAIGHT and along > _SHORT:
        yield Rule(False, start[0], min(start[1], end[1]), max(start[1], end[1]))
