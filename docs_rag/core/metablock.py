"""Where a note's metadata block begins and ends, and which lines belong to which key.

A block opens a file: `---`, lines of `key: value`, `---` or `...`. People forget the closing fence, indent with
tabs, type a full-width colon; none of it may cost the lines that are in order. What a value means is the matter of
`frontmatter.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from docs_rag.core.documents import Problem

_OPEN: Final = re.compile(r"\ufeff?(?:[ \t]*\n)*---[ \t]*\n")
_CLOSE: Final = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
KEY: Final = re.compile(
    r"""(?P<key>"[^"\n]{1,80}"|'[^'\n]{1,80}'|[^\s\#?&*!|>%@`"'\[\]{},:：-][^\n:：]{0,80}?(?::[^\s:：]{1,40})?)"""
    r"""[ \t]*(?P<colon>:(?=[ \t\xa0\u3000]|$)|：)[ \t\xa0\u3000]*(?P<value>.*)"""
)
"""A line that begins an entry."""
ITEM: Final = re.compile(r"[ \t]*-(?:[ \t]+|$)(?P<value>.*)")
"""A line of a list."""
SPACE: Final = " \t\xa0\u3000"
"""What people type for a space."""
CLOSERS: Final = {"[": "]", "{": "}", '"': '"', "'": "'"}
"""What can begin a value and has to be closed, and by what."""

_WORD_KEY: Final = re.compile(r"[\w-]{1,40}[:：](?:\s|$)")
_COMMENTED: Final = re.compile(r"^#.*:", re.MULTILINE)
_ODD: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")

_MOST_LINES: Final = 2_000
"""Longest block believed: past it the closing fence is some rule in the text."""
_LONGEST_OPEN: Final = 20_000
"""How far a block without a closing fence is looked at, in characters."""


@dataclass(slots=True)
class Draft:
    """The lines of one entry."""

    key: str
    """As written."""
    line: int
    """1-based line in the file."""
    first: str
    """What follows the colon."""
    rest: list[str] = field(default_factory=list)
    """The lines that continue it."""

    @property
    def is_open(self) -> bool:
        """True while a bracket or a quote that begins the value is not closed."""
        closer = CLOSERS.get(self.first[:1])
        last = self.rest[-1] if self.rest else self.first[1:]
        return closer is not None and not last.rstrip(SPACE).endswith(closer)


class Block(NamedTuple):
    """A metadata block cut into entries."""

    drafts: list[Draft]
    lines: int
    """How many lines of the file it takes, fences included."""
    text: str
    problems: list[Problem]


def cut_block(text: str) -> Block | None:
    """The block that opens a text, or None; blank lines may precede it.

    Where the closing fence was forgotten (none comes, or prose stands before it), the block ends before its first
    blank line. Without any key, in force or commented out, it is no metadata but a rule and some text.
    """
    opening = _OPEN.match(text)
    if opening is None:
        return None
    start = opening.end()
    first_line = text.count("\n", 0, start) + 1
    closing = _CLOSE.search(text, start)
    if closing is not None and text.count("\n", start, closing.start()) <= _MOST_LINES:
        cutter = _Cutter(first_line, closed=True)
        if cutter.cut(text[start : closing.start()]):
            return cutter.block(text[start : closing.start()])
    cutter = _Cutter(first_line, closed=False)
    cutter.cut(text[start : start + _LONGEST_OPEN])
    return cutter.block(text[start : start + _LONGEST_OPEN])


class _Cutter:
    """Gives each line of a block to the entry that it belongs to."""

    def __init__(self, first_line: int, *, closed: bool) -> None:
        self._first = first_line
        self._closed = closed
        self._drafts: list[Draft] = []
        self._problems: list[Problem] = []
        self._end = 0
        self._blanks = 0
        self._slips = False

    def cut(self, block: str) -> bool:
        """Take the lines in; False when the block ends before they do."""
        lines = block.split("\n")
        for number, line in enumerate(lines):
            if not line or line.isspace():
                self._blanks += 1
                continue
            if self._blanks and not self._closed and self._drafts:
                return False
            if not self._take(number, line) and not self._is_slip(number, lines):
                return False
            self._blanks = 0
            self._end = number + 1
        return True

    def _take(self, number: int, line: str) -> bool:
        """Give one line to where it belongs; False when it is no metadata."""
        if not line.isprintable():
            line = self._clean(number, line)
        first = line[:1]
        if first == "#" or not first:
            return True
        if first in SPACE or first == "-":
            return self._continue(number, line)
        found = KEY.match(line)
        if found is not None:
            if found["colon"] == "：":
                self._report(number, "a full-width colon after the key, read as `:`")
            self._drafts.append(Draft(found["key"], self._first + number, found["value"]))
            return True
        if self._drafts and self._drafts[-1].is_open:
            self._drafts[-1].rest.append(line)
            return True
        return False

    def _continue(self, number: int, line: str) -> bool:
        if not self._drafts or (line[0] == "-" and ITEM.match(line) is None):
            return False
        if "\t" in line[: len(line) - len(line.lstrip())]:
            self._report(number, "a tab in the indentation, read as spaces")
            line = line.expandtabs(4)
        self._drafts[-1].rest.extend(("",) * self._blanks)
        self._drafts[-1].rest.append(line)
        return True

    def _is_slip(self, number: int, lines: list[str]) -> bool:
        """True for a bad line within a block; prose after a blank line means that the fence was forgotten."""
        if not self._closed or not self._drafts:
            return False
        if self._blanks and not self._slips:
            rest = [line for line in lines[number + 1 :] if line[:1] not in ("", "#", "-", *SPACE)]
            keys = sum(_WORD_KEY.match(line) is not None for line in rest)
            self._slips = keys > len(rest) - keys
            if not self._slips:
                return False
        self._report(number, "a line that is no `key: value`")
        return True

    def _clean(self, number: int, line: str) -> str:
        cleaned = _ODD.sub("", line)
        if cleaned != line:
            self._report(number, "a control character in the metadata")
        return cleaned

    def _report(self, number: int, message: str) -> None:
        if not any(each.message == message for each in self._problems):
            self._problems.append(Problem("yaml", message, self._first + number))

    def block(self, text: str) -> Block | None:
        """What was cut, and how far the block goes."""
        if not self._drafts and not (self._closed and _COMMENTED.search(text)):
            return None
        if self._closed:
            return Block(self._drafts, self._first + text.count("\n"), text, self._problems)
        self._report(0, "the metadata is not closed by a line `---`")
        kept = "\n".join(text.split("\n", self._end)[: self._end])
        return Block(self._drafts, self._first + self._end - 1, kept, self._problems)
