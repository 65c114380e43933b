"""The searcher's side of the index: scope, words, names, sections. Reads only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docs_rag.core.documents import DocPath
from docs_rag.core.pathrules import PathRules
from docs_rag.core.queries import Admission, Hidden, Query, Scope, has_tag
from docs_rag.core.sections import ORDINAL_BITS, Place, RecordView, Section, whole
from docs_rag.core.status import Status

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from docs_rag.core.asof import Life, Span

_SECTION_COLUMNS = (
    "c.id, n.path, n.title, c.headings, c.first_line, c.last_line, c.text, n.status, n.status_text, n.date,"
    " n.superseded_by, n.current_end, n.superseded_on, n.partial, n.stale"
)


class Lookup:
    """Reads of one connection; consistent within a `BEGIN`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Work on an open connection."""
        self._db = connection

    def counts(self) -> tuple[int, int]:
        """(notes, sections)."""
        notes = self._db.execute("SELECT count(*) FROM notes").fetchone()[0]
        sections = self._db.execute("SELECT count(*) FROM chunks").fetchone()[0]
        return int(notes), int(sections)

    def dead_sections(self, as_of: str | None = None) -> frozenset[int]:
        """The sections whose state, or whose being a template, keeps them out of every search that asks not for all.

        With a day, their state on that day.
        """
        notes = self._dead_notes(Scope(Query(text="", limit=0, as_of=as_of), ()))
        rows = self._db.execute(
            f"SELECT c.id FROM json_each(:notes) n JOIN chunks c ON c.id >= n.value << {ORDINAL_BITS}"
            f" AND c.id < (n.value + 1) << {ORDINAL_BITS}",
            {"notes": json.dumps(list(notes))},
        )
        return frozenset(row[0] for row in rows)

    def admission(self, scope: Scope) -> Admission:
        """Work a scope out over the whole index: what `Scope.admits` says, judged once a folder where it can be."""
        hidden = {} if scope.search_all else self._dead_notes(scope)
        for note in self._matching(scope.default_entries):
            hidden.setdefault(note, Hidden.EXCLUDED)
        for note in self._matching(scope.exclude_entries):
            hidden[note] = Hidden.EXCLUDED
        return Admission(hidden, self._only(scope))

    def _dead_notes(self, scope: Scope) -> dict[int, Hidden]:
        """The notes whose state keeps them out."""
        found: dict[int, Hidden] = {}
        later = "" if scope.as_of is None else " OR date > :day"
        rows = self._db.execute(
            "SELECT id, status, template, date, superseded_on, superseded_by FROM notes"
            f" WHERE status IN ('superseded', 'archived') OR template{later}",
            {"day": scope.as_of},
        ).fetchall()
        spans = self._spans(rows, scope)
        for note, status, template, *_ in rows:
            reason = scope.by_state(Status(status), spans.get(note)) or (Hidden.TEMPLATE if template else None)
            if reason is not None:
                found[note] = reason
        return found

    def _spans(self, rows: Sequence[tuple[Any, ...]], scope: Scope) -> dict[int, Span]:
        """From when to when records were in force; nothing where the question names no day."""
        if scope.as_of is None:
            return {}
        from docs_rag.core.asof import Life, span  # noqa: PLC0415  # few questions name a day

        own = {
            row[0]: Life(Status(row[1]), row[3], True, row[4], () if row[5] == "[]" else tuple(json.loads(row[5])))
            for row in rows
        }
        successors = self.lives([path for life in own.values() if life.superseded_on is None for path in life[4]])
        return {
            key: span(life, [successors[DocPath(path)] for path in life.superseded_by if path in successors])
            for key, life in own.items()
        }

    def lives(self, paths: Iterable[str]) -> dict[DocPath, Life]:
        """When the records at these paths were made and what became of them; unknown ones are left out."""
        from docs_rag.core.asof import Life  # noqa: PLC0415

        rows = self._db.execute(
            "SELECT path, status, date, decided, superseded_on, superseded_by FROM notes"
            " WHERE path IN (SELECT value FROM json_each(:paths))",
            {"paths": json.dumps(list(paths), ensure_ascii=False)},
        )
        return {
            DocPath(path): Life(Status(status), date, bool(decided), on, tuple(json.loads(by)))
            for path, status, date, decided, on, by in rows
        }

    def _matching(self, entries: Sequence[str]) -> list[int]:
        """Notes that one of the path rules matches."""
        if not entries:
            return []
        rules = PathRules(entries)
        if any("." in entry.strip("/").rpartition("/")[2] for entry in entries):
            rows = self._db.execute("SELECT id, path FROM notes")
            return [note for note, path in rows if rules.matches(path) is not None]
        folders = [row[0] for row in self._db.execute("SELECT DISTINCT folder FROM notes")]
        matching = [folder for folder in folders if folder and rules.matches_folder(folder) is not None]
        rows = self._db.execute(
            "SELECT id FROM notes WHERE folder IN (SELECT value FROM json_each(?))", (json.dumps(matching),)
        )
        return [row[0] for row in rows]

    def _only(self, scope: Scope) -> frozenset[int] | None:
        if not scope.is_narrowed:
            return None
        only: set[int] | None = None
        if scope.within_entries:
            only = set(self._matching(scope.within_entries))
        if scope.tags:
            rows = self._db.execute("SELECT id, tags FROM notes WHERE tags <> '[]'").fetchall()
            tagged = {n for n, tags in rows if any(has_tag(json.loads(tags), tag) for tag in scope.tags)}
            only = tagged if only is None else only & tagged
        return frozenset(only or ())

    def any_within(self, entry: str) -> bool:
        """Whether a path rule matches any note."""
        return bool(self._matching([entry]))

    def any_tagged(self, tag: str) -> bool:
        """Whether any note has a tag or one below it; `tag` is case-folded and without `#`."""
        rows = self._db.execute("SELECT DISTINCT tags FROM notes WHERE tags <> '[]'")
        return any(has_tag(json.loads(row[0]), tag) for row in rows)

    def top_folders(self, count: int) -> list[str]:
        """The top folders that hold most notes."""
        rows = self._db.execute(
            "SELECT CASE WHEN instr(folder, '/') THEN substr(folder, 1, instr(folder, '/') - 1) ELSE folder END AS top,"
            " count(*) FROM notes WHERE folder <> '' GROUP BY top ORDER BY count(*) DESC, top LIMIT ?",
            (count,),
        )
        return [row[0] for row in rows]

    def holding(self, match: str, literal: str, limit: int) -> list[int]:
        """Sections that hold a term, at most `limit`, in the order of their ids."""
        if literal:
            rows = self._db.execute(
                "SELECT w.rowid FROM words w JOIN chunks c ON c.id = w.rowid"
                " WHERE words MATCH :match AND instr(lower(c.text || ' ' || c.names), :literal) LIMIT :limit",
                {"match": match, "literal": literal, "limit": limit},
            )
        else:
            rows = self._db.execute(
                "SELECT rowid FROM words WHERE words MATCH :match LIMIT :limit",
                {"match": match, "limit": limit},
            )
        return [row[0] for row in rows]

    def holding_all(self, matches: Sequence[str], sections: Sequence[int]) -> frozenset[int]:
        """Those of some sections that hold every one of the terms."""
        if not matches or not sections:
            return frozenset()
        rows = self._db.execute(
            "SELECT rowid FROM words WHERE words MATCH :match AND +rowid IN (SELECT value FROM json_each(:ids))",
            {"match": " AND ".join(matches), "ids": json.dumps(list(sections))},
        )
        return frozenset(row[0] for row in rows)

    def bm25(self, matches: Sequence[str], sections: Sequence[int]) -> dict[int, float]:
        """Okapi BM25 of some sections for any of the terms; higher is better, names count double."""
        if not matches or not sections:
            return {}
        rows = self._db.execute(
            "SELECT rowid, -bm25(words, 1.0, 2.0) FROM words WHERE words MATCH :match"
            " AND +rowid IN (SELECT value FROM json_each(:ids))",
            {"match": " OR ".join(matches), "ids": json.dumps(list(sections))},
        )
        return {key: score for key, score in rows}

    def named(self, names: Sequence[str]) -> list[Place]:
        """Records that are called by one of these folded names."""
        rows = self._db.execute(
            "SELECT DISTINCT note FROM names WHERE name IN (SELECT value FROM json_each(:names)) ORDER BY note",
            {"names": json.dumps(list(names), ensure_ascii=False)},
        )
        return [whole(row[0]) for row in rows]

    def sections(self, ids: Sequence[int]) -> dict[int, Section]:
        """Whole sections with their note's standing, by id."""
        rows = self._db.execute(
            f"SELECT {_SECTION_COLUMNS} FROM json_each(:ids) j JOIN chunks c ON c.id = j.value"
            f" JOIN notes n ON n.id = c.id >> {ORDINAL_BITS}",
            {"ids": json.dumps(list(ids))},
        )
        return {row[0]: _section(row) for row in rows}

    def records(self, places: Sequence[Place]) -> dict[Place, RecordView]:
        """Records by their places, without their text."""
        rows = self._db.execute(
            "SELECT n.id, n.path, n.title, n.status, n.date, n.superseded_by, n.current_end, n.superseded_on"
            " FROM notes n WHERE n.id IN (SELECT value FROM json_each(:notes))",
            {"notes": json.dumps([place.note for place in places])},
        )
        return {whole(row[0]): _record(row[1:]) for row in rows}

    def section_ids(self, place: Place) -> list[int]:
        """The sections of one record, in order."""
        rows = self._db.execute("SELECT id FROM chunks WHERE id >= ? AND id < ? ORDER BY id", place)
        return [row[0] for row in rows]

    def places(self, paths: Sequence[str]) -> dict[DocPath, Place]:
        """Where the records at these paths lie; unknown ones are left out."""
        return {path: whole(note) for path, note in self.note_ids(paths).items()}

    def note_ids(self, paths: Sequence[str]) -> dict[DocPath, int]:
        """Ids of the notes at these paths; unknown ones are left out."""
        rows = self._db.execute(
            "SELECT path, id FROM notes WHERE path IN (SELECT value FROM json_each(?))",
            (json.dumps(list(paths), ensure_ascii=False),),
        )
        return {DocPath(path): note for path, note in rows}

    def paths(self, notes: Sequence[int]) -> dict[int, DocPath]:
        """Paths of the notes with these ids."""
        rows = self._db.execute(
            "SELECT id, path FROM notes WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(notes)),),
        )
        return {note: DocPath(path) for note, path in rows}

    def successors(self, path: str) -> tuple[DocPath, ...]:
        """The direct successors of the record at `path`."""
        row = self._db.execute("SELECT superseded_by FROM notes WHERE path = ?", (path,)).fetchone()
        return () if row is None else tuple(map(DocPath, json.loads(row[0])))


def _record(row: Sequence[Any]) -> RecordView:
    path, title, status, date, by, end, on = row
    return RecordView(
        path=DocPath(path),
        title=title,
        status=Status(status),
        date=date,
        superseded_by=tuple(json.loads(by)),
        current_end=tuple(json.loads(end)),
        superseded_on=on,
    )


def _section(row: tuple[object, ...]) -> Section:
    key, path, title, headings, first, last, text, status, words, date, by, end, on, partial, stale = row
    return Section(
        id=int(str(key)),
        path=DocPath(str(path)),
        title=str(title),
        ordinal=int(str(key)) & ((1 << ORDINAL_BITS) - 1),
        headings=tuple(json.loads(str(headings))),
        lines=(int(str(first)), int(str(last))),
        text=str(text),
        status=Status(str(status)),
        status_text=str(words),
        date=None if date is None else str(date),
        superseded_by=tuple(json.loads(str(by))),
        current_end=tuple(json.loads(str(end))),
        superseded_on=None if on is None else str(on),
        partial=None if partial is None else str(partial),
        stale=bool(stale),
    )
