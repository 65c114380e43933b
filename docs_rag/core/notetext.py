"""A note as somebody reads it: its visible lines with their numbers in the file, and the headings over them.

The lines come from the file, not from the index, so nothing stands there twice. Comments are left out, as they are
left out of what is searched.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from docs_rag.core.cleaning import one_line, shown
from docs_rag.core.comments import Visible, visible
from docs_rag.core.sectioning import heading_name
from docs_rag.core.structure import Structure


class Headed(NamedTuple):
    """Lines under one heading; numbers are 1-based, of the file, both ends included."""

    path: tuple[str, ...]
    """From the top heading down to this one; empty for what stands before the first heading."""
    level: int
    """1-6; 0 before the first heading."""
    first: int
    last: int
    """The line before the next heading."""
    end: int
    """The last line of the sections below it."""


@dataclass(frozen=True, slots=True)
class NoteText:
    """A note's visible lines."""

    lines: Sequence[str]
    """With nothing in them that could deceive a terminal or a reader."""
    numbers: Sequence[int]
    """For each line its number in the file, ascending; a comment leaves a gap."""
    total: int
    """Lines of the file."""
    cut: Sequence[int]
    """Numbers of the lines of which something is left out."""
    sections: tuple[Headed, ...]
    """One after the other, every line of the file in one of them; at least one."""

    def within(self, first: int, last: int) -> list[tuple[int, str]]:
        """The visible lines from one number to another, with their numbers."""
        start, end = bisect_left(self.numbers, first), bisect_right(self.numbers, last)
        return list(zip(self.numbers[start:end], self.lines[start:end], strict=True))

    def hides(self, first: int, last: int) -> bool:
        """Whether something between two lines is left out."""
        return bisect_left(self.cut, first) < bisect_right(self.cut, last)

    def at(self, line: int) -> int:
        """The place among the sections of the one that holds a line."""
        return max(0, bisect_right([each.first for each in self.sections], line) - 1)

    def named(self, wanted: Sequence[str]) -> list[Headed]:
        """The sections that are called so: by their whole path of headings, else by the end of it.

        Case, spacing and heading marks make no difference.
        """
        asked = tuple(_folded(each) for each in wanted)
        paths = [(tuple(map(_folded, each.path)), each) for each in self.sections if each.path]
        whole = [each for path, each in paths if path == asked]
        return whole or [each for path, each in paths if asked and path[-len(asked) :] == asked]


def note_text(text: str, body_start: int) -> NoteText:
    """Take a note apart; `body_start` is how many lines its frontmatter has, which belongs to the first section."""
    lines = (text[:-1] if text.endswith("\n") else text).split("\n")
    body_start = min(body_start, len(lines))
    found = visible(lines[body_start:], body_start + 1)
    numbers = [*range(1, body_start + 1), *found.numbers]
    headings = Structure(found.structure).headings
    starts = [(each.level, heading_name(each.text), found.numbers[each.start]) for each in headings]
    seen = [shown(line) for line in (*lines[:body_start], *found.lines)]
    return NoteText(seen, numbers, len(lines), _cut(lines, body_start, found), _sections(starts, len(lines)))


def _cut(lines: Sequence[str], body_start: int, found: Visible) -> list[int]:
    """The lines of the file that are not, or not whole, among the visible ones."""
    whole = {number for number, line in zip(found.numbers, found.lines, strict=True) if line == lines[number - 1]}
    return [number for number in range(body_start + 1, len(lines) + 1) if number not in whole]


def _sections(headings: Sequence[tuple[int, str, int]], total: int) -> tuple[Headed, ...]:
    """The file cut at its headings: level, name and line of each."""
    if not headings or headings[0][2] > 1:
        headings = [(0, "", 1), *headings]
    lasts = [*(first - 1 for _, _, first in headings[1:]), total]
    sections: list[Headed] = []
    path: list[tuple[int, str]] = []
    for (level, name, first), last, end in zip(headings, lasts, _ends(headings, lasts), strict=True):
        path = [*(each for each in path if each[0] < level), (level, name)]
        sections.append(Headed(tuple(one_line(each) for _, each in path if each), level, first, last, end))
    return tuple(sections)


def _ends(headings: Sequence[tuple[int, str, int]], lasts: Sequence[int]) -> list[int]:
    """The last line below each heading: before the next one of its own level or above."""
    ends = list(lasts)
    open_ones: list[int] = []
    for place, (level, _, first) in enumerate(headings):
        while open_ones and headings[open_ones[-1]][0] >= level:
            ends[open_ones.pop()] = first - 1
        if level:
            open_ones.append(place)
    for place in open_ones:
        ends[place] = lasts[-1]
    return ends


def _folded(heading: str) -> str:
    return one_line(heading.lstrip("# ")).rstrip("# ").casefold()
