"""A section as the index gives it back: the text with everything that an answer says about its note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs_rag.core.documents import DocPath
    from docs_rag.core.status import Status

ORDINAL_BITS = 20
"""A section's id is its note's id shifted left by this, plus its ordinal: the note is known without a look-up."""


def section_id(note: int, ordinal: int) -> int:
    """The id of a note's n-th section."""
    return note << ORDINAL_BITS | ordinal


def note_of(section: int) -> int:
    """The id of the note that a section belongs to."""
    return section >> ORDINAL_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of the index with its note's standing."""

    id: int
    path: DocPath
    title: str
    ordinal: int
    headings: tuple[str, ...]
    lines: tuple[int, int]
    text: str
    status: Status
    status_text: str = ""
    date: str | None = None
    superseded_by: tuple[DocPath, ...] = ()
    current_end: tuple[DocPath, ...] = ()
    superseded_on: str | None = None
    partial: str | None = None
    stale: bool = False
    """True when the file could not be read again and the index still holds its former text."""

    @property
    def note(self) -> int:
        """Id of its note."""
        return note_of(self.id)
