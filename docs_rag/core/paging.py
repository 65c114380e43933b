"""Pages of a text: as much as a reply has room for, and where the next page begins.

What is left over is named as a range of lines that can be asked for as it stands; a line that is longer than a page
is gone through in pieces: `12+16000-40` is from character 16,001 of line 12 to line 40. Nothing is shown twice and
nothing is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

MOST_CHARS: Final = 15_000
"""Of a page, as JSON writes it: the reply around it has as much room again for what it says of the note."""
MOST_BYTES: Final = 40_000
MOST_LINES: Final = 400
MARGIN: Final = 14
"""What each line costs beside its text: indent, number and line end."""

_RANGE: Final = re.compile(r"\s*L?(\d{1,9})(?:\+(\d{1,9}))?\s*(?:(-|–|\.\.|:|,)\s*(?:L?(\d{1,9}))?)?\s*", re.IGNORECASE)


class LineRange(NamedTuple):
    """Lines of a file, 1-based, both ends included."""

    first: int
    last: int | None = None
    """None: to the end."""
    skip: int = 0
    """Characters of the first line that have been read already."""

    def __str__(self) -> str:
        """As it can be asked for: `41-68`, `41-`, `12+16000-40`."""
        start = f"{self.first}+{self.skip}" if self.skip else str(self.first)
        return f"{start}-" if self.last is None else start if self.last == self.first else f"{start}-{self.last}"


class Numbered(NamedTuple):
    """A line, or a piece of a long one."""

    number: int
    text: str
    goes_on: bool = False
    """True when the line is longer."""
    is_rest: bool = False
    """True when it begins within the line."""

    def __str__(self) -> str:
        """The line with its number, and with `…` where it is cut."""
        cut = f"{'…' if self.is_rest else ''}{self.text}{'…' if self.goes_on else ''}"
        return f"{self.number:>5}  {cut}" if cut.strip() else f"{self.number:>5}"


class Page(NamedTuple):
    """What fits."""

    lines: tuple[Numbered, ...]
    rest: LineRange | None
    """What does not."""


def read_range(text: str) -> LineRange | None:
    """The range that is written `41-68`, `41`, `41-`, `L41-L68` or `12+16000-40`; None for anything else."""
    found = _RANGE.fullmatch(text)
    if found is None or int(found[1]) < 1:
        return None
    first, last = int(found[1]), int(found[4]) if found[4] else None if found[3] else int(found[1])
    if last is not None and last < first:
        first, last = max(1, last), first
    return LineRange(first, last, int(found[2] or 0))


def page(
    lines: Sequence[tuple[int, str]],
    skip: int = 0,
    *,
    most_chars: int | None = MOST_CHARS,
    most_bytes: int = MOST_BYTES,
    most_lines: int = MOST_LINES,
) -> Page:
    """The first of `lines` (numbers and texts, ascending) as far as they fit; `most_chars` None: all of them.

    `skip` characters of the first line are passed over. At least one character is on every page.
    """
    if most_chars is None:
        return Page(tuple(_numbered(number, text, skip * (not at)) for at, (number, text) in enumerate(lines)), None)
    shown: list[Numbered] = []
    chars, octets = most_chars, most_bytes
    for at, (number, text) in enumerate(lines):
        line = _numbered(number, text, 0 if at else skip)
        cost = _cost(line.text)
        if at == most_lines or ((cost[0] > chars or cost[1] > octets) and shown):
            return Page(tuple(shown), LineRange(number, lines[-1][0]))
        if cost[0] > chars or cost[1] > octets:
            piece = _piece(line.text, most_chars, most_bytes)
            cut = Numbered(number, piece, goes_on=True, is_rest=line.is_rest)
            return Page((cut,), LineRange(number, lines[-1][0], skip + len(piece)))
        shown.append(line)
        chars, octets = chars - cost[0], octets - cost[1]
    return Page(tuple(shown), None)


def _numbered(number: int, text: str, skip: int) -> Numbered:
    return Numbered(number, text[skip:], is_rest=skip > 0)


def _cost(text: str) -> tuple[int, int]:
    """Characters and bytes that a line takes in a reply."""
    written = json.dumps(text, ensure_ascii=False)
    return len(written) + MARGIN, len(written.encode("utf-8", "replace")) + MARGIN


def _piece(text: str, chars: int, octets: int) -> str:
    """The beginning of a line that fits; never nothing."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        cost = _cost(text[:middle])
        low, high = (middle, high) if cost[0] <= chars and cost[1] <= octets else (low, middle - 1)
    return text[:low]
