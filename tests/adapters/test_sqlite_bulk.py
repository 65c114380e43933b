"""Writing many notes: what is set for it is set back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from docs_rag.adapters.sqlite.store import BULK, USUAL, SqliteStore, open_store
from docs_rag.core.terms import UnicodeAnalyser


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path / "index.db"), UnicodeAnalyser(), create=True) as found:
        yield found


def pieces(store: SqliteStore) -> int:
    """How many pieces of the words' mirror FTS5 merges at a time."""
    with closing(sqlite3.connect(store.path)) as db:
        row = db.execute("SELECT v FROM words_config WHERE k = 'automerge'").fetchone()
    return USUAL[0] if row is None else int(row[0])


def test_what_is_set_for_many_notes_is_set_back(store: SqliteStore) -> None:
    assert pieces(store) == USUAL[0]
    with store.in_bulk():
        assert pieces(store) == BULK[0]
    assert pieces(store) == USUAL[0]


def test_it_is_set_back_after_a_fault_too(store: SqliteStore) -> None:
    with pytest.raises(ZeroDivisionError), store.in_bulk(), store.batch():
        raise ZeroDivisionError
    assert pieces(store) == USUAL[0]


def test_what_a_killed_run_left_is_set_back_by_the_next(store: SqliteStore) -> None:
    bulk = store.in_bulk()
    bulk.__enter__()
    assert pieces(store) == BULK[0]
    store.compact(1)
    assert pieces(store) == USUAL[0]
    bulk.__exit__(None, None, None)
