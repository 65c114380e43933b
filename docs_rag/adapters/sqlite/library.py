"""Whether the SQLite of this Python can do what the index needs."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from docs_rag.adapters.sqlite.connection import check_sqlite, faults


def usable_version() -> str:
    """The version of SQLite. Raises `DocsRagError` for one that is too old, or has no FTS5."""
    check_sqlite()
    with faults(":memory:"), closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
    return sqlite3.sqlite_version
