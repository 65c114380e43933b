"""Where a note's headings stand, mostly without parsing it, and the blocks of a stretch when they are asked for.

`#` at the beginning of a line ends whatever is open but a fence or HTML, so that most notes show their headings to
one expression in a thirtieth of the time that parsing them takes. What could be read in two ways is parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from operator import attrgetter
from typing import Final

from docs_rag.core.markdown import Block, blocks, heading_text


class Structure:
    """The headings that cut a text, and the blocks between them; only what is asked for is parsed."""

    def __init__(self, text: str) -> None:
        """Lines end with `\\n` only."""
        self._text = text
        self._starts: list[int] = []
        found = plain_headings(text)
        self._blocks: list[Block] | None = None if found is not None else blocks(text)
        top = self._blocks or () if found is None else found
        self.headings: list[Block] = [each for each in top if each.kind == "heading" and each.depth == 0]
        """Outside of lists and quotes, in order."""

    def within(self, start: int, end: int) -> list[Block]:
        """The blocks that begin in a stretch of lines, each end of which is the text's or the line of a heading."""
        if self._blocks is not None:
            first, last = (bisect_left(self._blocks, line, key=attrgetter("start")) for line in (start, end))
            return self._blocks[first:last]
        self._starts = self._starts or [0, *(found.end() for found in _LINE_END.finditer(self._text))]
        stop = self._starts[end] if end < len(self._starts) else len(self._text)
        part = blocks(self._text[self._starts[start] : stop])
        return [each._replace(start=each.start + start, end=each.end + start) for each in part]


def plain_headings(text: str) -> list[Block] | None:
    """The headings outside of lists and quotes, where they can be told without the parser; else None."""
    found: list[Block] = []
    text = f"\n{text}\n"
    position = line = counted = 0
    while mark := _MARK.search(text, position):
        if "|" in mark[0] and _DELIMITED.match(text, mark.end()):
            return None
        position = mark.end()
        if (marks := mark["marks"]) is not None:
            line, counted = line + text.count("\n", counted, mark.start()), mark.start()
            found.append(Block("heading", line, line + 1, 0, len(marks), heading_text(mark["title"])))
        elif (end := _passed(text, mark)) is None:
            return None
        else:
            position = end
    return found


def _passed(text: str, mark: re.Match[str]) -> int | None:
    """Where what is no heading ends, if that is certain."""
    if fence := mark["fence"]:
        closing = _closing(fence[0], len(fence)).search(text, mark.end())
        return len(text) if closing is None else closing.end()
    if fence := mark["inner"]:
        whole = _inner(len(mark["indent"]), fence[0], len(fence)).match(text, mark.end())
        return None if whole is None else whole.end()
    if mark["tag"]:
        blank = _BLANK_LINE.search(text, mark.end())
        end = len(text) - 1 if blank is None else blank.start()
        return end if all(each["tag"] for each in _MARK.finditer(text, mark.end(), end + 1)) else None
    above = text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()]
    return None if mark["odd"] or above.strip(" \t") else mark.end()


_MARK: Final = re.compile(
    r"\n(?:(?P<marks>\#{1,6})(?P<title>(?:[ \t][^\n]*)?)(?=\n)"
    r"|(?P<fence>`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*"
    r"|(?P<indent>[ ]{1,3})(?P<inner>`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*"
    r"|(?P<tag>[ ]{0,3}</?(?!(?:pre|script|style|textarea)\b)[a-z][a-z0-9-]*(?=[\s/>]))"
    r"|(?P<odd>[ ]{1,3}\#|[ ]{0,3}<(?![a-z]+:))"
    r"|[ ]{0,3}(?:=+|-+)[ \t]*(?=\n))",
    re.IGNORECASE,
)
"""With the line end before it, which makes the search fast: a heading; a fence; one that may stand in a list; a tag,
whose block ends with its paragraph; what only the parser can judge; what underlines a heading, unless the line above
is blank."""
_LINE_END: Final = re.compile(r"\n")
_BLANK_LINE: Final = re.compile(r"\n[ \t]*(?=\n)")
_DELIMITED: Final = re.compile(r"\n[ \t]*[|:-]")
"""What may make a table of the line above."""


@cache
def _closing(character: str, length: int) -> re.Pattern[str]:
    """What ends a fenced block."""
    return re.compile(rf"\n[ ]{{0,3}}{character}{{{length},}}[ \t]*(?=\n)")


@cache
def _inner(indent: int, character: str, length: int) -> re.Pattern[str]:
    """The rest of a fenced block that is one whether it stands in a list or not: all of it is indented alike."""
    end = rf"{character}{{{length},}}[ \t]*(?=\n)"
    return re.compile(rf"(?:\n[ \t]*(?=\n)|\n[ ]{{{indent}}}(?![ \t]*{end})[^\n]*)*+\n[ ]{{{indent}}}{end}")
