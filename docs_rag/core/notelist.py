"""Notes as `list_notes` returns them: those that are wanted, page by page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from docs_rag.core.answers import without_empty
from docs_rag.core.cleaning import one_line, shown_path
from docs_rag.core.labels import dated
from docs_rag.core.paging import MARGIN, MOST_BYTES, MOST_CHARS

if TYPE_CHECKING:
    from docs_rag.core.listing import ListedNote

MOST_NOTES: Final = 200
MOST_PATHS: Final = 5
"""Successors, and problems, that are named of one note."""
PROBLEM_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which notes are wanted."""

    prefix: str = ""
    """What their paths begin with, whatever the case."""
    status: str | None = None
    problems: bool = False
    """Only those with problems."""
    after: str = ""
    """Only those whose paths come later in order."""

    def admits(self, note: ListedNote) -> bool:
        """Whether a note is wanted."""
        if self.status is not None and (not note.indexed or note.status != self.status):
            return False
        if note.path <= self.after and self.after:
            return False
        return (bool(note.problems) or not self.problems) and note.path.casefold().startswith(self.prefix.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteList:
    """A page of notes."""

    notes: tuple[ListedNote, ...]
    left: int = 0
    """How many more there are."""
    notices: tuple[str, ...] = ()

    @property
    def after(self) -> str:
        """With what `after` the next page begins; empty on the last one."""
        return shown_path(self.notes[-1].path) if self.left else ""


def note_list(notes: Iterable[ListedNote], wanted: Filter, notices: Sequence[str] = ()) -> NoteList:
    """The first of the notes that are wanted, by path, as many as a reply has room for."""
    found = sorted(filter(wanted.admits, notes), key=lambda note: note.path)
    chars, octets, count = MOST_CHARS, MOST_BYTES, 0
    for note in found[:MOST_NOTES]:
        written = json.dumps(entry(note), ensure_ascii=False)
        chars, octets = chars - len(written) - MARGIN, octets - len(written.encode("utf-8", "replace")) - MARGIN
        if count and min(chars, octets) < 0:
            break
        count += 1
    return NoteList(notes=tuple(found[:count]), left=len(found) - count, notices=tuple(notices))


def as_json(found: NoteList) -> dict[str, object]:
    """The page."""
    return {
        "message": message(found),
        "notices": list(map(one_line, found.notices)),
        "notes": [entry(note) for note in found.notes],
        "left": found.left,
        "next": found.after,
    }


def message(found: NoteList) -> str:
    """How many there are, and how to go on."""
    count = len(found.notes)
    if not found.left:
        return f"{count} notes" if count != 1 else "1 note"
    return f'{count} notes, {found.left} more: go on with after "{found.after}", or give a longer prefix'


def entry(note: ListedNote) -> dict[str, object]:
    """One note, less its empty fields."""
    return without_empty(
        {
            "path": shown_path(note.path),
            "title": one_line(note.title)[:PROBLEM_CHARS],
            "status": str(note.status) if note.indexed else "",
            "date": note.date,
            "supersededOn": note.superseded_on,
            "supersededBy": [shown_path(each) for each in note.superseded_by[:MOST_PATHS]],
            "currentEnd": [shown_path(each) for each in note.current_end[:MOST_PATHS]],
            "partial": None if note.partial is None else one_line(note.partial)[:PROBLEM_CHARS],
            "indexed": note.indexed,
            "stale": note.stale or None,
            "problems": [
                {"code": each.code, "message": one_line(each.message)[:PROBLEM_CHARS], "line": each.line}
                for each in note.problems[:MOST_PATHS]
            ],
        }
    )


def lines(found: NoteList) -> Iterator[str]:
    """The same as text; what comes from the vault is indented."""
    yield message(found)
    for note in found.notes:
        state = str(note.status) if note.indexed else "not read"
        ends = ", ".join(map(shown_path, note.current_end[:MOST_PATHS] or note.superseded_by[:MOST_PATHS]))
        parts = (
            shown_path(note.path),
            f"[{state} → {ends}]" if ends else f"[{state}]",
            "[stale]" if note.stale else "",
            dated(note.date, note.date_source),
            one_line(note.title)[:PROBLEM_CHARS],
        )
        yield "    " + "  ".join(filter(None, parts))
        for each in note.problems[:MOST_PATHS]:
            yield f"        {each.code}: {one_line(each.message)[:PROBLEM_CHARS]}"
