"""Which paragraphs of a Korean document are headings, and what their numbers add to them.

Many authors use outline levels for ordinary numbered text, so a long paragraph is none, whatever its shape says. A
number that merely counts (`1.`, `가.`) is left out of a heading; one that names it (`제3조`) is part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docs_rag.adapters.converters.hwp.docinfo import DocInfo, Head
from docs_rag.adapters.converters.hwp.model import Paragraph, Piece, Text
from docs_rag.adapters.converters.hwp.numbering import Counter, names_its_kind

_LONGEST: Final = 120
"""Characters of a heading."""


class Shaper:
    """Makes the paragraphs of one document, in order: numbers run through it."""

    def __init__(self, info: DocInfo) -> None:
        """Start counting."""
        self._info = info
        self._counter = Counter(info.numberings)
        self.outline = 0
        """The numbering of the outline of the section that is being read."""

    def paragraph(self, pieces: tuple[Piece, ...], shape_number: int, style: int) -> Paragraph:
        """A paragraph of a shape and a style, by their numbers."""
        shape, named = self._info.shape(shape_number), self._info.outlines.get(style, 0)
        if shape.head == Head.BULLET:
            return Paragraph(pieces=pieces, bullet=shape.level)
        if shape.head == Head.NUMBER:
            return Paragraph(pieces=pieces, label=self._counter.next(shape.numbering, shape.level))
        numbering = shape.numbering or self.outline
        label = self._counter.next(numbering, shape.level) if shape.head == Head.OUTLINE else ""
        level = max(shape.level, named) if shape.head == Head.OUTLINE else named
        if not level or not _is_heading(pieces):
            return Paragraph(pieces=pieces, label=label)
        return Paragraph(pieces=pieces, level=level, label=label if self._is_named(numbering, level) else "")

    def _is_named(self, numbering: int, level: int) -> bool:
        levels = self._info.numberings.get(numbering, ())
        return level <= len(levels) and names_its_kind(levels[level - 1].pattern)


def has_text(pieces: Sequence[Piece]) -> bool:
    """Whether a paragraph shows anything in its line."""
    return any(not isinstance(piece, Text) or piece.text.strip() for piece in pieces)


def _is_heading(pieces: Sequence[Piece]) -> bool:
    text = "".join(piece.text for piece in pieces if isinstance(piece, Text)).strip()
    return 0 < len(text) <= _LONGEST and "\n" not in text
