"""The notes' side of the index: what is stored of each file, its sections, its parts and their standings."""

from __future__ import annotations

import json
from contextlib import contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from docs_rag.adapters.sqlite.columns import clean, dump, upsert
from docs_rag.adapters.sqlite.connection import transaction
from docs_rag.core.changes import StoredStamp
from docs_rag.core.digests import Digest
from docs_rag.core.documents import DocPath, Document, FileStamp, Skipped
from docs_rag.core.sections import section_id

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from docs_rag.adapters.sqlite.graph import GraphRows
    from docs_rag.adapters.sqlite.rows import NoteRows as Rows
    from docs_rag.adapters.sqlite.rows import PartRows
    from docs_rag.core.chunks import Chunk
    from docs_rag.core.listing import ListedNote
    from docs_rag.core.ports import Analyser
    from docs_rag.core.storage import Draft

    Change = tuple[str | None, int, str, str]
    """Of the words' mirror: `delete` or None for an insert, a section's id, its text, its names."""

MOST_HELD: Final = 2_000
"""Changes of the words' mirror that are held back at most."""


class NoteRows:
    """Writes and reads notes; every write is one transaction."""

    def __init__(self, connection: sqlite3.Connection, analyser: Analyser, graph: GraphRows) -> None:
        """Work on an open connection; the analyser must be the one that the index was made with."""
        self._db = connection
        self._analyser = analyser
        self._graph = graph
        self._held: list[Change] | None = None

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

    def doubt(self, paths: Sequence[DocPath]) -> None:
        """Let the stamps of these notes prove nothing: the next run reads them again."""
        with transaction(self._db):
            self._db.execute(
                "UPDATE notes SET racy = 1 WHERE path IN (SELECT value FROM json_each(:paths))",
                {"paths": json.dumps(paths)},
            )

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
        self.put_draft(stamp, racy, digest, self.draft(document, chunks, embed_digests))

    def draft(self, document: Document, chunks: Sequence[Chunk], embed_digests: Sequence[Digest | None]) -> Draft:
        """What `put` keeps of a note, made ready without a look at the index."""
        from docs_rag.adapters.sqlite.rows import draft  # noqa: PLC0415  # only for changed notes

        return draft(document, chunks, embed_digests, self._analyser)

    def put_draft(self, stamp: FileStamp, racy: bool, digest: Digest, draft: Draft) -> None:
        """`put` with what `draft` made ready, here or in another process."""
        from docs_rag.adapters.sqlite.rows import NoteRows as Rows  # noqa: PLC0415
        from docs_rag.adapters.sqlite.rows import PartRows  # noqa: PLC0415

        rows = Rows._make(draft)
        parts = [PartRows._make(each) for each in rows.parts]
        with transaction(self._db), self.gathering():
            known = self._db.execute("SELECT id FROM notes WHERE path = :path", {"path": stamp.path}).fetchone()
            if known is not None:
                self._leave(known[0], [part.anchor for part in parts])
            note = self._put_note(stamp, racy, digest, rows)
            self._put_sections(note, rows.sections)
            for part in parts:
                self._put_part(note, part)
            self._db.execute("DELETE FROM skipped WHERE path = :path", {"path": stamp.path})
            self._graph.touch([clean(rows.path), *(part.path for part in parts)], note)

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """In the block, which lies in a transaction, changes of the words' mirror are held back and written at once.

        FTS5 writes out what it has with nearly every statement on another table: note by note that took as long as
        all the rest.
        """
        if self._held is not None:
            yield
            return
        self._held = []
        try:
            yield
            self._write_words(self._held)
        finally:
            self._held = None

    def _hold(self, changes: Iterable[Change]) -> None:
        held = self._held
        if held is None:
            raise RuntimeError("words change in a gathering block alone")
        held.extend(changes)
        if len(held) > MOST_HELD:
            self._write_words(held)

    def _write_words(self, held: list[Change]) -> None:
        """Write the held changes, and hold them no longer; FTS5 takes rows that ascend without writing itself out."""
        held.sort(key=itemgetter(1))
        self._db.executemany("INSERT INTO words (words, rowid, text, names) VALUES (?, ?, ?, ?)", held)
        held.clear()

    def _leave(self, note: int, anchors: Sequence[str]) -> None:
        """Drop what was kept of a note but its row and the parts that stay: they keep their standing for now."""
        self._graph.touch_leaving(note, anchors)
        self._graph.drop_keys(note)
        self._drop_sections(note)
        self._db.execute("DELETE FROM names WHERE note = :note", {"note": note})
        self._db.execute(
            "DELETE FROM parts WHERE note = :note AND anchor NOT IN (SELECT value FROM json_each(:kept))",
            {"note": note, "kept": dump(anchors)},
        )

    def _put_note(self, stamp: FileStamp, racy: bool, digest: Digest, rows: Rows) -> int:
        place = (stamp.path, stamp.path.rpartition("/")[0], stamp.mtime_ns, stamp.ctime_ns, stamp.size, racy, digest)
        values = (*place, False, rows.aliases, rows.tags, rows.links, *rows.own)
        note = int(self._db.execute(_UPSERT_NOTE, values).fetchone()[0])
        self._put_keys(note, 0, rows.keys)
        return note

    def _put_part(self, note: int, part: PartRows) -> None:
        place = (note, part.path, part.anchor, section_id(note, part.first), section_id(note, part.stop))
        key = int(self._db.execute(_UPSERT_PART, (*place, *part.own)).fetchone()[0])
        self._put_keys(note, key, part.keys)

    def _put_keys(self, note: int, part: int, keys: Iterable[Any]) -> None:
        names, handles, wanted = keys
        self._db.executemany("INSERT INTO names VALUES (?, ?, ?)", ((name, note, part) for name in names))
        self._graph.put_keys(note, part, handles, wanted)

    def _drop_sections(self, note: int) -> None:
        span = {"first": section_id(note, 0), "end": section_id(note + 1, 0)}
        old = self._db.execute("SELECT id, text, names FROM searchable WHERE id >= :first AND id < :end", span)
        self._hold([("delete", *row) for row in old])
        self._db.execute("DELETE FROM chunks WHERE id >= :first AND id < :end", span)

    def _put_sections(self, note: int, sections: Sequence[tuple[Any, ...]]) -> None:
        rows = [(section_id(note, ordinal), *rest) for ordinal, *rest in sections]
        self._db.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._hold(
            (None, key, text if analysed is None else analysed, names)
            for key, _, _, _, _, text, names, analysed, _ in rows
        )

    def remove(self, path: DocPath) -> None:
        """Leave no row of a note behind; its vectors stay for a while."""
        with transaction(self._db), self.gathering():
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

    def listing(self, *, troubled: bool = False) -> Iterator[ListedNote]:
        """Every record with its standing and its problems, then every file that could not be had; by path.

        `troubled`: of the records those alone that have problems of their own, or could not be read again.
        """
        from docs_rag.adapters.sqlite.listed import listing  # noqa: PLC0415  # a search lists nothing

        return listing(self._db, troubled=troubled)


def _stamp(stamp: FileStamp) -> dict[str, object]:
    return {"path": stamp.path, "mtime": stamp.mtime_ns, "ctime": stamp.ctime_ns, "size": stamp.size}


_UPSERT_NOTE: Final = upsert(
    "notes",
    ("path", "folder", "mtime_ns", "ctime_ns", "size", "racy", "digest", "stale", "aliases", "tags", "links"),
)
_UPSERT_PART: Final = upsert("parts", ("note", "path", "anchor", "first", "stop"))
