"""What `list` shows, read from the index: records with their standings and problems, files that could not be had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docs_rag.adapters.sqlite.columns import load, load_problems
from docs_rag.core.documents import DocPath, Problem
from docs_rag.core.listing import ListedNote
from docs_rag.core.sections import ORDINAL_BITS
from docs_rag.core.status import Status

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence


def listing(connection: sqlite3.Connection, *, troubled: bool = False) -> Iterator[ListedNote]:
    """Every note and every part of one, by path, then every file that could not be had, by path.

    `troubled`: of the notes and parts those alone that have problems of their own, or could not be read again.
    """
    yield from map(_listed, connection.execute(_TROUBLED_LISTING if troubled else _LISTING))
    absent = connection.execute(
        "SELECT path, code, message FROM skipped WHERE path NOT IN (SELECT path FROM notes) ORDER BY path"
    )
    for path, code, message in absent:
        yield ListedNote(path=path, title="", indexed=False, problems=(Problem(code, message),))


def _listed(row: Sequence[Any]) -> ListedNote:
    (path, title, status, text, date, source, on, by, end, successors, supersedes, partial, embedded, stale) = row[:14]
    return ListedNote(
        path=DocPath(path),
        title=title,
        status=Status(status),
        status_text=text,
        date=date,
        date_source=source,
        superseded_on=on,
        superseded_by=load(by),
        current_end=load(end),
        superseded_by_text=load(successors),
        supersedes=load(supersedes),
        partial=partial,
        indexed=True,
        embedded=bool(embedded),
        stale=bool(stale),
        problems=tuple(problem for column in row[14:] for problem in load_problems(column)),
    )


_SHOWN = (
    "title, status, status_text, date, date_source, superseded_on, superseded_by, current_end, successors, supersedes,"
    " partial, problems, link_problems"
)
_OF_NOTES = ", ".join(f"n.{column}" for column in _SHOWN.split(", "))
_OF_PARTS = ", ".join(f"p.{column}" for column in _SHOWN.split(", "))
_TROUBLED = "problems <> '[]' OR link_problems <> '[]'"
_TROUBLED_NOTES = (
    f"WHERE n.id IN (SELECT id FROM notes WHERE {_TROUBLED}"
    " UNION SELECT id FROM notes WHERE path IN (SELECT path FROM skipped))"
)
_TROUBLED_PARTS = f"WHERE p.id IN (SELECT id FROM parts WHERE {_TROUBLED})"


def _query(notes: str, parts: str) -> str:
    return f"""
WITH active AS (SELECT CAST(value AS INTEGER) AS model FROM meta WHERE key = 'model'),
records (path, first, stop, whole, stale, {_SHOWN}) AS (
    SELECT n.path, n.id << {ORDINAL_BITS}, (n.id + 1) << {ORDINAL_BITS}, 1, n.stale, {_OF_NOTES} FROM notes n {notes}
    UNION ALL
    SELECT p.path, p.first, p.stop, 0, n.stale, {_OF_PARTS} FROM parts p JOIN notes n ON n.id = p.note {parts}
)
SELECT path, title, status, status_text, date, date_source, superseded_on, superseded_by, current_end, successors,
    supersedes, partial,
    EXISTS (SELECT 1 FROM active) AND NOT EXISTS (
        SELECT 1 FROM chunks c WHERE c.id >= r.first AND c.id < r.stop AND c.digest IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM vectors v, active WHERE v.model = active.model AND v.digest = c.digest)
    ),
    stale, problems, link_problems,
    (SELECT json_group_array(json_array(code, message, NULL)) FROM skipped s WHERE s.path = r.path),
    (SELECT json_group_array(json_array(f.code, f.message, c.first_line)) FROM chunks c, refused f, active
     WHERE r.whole AND c.id >= r.first AND c.id < r.stop AND f.model = active.model AND f.digest = c.digest)
FROM records r ORDER BY path
"""


_LISTING = _query("", "")
"""What the model refused is told of the note alone, not again of its parts."""
_TROUBLED_LISTING = _query(_TROUBLED_NOTES, _TROUBLED_PARTS)
