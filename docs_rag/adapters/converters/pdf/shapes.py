"""What a PDF page holds, as its reader hands it to the rest: lines of text with their places, rules, notes.

Lengths are points (1/72 inch). The origin is the lower left corner of the page as a person sees it, y grows upwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from docs_rag.core.converted import Picture
from docs_rag.core.doctext import clean
from docs_rag.core.mdtables import Cell

_WORD_GAP: Final = 0.25
"""Of the font's box."""


class Char(NamedTuple):
    """One character and its box; a plain tuple, since a book has a million of them."""

    text: str
    """Led by a space where the page sets one before it."""
    left: float
    bottom: float
    right: float
    top: float


class Rule(NamedTuple):
    """A straight horizontal or vertical line that is drawn on the page."""

    horizontal: bool
    at: float
    """y of a horizontal rule, x of a vertical one."""
    start: float
    end: float


Rows = list[list[Cell]]
"""A table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of text, in the reading order of the page."""

    text: str
    """Cleaned; empty for a line that is not to be shown."""
    chars: tuple[Char, ...] = ()
    """Its characters without the spaces between them; empty where their places are not known."""
    left: float = 0.0
    bottom: float = 0.0
    right: float = 0.0
    top: float = 0.0
    size: float = 0.0
    """Height of the font's box, which is the same for all letters of a font; 0 where it is not known."""
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page."""

    number: int
    """1-based: the place in the document, not the number that may be printed on it."""
    lines: tuple[Line, ...] = ()
    rules: tuple[Rule, ...] = ()
    tables: Mapping[int, Sequence[Rows]] = field(default_factory=dict)
    """Number of a line -> the tables before it; the count of the lines for those at the end."""
    notes: tuple[str, ...] = ()
    """Comments and filled form fields on it, one markdown line each."""
    pictures: tuple[Picture, ...] = ()
    pictured: bool = False
    """Whether what text it has is a picture: it shows images or drawings and no text to speak of."""
    formulas: bool = False
    """Whether it is set with fonts for formulas, whose places on the page no line keeps."""
    recognised: tuple[str, ...] = ()
    """Paragraphs that OCR read, as markdown; they take the place of the lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """One entry of the outline."""

    title: str
    level: int
    """1 for the outermost."""
    page: int
    """1-based."""
    top: float | None = None
    """Where on the page it points to, if it says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What was read from a PDF."""

    pages: tuple[Page, ...]
    outline: tuple[Bookmark, ...] = ()
    title: str = ""
    warnings: tuple[str, ...] = ()


def joined(chars: Iterable[Char]) -> str:
    """The text of characters in their order, on one line."""
    return " ".join(clean("".join(char.text for char in chars)).split())


def is_garbled(lines: Sequence[Line]) -> bool:
    """Whether most of a text is no text: its font does not say which letters its glyphs are."""
    text = "".join(line.text for line in lines).replace(" ", "")
    unknown = sum(char == "\ufffd" or "\ue000" <= char <= "\uf8ff" for char in text)
    return unknown * 2 > len(text)


def words(line: Line) -> Iterator[tuple[Char, ...]]:
    """The characters of a line in words: a space or a gap parts them."""
    word: list[Char] = []
    for char in line.chars:
        if word and (char.text.startswith(" ") or not -line.size < char.left - word[-1].right < _WORD_GAP * line.size):
            yield tuple(word)
            word = []
        word.append(char)
    if word:
        yield tuple(word)


def line_of(chars: Sequence[Char], text: str = "", *, bold: bool = False) -> Line:
    """A line of these characters, at least one; `text` where it is known better than by joining them."""
    heights = sorted(char.top - char.bottom for char in chars)
    return Line(
        text=text or joined(chars),
        chars=tuple(chars),
        left=min(char.left for char in chars),
        bottom=min(char.bottom for char in chars),
        right=max(char.right for char in chars),
        top=max(char.top for char in chars),
        size=heights[len(heights) // 2],
        bold=bold,
    )


def places(numbers: Sequence[int]) -> str:
    """Page numbers in words: `p. 3-5, 9`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return "p. " + ", ".join("-".join(map(str, each)) for each in ranges)
