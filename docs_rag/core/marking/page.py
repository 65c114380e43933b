"""A text as lines that keep their ends, so that one of them can be changed and every other byte stays."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

_LINE: Final = re.compile(r"([^\r\n]*)(\r\n|\n|\r|$)")
_BOM: Final = "\ufeff"


class Line(NamedTuple):
    """One line of a text."""

    text: str
    end: str
    """`\n`, `\r\n`, `\r`; empty for a last line that is not closed."""


class Page:
    """The lines of a note; line numbers count from 1, as they do in a parsed note."""

    def __init__(self, text: str) -> None:
        """Take a text as it is on disk, byte order mark and all."""
        self._bom = _BOM if text.startswith(_BOM) else ""
        found = (Line(each[1], each[2]) for each in _LINE.finditer(text[len(self._bom) :]))
        self._lines = [each for each in found if each.text or each.end]
        ends = Counter(each.end for each in self._lines if each.end)
        self._end = ends.most_common(1)[0][0] if ends else "\n"

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def __getitem__(self, number: int) -> str:
        """The text of a line without its end."""
        return self._lines[number - 1].text

    def copy(self) -> Page:
        """A page of its own with the same lines."""
        return Page(self.text())

    def text(self) -> str:
        """All of it, as it is to be on disk."""
        return self._bom + "".join(each.text + each.end for each in self._lines)

    def plain(self) -> str:
        """The same as parsing takes it: no byte order mark, every line end `\n`."""
        return "".join(each.text + ("\n" if each.end else "") for each in self._lines)

    def replace(self, number: int, text: str) -> None:
        """Give a line another text; its end stays."""
        self._lines[number - 1] = self._lines[number - 1]._replace(text=text)

    def insert(self, number: int, *texts: str) -> None:
        """Put lines before line `number`; one more than there are lines means at the end."""
        place = number - 1
        end = self._lines[max(0, place - 1)].end or self._end if self._lines else self._end
        new = [Line(text, end) for text in texts]
        if place >= len(self._lines) and self._lines and not self._lines[-1].end:
            self._lines[-1] = self._lines[-1]._replace(end=end)
            new[-1] = new[-1]._replace(end="")
        self._lines[place:place] = new

    def delete(self, first: int, last: int) -> None:
        """Take the lines from `first` to `last` out."""
        del self._lines[first - 1 : last]
