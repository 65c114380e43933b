"""What a reader of the note does not see: HTML comments and Obsidian's `%%…%%`. They are cut out before all else.

Display math is found on the way, since it too may hold lines that look like headings. Whatever is never closed is
taken as written: text that is found by mistake does less harm than text that is lost.

Formats: https://spec.commonmark.org/0.31.2/#html-comment and https://help.obsidian.md/syntax#Comments
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple


class Visible(NamedTuple):
    """The lines that a reader sees."""

    lines: Sequence[str]
    numbers: Sequence[int]
    """For each line its number in the file, 1-based."""
    structure: str
    """The same lines for the block parser: display math made unsuspicious."""


class _Found(NamedTuple):
    """A comment or a formula: a range of characters."""

    start: int
    end: int
    is_math: bool


def visible(lines: Sequence[str], first: int) -> Visible:
    """The visible ones of `lines`, the first of which has the number `first` in the file.

    A line of which nothing is left becomes one blank line, or none beside another blank line.
    """
    text = "\n".join(lines)
    if not any(mark[0] in text and mark in text for mark in ("%%", "<!--", "$$")):  # one character is found faster
        return Visible(lines, range(first, first + len(lines)), text)
    found = _find(text)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    shown, hidden = _cut(lines, starts, [span for span in found if not span.is_math])
    masked = _mask(shown, starts, [span for span in found if span.is_math])
    kept = [
        index
        for index, line in enumerate(shown)
        if index not in hidden or (index > 0 and index - 1 not in hidden and shown[index - 1].strip())
    ]
    return Visible(
        [shown[index] for index in kept],
        [first + index for index in kept],
        "\n".join(masked[index] for index in kept),
    )


def _cut(lines: Sequence[str], starts: Sequence[int], spans: Sequence[_Found]) -> tuple[list[str], set[int]]:
    """The lines without the spans, and which of them are left blank by it."""
    kept: dict[int, list[str]] = {}
    column: dict[int, int] = {}
    for span in spans:
        top, bottom = _lines_of(span, starts)
        kept.setdefault(top, []).append(lines[top][column.pop(top, 0) : span.start - starts[top]])
        kept.update((index, [""]) for index in range(top + 1, bottom + 1))
        column[bottom] = span.end - starts[bottom]
    for index, start in column.items():
        kept[index].append(lines[index][start:])
    shown = list(lines)
    for index, (before, *after) in kept.items():
        rest = "".join(after)
        shown[index] = before + (rest if before.strip() else rest.lstrip())
    return shown, {index for index in kept if not shown[index].strip()}


def _mask(lines: Sequence[str], starts: Sequence[int], spans: Sequence[_Found]) -> Sequence[str]:
    """The lines with all but the first of each formula turned into plain words of one paragraph."""
    masked = list(lines)
    for span in spans:
        top, bottom = _lines_of(span, starts)
        for index in range(top + 1, bottom + 1):
            margin = _MARGIN.match(masked[index])
            masked[index] = f"{margin[0] if margin else ''}x"
    return masked


def _lines_of(span: _Found, starts: Sequence[int]) -> tuple[int, int]:
    """Index of the lines in which a span begins and ends."""
    return bisect_right(starts, span.start) - 1, bisect_right(starts, span.end - 1) - 1


_MARGIN: Final = re.compile(r"[ \t>]*")
_LEAD: Final = r"(?P<lead>[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*)"
_FENCE: Final = r"(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})"
FENCE: Final = re.compile(rf"^{_LEAD}{_FENCE}[^\n]*", re.MULTILINE)
"""The first line of a fenced block: group `lead` is what stands before the fence, group `fence` its characters."""
_MARK: Final = re.compile(
    rf"^{_LEAD}(?:{_FENCE}|(?P<block>%%|<!--|\$\$))|(?P<code>`+)|(?P<inline>%%|<!--|\$\$)|\\.", re.MULTILINE
)
_CLOSING: Final = {"%%": "%%", "<!--": "-->", "$$": "$$"}
_FENCE_END: Final = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_QUOTE_END: Final = re.compile(r"^(?![ \t]*>)", re.MULTILINE)
_BLANK_LINE: Final = re.compile(r"^[ \t>]*$", re.MULTILINE)
_LONGEST_CODE: Final = 1000
_LONGEST_INLINE: Final = 2000
_LONGEST: Final = {"%%": 1 << 30, "<!--": 1 << 30, "$$": 8000}


def _find(text: str) -> list[_Found]:
    """Comments and display math in the order of the text, outside of code."""
    found: list[_Found] = []
    position = 0
    last_comment_end = text.rfind("-->")
    while mark := _MARK.search(text, position):
        position = mark.end()
        if mark["fence"]:
            position = after_fence(text, mark)
        elif mark["code"]:
            position = _after_code(text, mark)
        elif (opener := mark["block"] or mark["inline"]) and (opener != "<!--" or position <= last_comment_end + 2):
            end = _after_span(text, opener, position, inline=mark["block"] is None)
            if end:
                found.append(_Found(position - len(opener), end, opener == "$$"))
                position = end
    return found


def after_fence(text: str, mark: re.Match[str]) -> int:
    """Where a fenced block ends: at its closing fence, with its quote, or with the text.

    `mark` is a match of `FENCE`, or of another pattern with its groups.
    """
    limit = len(text)
    if ">" in mark["lead"] and (end := _QUOTE_END.search(text, mark.end())):
        limit = end.start()
    fence = mark["fence"]
    for closing in _FENCE_END.finditer(text, mark.end(), limit):
        if closing[1].startswith(fence):
            return closing.end()
    return limit


def _after_code(text: str, mark: re.Match[str]) -> int:
    """Where a code span ends: at as many backticks, not too far away; without them it is no code span."""
    ticks = re.escape(mark["code"])
    end = re.compile(f"(?<!`){ticks}(?!`)").search(text, mark.end(), mark.end() + _LONGEST_CODE)
    return end.end() if end else mark.end()


def _after_span(text: str, opener: str, position: int, *, inline: bool) -> int:
    """Where a comment or formula ends, 0 if nowhere: inside a line it cannot go beyond its paragraph."""
    closing, longest = _CLOSING[opener], _LONGEST_INLINE if inline else _LONGEST[opener]
    end = text.find(closing, position - 2 if opener == "<!--" else position, position + longest)
    if end < 0 or (inline and _BLANK_LINE.search(text, position, end)):
        return 0
    return end + len(closing)
