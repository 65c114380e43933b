"""The succession graph's side of the index: keys of records and references, what changed, standings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from docs_rag.adapters.sqlite.columns import clean, dump, dump_problems, hashed, load
from docs_rag.adapters.sqlite.connection import transaction
from docs_rag.core.documents import DocPath
from docs_rag.core.status import Status

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from docs_rag.core.succession import Record, Standing

MOST_TOUCHED: Final = 1_000
"""So many changed records, and the whole graph is worked out again."""


class GraphRows:
    """Writes and reads what the graph is made of; every write is one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Work on an open connection."""
        self._db = connection

    def put_keys(self, note: int, part: int, handles: Iterable[int], wanted: Sequence[int]) -> None:
        """Keep the hashed keys of a record and of its references; the note's former ones must be gone."""
        self._db.executemany("INSERT OR IGNORE INTO handles VALUES (?, ?, ?)", ((key, note, part) for key in handles))
        if wanted:
            self._db.executemany("INSERT OR IGNORE INTO wanted VALUES (?, ?, ?)", ((key, note, part) for key in wanted))

    def drop_keys(self, note: int) -> None:
        """Forget the keys of a note and of its parts."""
        self._db.execute("DELETE FROM handles WHERE note = ?", (note,))
        self._db.execute("DELETE FROM wanted WHERE note = ?", (note,))

    def touch(self, paths: Iterable[str], note: int | None = None) -> None:
        """Remember that these records changed, and with `note` the keys that it and its parts have now."""
        if self._is_all_open():
            return
        self._db.executemany("INSERT OR IGNORE INTO touched VALUES (?)", ((path,) for path in paths))
        if note is not None:
            self._db.execute("INSERT OR IGNORE INTO touched_keys SELECT key FROM handles WHERE note = ?", (note,))
        if self._db.execute("SELECT count(*) > ? FROM touched", (MOST_TOUCHED,)).fetchone()[0]:
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('unresolved', '1')")
            self._forget_touched()

    def touch_leaving(self, note: int, kept_parts: Collection[str] | None) -> None:
        """Remember a note before it is replaced or dropped, and what stands beside its parts that go.

        `kept_parts` are the anchors of those that stay; None: the note goes too.
        """
        rows = self._db.execute(
            "SELECT path FROM notes WHERE id = :note AND :whole UNION ALL SELECT path FROM parts WHERE note = :note"
            " AND anchor NOT IN (SELECT value FROM json_each(:kept))",
            {"note": note, "whole": kept_parts is None, "kept": dump([*(kept_parts or ())])},
        )
        going = {DocPath(path) for (path,) in rows}
        self.touch(going | self.related(going), note)

    def is_unresolved(self) -> bool:
        """True while the standings may not agree with the notes."""
        return self._is_all_open() or self._db.execute("SELECT 1 FROM touched LIMIT 1").fetchone() is not None

    def _is_all_open(self) -> bool:
        return self._db.execute("SELECT 1 FROM meta WHERE key = 'unresolved'").fetchone() is not None

    def touched(self) -> set[DocPath] | None:
        """The records that changed since the standings were set; None when any may have."""
        if self._is_all_open():
            return None
        return _paths(self._db.execute("SELECT path FROM touched"))

    def wanting_touched(self) -> set[DocPath]:
        """The records with a reference that asks for a key which a changed record has or had."""
        return self._wanting("SELECT key FROM touched_keys", "")

    def wanting(self, keys: Collection[str]) -> set[DocPath]:
        """The records with a reference that asks for one of these keys."""
        return self._wanting(_GIVEN, _dumped(keys)) if keys else set()

    def _wanting(self, keys: str, given: str) -> set[DocPath]:
        rows = self._db.execute(
            f"WITH found AS (SELECT DISTINCT note, part FROM wanted WHERE key IN ({keys}))"
            " SELECT n.path FROM found f JOIN notes n ON n.id = f.note WHERE f.part = 0"
            " UNION ALL SELECT p.path FROM found f JOIN parts p ON p.id = f.part",
            {"given": given} if given else {},
        )
        return _paths(rows)

    def speaking(self) -> set[DocPath]:
        """The records that have something to say, and those that stand otherwise than by their own word."""
        tables = " UNION ALL ".join(f"SELECT path FROM {table} WHERE {_SPEAKING}" for table in ("notes", "parts"))
        return _paths(self._db.execute(tables))

    def records(self) -> Iterator[Record]:
        """Every record, by path."""
        return map(_record, self._db.execute(f"{_NOTES} UNION ALL {_PARTS} ORDER BY 1"))

    def records_at(self, paths: Collection[DocPath]) -> dict[DocPath, Record]:
        """The records at these paths; unknown ones are left out."""
        where = "WHERE path IN (SELECT value FROM json_each(:paths))"
        rows = self._db.execute(f"{_NOTES} {where} UNION ALL {_PARTS} {where}", {"paths": dump([*paths])})
        return {record.path: record for record in map(_record, rows)}

    def called(self, keys: Collection[str]) -> dict[DocPath, Record]:
        """The records that have one of these keys."""
        if not keys:
            return {}
        found = f"SELECT {{}} FROM handles WHERE key IN ({_GIVEN}) AND part {{}} 0"
        rows = self._db.execute(
            f"{_NOTES} WHERE id IN ({found.format('note', '=')})"
            f" UNION ALL {_PARTS} WHERE id IN ({found.format('part', '<>')})",
            {"given": _dumped(keys)},
        )
        return {record.path: record for record in map(_record, rows)}

    def related(self, paths: Collection[DocPath]) -> set[DocPath]:
        """The records that the standings of these name."""
        where = "WHERE path IN (SELECT value FROM json_each(:paths))"
        columns = "superseded_by, supersedes, partial_by, partly_supersedes"
        rows = self._db.execute(
            f"SELECT {columns} FROM notes {where} UNION ALL SELECT {columns} FROM parts {where}",
            {"paths": dump([*paths])},
        )
        return {DocPath(path) for row in rows for column in row for path in load(column)}

    def set_standings(self, standings: Mapping[DocPath, Standing], heard: Collection[DocPath] | None = None) -> None:
        """Let the records that were heard stand as `standings` says, or else by their own word; None: all of them.

        Only rows that change are written.
        """
        where = "" if heard is None else "WHERE path IN (SELECT value FROM json_each(:paths))"
        with transaction(self._db):
            for table in ("notes", "parts"):
                rows = self._db.execute(
                    f"SELECT {', '.join(_RESOLVED)}, path, id, own_status, own_since FROM {table} {where}",
                    {"paths": dump([*(heard or ())])},
                )
                changes = [
                    (*values, row[-3])
                    for row in rows
                    if (values := _standing(standings.get(row[-4]), *row[-2:])) != row[: len(_RESOLVED)]
                ]
                self._db.executemany(
                    f"UPDATE {table} SET {', '.join(f'{column} = ?' for column in _RESOLVED)} WHERE id = ?", changes
                )
            self._forget_touched()
            self._db.execute("DELETE FROM meta WHERE key = 'unresolved'")

    def _forget_touched(self) -> None:
        self._db.execute("DELETE FROM touched")
        self._db.execute("DELETE FROM touched_keys")


def _dumped(keys: Iterable[str]) -> str:
    return json.dumps([hashed(key) for key in keys])


def _paths(rows: Iterable[tuple[Any, ...]]) -> set[DocPath]:
    return {DocPath(row[0]) for row in rows}


def _record(row: tuple[Any, ...]) -> Record:
    from docs_rag.core.lifecycle import Lifecycle  # noqa: PLC0415  # a search reads no records
    from docs_rag.core.succession import Record  # noqa: PLC0415

    path, aliases, links, title, status, text, known, successors, claims, partial, partial_claims = row[:11]
    date, since, ids, template, decided, source = row[11:]
    life = Lifecycle(
        status=Status(status),
        status_text=text,
        known=bool(known),
        successors=load(successors),
        claims=load(claims),
        partial=load(partial),
        partial_claims=load(partial_claims),
        date=date,
        superseded_on=since,
        ids=load(ids),
        template=bool(template),
        decided=bool(decided),
        is_git_date=source == "git",
    )
    return Record(path, title, load(aliases), life, load(links))


def _standing(standing: Standing | None, own_status: str, own_since: str | None) -> tuple[object, ...]:
    """The values of the columns `_RESOLVED`."""
    if standing is None:
        return (own_status, "[]", "[]", own_since, "[]", None, "[]", "[]", "[]")
    return (
        str(standing.status),
        dump(standing.superseded_by),
        dump(standing.current_end),
        standing.superseded_on,
        dump(standing.supersedes),
        None if standing.partial is None else clean(standing.partial),
        dump(standing.partial_by),
        dump(standing.partly_supersedes),
        dump_problems(standing.problems),
    )


_RESOLVED: Final = (
    "status", "superseded_by", "current_end", "superseded_on", "supersedes", "partial", "partial_by",
    "partly_supersedes", "link_problems",
)  # fmt: skip
_SPEAKING: Final = (
    "speaks OR status <> own_status OR superseded_by <> '[]' OR supersedes <> '[]' OR partial_by <> '[]'"
    " OR partly_supersedes <> '[]' OR partial IS NOT NULL OR link_problems <> '[]'"
)
_OWN_WORD: Final = (
    "title, own_status, status_text, known, successors, claims, partial_refs, partial_claims, date, own_since, ids,"
    " template, decided, date_source"
)
_NOTES: Final = f"SELECT path, aliases, links, {_OWN_WORD} FROM notes"
_PARTS: Final = f"SELECT path, '[]', '[]', {_OWN_WORD} FROM parts"
_GIVEN: Final = "SELECT value FROM json_each(:given)"
