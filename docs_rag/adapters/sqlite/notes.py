"""The notes' side of the index: what is stored of each file, its sections and its standing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from docs_rag.adapters.sqlite.connection import transaction
from docs_rag.core.changes import StoredStamp
from docs_rag.core.digests import Digest
from docs_rag.core.documents import DocPath, Document, FileStamp, Problem, Skipped
from docs_rag.core.sections import ORDINAL_BITS, section_id
from docs_rag.core.status import Status

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from docs_rag.core.chunks import Chunk
    from docs_rag.core.listing import ListedNote
    from docs_rag.core.ports import Analyser
    from docs_rag.core.succession import Record, Standing


class NoteRows:
    """Writes and reads notes; every write is one transaction."""

    def __init__(self, connection: sqlite3.Connection, analyser: Analyser) -> None:
        """Work on an open connection; the analyser must be the one that the index was made with."""
        self._db = connection
        self._analyser = analyser

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
        names: Iterable[str],
    ) -> None:
        """Replace everything that is kept of one note. Until the graph is resolved again its own word counts."""
        with transaction(self._db):
            is_new = self.digest(stamp.path) is None
            note = self._put_note(stamp, racy, digest, document)
            if not is_new:
                self._drop_sections(note)
                self._db.execute("DELETE FROM names WHERE note = :note", {"note": note})
            self._put_sections(note, chunks, embed_digests)
            self._db.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", ((name, note) for name in names))
            self._db.execute("DELETE FROM skipped WHERE path = :path", {"path": stamp.path})
            self._mark_unresolved()

    def _put_note(self, stamp: FileStamp, racy: bool, digest: Digest, document: Document) -> int:
        life = document.lifecycle
        values = {
            **_stamp(stamp),
            "folder": stamp.path.rpartition("/")[0],
            "racy": racy,
            "digest": digest,
            "title": _clean(document.title),
            "aliases": _dump(document.aliases),
            "tags": _dump(document.tags),
            "own_status": life.status,
            "status_text": _clean(life.status_text),
            "known": life.known,
            "date": life.date,
            "decided": life.decided,
            "own_since": life.superseded_on,
            "successors": _dump(life.successors),
            "claims": _dump(life.claims),
            "partial_refs": _dump(life.partial),
            "ids": _dump(life.ids),
            "template": life.template,
            "problems": _dump_problems(document.problems),
        }
        row = self._db.execute(_UPSERT_NOTE, values).fetchone()
        return int(row[0])

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
            text = _clean(chunk.text)
            words = self._analyser.index_text(text)
            names = self._analyser.index_text(_clean(chunk.names))
            kept = None if words is text else words
            rows.append((key, _dump(chunk.headings), *chunk.lines, text, names, kept, digest))
            mirror.append((key, words, names))
        self._db.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._db.executemany("INSERT INTO words (rowid, text, names) VALUES (?, ?, ?)", mirror)

    def remove(self, path: DocPath) -> None:
        """Leave no row of a note behind; its vectors stay for a while."""
        with transaction(self._db):
            row = self._db.execute("SELECT id FROM notes WHERE path = :path", {"path": path}).fetchone()
            if row is not None:
                self._drop_sections(row[0])
                self._db.execute("DELETE FROM notes WHERE id = :note", {"note": row[0]})
                self._mark_unresolved()

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
            ((_clean(each.path), each.code, _clean(each.message)) for each in skipped),
        )

    def _mark_unresolved(self) -> None:
        self._db.execute("INSERT OR IGNORE INTO meta VALUES ('unresolved', '1')")

    def is_unresolved(self) -> bool:
        """True while the standings may not agree with the notes."""
        return self._db.execute("SELECT 1 FROM meta WHERE key = 'unresolved'").fetchone() is not None

    def records(self) -> Iterator[Record]:
        """Every note as the succession graph needs it."""
        from docs_rag.core.lifecycle import Lifecycle  # noqa: PLC0415  # a search reads no records
        from docs_rag.core.succession import Record  # noqa: PLC0415

        rows = self._db.execute(
            "SELECT path, title, aliases, own_status, status_text, known, successors, claims, partial_refs, date,"
            " own_since, ids, template, decided FROM notes ORDER BY path"
        )
        for (
            path,
            title,
            aliases,
            status,
            text,
            known,
            successors,
            claims,
            partial,
            date,
            since,
            ids,
            template,
            decided,
        ) in rows:
            life = Lifecycle(
                status=Status(status),
                status_text=text,
                known=bool(known),
                successors=_load(successors),
                claims=_load(claims),
                partial=_load(partial),
                date=date,
                superseded_on=since,
                ids=_load(ids),
                template=bool(template),
                decided=bool(decided),
            )
            yield Record(path, title, _load(aliases), life)

    def set_standings(self, standings: Mapping[DocPath, Standing]) -> None:
        """Write the resolved graph: the notes in `standings` as it says, all others back to their own word."""
        with transaction(self._db):
            self._db.execute(
                "UPDATE notes SET status = own_status, superseded_by = '[]', current_end = '[]',"
                " superseded_on = own_since, supersedes = '[]', partial = NULL, link_problems = '[]'"
                " WHERE status <> own_status OR superseded_by <> '[]' OR current_end <> '[]'"
                " OR superseded_on IS NOT own_since OR supersedes <> '[]' OR partial IS NOT NULL"
                " OR link_problems <> '[]'"
            )
            self._db.executemany(
                "UPDATE notes SET status = :status, superseded_by = :by, current_end = :end, superseded_on = :on,"
                " supersedes = :supersedes, partial = :partial, link_problems = :problems WHERE path = :path",
                (_standing(path, standing) for path, standing in standings.items()),
            )
            self._db.execute("DELETE FROM meta WHERE key = 'unresolved'")

    def listing(self) -> Iterator[ListedNote]:
        """Every note with its standing and its problems, then every file that could not be had; by path."""
        from docs_rag.core.listing import ListedNote  # noqa: PLC0415  # a search lists nothing

        rows = self._db.execute(_LISTING)
        for row in rows:
            yield _listed(row)
        absent = self._db.execute(
            "SELECT path, code, message FROM skipped WHERE path NOT IN (SELECT path FROM notes) ORDER BY path"
        )
        for path, code, message in absent:
            yield ListedNote(path=path, title="", indexed=False, problems=(Problem(code, message),))


def _stamp(stamp: FileStamp) -> dict[str, object]:
    return {"path": stamp.path, "mtime": stamp.mtime_ns, "ctime": stamp.ctime_ns, "size": stamp.size}


def _standing(path: DocPath, standing: Standing) -> dict[str, object]:
    return {
        "path": path,
        "status": standing.status,
        "by": _dump(standing.superseded_by),
        "end": _dump(standing.current_end),
        "on": standing.superseded_on,
        "supersedes": _dump(standing.supersedes),
        "partial": None if standing.partial is None else _clean(standing.partial),
        "problems": _dump_problems(standing.problems),
    }


def _clean(text: str) -> str:
    """Text that SQLite takes: lone surrogates have no UTF-8 form, and FTS stops at NUL."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def _dump(values: Sequence[str]) -> str:
    return "[]" if not values else json.dumps([_clean(value) for value in values], ensure_ascii=False)


def _load(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _dump_problems(problems: Sequence[Problem]) -> str:
    if not problems:
        return "[]"
    return json.dumps([[each.code, _clean(each.message), each.line] for each in problems], ensure_ascii=False)


def _load_problems(text: str) -> tuple[Problem, ...]:
    return tuple(Problem(code, message, line) for code, message, line in json.loads(text))


def _listed(row: tuple[object, ...]) -> ListedNote:
    from docs_rag.core.listing import ListedNote  # noqa: PLC0415

    (path, title, status, text, date, on, by, end, successors, supersedes, partial, embedded, stale) = row[:13]
    own, link, skipped, refused = map(str, row[13:])
    problems = _load_problems(own) + _load_problems(link) + _load_problems(skipped) + _load_problems(refused)
    return ListedNote(
        path=DocPath(str(path)),
        title=str(title),
        status=Status(str(status)),
        status_text=str(text),
        date=None if date is None else str(date),
        superseded_on=None if on is None else str(on),
        superseded_by=_load(str(by)),
        current_end=_load(str(end)),
        superseded_by_text=_load(str(successors)),
        supersedes=_load(str(supersedes)),
        partial=None if partial is None else str(partial),
        indexed=True,
        embedded=bool(embedded),
        stale=bool(stale),
        problems=problems,
    )


_UPSERT_NOTE = """
INSERT INTO notes (
    path, folder, mtime_ns, ctime_ns, size, racy, digest, stale, title, aliases, tags, own_status, status_text, known,
    date, decided, own_since, successors, claims, partial_refs, ids, template, problems,
    status, superseded_by, current_end, superseded_on, supersedes, partial, link_problems
) VALUES (
    :path, :folder, :mtime, :ctime, :size, :racy, :digest, 0, :title, :aliases, :tags, :own_status, :status_text,
    :known, :date, :decided, :own_since, :successors, :claims, :partial_refs, :ids, :template, :problems,
    :own_status, '[]', '[]', :own_since, '[]', NULL, '[]'
) ON CONFLICT (path) DO UPDATE SET
    mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns, size = excluded.size, racy = excluded.racy,
    digest = excluded.digest, stale = 0, title = excluded.title, aliases = excluded.aliases, tags = excluded.tags,
    own_status = excluded.own_status, status_text = excluded.status_text, known = excluded.known,
    date = excluded.date, decided = excluded.decided, own_since = excluded.own_since, successors = excluded.successors,
    claims = excluded.claims, partial_refs = excluded.partial_refs, ids = excluded.ids,
    template = excluded.template, problems = excluded.problems,
    status = CASE WHEN own_status = excluded.own_status THEN status ELSE excluded.own_status END
RETURNING id
"""
"""An edit that leaves the note's own word as it was keeps its standing until the graph is resolved again: a record
that only its successor retires must not come back for a moment."""

_LISTING = f"""
WITH active AS (SELECT CAST(value AS INTEGER) AS model FROM meta WHERE key = 'model')
SELECT path, title, status, status_text, date, superseded_on, superseded_by, current_end, successors, supersedes,
    partial,
    EXISTS (SELECT 1 FROM active) AND NOT EXISTS (
        SELECT 1 FROM chunks c WHERE c.id >= notes.id << {ORDINAL_BITS} AND c.id < (notes.id + 1) << {ORDINAL_BITS}
        AND c.digest IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM vectors v, active WHERE v.model = active.model AND v.digest = c.digest)
    ),
    stale, problems, link_problems,
    (SELECT json_group_array(json_array(code, message, NULL)) FROM skipped s WHERE s.path = notes.path),
    (SELECT json_group_array(json_array(r.code, r.message, c.first_line)) FROM chunks c, refused r, active
     WHERE c.id >= notes.id << {ORDINAL_BITS} AND c.id < (notes.id + 1) << {ORDINAL_BITS}
     AND r.model = active.model AND r.digest = c.digest)
FROM notes ORDER BY path
"""
