"""A section as the index gives it back: the text with everything that an answer says about its note.

A record is a note, or one decision of a note that holds several; its sections follow each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from docs_rag.core.asof import Force
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


class Place(NamedTuple):
    """Where a record lies in the index: the ids of its sections, from `first` up to `end`, which is not one of them."""

    first: int
    end: int

    @property
    def note(self) -> int:
        """Id of the note."""
        return self.first >> ORDINAL_BITS


def whole(note: int) -> Place:
    """The place of a whole note."""
    return Place(section_id(note, 0), section_id(note + 1, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordView:
    """A record without its text."""

    path: DocPath
    """`log.md#D-013` for a part."""
    title: str
    status: Status
    date: str | None = None
    date_source: str | None = None
    """`note`: by its own word or name; `git`: by its first commit."""
    superseded_by: tuple[DocPath, ...] = ()
    current_end: tuple[DocPath, ...] = ()
    superseded_on: str | None = None
    force: Force | None = None
    """What it was on the day that the question names; None where it names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of the index with the standing of its note, or of the part of the note that it lies in."""

    id: int
    path: DocPath
    title: str
    ordinal: int
    headings: tuple[str, ...]
    lines: tuple[int, int]
    text: str
    status: Status
    location: str = ""
    """Where it stands in a document of another format, in words: `p. 7`; empty for notes."""
    status_text: str = ""
    date: str | None = None
    date_source: str | None = None
    """`note`: by its own word or name; `git`: by its first commit."""
    superseded_by: tuple[DocPath, ...] = ()
    current_end: tuple[DocPath, ...] = ()
    superseded_on: str | None = None
    partial: str | None = None
    partial_by: tuple[DocPath, ...] = ()
    """What replaced parts of it, as far as that is known."""
    stale: bool = False
    """True when the file could not be read again and the index still holds its former text."""
    record: DocPath | None = None
    """`log.md#D-013` where the standing is that of a part, else None."""
    force: Force | None = None
    """What its record was on the day that the question names; None where it names none."""

    @property
    def note(self) -> int:
        """Id of its note."""
        return note_of(self.id)

    @property
    def standing_of(self) -> DocPath:
        """The record whose standing it has: its note, or the part of it."""
        return self.record or self.path
