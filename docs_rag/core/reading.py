"""A part of a note as it is given to a reader: what `read --json` prints and `read_note` returns.

What must be known of the note stands before its text: a dead record says so first. The keys of the JSON stand in the
order of importance, so that a reply that is cut short still says what matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from docs_rag.core.labels import standing

if TYPE_CHECKING:
    from docs_rag.core.notetext import Headed
    from docs_rag.core.paging import LineRange, Numbered
    from docs_rag.core.sections import Section

MOST_OUTLINE: Final = 60
"""Headings that a reading names; they are there to choose from, and are left out where the whole note is shown."""
OUTLINE_CHARS: Final = 3_000
MOST_PATHS: Final = 8
"""Successors of one record that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A page of a note."""

    path: str
    record: Section
    """Whose standing counts for what is shown: the note's, or that of the one decision of a log that is shown."""
    parts: tuple[Section, ...] = ()
    """A section each of other records in what is shown that are not current, or not whole."""
    index_is_current: bool = True
    """False where the index holds another version of the note than the file, which is what is shown."""
    notices: tuple[str, ...] = ()
    heading: tuple[str, ...] = ()
    """The headings over the first line that is shown."""
    location: str = ""
    """Where the lines come from in a document that was converted: `p. 7`."""
    text_path: str
    """Absolute path of the file that lines count in: the note, or the text that a document was converted to."""
    lines: tuple[Numbered, ...]
    total: int
    """Lines of the file."""
    previous: LineRange | None = None
    """What stands before."""
    rest: LineRange | None = None
    """What was asked for and did not fit, or else what follows in the note."""
    is_cut: bool = False
    """True where `rest` was asked for."""
    outline: tuple[Headed, ...] = ()
    """The note's headings, where not the whole note is shown."""

    @property
    def range(self) -> tuple[int, int] | None:
        """First and last line that is shown; None for an empty file."""
        return (self.lines[0].number, self.lines[-1].number) if self.lines else None


def as_json(reading: Reading) -> dict[str, object]:
    """The reading with every key present."""
    record, lines = reading.record, reading.range
    return {
        "path": reading.path,
        "title": record.title,
        "standing": standing(record),
        **_state(record),
        "parts": [_part(each) for each in reading.parts],
        "indexIsCurrent": reading.index_is_current,
        "message": where(reading),
        "notices": list(reading.notices),
        "heading": list(reading.heading),
        "location": reading.location,
        "textPath": reading.text_path,
        "lines": None if lines is None else list(lines),
        "lineCount": reading.total,
        "text": "\n".join(map(str, reading.lines)),
        "truncated": reading.is_cut,
        "next": None if reading.rest is None else str(reading.rest),
        "previous": None if reading.previous is None else str(reading.previous),
        "outline": [{"heading": list(each.path), "lines": [each.first, each.end]} for each in reading.outline],
    }


def where(reading: Reading, go_on: str = "") -> str:
    """Which lines of how many are shown, and how to go on: `go_on`, in the words of who reads this."""
    lines = reading.range
    if lines is None:
        return "the file is empty"
    shown = f"lines {lines[0]}-{lines[1]} of {reading.total}"
    if reading.rest is None:
        return shown
    why = "the reply has no room for more" if reading.is_cut else "the note goes on"
    return f"{shown}; {why}: {go_on or f'lines {reading.rest}'}"


def _state(record: Section) -> dict[str, object]:
    return {
        "status": str(record.status),
        "statusText": record.status_text,
        "date": record.date,
        "dateSource": record.date_source,
        "supersededBy": list(record.superseded_by[:MOST_PATHS]),
        "currentEnd": list(record.current_end[:MOST_PATHS]),
        "supersededOn": record.superseded_on,
        "partial": record.partial,
    }


def _part(section: Section) -> dict[str, object]:
    return {"path": section.standing_of, "standing": standing(section), "partial": section.partial}
