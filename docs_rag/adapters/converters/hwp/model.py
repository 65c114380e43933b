"""A Hancom document as values, whichever of its file formats it came from.

HWP 5, HWPX and HWPML hold the same things under different names; the readers make these values, `writing` turns them
into markdown. Texts are as the file has them: cleaning belongs to the writer.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text; `\\n` where the author broke the line."""

    text: str


@dataclass(frozen=True, slots=True)
class Equation:
    """A formula in Hancom's own script."""

    script: str
    number: str = ""
    """As its caption counts it."""


@dataclass(frozen=True, slots=True)
class Note:
    """The place of a footnote or an endnote, and what it says."""

    blocks: tuple[Block, ...]
    at_end: bool


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a hyperlink whose text was just shown."""

    target: str


Piece: TypeAlias = Text | Equation | Note | Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph; empty ones may be left out."""

    pieces: tuple[Piece, ...] = ()
    level: int = 0
    """1 for the outermost outline level; 0 for a paragraph that is in no outline."""
    label: str = ""
    """Its number as shown, `가.` or `제3조`."""
    bullet: int = 0
    """1 for an item of an outermost bullet list, 2 for one inside it; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCell:
    """A cell at its place, both counted from 0."""

    row: int
    column: int
    blocks: tuple[Block, ...]
    rowspan: int = 1
    colspan: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table; cells in any order, its caption apart."""

    cells: tuple[TableCell, ...]
    caption: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, by the name under which the document keeps it."""

    name: str


class Kind(Enum):
    """What stands beside the running text; the value is the word before it in the markdown."""

    HEADER = "Header"
    FOOTER = "Footer"
    BACKGROUND = "Page background"
    COMMENT = "Hidden comment"
    MEMO = "Memo"


@dataclass(frozen=True, slots=True)
class Aside:
    """Text beside the running text."""

    kind: Kind
    blocks: tuple[Block, ...]


Block: TypeAlias = Paragraph | Table | Image | Aside

Section: TypeAlias = tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a reader found in a file."""

    sections: tuple[Section, ...]
    pictures: dict[str, bytes]
    """By the names that the images have."""
    objects: int = 0
    """Embedded objects (charts, sheets of other programs) whose text is not read."""
    warnings: tuple[str, ...] = ()
    fallback: str = ""
    """The beginning of the text as the file keeps it for previews; for a document whose sections cannot be read."""
