"""A note cut into sections along its headings: what is shown, what is embedded, what is searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from docs_rag.core.documents import Document

CHUNKER_VERSION: Final = 2
"""Part of the index's identity: raised whenever a note would be cut otherwise or embedded as another text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A section of a note, or a part of a long one."""

    ordinal: int
    """Place in the note, from 0."""
    headings: tuple[str, ...]
    """Heading path from the note's top heading down to this section; empty before the first heading."""
    lines: tuple[int, int]
    """First and last line in the file, 1-based, inclusive."""
    text: str
    """The section as written, its own heading line included; what a hit shows and the words are taken from."""
    location: str = ""
    """Where it stands in a document of another format, in words: `p. 7`; empty for notes."""
    names: str = ""
    """Further words that find this section: title, file name and aliases in a note's first chunk."""


def chunk(document: Document) -> list[Chunk]:
    """The note's sections in order, at least one; comments are in none of them.

    A section without words of its own goes with its neighbour. A note without a visible word is one chunk with an
    empty text, so that its names can be found.
    """
    # A search needs the value above and none of the patterns below.
    from docs_rag.core.sectioning import Passage, further_names, passages  # noqa: PLC0415

    return [
        Chunk(
            ordinal=ordinal,
            headings=passage.headings,
            lines=(passage.first, passage.last),
            text=passage.text,
            names="" if ordinal else further_names(document, passage.text),
        )
        for ordinal, passage in enumerate(passages(document) or [Passage((), 1, 1, "")])
    ]
