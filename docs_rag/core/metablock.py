"""Where a note's metadata block begins and ends, and which lines belong to which key.

A block opens a file: `---`, lines of `key: value`, `---` or `...`. People forget the closing fence, indent with
tabs, type a full-width colon or no space after it; none of it may cost the lines that are in order, wherever the bad
ones stand. What a value means is the matter of `frontmatter.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, NamedTuple

from docs_rag.core.documents import Problem
from docs_rag.core.spellings import KEYS

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
_TIGHT: Final = re.compile(r"(?P<key>[^\W\d][\w-]{0,40})[ \t]*:(?!//)(?P<value>[^\s:].*)")
"""`key:value`, which YAML takes for one text; no address and no time looks so."""
_USUAL_KEYS: Final = frozenset((*KEYS, "title", "tags", "tag", "aliases", "alias"))
"""Folded keys of records: a line that begins with one is hardly prose between two rules."""
_NO_KEYS: Final = frozenset(("http", "https", "mailto", "file", "ftp", "urn", "doi", "tel", "javascript", "data"))
"""Words before a colon that belong to an address."""
_COMMENTED: Final = re.compile(r"^#.*:", re.MULTILINE)
_ODD: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


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

    @property
    def holds_no_keys(self) -> bool:
        """True when an indented `key: value` below cannot belong to the value: a plain text, or an item that is one."""
        last = next((line for line in reversed(self.rest) if line), None)
        if last is None:
            text = self.first
        else:
            item = ITEM.match(last)
            text = self.first if item is None else item["value"]
        text = text.strip(SPACE)
        return bool(text) and text[0] not in "|>&!{[\"'#" and KEY.match(text) is None and ITEM.match(text) is None


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
    if closing is not None:
        cutter = _Cutter(first_line, closed=True)
        if cutter.cut(text[start : closing.start()]):
            return cutter.block(text[start : closing.start()])
    cutter = _Cutter(first_line, closed=False)
    cutter.cut(text[start:])
    return cutter.block(text[start:])


def cut_file(text: str) -> Block | None:
    """The entries of a file that is metadata throughout, such as `kep.yaml`: of its first document."""
    opening = _OPEN.match(text)
    start = 0 if opening is None else opening.end()
    closing = _CLOSE.search(text, start)
    body = text[start:] if closing is None else text[start : closing.start()]
    cutter = _Cutter(text.count("\n", 0, start) + 1, closed=True)
    cutter.cut(body)
    return cutter.block(body)


def _folded(key: str) -> str:
    """A key as the tables of keys hold it."""
    return re.sub(r"[\s_\"'*-]+", "", key.casefold())


def _surplus(lines: Iterable[str]) -> int:
    """How many more of the lines that are not indented begin with a key than do not."""
    flush = [line for line in lines if line[:1] not in ("", "#", "-", *SPACE)]
    return 2 * sum(_WORD_KEY.match(line) is not None for line in flush) - len(flush)


def _goes_on_badly(lines: Sequence[str]) -> bool:
    """Whether metadata follows a bad first line: a key of records before the next blank line, or mostly keys."""
    return any(map(_is_usual, takewhile(str.strip, lines))) or _surplus(lines) > 1


def _is_usual(line: str) -> bool:
    """Whether a line begins with a key that records have, be it indented or without a space after its colon."""
    line = line.lstrip(SPACE)
    return any(
        found is not None and _folded(found["key"]) in _USUAL_KEYS for found in (KEY.match(line), _TIGHT.match(line))
    )


class _Cutter:
    """Gives each line of a block to the entry that it belongs to."""

    def __init__(self, first_line: int, *, closed: bool) -> None:
        self._first = first_line
        self._closed = closed
        self._drafts: list[Draft] = []
        self._problems: list[Problem] = []
        self._end = 0
        self._blanks = 0
        self._opens_badly = self._slips = False
        self._indent = ""
        """What stands before the keys since it stood before the first one."""

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
        if line[:1] in SPACE or self._indent:
            line = self._dedented(number, line)
        first = line[:1]
        if first == "#" or not first:
            return True
        if first in SPACE or first == "-":
            return self._continue(number, line)
        if self._begin(number, line):
            return True
        if self._drafts and self._drafts[-1].is_open:
            self._drafts[-1].rest.append(line)
            return True
        is_inside = self._closed and bool(self._drafts) and not self._blanks
        return is_inside and self._begin_tight(number, line, any_key=True)

    def _dedented(self, number: int, line: str) -> str:
        """The line without the indentation that the first key has, until a key has none."""
        bare = line.lstrip(SPACE)
        before = line[: len(line) - len(bare)]
        if not self._drafts and self._closed and (KEY.match(bare) is not None or _is_usual(bare)):
            self._indent = before
            if "\t" in before:
                self._report(number, "a tab in the indentation, read as spaces")
            return bare
        if self._indent and not before and KEY.match(line) is not None:
            self._indent = ""
            self._report(self._drafts[0].line - self._first, "the first key is indented, and the others are not")
        return line.removeprefix(self._indent)

    def _begin(self, number: int, line: str) -> bool:
        """Take the line as one that begins an entry; False when it does not."""
        found = KEY.match(line)
        if found is None or (":" in found["key"] and _is_usual(found["key"])):
            return self._closed and self._begin_tight(number, line, any_key=False)
        if found["colon"] == "：":
            self._report(number, "a full-width colon after the key, read as `:`")
        self._drafts.append(Draft(found["key"], self._first + number, found["value"]))
        return True

    def _begin_tight(self, number: int, line: str, *, any_key: bool) -> bool:
        """The same for `key:value`, where the key is one that records have, or at least could be one."""
        found = _TIGHT.match(line)
        if found is None:
            return False
        key = _folded(found["key"])
        if key not in _USUAL_KEYS and (not any_key or key in _NO_KEYS):
            return False
        self._report(number, "no space after the colon of a key, read as if there were one")
        self._drafts.append(Draft(found["key"], self._first + number, found["value"]))
        return True

    def _continue(self, number: int, line: str) -> bool:
        if not self._drafts or (line[0] == "-" and ITEM.match(line) is None):
            return False
        if self._closed and line[0] != "-" and ":" in line and self._is_misplaced(line):
            self._report(number, "an indented key below a value that holds none, read as if it were not indented")
            return self._begin(number, line.lstrip(SPACE))
        if "\t" in line[: len(line) - len(line.lstrip())]:
            self._report(number, "a tab in the indentation, read as spaces")
            line = line.expandtabs(4)
        self._drafts[-1].rest.extend(("",) * self._blanks)
        self._drafts[-1].rest.append(line)
        return True

    def _is_misplaced(self, line: str) -> bool:
        """Whether an indented line is a key of records that cannot belong to the value above it."""
        return _folded(line.partition(":")[0]) in KEYS and self._drafts[-1].holds_no_keys

    def _is_slip(self, number: int, lines: list[str]) -> bool:
        """True for a bad line within a block; prose after a blank line means that the fence was forgotten."""
        if not self._closed:
            return False
        if not self._drafts:
            self._opens_badly = self._opens_badly or _goes_on_badly(lines[number + 1 :])
            if not self._opens_badly:
                return False
        elif self._blanks and not self._slips:
            self._slips = _surplus(lines[number + 1 :]) > 0
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
