"""The days on which notes first came into git, for notes that have no date of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from docs_rag.adapters.sqlite.connection import transaction
from docs_rag.adapters.sqlite.graph import GraphRows
from docs_rag.core.documents import DocPath

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping


class FirstDayRows:
    """Writes and reads first days; every write is one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Work on an open connection."""
        self._db = connection

    def is_any_unknown(self) -> bool:
        """Whether there are notes without any date."""
        row = self._db.execute("SELECT 1 FROM notes WHERE own_date IS NULL AND git_date IS NULL LIMIT 1").fetchone()
        return row is not None

    def unknown(self, version: str) -> list[DocPath]:
        """The notes without any date that were not asked for at this version of the history."""
        # In ranges of the index of such notes: most were asked for at this version, and are passed over.
        undated = "SELECT path FROM notes WHERE own_date IS NULL AND git_date IS NULL AND git_asked"
        rows = self._db.execute(
            f"{undated} IS NULL UNION ALL {undated} < :version UNION ALL {undated} > :version", {"version": version}
        )
        return sorted(DocPath(path) for (path,) in rows)

    def put(self, version: str, asked: Collection[DocPath], days: Mapping[DocPath, str]) -> None:
        """Keep first days; what was `asked` for is not asked for again at this version."""
        with transaction(self._db):
            self._db.execute(
                "UPDATE notes SET git_asked = :version WHERE own_date IS NULL AND git_date IS NULL"
                " AND path IN (SELECT value FROM json_each(:asked))",
                {"version": version, "asked": json.dumps([*asked])},
            )
            self._db.executemany(
                "UPDATE notes SET git_date = ? WHERE path = ?", ((day, path) for path, day in days.items())
            )
            GraphRows(self._db).touch(days)  # a successor's day may date what it superseded

    def forget(self) -> bool:
        """Leave no first day behind; True when there was one."""
        with transaction(self._db):
            changed = self._db.execute("SELECT path FROM notes WHERE git_date IS NOT NULL").fetchall()
            self._db.execute("UPDATE notes SET git_date = NULL, git_asked = NULL WHERE git_date IS NOT NULL")
            GraphRows(self._db).touch(path for (path,) in changed)
        return bool(changed)
