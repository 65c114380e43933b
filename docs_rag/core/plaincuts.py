"""Where the outermost blocks of a text begin, found line by line where no line can be read in two ways.

Most long sections are paragraphs, lists and code. They need no parser to be cut between them; anything else does.
"""

from __future__ import annotations

import re
from typing import Final

_TEXT: Final = r"(?:[^\s#>*+\-_`~=|<\d]|\#{1,6}[^\s#]|\*\*?[^\s*]|_[^\s_]|`{1,2}[^`\n]|\d{1,9}(?![\d.)]))"
"""How a line begins that can be nothing else than words."""
_LINE: Final = re.compile(
    rf"(?P<text>{_TEXT})"
    r"|(?P<blank>[ \t]*$)"
    r"|(?P<heading>\#{1,6}(?:[ \t]|$))"
    r"|(?P<indent>[ ]+)(?=[^\s])"
    rf"|(?P<mark>[-*+]|(?P<number>\d{{1,9}})[.)])(?P<gap>[ ]{{1,4}}){_TEXT}"
    r"|(?P<fence>`{3,}(?=[^`]*$)|~{3,})"
)
_DELIMITER_STARTS: Final = ("|", "-", ":")


def plain_cuts(text: str) -> list[int] | None:
    """The offsets at which outermost blocks begin, none right behind a heading; None where it takes the parser."""
    scan = _Scan()
    lines = text.split("\n")
    offset = 0
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if not scan.take(line, below, offset):
            return None
        offset += len(line) + 1
    return scan.cuts


class _Scan:
    """What is open at a line, and what came before it."""

    def __init__(self) -> None:
        self.cuts: list[int] = []
        self._before = "blank"
        """Kind of the line above."""
        self._list = ""
        """The last character of the marks of the open list; empty outside of lists."""
        self._width = 0
        """How far the text of its last item is indented."""
        self._fence: re.Pattern[str] | None = None
        """What ends the open fence."""

    def take(self, line: str, below: str, offset: int) -> bool:
        """Go on with a line; False when it, or the line below, could be read in another way."""
        if self._fence is not None:
            if self._fence.fullmatch(line):
                self._fence = None
            return True
        found = _LINE.match(line)
        if found is None or ("|" in line and below.lstrip(" \t").startswith(_DELIMITER_STARTS)):
            return False
        kind = str(found.lastgroup) if found["mark"] is None else "item"
        if self._before == "indent" and kind in ("text", "fence"):
            return False
        fits = self._item(found, offset) if kind == "item" else self._other(kind, found, offset)
        self._before = kind
        return fits

    def _item(self, found: re.Match[str], offset: int) -> bool:
        mark, is_same = found["mark"], found["mark"][-1] == self._list
        if not is_same:
            in_paragraph = self._before == "text" and not self._list
            if self._before == "indent" or (in_paragraph and found["number"] not in (None, "1")):
                return False
            self._cut(offset)
        self._list, self._width = mark[-1], len(mark) + len(found["gap"])
        return True

    def _other(self, kind: str, found: re.Match[str], offset: int) -> bool:
        if kind == "blank":
            return True
        if kind == "indent":
            return bool(self._list) and len(found["indent"]) >= self._width
        if kind == "text" and self._before in ("text", "item"):
            return True
        self._cut(offset, is_heading=kind == "heading")
        self._list = ""
        if kind == "fence":
            mark = found["fence"]
            self._fence = re.compile(rf"[ ]{{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*")
        return True

    def _cut(self, offset: int, *, is_heading: bool = False) -> None:
        if is_heading or self._before != "heading":
            self.cuts.append(offset)
