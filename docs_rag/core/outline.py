"""A note's headings and the stretches that no one reads as prose, found in one pass and without a markdown parser.

Every note is looked at for its title and for what it says of its state, most of them in vain: this costs a fraction
of block parsing. Fences, HTML comments, `%%` comments and `$$` formulas are passed over.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from docs_rag.core.plaintext import plain

_BLOCK: Final = re.compile(
    r"\n {0,3}(?:(?P<fence>`{3,}|~{3,})|(?P<comment><!--)|(?P<hidden>%%)|(?P<math>\$\$)|(?P<pre><pre\b)"
    r"|(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*)|(?P<setext>=+|-{3,})[ \t]*$)",
    re.MULTILINE,
)
"""With the line end before it: an expression that begins with a fixed character is found many times faster."""
_CLOSING: Final = re.compile(r"(?:^|[ \t])#+$")
_NO_HEADING: Final = re.compile(r" {4}|\t|\s*(?:[-*+>|#=<]|\d+[.)]\s|$)|[*_]{0,3}\w[\w .-]{0,30}[*_]{0,3}[:：](?:\s|$)")
_LONGEST_TITLE: Final = 500
"""In characters."""


class Heading(NamedTuple):
    """A heading at the top level of the note."""

    level: int
    """1-6."""
    line: int
    """0-based line of the text."""
    end: int
    """The line after it; two further for one that is underlined."""
    raw: str
    """As written, without its marks."""

    @property
    def words(self) -> str:
        """Without closing marks and markup, on one line."""
        return " ".join(plain(_CLOSING.sub("", self.raw)).split())


class Stretch(NamedTuple):
    """Lines that are no prose."""

    kind: str
    """`fence`, `pre`, `comment` or `math`."""
    first: int
    """0-based line."""
    last: int
    """The last line, itself included."""


class Outline(NamedTuple):
    """What was found, in order."""

    headings: tuple[Heading, ...]
    stretches: tuple[Stretch, ...]

    def title(self) -> str:
        """The words of the first top-level heading that has any; empty when there is none."""
        return next((words for each in self.headings if each.level == 1 and (words := each.words)), "")


def outline(text: str, body_start: int) -> Outline:
    """Headings and stretches of a text from the line `body_start` (0-based) on. Never raises."""
    place = _line_start(text, body_start)
    text, counter = "\n" + text, _Lines("\n" + text, place, body_start - 1)
    headings: list[Heading] = []
    unclosed: set[str] = set()
    stretches: list[Stretch] = []
    while (found := _BLOCK.search(text, place)) is not None:
        place = found.end()
        line = counter.at(found.start() + 1)
        if found["title"] is not None:
            headings.append(Heading(len(found["marks"]), line, line + 1, found["title"][:_LONGEST_TITLE].strip()))
        elif found["setext"] is not None:
            above = _line_above(text, found.start() + 1)
            if line > body_start and above and not _is_stretch(stretches, line - 1):
                level = 1 if found["setext"][0] == "=" else 2
                headings.append(Heading(level, line - 1, line + 1, above[:_LONGEST_TITLE].strip()))
        else:
            place = max(place, _block_end(text, found, unclosed))
            kind = next(each for each in ("fence", "pre", "comment", "hidden", "math") if found[each] is not None)
            kind = "comment" if kind == "hidden" else kind
            if place > found.end() or kind == "fence":
                stretches.append(Stretch(kind, line, counter.at(max(found.start() + 1, place - 1))))
    return Outline(tuple(headings), tuple(stretches))


class _Lines:
    """Counts lines forwards: places must be asked for in order."""

    def __init__(self, text: str, place: int, line: int) -> None:
        self._text, self._place, self._line = text, place, line

    def at(self, place: int) -> int:
        """The 0-based line of a place in the text."""
        if place > self._place:
            self._line += self._text.count("\n", self._place, place)
            self._place = place
        return self._line


def _is_stretch(stretches: list[Stretch], line: int) -> bool:
    return bool(stretches) and stretches[-1].last >= line


def _line_start(text: str, lines: int) -> int:
    """Where the line after so many lines begins."""
    place = 0
    for _ in range(lines):
        place = text.find("\n", place) + 1
        if place == 0:
            return len(text)
    return place


def _line_above(text: str, start: int) -> str:
    """The line above an underline, when it is the text of a heading and no list, quote, table or other block."""
    line = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
    return "" if len(line) > _LONGEST_TITLE or _NO_HEADING.match(line) else line


def _block_end(text: str, opening: re.Match[str], unclosed: set[str]) -> int:
    """Where the fence, comment or formula ends that a match opens.

    A fence or an HTML comment that is never closed takes the rest of the text; the others then hide nothing.
    `unclosed` keeps the closing marks that were looked for in vain: there are none further down either.
    """
    mark = opening["fence"]
    if mark is not None:
        closing = re.compile(rf"^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE)
        found = closing.search(text, opening.end())
        return len(text) if found is None else found.end()
    closer = "-->" if opening["comment"] else "</pre>" if opening["pre"] else opening[0].strip()
    end = -1 if closer in unclosed else text.find(closer, opening.end())
    if end < 0:
        unclosed.add(closer)
        return len(text) if opening["comment"] else opening.end()
    return end + len(closer)
