"""The notes' side of the index: what is stored of each file, its sections, its parts and their standings."""

from __future__ import annotations

import json
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.sqlite.columns import clean, dump, own, upsert
from docs_rag.adapters.sqlite.connection import transaction
from docs_rag.core.changes import StoredStamp
from docs_rag.core.digests import Digest
from docs_rag.core.documents import DocPath, Document, FileStamp, Part, Skipped, part_path
from docs_rag.core.names import names_of, names_of_part
from docs_rag.core.sections import section_id

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from docs_rag.adapters.sqlite.graph import GraphRows
    from docs_rag.core.chunks import Chunk
    from docs_rag.core.lifecycle import Lifecycle
    from docs_rag.core.listing import ListedNote
    from docs_rag.core.ports import Analyser
    from docs_rag.core.succession import Record


class NoteRows:
    """Writes and reads notes; every write is one transaction."""

    def __init__(self, connection: sqlite3.Connection, analyser: Analyser, graph: GraphRows) -> None:
        """Work on an open connection; the analyser must be the one that the index was made with."""
        self._db = connection
        self._analyser = analyser
        self._graph = graph

    def stamps(self) -> dict[DocPath, StoredStamp]:
        """What is known of every note's file."""
        rows = self._db.execute("SELECT path, mtime_ns, ctime_ns, size, racy OR stale FROM notes")
        return {
            path: StoredStamp(FileStamp(path, mtime, ctime, size), bool(racy))
            for path, mtime, ctime, size, racy in rows
        }

    def stamps_of(self, paths: Sequence[DocPath]) -> dict[DocPath, StoredStamp]:
        """The same for a few notes."""
        rows = self._db.execute(
            "SELECT path, mtime_ns, ctime_ns, size, racy OR stale FROM notes"
            " WHERE path IN (SELECT value FROM json_each(:paths))",
            {"paths": json.dumps(paths)},
        )
        return {
            path: StoredStamp(FileStamp(path, mtime, ctime, size), bool(racy))
            for path, mtime, ctime, size, racy in rows
        }

    def digest(self, path: DocPath) -> Digest | None:
        """The digest of the file's bytes as they were read, or None for a note that is not there."""
        row = self._db.execute("SELECT digest FROM notes WHERE path = :path", {"path": path}).fetchone()
        return None if row is None else Digest(row[0])

    def has_twin(self, path: DocPath) -> bool:
        """Whether another note holds the same bytes: a note that moved is there under both names for a while."""
        row = self._db.execute(
            "SELECT 1 FROM notes a JOIN notes b ON b.digest = a.digest AND b.id <> a.id WHERE a.path = ?", (path,)
        ).fetchone()
        return row is not None

    def touch(self, stamp: FileStamp, racy: bool) -> None:
        """The file was read again and holds what the index holds."""
        with transaction(self._db):
            self._db.execute(
                "UPDATE notes SET mtime_ns = :mtime, ctime_ns = :ctime, size = :size, racy = :racy, stale = 0"
                " WHERE path = :path",
                {**_stamp(stamp), "racy": racy},
            )
            self._db.execute("DELETE FROM skipped WHERE path = :path", {"path": stamp.path})

    def put(
        self,
        stamp: FileStamp,
        racy: bool,
        digest: Digest,
        document: Document,
        chunks: Sequence[Chunk],
        embed_digests: Sequence[Digest | None],
    ) -> None:
        """Replace everything that is kept of one note. Until the graph is resolved again its own word counts."""
        with transaction(self._db):
            known = self._db.execute("SELECT id FROM notes WHERE path = :path", {"path": stamp.path}).fetchone()
            if known is not None:
                self._leave(known[0], document.parts)
            note = self._put_note(stamp, racy, digest, document)
            self._put_sections(note, chunks, embed_digests)
            for part in document.parts:
                self._put_part(note, document.path, part, chunks)
            self._db.execute("DELETE FROM skipped WHERE path = :path", {"path": stamp.path})
            paths = (part_path(document.path, part.anchor) for part in document.parts)
            self._graph.touch([clean(path) for path in (document.path, *paths)], note)

    def _leave(self, note: int, kept: Sequence[Part]) -> None:
        """Drop what was kept of a note but its row and the parts that stay: they keep their standing for now."""
        anchors = [clean(part.anchor) for part in kept]
        self._graph.touch_leaving(note, anchors)
        self._graph.drop_keys(note)
        self._drop_sections(note)
        self._db.execute("DELETE FROM names WHERE note = :note", {"note": note})
        self._db.execute(
            "DELETE FROM parts WHERE note = :note AND anchor NOT IN (SELECT value FROM json_each(:kept))",
            {"note": note, "kept": dump(anchors)},
        )

    def _put_note(self, stamp: FileStamp, racy: bool, digest: Digest, document: Document) -> int:
        values = {
            **own(document.title, document.lifecycle, document.problems),
            "path": stamp.path,
            "folder": stamp.path.rpartition("/")[0],
            "mtime_ns": stamp.mtime_ns,
            "ctime_ns": stamp.ctime_ns,
            "size": stamp.size,
            "racy": racy,
            "digest": digest,
            "stale": False,
            "aliases": dump(document.aliases),
            "tags": dump(document.tags),
            "links": dump(document.links),
        }
        note = int(self._db.execute(_UPSERT_NOTE, values).fetchone()[0])
        life = document.lifecycle
        self._put_names(note, 0, names_of(document.path, document.title, document.aliases, life.ids))
        self._graph.put_keys(note, 0, _record(document.path, document.title, document.aliases, life))
        return note

    def _put_part(self, note: int, path: DocPath, part: Part, chunks: Sequence[Chunk]) -> None:
        """One decision of a log; no section holds text of two."""
        first, stop = (
            bisect_left(chunks, line, key=lambda chunk: chunk.lines[0]) for line in (part.lines[0], part.lines[1] + 1)
        )
        values = {
            **own(part.title, part.lifecycle, part.problems),
            "note": note,
            "path": clean(part_path(path, part.anchor)),
            "anchor": clean(part.anchor),
            "first": section_id(note, first),
            "stop": section_id(note, stop),
        }
        key = int(self._db.execute(_UPSERT_PART, values).fetchone()[0])
        life = part.lifecycle
        self._put_names(note, key, names_of_part(path, part.anchor, part.title, life.ids))
        self._graph.put_keys(note, key, _record(part_path(path, part.anchor), part.title, (), life))

    def _put_names(self, note: int, part: int, names: frozenset[str]) -> None:
        self._db.executemany("INSERT INTO names VALUES (?, ?, ?)", ((clean(name), note, part) for name in names))

    def _drop_sections(self, note: int) -> None:
        span = {"first": section_id(note, 0), "end": section_id(note + 1, 0)}
        self._db.execute(
            "INSERT INTO words (words, rowid, text, names)"
            " SELECT 'delete', id, text, names FROM searchable WHERE id >= :first AND id < :end",
            span,
        )
        self._db.execute("DELETE FROM chunks WHERE id >= :first AND id < :end", span)

    def _put_sections(self, note: int, chunks: Sequence[Chunk], embed_digests: Sequence[Digest | None]) -> None:
        rows: list[tuple[object, ...]] = []
        mirror: list[tuple[object, ...]] = []
        for chunk, digest in zip(chunks, embed_digests, strict=True):
            key = section_id(note, chunk.ordinal)
            text = clean(chunk.text)
            words = self._analyser.index_text(text)
            names = self._analyser.index_text(clean(chunk.names))
            kept = None if words is text else words
            rows.append((key, dump(chunk.headings), *chunk.lines, clean(chunk.location), text, names, kept, digest))
            mirror.append((key, words, names))
        self._db.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._db.executemany("INSERT INTO words (rowid, text, names) VALUES (?, ?, ?)", mirror)

    def remove(self, path: DocPath) -> None:
        """Leave no row of a note behind; its vectors stay for a while."""
        with transaction(self._db):
            self._db.execute("DELETE FROM skipped WHERE path = :path", {"path": path})
            row = self._db.execute("SELECT id FROM notes WHERE path = :path", {"path": path}).fetchone()
            if row is not None:
                self._graph.touch_leaving(row[0], None)
                self._drop_sections(row[0])
                self._db.execute("DELETE FROM notes WHERE id = :note", {"note": row[0]})

    def mark_stale(self, skipped: Skipped) -> None:
        """A note that cannot be read any more keeps its former text, marked; the reason is listed."""
        with transaction(self._db):
            self._db.execute("UPDATE notes SET stale = 1 WHERE path = :path", {"path": skipped.path})
            self._put_skipped([skipped])

    def set_walk(self, skipped: Sequence[Skipped], ignored: Mapping[str, int]) -> None:
        """Remember what the last whole walk could not have and what it left out."""
        with transaction(self._db):
            self._db.execute("DELETE FROM skipped")
            self._put_skipped(skipped)
            self._db.execute("DELETE FROM ignored")
            self._db.executemany("INSERT INTO ignored VALUES (?, ?)", ignored.items())

    def _put_skipped(self, skipped: Sequence[Skipped]) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO skipped VALUES (?, ?, ?)",
            ((clean(each.path), each.code, clean(each.message)) for each in skipped),
        )

    def listing(self) -> Iterator[ListedNote]:
        """Every record with its standing and its problems, then every file that could not be had; by path."""
        from docs_rag.adapters.sqlite.listed import listing  # noqa: PLC0415  # a search lists nothing

        return listing(self._db)


def _record(path: DocPath, title: str, aliases: tuple[str, ...], life: Lifecycle) -> Record:
    from docs_rag.core.succession import Record  # noqa: PLC0415  # only for changed notes

    return Record(path, title, aliases, life)


def _stamp(stamp: FileStamp) -> dict[str, object]:
    return {"path": stamp.path, "mtime": stamp.mtime_ns, "ctime": stamp.ctime_ns, "size": stamp.size}


_UPSERT_NOTE: Final = upsert(
    "notes",
    ("path", "folder", "mtime_ns", "ctime_ns", "size", "racy", "digest", "stale", "aliases", "tags", "links"),
)
_UPSERT_PART: Final = upsert("parts", ("note", "path", "anchor", "first", "stop"))
