"""Opening the index file safely: what it must be, how it is set up, what its faults are called."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from docs_rag.adapters.sqlite.schema import APPLICATION_ID, SCHEMA, SCHEMA_VERSION
from docs_rag.errors import Busy, DocsRagError, ForeignFile, IndexDamaged, IndexMissing

if TYPE_CHECKING:
    from collections.abc import Iterator

MINIMUM_SQLITE = (3, 38, 0)
"""The first version whose FTS5, views as external content and JSON the index has been tried with."""

BUSY_SECONDS = 30.0
"""How long a statement waits for another process's short transaction."""

LOG_BYTES = 16 << 20
"""Size of the write-ahead log from which on a commit has it written back, readers or not."""

LOG_MILLISECONDS = 100
"""How long that waits for those who are reading."""

REBUILD = "run: docs-rag index --full"

_SIGNS = ("malformed", "disk I/O", "no such table", "no such column", "corrupt", "SQL logic error", "Could not decode")
"""What SQLite says of a file that is not as we made it; the last when a virtual table lacks a part."""
_DAMAGE = frozenset({"SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS", "SQLITE_IOERR_DATA"})
"""Of the errors that the system reports, those that say that the file is not whole. After the others it may be: a disk
that is pulled out must not cost an index that took hours."""


def connect(path: str, *, writable: bool, create: bool = False, immutable: bool = False) -> sqlite3.Connection:
    """Open the index at `path`; with `create` make it if it is not there; `immutable` needs no file beside it.

    Raises `IndexMissing`, or `IndexDamaged` when the file is a link, no database, not ours, or of a newer schema.
    An index of an older schema opens; `schema_version` tells.
    """
    check_sqlite()
    _check_file(path, create)
    connection = _open(path, writable=writable, create=create, immutable=immutable)
    try:
        with faults(path):
            _set_up(connection, path, writable=writable, create=create)
    except BaseException:
        connection.close()
        raise
    return connection


def check_sqlite() -> None:
    """Raise `DocsRagError` for an SQLite that is too old."""
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        wanted = ".".join(map(str, MINIMUM_SQLITE))
        raise DocsRagError(
            f"this Python has SQLite {sqlite3.sqlite_version}, docs-rag needs {wanted} or later",
            "install a newer Python",
        )


def _check_file(path: str, create: bool) -> None:
    """Refuse what is no plain file, before SQLite follows a link or waits for a pipe."""
    for name in (path, path + "-wal", path + "-shm", path + "-journal"):
        try:
            mode = os.lstat(name).st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            raise IndexDamaged(f"cannot open the index {name}: {error.strerror}", "check its folder") from None
        if not stat.S_ISREG(mode):
            raise ForeignFile(f"the index {name} is not a plain file", "set another indexPath, or move it away")
    if not create and not os.path.exists(path):  # noqa: PTH110  # pathlib costs start-up
        raise IndexMissing(f"there is no index at {path} yet", "run: docs-rag index")


def _open(path: str, *, writable: bool, create: bool, immutable: bool) -> sqlite3.Connection:
    if create and not os.path.exists(path):  # noqa: PTH110
        flags = os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            os.close(os.open(path, flags, 0o600))
        except OSError as error:
            raise DocsRagError(f"cannot create the index {path}: {error.strerror}", "check its folder") from None
    mode = "rw" if writable else "ro"
    uri = (
        "file:"
        + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        + f"?mode={mode}"
        + "&immutable=1" * immutable
    )
    with faults(path):
        return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _set_up(connection: sqlite3.Connection, path: str, *, writable: bool, create: bool) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cell_size_check = ON")
    application, version, tables = _identify(connection)
    if application == 0 and version == 0 and tables == 0:
        if not (writable and create):
            raise IndexMissing(f"the index at {path} is empty", "run: docs-rag index")
        _create(connection)
    elif application != APPLICATION_ID:
        raise ForeignFile(f"{path} is not an index of docs-rag", "set another indexPath, or move the file away")
    elif version > SCHEMA_VERSION:
        raise IndexDamaged(f"the index {path} was made by a newer docs-rag", "upgrade docs-rag, or " + REBUILD)
    if writable:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")


def _identify(connection: sqlite3.Connection) -> tuple[int, int, int]:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return application, version, tables


def _create(connection: sqlite3.Connection) -> None:
    """Lay the schema down in one transaction: another process sees all of it or nothing."""
    connection.execute("PRAGMA page_size = 8192")  # a vector of 384 or 1,024 dimensions fits a page
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        if _identify(connection)[2]:
            return
        for statement in _statements(SCHEMA):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("INSERT INTO meta VALUES ('token', lower(hex(randomblob(16)))), ('unresolved', '1')")


def _statements(script: str) -> Iterator[str]:
    """The single statements of a script; `executescript` would commit before each."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def rebuild(connection: sqlite3.Connection, *, keep_vectors: bool = False) -> None:
    """Drop everything and lay the schema down again inside the same file, in one transaction, with a new token.

    With `keep_vectors` the tables of models and vectors stay if they are exactly ours: a vector can misplace a
    section in an order, but says nothing by itself.
    """
    kept = _own_tables(connection, ("models", "vectors")) if keep_vectors else frozenset[str]()
    kept = kept if len(kept) == 2 else frozenset()
    with transaction(connection):
        connection.execute("PRAGMA defer_foreign_keys = ON")
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {_quoted(name)}")
        for kind, name in connection.execute(
            "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite_%'"
            " AND name NOT LIKE 'words_%' ORDER BY type = 'table', name = 'notes', name = 'models'"
        ).fetchall():
            if name not in kept:
                connection.execute(f"DROP {kind} IF EXISTS {_quoted(name)}")
        for statement in _statements(SCHEMA):
            if not any(f"CREATE TABLE {name} (" in statement for name in kept):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("INSERT INTO meta VALUES ('token', lower(hex(randomblob(16)))), ('unresolved', '1')")


def _own_tables(connection: sqlite3.Connection, names: tuple[str, ...]) -> frozenset[str]:
    """Those of `names` that are tables made by the very statements of our schema."""
    made = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall())
    ours = [statement[statement.index("CREATE") :].rstrip(";\n ") for statement in _statements(SCHEMA)]
    return frozenset(name for name in names if made.get(name) in ours)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing. Takes the write lock at once, so that no read in it can grow stale before its write.

    Inside another one it joins that: what fails takes the whole with it.
    """
    joins = connection.in_transaction
    if joins:
        yield
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")  # may fail too, on a full disk
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    _bound_log(connection)


def _bound_log(connection: sqlite3.Connection) -> None:
    """Write the log back and cut it off where it has grown because somebody was always reading.

    SQLite begins it anew only when a writer finds no reader in it. Whoever reads now is waited for, and who comes
    meanwhile reads the file itself; one that goes on reading is left alone until the next commit.
    """
    path = connection.execute("PRAGMA database_list").fetchone()[2]
    try:
        is_large = os.stat(path + "-wal").st_size > LOG_BYTES  # noqa: PTH116
    except OSError:
        return
    if is_large:
        (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
        connection.execute(f"PRAGMA busy_timeout = {LOG_MILLISECONDS}")
        with suppress(sqlite3.OperationalError):  # a disk that is full: what was committed stands in the log
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        connection.execute(f"PRAGMA busy_timeout = {patience}")


@contextmanager
def faults(path: str) -> Iterator[None]:
    """Turn SQLite's faults that a user can mend into known errors; others pass as the bugs that they are."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _operational(path, error) from error
    except json.JSONDecodeError as error:
        raise IndexDamaged(f"the index {path} is damaged", REBUILD) from error
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.InterfaceError):
            raise
        raise IndexDamaged(f"the index {path} is damaged ({error})", REBUILD) from error


def _operational(path: str, error: sqlite3.OperationalError) -> DocsRagError | sqlite3.OperationalError:
    message = str(error)
    if "locked" in message or "busy" in message:
        return Busy(f"the index {path} is held by another process", "try again in a moment")
    if "full" in message:
        return DocsRagError(f"the disk that holds {path} is full", "free some space and run: docs-rag index")
    if "readonly" in message or "read-only" in message:
        return DocsRagError(f"the index {path} cannot be written to", "check the rights of its folder")
    if "unable to open" in message:
        return DocsRagError(f"cannot open the index {path}", "check the rights of its folder")
    if "no such module: fts5" in message:
        return DocsRagError("this Python's SQLite has no FTS5", "install another build of Python")
    name = getattr(error, "sqlite_errorname", None) or ""
    if name.startswith("SQLITE_IOERR") and name not in _DAMAGE:
        return DocsRagError(
            f"the system could not read or write the index {path} ({name})",
            "look at the disk, its quota and the system's log, and run: docs-rag index",
        )
    if any(sign in message for sign in _SIGNS):
        return IndexDamaged(f"the index {path} is damaged ({message})", REBUILD)
    return sqlite3.OperationalError(message)
