"""A note as `list` shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.status import Status

if TYPE_CHECKING:
    from docs_rag.core.documents import DocPath, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedNote:
    """One note, or one file that was asked for and could not be read (`indexed` is then False)."""

    path: DocPath
    title: str
    status: Status = Status.CURRENT
    status_text: str = ""
    date: str | None = None
    date_source: str | None = None
    """`note`: by its own word or name; `git`: by its first commit."""
    superseded_on: str | None = None
    superseded_by: tuple[str, ...] = ()
    current_end: tuple[str, ...] = ()
    superseded_by_text: tuple[str, ...] = ()
    """References as written."""
    supersedes: tuple[str, ...] = ()
    partial: str | None = None
    indexed: bool = True
    embedded: bool = False
    """True when every section that has words of its own has its vector."""
    stale: bool = False
    problems: tuple[Problem, ...] = ()


def as_json(note: ListedNote) -> dict[str, object]:
    """The note with the keys of the contract."""
    return {
        "path": note.path,
        "title": note.title,
        "status": str(note.status) if note.indexed else None,
        "statusText": note.status_text,
        "date": note.date,
        "dateSource": note.date_source,
        "supersededOn": note.superseded_on,
        "supersededBy": list(note.superseded_by),
        "currentEnd": list(note.current_end),
        "supersededByText": list(note.superseded_by_text),
        "supersedes": list(note.supersedes),
        "partial": note.partial,
        "indexed": note.indexed,
        "embedded": note.embedded,
        "problems": [{"code": each.code, "message": each.message, "line": each.line} for each in note.problems],
    }
