"""What a server keeps of an index between two questions, and when it forgets it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_rag.adapters.sqlite import kept as module
from docs_rag.adapters.sqlite.kept import Kept
from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.core.chunks import Chunk
from docs_rag.core.digests import bytes_digest
from docs_rag.core.documents import DocPath, Document, FileStamp
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.queries import Query, Scope
from docs_rag.core.status import Status
from docs_rag.core.terms import UnicodeAnalyser

ALL = Scope(Query(text="q", limit=8), ())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path / "index.db"), UnicodeAnalyser(), create=True) as opened:
        yield opened


def put(store: SqliteStore, path: str, status: Status = Status.ARCHIVED) -> None:
    document = Document(path=DocPath(path), title=path, text="apple", lifecycle=Lifecycle(status=status))
    chunks = [Chunk(ordinal=0, headings=(path,), lines=(1, 1), text="apple")]
    store.notes.put(FileStamp(DocPath(path), 1, 1, 5), False, bytes_digest(b"apple"), document, chunks, [None])


def seen(store: SqliteStore) -> tuple[int, int, int]:
    """Hidden sections, hidden notes, sections that hold a word."""
    found = store.lookup.admission(ALL)
    return len(store.lookup.dead_sections()), len(found.hidden), len(store.lookup.holding('"apple"', "", -1))


def test_one_state_is_worked_out_once(store: SqliteStore) -> None:
    put(store, "a.md")
    with store.snapshot():
        first = store.lookup.admission(ALL)
    with store.snapshot():
        assert store.lookup.admission(Scope(Query(text="another", limit=1), ())) is first
        narrower = store.lookup.admission(Scope(Query(text="q", limit=8, exclude=("a",)), ()))
    assert narrower is not first


def test_a_commit_of_another_process_is_seen(store: SqliteStore, tmp_path: Path) -> None:
    put(store, "a.md")
    with store.snapshot():
        assert seen(store) == (1, 1, 1)
    with open_store(str(tmp_path / "index.db"), UnicodeAnalyser()) as other, store.snapshot():
        assert seen(store) == (1, 1, 1)
        put(other, "b.md")
        assert seen(store) == (1, 1, 1)
    with store.snapshot():
        assert seen(store) == (2, 2, 2)


def test_an_own_commit_is_seen(store: SqliteStore) -> None:
    put(store, "a.md")
    with store.snapshot():
        assert seen(store) == (1, 1, 1)
    put(store, "a.md", Status.CURRENT)
    with store.snapshot():
        assert seen(store) == (0, 0, 1)


def test_what_was_undone_is_not_kept(store: SqliteStore) -> None:
    put(store, "a.md")
    with pytest.raises(ZeroDivisionError), store.batch():
        put(store, "b.md")
        assert seen(store) == (2, 2, 1), "the mirror of the words follows at the end"
        raise ZeroDivisionError
    with store.snapshot():
        assert seen(store) == (1, 1, 1)


def test_lists_that_were_not_asked_for_lately_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_IDS", 5)
    kept = Kept(sqlite3.connect(":memory:"))
    made: list[str] = []

    def ids(key: str) -> int:
        def make() -> list[int]:
            made.append(key)
            return [1, 2]

        return len(kept.ids(key, make))

    with kept.reading():
        assert [ids(key) for key in ("a", "b", "a", "c", "a", "b")] == [2] * 6
    assert made == ["a", "b", "c", "b"]


def test_values_that_were_not_asked_for_lately_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_VALUES", 2)
    kept = Kept(sqlite3.connect(":memory:"))
    with kept.reading():
        assert [kept.value(key, lambda key=key: [key]) for key in "abacab"]  # type: ignore[misc]
        first = kept.value("a", lambda: ["new"])
        assert (first, kept.value("c", lambda: ["new"])) == (["a"], ["new"])
