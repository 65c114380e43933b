"""What the index remembers of folders, and what it holds of each: a run compares those alone that have changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from docs_rag.adapters.sqlite.connection import transaction
from docs_rag.core.changes import StoredStamp
from docs_rag.core.documents import DocPath, FileStamp
from docs_rag.core.walked import KnownFolder

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

_NOTHING: Mapping[str, int] = {}


class FolderRows:
    """Writes and reads folders; every write is one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Work on an open connection."""
        self._db = connection

    def known(self) -> dict[str, KnownFolder]:
        """Every folder that is remembered; what changes one of its notes lets it be forgotten."""
        rows = self._db.execute("SELECT path, fingerprint, notes, left_out, below FROM folders")
        return {
            path: KnownFolder(
                fingerprint,
                notes,
                json.loads(left_out) if left_out else _NOTHING,
                tuple(json.loads(below)) if below else (),
            )
            for path, fingerprint, notes, left_out, below in rows
        }

    def remember(self, folders: Mapping[str, KnownFolder], gone: Iterable[str] = ()) -> None:
        """Remember these, and forget those that are `gone`."""
        with transaction(self._db):
            self._db.executemany("DELETE FROM folders WHERE path = ?", ((path,) for path in gone))
            self._db.executemany(
                "INSERT OR REPLACE INTO folders VALUES (?, ?, ?, ?, ?)",
                (
                    (path, each.fingerprint, each.notes, _dumped(each.left_out), _dumped(each.below))
                    for path, each in folders.items()
                ),
            )

    def holding_notes(self) -> list[str]:
        """Every folder in which a note of the index lies directly, by name."""
        # A walk over the index of folders, from each to the next: notes of one folder are passed over.
        rows = self._db.execute(
            "WITH RECURSIVE each(folder) AS (SELECT min(folder) FROM notes UNION ALL"
            " SELECT (SELECT min(n.folder) FROM notes n WHERE n.folder > each.folder) FROM each"
            " WHERE each.folder IS NOT NULL) SELECT folder FROM each WHERE folder IS NOT NULL"
        )
        return [folder for (folder,) in rows]

    def counts(self) -> dict[str, int]:
        """How many notes lie directly in each folder that has any."""
        return dict(self._db.execute("SELECT folder, count(*) FROM notes GROUP BY folder").fetchall())

    def stamps_in(self, folders: Sequence[str]) -> dict[DocPath, StoredStamp]:
        """What is known of the files directly in some folders."""
        return self._stamps("folder IN (SELECT value FROM json_each(:given))", json.dumps(folders))

    def stamps_at(self, paths: Sequence[str]) -> dict[DocPath, StoredStamp]:
        """What is known of the files at some paths and below them."""
        found = self._stamps("path IN (SELECT value FROM json_each(:given))", json.dumps(paths))
        for path in paths:
            found.update(self._stamps("path > :given || '/' AND path < :given || '0'", path))  # "0" follows "/"
        return found

    def settled_in(self, folders: Sequence[str]) -> dict[str, set[tuple[str, int, int, int]]]:
        """By folder the stamps of the files directly in it, as plain tuples; without those that prove nothing."""
        rows = self._db.execute(
            "SELECT folder, path, mtime_ns, ctime_ns, size FROM notes"
            " WHERE folder IN (SELECT value FROM json_each(:folders)) AND NOT (racy OR stale)",
            {"folders": json.dumps(folders)},
        )
        found: dict[str, set[tuple[str, int, int, int]]] = {}
        for row in rows:
            found.setdefault(row[0], set()).add(row[1:])
        return found

    def _stamps(self, condition: str, given: str) -> dict[DocPath, StoredStamp]:
        rows = self._db.execute(
            f"SELECT path, mtime_ns, ctime_ns, size, racy OR stale FROM notes WHERE {condition}", {"given": given}
        )
        return {
            path: StoredStamp(FileStamp(path, mtime, ctime, size), bool(racy))
            for path, mtime, ctime, size, racy in rows
        }


def _dumped(value: Mapping[str, int] | Sequence[str]) -> str:
    return json.dumps(value) if value else ""
