"""Which notes, and which parts of notes, their state keeps out of answers: today, or on a day."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from docs_rag.adapters.sqlite.columns import load
from docs_rag.core.documents import DocPath
from docs_rag.core.queries import Hidden, Scope
from docs_rag.core.sections import ORDINAL_BITS, Place
from docs_rag.core.status import Status

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from docs_rag.core.asof import Life, Span

_DEAD: Final = "status IN ('superseded', 'archived') OR template"
_ENDED: Final = (Status.SUPERSEDED, Status.ARCHIVED)
_DATES: Final = {
    "notes": "CASE WHEN EXISTS (SELECT 1 FROM parts WHERE note = notes.id) THEN NULL ELSE date END",
    "parts": "date",
}
"""The date that a record is judged by where a day is named: that of a log says nothing of its decisions."""
_LATER_HEADS: Final = f"""
SELECT c.id FROM notes n JOIN chunks c ON c.id >= n.id << {ORDINAL_BITS} AND c.id < (n.id + 1) << {ORDINAL_BITS}
WHERE n.date > :day AND EXISTS (SELECT 1 FROM parts WHERE note = n.id)
AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.note = n.id AND p.first <= c.id AND c.id < p.stop)
"""
"""What logs hold outside their decisions, of logs that are dated later than a day."""


def dead_notes(connection: sqlite3.Connection, scope: Scope) -> dict[int, Hidden]:
    """The notes whose state, or whose being a template, keeps them out of a search that does not ask for all."""
    return {row[0]: reason for row, reason in _dead(connection, scope, "notes", "id, NULL")}


def dead_parts(connection: sqlite3.Connection, scope: Scope) -> dict[Place, Hidden]:
    """The same of the parts of notes, whatever is said of the note; those without a section are left out."""
    found = {Place(row[0], row[1]): reason for row, reason in _dead(connection, scope, "parts", "first, stop")}
    if scope.as_of is not None:
        heads = connection.execute(_LATER_HEADS, {"day": scope.as_of})
        found |= {Place(section, section + 1): Hidden.LATER for (section,) in heads}
    return {place: reason for place, reason in found.items() if place.first < place.end}


def _dead(
    connection: sqlite3.Connection, scope: Scope, table: str, key: str
) -> Iterable[tuple[tuple[Any, ...], Hidden]]:
    later = "" if scope.as_of is None else f" OR {_DATES[table]} > :day"
    rows = connection.execute(
        f"SELECT {key}, status, template, {_DATES[table]}, superseded_on, superseded_by FROM {table}"
        f" WHERE {_DEAD}{later}",
        {"day": scope.as_of},
    ).fetchall()
    for row, span in zip(rows, _spans(connection, rows, scope), strict=True):
        reason = scope.by_state(Status(row[2]), span) or (Hidden.TEMPLATE if row[3] else None)
        if reason is not None:
            yield row, reason


def _spans(connection: sqlite3.Connection, rows: Sequence[tuple[Any, ...]], scope: Scope) -> Sequence[Span | None]:
    """From when to when records were in force; None where the question names no day."""
    if scope.as_of is None:
        return [None] * len(rows)
    from docs_rag.core.asof import Life, Span, span  # noqa: PLC0415  # few questions name a day

    own = {
        place: Life(Status(row[2]), row[4], True, row[5], load(row[6]))
        for place, row in enumerate(rows)
        if row[2] in _ENDED
    }
    asked = [path for life in own.values() if life.superseded_on is None for path in life.superseded_by]
    known = lives(connection, asked)
    return [
        span(own[place], [known[DocPath(path)] for path in own[place].superseded_by if DocPath(path) in known])
        if place in own
        else Span(row[4])
        for place, row in enumerate(rows)
    ]


def lives(connection: sqlite3.Connection, paths: Iterable[str]) -> dict[DocPath, Life]:
    """When the records at these paths were made and what became of them; unknown ones are left out."""
    from docs_rag.core.asof import Life  # noqa: PLC0415

    found: dict[DocPath, Life] = {}
    wanted = {"paths": json.dumps(list(paths), ensure_ascii=False)}
    for table in ("parts", "notes"):
        rows = connection.execute(
            f"SELECT path, status, date, decided, superseded_on, superseded_by FROM {table}"
            " WHERE path IN (SELECT value FROM json_each(:paths))",
            wanted,
        )
        for path, status, date, decided, on, by in rows:
            found[DocPath(path)] = Life(Status(status), date, bool(decided), on, load(by))
    return found
