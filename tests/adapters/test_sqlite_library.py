"""Whether this Python's SQLite will do."""

from __future__ import annotations

import sqlite3

import pytest

from docs_rag.adapters.sqlite import connection
from docs_rag.adapters.sqlite.library import usable_version
from docs_rag.errors import DocsRagError


def test_the_version_in_use_is_told() -> None:
    assert usable_version() == sqlite3.sqlite_version


def test_a_version_that_is_too_old_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MINIMUM_SQLITE", (99, 0, 0))
    with pytest.raises(DocsRagError, match=r"needs 99\.0\.0 or later"):
        usable_version()
