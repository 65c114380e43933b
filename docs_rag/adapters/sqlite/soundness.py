"""Whether an index is whole: SQLite's own checks, and those that only we can make of what stands in the rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.sqlite.connection import REBUILD, faults
from docs_rag.core.ports import Vector
from docs_rag.core.sections import ORDINAL_BITS
from docs_rag.core.status import Status
from docs_rag.core.vectors import unpack
from docs_rag.errors import IndexDamaged

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

_MOST_OFF: Final = 0.001
"""So far a vector's length may be from 1; float32 rounds to a thousandth of that."""
_STATES: Final = ", ".join(f"'{status}'" for status in Status)
_LISTS: Final = (
    "successors", "claims", "partial_refs", "partial_claims", "ids", "problems", "superseded_by", "current_end",
    "supersedes", "partial_by", "partly_supersedes", "link_problems",
)  # fmt: skip
_NOTE_LISTS: Final = ("aliases", "tags", "links", *_LISTS)


def _no_lists(columns: tuple[str, ...]) -> str:
    return " OR ".join(f"NOT json_valid({column})" for column in columns)


_RULES: Final = {
    "a token": "SELECT count(*) = 0 FROM meta WHERE key = 'token' AND value <> ''",
    "a model that is known": (
        "SELECT count(*) > 0 FROM meta WHERE key = 'model' AND CAST(value AS INTEGER) NOT IN (SELECT id FROM models)"
    ),
    "a calibration that can be read": (
        "SELECT count(*) > 0 FROM meta WHERE key = 'calibration' AND NOT json_valid(value)"
    ),
    "notes whose states and lists are ours": (
        f"SELECT count(*) > 0 FROM notes WHERE status NOT IN ({_STATES}) OR own_status NOT IN ({_STATES})"
        f" OR {_no_lists(_NOTE_LISTS)}"
    ),
    "decisions whose states and lists are ours": (
        f"SELECT count(*) > 0 FROM parts WHERE status NOT IN ({_STATES}) OR own_status NOT IN ({_STATES})"
        f" OR {_no_lists(_LISTS)}"
    ),
    "sections that belong to a note": (
        f"SELECT count(*) > 0 FROM chunks WHERE id >> {ORDINAL_BITS} NOT IN (SELECT id FROM notes)"
        " OR NOT json_valid(headings)"
    ),
    "every note of the folders that it knows": (
        "SELECT count(*) > 0 FROM folders f WHERE notes <> (SELECT count(*) FROM notes n WHERE n.folder = f.path)"
        " OR EXISTS (SELECT 1 FROM notes n WHERE n.folder = f.path AND (racy OR stale))"
        " OR left_out <> '' AND NOT json_valid(left_out) OR below <> '' AND NOT json_valid(below)"
    ),
    "vectors of their model's length": (
        "SELECT count(*) > 0 FROM vectors v JOIN models m ON m.id = v.model"
        " WHERE m.dimensions > 0 AND length(v.vector) <> 4 * m.dimensions"
    ),
}
"""What an index has, and a query that is true where it has not."""


def check(connection: sqlite3.Connection, path: str, *, writable: bool) -> None:
    """Raise `IndexDamaged` for the first thing that is not as it was written; takes seconds for a large index.

    The mirror of the words can be asked only through a connection that may write.
    """
    with faults(path):
        for fault in _faults(connection, writable):
            raise IndexDamaged(f"the index {path} is damaged ({fault})", REBUILD)


def _faults(connection: sqlite3.Connection, writable: bool) -> Iterator[str]:
    verdict = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if verdict != "ok":
        yield " ".join(verdict.split())
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        yield "rows of a note that is not there"
    if writable:
        connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    for name, query in _RULES.items():
        if connection.execute(query).fetchone()[0]:
            yield f"it lacks {name}"
    for (vector,) in connection.execute("SELECT vector FROM vectors"):
        if not _has_direction(vector):
            yield "it lacks vectors of unit length"
    if not _has_right_signs(connection):
        yield "it lacks signs that fit its vectors"


def _has_right_signs(connection: sqlite3.Connection) -> bool:
    models = connection.execute("SELECT DISTINCT model FROM sketches").fetchall()
    if not models:
        return True
    from docs_rag.adapters.sqlite.signs import SignRows  # noqa: PLC0415  # only of a large index

    return all(SignRows(connection, model).are_right() for (model,) in models)


def _has_direction(vector: bytes) -> bool:
    """Whether a vector is one of ours: of unit length, or all zero where the model gave none."""
    length = math.hypot(*unpack(Vector(vector)))
    return length == 0.0 or abs(length - 1.0) < _MOST_OFF
