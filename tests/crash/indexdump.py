"""What an index says, in a form that two indexes can be compared by: no row numbers, no times, no random values."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from docs_rag.adapters.sqlite.signs import SignRows
from docs_rag.core.sections import ORDINAL_BITS

Row = tuple[Any, ...]

_STANDING: Final = (
    "status", "superseded_by", "current_end", "superseded_on", "supersedes", "partial", "partial_by",
    "partly_supersedes", "link_problems",
)  # fmt: skip
"""What the vault as a whole makes of a note; it may lag behind while the graph is marked as unresolved."""
_OF_THE_FILE: Final = ("id", "mtime_ns", "ctime_ns", "racy", "git_asked")
_OF_THE_ROW: Final = ("id", "note", "first", "stop")


class Dump(NamedTuple):
    """An index's content."""

    notes: dict[str, tuple[object, ...]]
    """What each note says of itself, with its sections, parts, names and keys."""
    standings: dict[str, Row]
    is_resolved: bool
    vectors: dict[bytes, bytes]
    models: tuple[Row, ...]
    rest: tuple[object, ...]
    """What the last walk left out and could not have, the make, means and calibration."""


def copied(index: Path, scratch: Path) -> Path:
    """A copy of an index to look at, as the disk would give it after a power cut: SQLite heals the copy alone."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    for suffix in ("", "-wal"):
        part = index.with_name(index.name + suffix)
        if part.exists():
            shutil.copyfile(part, scratch / part.name)
    return scratch / index.name


def dump(path: Path) -> Dump | None:
    """The content of an index, once its file has been found sound; None where no schema was laid down yet."""
    with closing(sqlite3.connect(path)) as db:
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return None
        assert_sound(db)
        return _dump(db)


def assert_sound(db: sqlite3.Connection) -> None:
    """Fail unless file, foreign keys, the mirror of the words and the ties between tables are whole."""
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    db.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    lost = f"SELECT count(*) FROM chunks WHERE id >> {ORDINAL_BITS} NOT IN (SELECT id FROM notes)"
    assert db.execute(lost).fetchone() == (0,)
    models = db.execute("SELECT DISTINCT model FROM sketches").fetchall()
    assert all(SignRows(db, model).are_right() for (model,) in models)
    counted = "SELECT f.path FROM folders f WHERE notes <> (SELECT count(*) FROM notes WHERE folder = f.path)"
    assert db.execute(counted).fetchall() == []
    doubtful = "SELECT n.path FROM folders f JOIN notes n ON n.folder = f.path WHERE racy OR stale"
    assert db.execute(doubtful).fetchall() == []


def _dump(db: sqlite3.Connection) -> Dump:
    own, standings = _columns(db, "notes", (*_OF_THE_FILE, *_STANDING)), ("path", *_STANDING)
    rows = db.execute(f"SELECT id, path, {', '.join(own)} FROM notes").fetchall()
    tables = ("notes", "parts")
    return Dump(
        notes={path: (values, *_belongings(db, note)) for note, path, *values in rows},
        standings={row[0]: row for table in tables for row in db.execute(f"SELECT {','.join(standings)} FROM {table}")},
        is_resolved=db.execute(
            "SELECT (SELECT count(*) FROM meta WHERE key = 'unresolved') + (SELECT count(*) FROM touched)"
        ).fetchone()
        == (0,),
        vectors=dict(db.execute("SELECT digest, vector FROM vectors")),
        models=tuple(db.execute("SELECT name, digest, prefixes, dimensions FROM models ORDER BY name")),
        rest=(
            db.execute("SELECT reason, count FROM ignored ORDER BY reason").fetchall(),
            db.execute("SELECT path, code, message FROM skipped ORDER BY path").fetchall(),
            db.execute("SELECT key, value FROM meta WHERE key IN ('make', 'model', 'calibration')").fetchall(),
            db.execute("SELECT documents, queries FROM means").fetchall(),
            db.execute("SELECT digest, code FROM refused ORDER BY digest").fetchall(),
        ),
    )


def _belongings(db: sqlite3.Connection, note: int) -> tuple[object, ...]:
    """Everything that hangs on a note."""
    first, end = note << ORDINAL_BITS, (note + 1) << ORDINAL_BITS
    parts = _columns(db, "parts", (*_OF_THE_ROW, *_STANDING))
    return (
        db.execute(
            "SELECT id - ?, headings, first_line, last_line, location, text, names, analysed, digest"
            " FROM chunks WHERE id >= ? AND id < ? ORDER BY id",
            (first, first, end),
        ).fetchall(),
        db.execute(
            f"SELECT first - ?, stop - ?, {', '.join(parts)} FROM parts WHERE note = ? ORDER BY path",
            (first, first, note),
        ).fetchall(),
        *(
            sorted(
                db.execute(
                    f"SELECT t.{key}, p.anchor FROM {table} t LEFT JOIN parts p ON p.id = t.part WHERE t.note = ?",
                    (note,),
                ),
                key=repr,
            )
            for table, key in (("names", "name"), ("handles", "key"), ("wanted", "key"))
        ),
    )


def _columns(db: sqlite3.Connection, table: str, but: tuple[str, ...]) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_xinfo({table})") if row[1] not in but]
