"""Which lines of a PDF are headings: those the outline names, else those set larger than the text.

A PDF has no headings, only looks. Without an outline a line counts when its font is clearly larger than that of most
of the text, or when it is bold and numbered (`3.2 Results`, `제2조`). No heading is better than a wrong one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from docs_rag.adapters.converters.pdf.shapes import Bookmark, Line, Page

_LARGER: Final = 1.15
_LONGEST: Final = 120
_LINES: Final = 3
"""A heading runs over so many lines at the most."""
_SHARE: Final = 0.25
"""A size in which more of the text is set belongs to no heading."""
_LEVELS: Final = 4
_DEEPEST: Final = 6
_SIZES: Final = 2
"""Sizes are told apart to half a point."""
_NUMBERED: Final = re.compile(
    r"(?:(?P<digits>\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(?=[^\W\d_])"
    r"|제\s?\d+\s?[장절조편]|第\s?[\d一二三四五六七八九十]+\s?[章节節条條]|(?:Chapter|Section|Part|Appendix)\s+[\dIVXA-Z]+\b)"
)
_MARKS: Final = re.compile(r"[\W_]+")
_ENTRIES: Final = 2
"""An outline of fewer is no outline: exporting programs write the document's title there."""
_PAGE_NAME: Final = re.compile(r"(?:page|slide|seite|p\.?|쪽|슬라이드)?\s*\d+$", re.IGNORECASE)
"""Bookmarks that only count pages."""


@dataclass(frozen=True, slots=True)
class Titles:
    """The headings of one page."""

    at: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """First line of each -> how many lines it takes, and its level."""
    before: Mapping[int, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """Line -> headings (text, level) that the outline has and the page does not show; they go before it."""


def titles(pages: Sequence[Page], outline: Sequence[Bookmark]) -> dict[int, Titles]:
    """The headings of each page, by its number."""
    named = [entry for entry in outline if not _PAGE_NAME.match(entry.title)]
    if len(named) >= _ENTRIES:
        entries: dict[int, list[Bookmark]] = {}
        for entry in named:
            entries.setdefault(entry.page, []).append(entry)
        return {page.number: _by_outline(page, entries.get(page.number, ())) for page in pages}
    return _by_look(pages)


def _by_outline(page: Page, entries: Iterable[Bookmark]) -> Titles:
    at: dict[int, tuple[int, int]] = {}
    before: dict[int, tuple[tuple[str, int], ...]] = {}
    for entry in entries:
        level = min(entry.level, _DEEPEST)
        if (place := _shown(page.lines, entry, at)) is not None:
            at[place[0]] = (place[1], level)
        else:
            line = _below(page.lines, entry.top)
            before[line] = (*before.get(line, ()), (entry.title, level))
    return Titles(at, before)


def _shown(lines: Sequence[Line], entry: Bookmark, taken: Mapping[int, tuple[int, int]]) -> tuple[int, int] | None:
    """First line that shows a title of the outline and how many lines it runs over; the one nearest its place."""
    wanted = _letters(entry.title)
    found = [
        (start, count)
        for start in range(len(lines))
        if start not in taken and (count := _matching(lines[start : start + _LINES], wanted))
    ]
    if not found or not wanted:
        return None
    top = entry.top
    return found[0] if top is None else min(found, key=lambda each: abs(lines[each[0]].top - top))


def _matching(lines: Sequence[Line], wanted: str) -> int:
    """How many of these lines make up a title, with or without the number before it; 0 where they do not."""
    shown = ""
    for count, line in enumerate(lines, 1):
        shown += _letters(line.text)
        if shown == wanted or (_NUMBERED.match(lines[0].text) and shown.lstrip("0123456789") == wanted):
            return count
        if len(shown) > len(wanted) + 8:
            return 0
    return 0


def _letters(text: str) -> str:
    return _MARKS.sub("", unicodedata.normalize("NFKC", text).casefold())


def _below(lines: Sequence[Line], top: float | None) -> int:
    """The first line at or below a height; the first of the page where it is not known."""
    if top is None:
        return 0
    return next((at for at, line in enumerate(lines) if line.size and line.bottom < top), 0)


def _by_look(pages: Sequence[Page]) -> dict[int, Titles]:
    sizes: Counter[int] = Counter()
    for page in pages:
        for line in page.lines:
            sizes[_size(line)] += len(line.text)
    sizes.pop(0, None)
    if not sizes:
        return {}
    body = sizes.most_common(1)[0][0]
    most = _SHARE * sizes.total()
    larger = sorted((size for size in sizes if size >= body * _LARGER and sizes[size] <= most), reverse=True)
    levels = _levels(pages, larger)
    return {page.number: Titles(_large(page.lines, levels, body)) for page in pages}


def _size(line: Line) -> int:
    return round(line.size * _SIZES)


def _levels(pages: Sequence[Page], sizes: Sequence[int]) -> dict[int, int]:
    """The level of each size that some heading has, the largest first."""
    used = {_size(line) for page in pages for line in page.lines if _is_title(line)}
    return {size: min(level, _LEVELS) for level, size in enumerate((size for size in sizes if size in used), 1)}


def _is_title(line: Line) -> bool:
    letters = sum(char.isalpha() for char in line.text)
    return letters >= 2 and len(line.text) <= _LONGEST and letters * 2 >= len(line.text.replace(" ", ""))


def _large(lines: Sequence[Line], levels: Mapping[int, int], body: int) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    start = 0
    while start < len(lines):
        count = 1
        if level := _level(lines[start], levels, body):
            while start + count < len(lines) and count <= _LINES and _goes_on(lines[start], lines[start + count]):
                count += 1
            if count <= _LINES:
                found[start] = (count, level)
        start += count
    return found


def _level(line: Line, levels: Mapping[int, int], body: int) -> int:
    """The level of a line as a heading; 0 where it is none."""
    if not _is_title(line):
        return 0
    if level := levels.get(_size(line)):
        return level
    number = _NUMBERED.match(line.text)
    if not number or not line.bold or _size(line) < body or line.text.endswith((".", ",", ";")):
        return 0
    return min(len(levels) + 1 + (number["digits"] or "").count("."), _DEEPEST)


def _goes_on(first: Line, line: Line) -> bool:
    """Whether a line carries on the heading before it: the same look, and no number of its own."""
    return (
        bool(line.text)
        and _size(line) == _size(first)
        and line.bold == first.bold
        and not _NUMBERED.match(line.text)
        and first.bottom - line.bottom <= _LINES * first.size
    )
