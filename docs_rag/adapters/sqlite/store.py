"""The index as a whole: one SQLite file, opened once a thread."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from docs_rag.adapters.sqlite.connection import BUSY_SECONDS, connect, faults, rebuild, transaction
from docs_rag.adapters.sqlite.graph import GraphRows
from docs_rag.adapters.sqlite.kept import Kept
from docs_rag.adapters.sqlite.lookup import Lookup
from docs_rag.adapters.sqlite.notes import NoteRows
from docs_rag.adapters.sqlite.schema import SCHEMA_VERSION
from docs_rag.errors import DocsRagError, ForeignFile, IndexDamaged, IndexMissing, IndexOutdated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs_rag.adapters.sqlite.embeddings import VectorRows
    from docs_rag.adapters.sqlite.firstdays import FirstDayRows
    from docs_rag.adapters.sqlite.folders import FolderRows
    from docs_rag.adapters.sqlite.lines import LineRows
    from docs_rag.adapters.sqlite.sketch import Sketch
    from docs_rag.adapters.sqlite.vectors import VectorMatrix
    from docs_rag.core.identity import Make
    from docs_rag.core.overview import Run
    from docs_rag.core.ports import Analyser

KEEP_RUNS = 50
SKETCHED_FROM = 100_000
"""Vectors from which on a question compares bits first: below, scoring all of them is as fast."""
WHOLLY = 0.1
"""Share of the notes that must have changed to make it worthwhile to write the mirror of the words anew."""
USUAL = 4, 2_000
"""SQLite's own: pieces of the words' mirror that are merged at a time, and kilobytes of the file in memory."""
BULK = 16, 32_000
HURRY_SECONDS = 0.1
"""How long a question waits to write down what it has read."""


class SqliteStore:
    """An open index. `notes`, `graph`, `vectors` and `lookup` are its sides, on one connection."""

    def __init__(self, path: str, analyser: Analyser, connection: sqlite3.Connection, *, writable: bool) -> None:
        """Wrap an open connection; use `open_store`."""
        self.path = path
        self.writable = writable
        self.is_brief = False
        """Whether one question is asked, for which reading all vectors is not worthwhile."""
        self._db = connection
        self._matrix: VectorMatrix | Sketch | None = None
        self._matrix_version = -1
        self._file = _file_identity(path)
        self.graph = GraphRows(connection)
        self.notes = NoteRows(connection, analyser, self.graph)
        self._kept = Kept(connection)
        self.lookup = Lookup(connection, self._kept)

    @cached_property
    def vectors(self) -> VectorRows:
        """The vectors' side, loaded with its first use: words alone do without it."""
        from docs_rag.adapters.sqlite.embeddings import VectorRows  # noqa: PLC0415

        return VectorRows(self._db)

    @cached_property
    def first_days(self) -> FirstDayRows:
        """The side of the version history, loaded with its first use: only `index` asks."""
        from docs_rag.adapters.sqlite.firstdays import FirstDayRows  # noqa: PLC0415

        return FirstDayRows(self._db)

    @cached_property
    def folders(self) -> FolderRows:
        """The side of the folders, loaded with its first use."""
        from docs_rag.adapters.sqlite.folders import FolderRows  # noqa: PLC0415

        return FolderRows(self._db)

    @cached_property
    def lines(self) -> LineRows:
        """The side of the lines of descent, loaded with its first use."""
        from docs_rag.adapters.sqlite.lines import LineRows  # noqa: PLC0415

        return LineRows(self._db)

    def close(self) -> None:
        """Give the file back; the store is of no use afterwards."""
        self._db.close()

    def __enter__(self) -> SqliteStore:
        """Close at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read in the block comes from one committed state; SQLite's faults become known errors."""
        with self._faults():
            self._db.execute("BEGIN")
            try:
                with self._kept.reading():
                    yield
            finally:
                if self._db.in_transaction:
                    self._db.execute("COMMIT")

    @contextmanager
    def batch(self) -> Iterator[None]:
        """The writes of the block become one commit; a note is still wholly old or wholly new.

        For a first index this halves the time: the mirror of the words is written out with every commit.
        """
        with self._faults(), transaction(self._db), self.notes.gathering():
            yield

    @contextmanager
    def in_bulk(self) -> Iterator[None]:
        """For a block in which many notes are written: `compact` merges the pieces of the words' mirror afterwards.

        Until then FTS5 merges sixteen of them at a time, which writes each word less often, and more of the file stays
        in memory.
        """
        self._write_in(*BULK)
        try:
            yield
        finally:
            self._write_in(*USUAL)

    def _write_in(self, pieces: int, kilobytes: int) -> None:
        with self._faults(), transaction(self._db):
            self._merge_by(pieces)
        self._db.execute(f"PRAGMA cache_size = -{kilobytes}")

    def _merge_by(self, pieces: int) -> None:
        self._db.execute("INSERT INTO words (words, rank) VALUES ('automerge', ?)", (pieces,))

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Writes of the block wait for another process's transaction no longer than `HURRY_SECONDS`, then `Busy`."""
        with self._faults():
            self._db.execute(f"PRAGMA busy_timeout = {int(1000 * HURRY_SECONDS)}")
            try:
                yield
            finally:
                self._db.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_SECONDS)}")

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """SQLite's faults in the block become known errors."""
        with self._faults():
            yield

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """SQLite's faults become known errors, and so does what goes wrong because of damage that it cannot see."""
        try:
            with faults(self.path):
                yield
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            self._blame(error)
            raise

    def _blame(self, error: Exception) -> None:
        """Raise `IndexDamaged` if the index is not whole; an error that has another reason is none of it."""
        try:
            self.check()
        except IndexDamaged as damage:
            raise damage from error
        except DocsRagError:
            return

    def was_replaced(self) -> bool:
        """True when another file lies at the path by now: this connection reads one that has no name any more.

        Also when another version of docs-rag has laid the index down anew in this file.
        """
        if _file_identity(self.path) != self._file:
            return True
        try:
            return bool(self._db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA_VERSION)
        except sqlite3.Error:  # opening it again says what is wrong
            return True

    def data_version(self) -> int:
        """A number that changes when another connection has committed."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def matrix(self, model: int) -> VectorMatrix | Sketch:
        """The vectors of a model in memory, read again when the index has changed.

        Of a large index a sketch; of a smaller one too where one question is asked and signs are kept.
        """
        version = self.data_version() + self._db.total_changes
        if self._matrix is None or self._matrix.model != model or self._has_outgrown(self._matrix, version):
            self._matrix = self._new_matrix(model)
        elif version != self._matrix_version:
            self._matrix.load()
        self._matrix_version = version
        return self._matrix

    def _new_matrix(self, model: int) -> VectorMatrix | Sketch:
        from docs_rag.adapters.sqlite.sketch import Sketch  # noqa: PLC0415
        from docs_rag.adapters.sqlite.vectors import VectorMatrix  # noqa: PLC0415

        return (Sketch if self._is_sketched(model) else VectorMatrix)(self._db, model)

    def _has_outgrown(self, matrix: VectorMatrix | Sketch, version: int) -> bool:
        """Whether an index has become too large for what holds it. One that shrinks keeps its sketch."""
        if version == self._matrix_version:
            return False
        from docs_rag.adapters.sqlite.sketch import Sketch  # noqa: PLC0415

        return not isinstance(matrix, Sketch) and self._is_sketched(matrix.model)

    def _is_sketched(self, model: int) -> bool:
        from docs_rag.adapters.sqlite.signs import SignRows, can_count_bits  # noqa: PLC0415

        are_enough = self._is_large(model) or (self.is_brief and SignRows(self._db, model).are_kept())
        return are_enough and can_count_bits()

    def _is_large(self, model: int) -> bool:
        found = self._db.execute("SELECT 1 FROM vectors WHERE model = ? LIMIT 1 OFFSET ?", (model, SKETCHED_FROM))
        return found.fetchone() is not None

    def token(self) -> str:
        """The random value that was made with the file."""
        return self._meta("token") or ""

    def make(self) -> str | None:
        """What the notes were last read with, as `str(Make)`."""
        return self._meta("make")

    def set_make(self, make: Make) -> None:
        """Let the notes be read with this from now on; each one that another make read counts as changed."""
        with transaction(self._db):
            if self.make() != str(make):
                # As if each file were of another time and had held what no file holds.
                self._db.execute("UPDATE notes SET mtime_ns = -1, digest = CAST('outdated ' || id AS BLOB)")
                self._set_meta("make", str(make))

    def updated_at(self) -> str | None:
        """When the index last changed, ISO, UTC."""
        return self._meta("updatedAt")

    def set_updated_at(self, at: str) -> None:
        """Remember when the index changed."""
        self._set_meta("updatedAt", at)

    def is_told(self) -> bool:
        """Whether no note has come, gone, or got another name or standing since the last `begin_telling` that ended."""
        return self._meta("told") == "all"

    def begin_telling(self) -> None:
        """Somebody is about to be told what every note is called and how it stands."""
        self._set_meta("told", "begun")

    def end_telling(self) -> None:
        """They were told; what has changed since that began is to be told again."""
        with transaction(self._db):
            self._db.execute("UPDATE meta SET value = 'all' WHERE key = 'told'")

    def _meta(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _set_meta(self, key: str, value: str) -> None:
        with transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def add_run(self, run: Run) -> None:
        """Remember how a run ended."""
        with transaction(self._db):
            self._db.execute("INSERT INTO runs (at, ok, message) VALUES (?, ?, ?)", (run.at, run.ok, run.message))
            self._db.execute("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - ?", (KEEP_RUNS,))

    def last_run(self) -> Run | None:
        """How the last run ended."""
        from docs_rag.core.overview import Run  # noqa: PLC0415

        row = self._db.execute("SELECT at, ok, message FROM runs ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else Run(row[0], bool(row[1]), row[2])

    def ignored(self) -> dict[str, int]:
        """How many entries the last walk left out on purpose, by reason."""
        return dict(self._db.execute("SELECT reason, count FROM ignored ORDER BY reason").fetchall())

    def by_status(self) -> dict[str, int]:
        """How many notes are in each state."""
        return dict(self._db.execute("SELECT status, count(*) FROM notes GROUP BY status ORDER BY status").fetchall())

    def stale_count(self) -> int:
        """How many notes could not be read again."""
        return int(self._db.execute("SELECT count(*) FROM notes WHERE stale").fetchone()[0])

    def check(self) -> None:
        """Raise `IndexDamaged` when anything in the file is not as it was written; takes seconds for a large index."""
        from docs_rag.adapters.sqlite.soundness import check  # noqa: PLC0415  # `doctor` alone looks so closely

        check(self._db, self.path, writable=self.writable)

    def distrust(self) -> None:
        """Forget all that an index of unknown origin says, its triggers too; only vectors stay."""
        with faults(self.path):
            rebuild(self._db, keep_vectors=True)

    def rebuild(self) -> None:
        """Empty the index inside the same file; readers see the old state until this commits."""
        with faults(self.path):
            rebuild(self._db)

    def compact(self, changed: int) -> None:
        """Let the mirror of the words be merged: a little, or wholly where many of the notes have just `changed`.

        In one piece it answers a question's common words in a tenth of the time; edited a little at a time it stays
        in few pieces and does not grow.
        """
        with faults(self.path), transaction(self._db):
            self._merge_by(USUAL[0])  # a run that was killed in bulk has left it otherwise
            if changed >= WHOLLY * self._db.execute("SELECT count(*) FROM notes").fetchone()[0]:
                self._db.execute("INSERT INTO words (words) VALUES ('optimize')")
            else:
                self._db.execute("INSERT INTO words (words, rank) VALUES ('merge', 200)")


def open_store(path: str, analyser: Analyser, *, create: bool = False) -> SqliteStore:
    """Open the index for reading and writing, or for reading alone where writing is not allowed.

    Raises `IndexMissing`, `IndexDamaged`, or `DocsRagError` when `create` is asked for and cannot be.
    """
    try:
        connection = connect(path, writable=True, create=create)
        writable = True
    except DocsRagError as error:
        if create or isinstance(error, IndexDamaged | IndexMissing | ForeignFile):
            raise
        connection, writable = _read_only(path), False
    _refuse_older(connection, path, create)
    return SqliteStore(path, analyser, connection, writable=writable)


def _read_only(path: str) -> sqlite3.Connection:
    """Open for reading; where not even SQLite's side files can be made, as a file that nobody changes."""
    try:
        return connect(path, writable=False)
    except DocsRagError:
        wal = path + "-wal"
        if os.path.exists(wal) and os.path.getsize(wal):  # noqa: PTH110, PTH202
            raise
        return connect(path, writable=False, immutable=True)


def _refuse_older(connection: sqlite3.Connection, path: str, create: bool) -> None:
    """An index of an older schema is laid down anew by `index`; its vectors, which took longest, are kept."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == SCHEMA_VERSION:
        return
    if not create:
        connection.close()
        raise IndexOutdated(f"the index {path} was made by an older docs-rag", "run: docs-rag index")
    with faults(path):
        rebuild(connection, keep_vectors=True)


def _file_identity(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)
