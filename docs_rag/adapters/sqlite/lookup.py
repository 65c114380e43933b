"""The searcher's side of the index: scope, words, names, sections. Reads only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from docs_rag.adapters.sqlite import states
from docs_rag.adapters.sqlite.columns import load
from docs_rag.core.documents import DocPath
from docs_rag.core.pathrules import PathRules
from docs_rag.core.queries import Admission, Hidden, Query, Scope, has_tag
from docs_rag.core.sections import ORDINAL_BITS, Place, RecordView, Section, whole
from docs_rag.core.status import Status, part_counts

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from docs_rag.adapters.sqlite.kept import Kept
    from docs_rag.core.asof import Life

_Row = tuple[Any, ...]
"""The columns of `_standing`."""
_WIDTH: Final = 12
_FIELDS: Final = 7
"""How many `_SECTION` are."""
_SECTION: Final = "c.id, c.headings, c.first_line, c.last_line, c.location, c.text, n.stale"


class Lookup:
    """Reads of one connection; consistent within a `BEGIN`."""

    def __init__(self, connection: sqlite3.Connection, kept: Kept) -> None:
        """Work on an open connection; what many questions ask alike is kept in `kept`."""
        self._db = connection
        self._kept = kept

    def counts(self) -> tuple[int, int]:
        """(notes, sections)."""
        return self._kept.value("counts", self._counts)

    def _counts(self) -> tuple[int, int]:
        notes = self._db.execute("SELECT count(*) FROM notes").fetchone()[0]
        sections = self._db.execute("SELECT count(*) FROM chunks").fetchone()[0]
        return int(notes), int(sections)

    def share_up_to(self, section: int) -> float:
        """About which share of all sections comes up to one, by the numbers of the notes; above 0, at most 1."""
        last = self._kept.value("last", lambda: self._db.execute("SELECT max(id) FROM notes").fetchone()[0])
        return min(1.0, max(1, section >> ORDINAL_BITS) / (last or 1))

    def dead_sections(self, as_of: str | None = None) -> frozenset[int]:
        """The sections whose state, or whose being a template, keeps them out of every search that asks not for all.

        With a day, their state on that day.
        """
        return self._kept.value(("dead", as_of), lambda: self._dead_sections(as_of))

    def _dead_sections(self, as_of: str | None) -> frozenset[int]:
        scope = Scope(Query(text="", limit=0, as_of=as_of), ())
        rows = self._db.execute(
            f"SELECT c.id FROM json_each(:notes) n JOIN chunks c ON c.id >= n.value << {ORDINAL_BITS}"
            f" AND c.id < (n.value + 1) << {ORDINAL_BITS}",
            {"notes": json.dumps(list(states.dead_notes(self._db, scope)))},
        )
        dead = {row[0] for row in rows}
        for place in states.dead_parts(self._db, scope):
            dead.update(range(*place))
        return frozenset(dead)

    def admission(self, scope: Scope) -> Admission:
        """Work a scope out over the whole index: what `Scope.admits` says, judged once a folder where it can be."""
        return self._kept.value(("admission", scope.key), lambda: self._admission(scope))

    def _admission(self, scope: Scope) -> Admission:
        hidden = {} if scope.search_all else states.dead_notes(self._db, scope)
        parts = {} if scope.search_all else states.dead_parts(self._db, scope)
        for note in self._matching(scope.default_entries):
            hidden.setdefault(note, Hidden.EXCLUDED)
        for note in self._matching(scope.exclude_entries):
            hidden[note] = Hidden.EXCLUDED
        return Admission(hidden, self._only(scope), parts)

    def lives(self, paths: Iterable[str]) -> dict[DocPath, Life]:
        """When the records at these paths were made and what became of them; unknown ones are left out."""
        return states.lives(self._db, paths)

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

    def holding(self, match: str, literal: str, limit: int) -> Sequence[int]:
        """Sections that hold a term, at most `limit`, in the order of their ids."""
        return self._kept.ids((match, literal, limit), lambda: self._holding(match, literal, limit))

    def _holding(self, match: str, literal: str, limit: int) -> list[int]:
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

    def holding_in(self, match: str, literal: str, notes: Sequence[int]) -> list[int]:
        """Sections of some notes that hold a term; FTS reads only these stretches of its list."""
        found = self._db.execute(
            "SELECT words.rowid FROM json_each(:notes) n CROSS JOIN words WHERE words MATCH :match"
            f" AND words.rowid >= n.value << {ORDINAL_BITS} AND words.rowid < (n.value + 1) << {ORDINAL_BITS}",
            {"match": match, "notes": json.dumps(list(notes))},
        )
        ids = [row[0] for row in found]
        if not literal or not ids:
            return ids
        rows = self._db.execute(
            "SELECT id FROM chunks WHERE id IN (SELECT value FROM json_each(:ids))"
            " AND instr(lower(text || ' ' || names), :literal)",
            {"ids": json.dumps(ids), "literal": literal},
        )
        return [row[0] for row in rows]

    def holding_best(self, match: str, count: int) -> list[int]:
        """The `count` sections that an expression of terms fits and that are best by BM25, names counting double."""
        rows = self._db.execute(
            "SELECT rowid FROM words WHERE words MATCH :match ORDER BY bm25(words, 1.0, 2.0) LIMIT :count",
            {"match": match, "count": count},
        )
        return [row[0] for row in rows]

    def lengths(self, notes: Sequence[int]) -> dict[int, int]:
        """How many sections some notes have; they are numbered without gaps. Unknown ones have none."""
        rows = self._db.execute(
            f"SELECT n.value, (SELECT max(id) FROM chunks WHERE id >= n.value << {ORDINAL_BITS}"
            f" AND id < (n.value + 1) << {ORDINAL_BITS}) - (n.value << {ORDINAL_BITS}) + 1 FROM json_each(:notes) n",
            {"notes": json.dumps(list(notes))},
        )
        return {note: length or 0 for note, length in rows}

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
            "SELECT DISTINCT s.note, p.first, p.stop FROM names s LEFT JOIN parts p ON p.id = s.part"
            " WHERE s.name IN (SELECT value FROM json_each(:names)) ORDER BY s.note, p.first",
            {"names": json.dumps(list(names), ensure_ascii=False)},
        )
        return [whole(note) if first is None else Place(first, stop) for note, first, stop in rows]

    def sections(self, ids: Sequence[int]) -> dict[int, Section]:
        """Whole sections by id, with the standing of their note or of the part of it that they lie in."""
        rows = self._db.execute(
            f"SELECT {_SECTION}, {_standing('n')}, {_standing('p')} FROM json_each(:ids) j"
            f" JOIN chunks c ON c.id = j.value JOIN notes n ON n.id = c.id >> {ORDINAL_BITS}"
            " LEFT JOIN parts p ON p.note = n.id AND p.first <= c.id AND c.id < p.stop",
            {"ids": json.dumps(list(ids))},
        )
        return {row[0]: _section(row) for row in rows}

    def records(self, places: Sequence[Place]) -> dict[Place, RecordView]:
        """Records by their places, without their text."""
        wanted = {"firsts": json.dumps([place.first for place in places])}
        notes = self._db.execute(
            f"SELECT {_standing('n')} FROM json_each(:firsts) j JOIN notes n ON n.id = j.value >> {ORDINAL_BITS}",
            wanted,
        )
        by_note = {row[0]: row for row in notes}
        parts = self._db.execute(
            f"SELECT {_standing('p')}, p.first, p.stop FROM json_each(:firsts) j JOIN parts p"
            f" ON p.note = j.value >> {ORDINAL_BITS} AND p.first = j.value",
            wanted,
        )
        known = {whole(note): _record(row) for note, row in by_note.items()}
        known |= {Place(*row[-2:]): _record(_counting(by_note[row[0]], row), row) for row in parts}
        return {place: known[place] for place in places if place in known}

    def section_ids(self, place: Place) -> list[int]:
        """The sections of one record, in order."""
        rows = self._db.execute("SELECT id FROM chunks WHERE id >= ? AND id < ? ORDER BY id", place)
        return [row[0] for row in rows]

    def places(self, paths: Sequence[str]) -> dict[DocPath, Place]:
        """Where the records at these paths lie; unknown ones are left out."""
        rows = self._db.execute(
            "SELECT path, first, stop FROM parts WHERE path IN (SELECT value FROM json_each(?))",
            (json.dumps(list(paths), ensure_ascii=False),),
        )
        parts = {DocPath(path): Place(first, stop) for path, first, stop in rows if first < stop}
        return parts | {path: whole(note) for path, note in self.note_ids(paths).items()}

    def note_ids(self, paths: Sequence[str]) -> dict[DocPath, int]:
        """Ids of the notes at these paths; unknown ones are left out."""
        rows = self._db.execute(
            "SELECT path, id FROM notes WHERE path IN (SELECT value FROM json_each(?))",
            (json.dumps(list(paths), ensure_ascii=False),),
        )
        return {DocPath(path): note for path, note in rows}

    def successors(self, path: str) -> tuple[DocPath, ...]:
        """The direct successors of the record at `path`."""
        row = self._db.execute(
            "SELECT superseded_by FROM notes WHERE path = :path UNION ALL"
            " SELECT superseded_by FROM parts WHERE path = :path",
            {"path": path},
        ).fetchone()
        return () if row is None else tuple(map(DocPath, load(row[0])))


def _standing(table: str) -> str:
    """The columns of `_Row`, of notes `n` or parts `p`."""
    note = "n.id" if table == "n" else "p.note"
    names = (
        "path",
        "title",
        "status",
        "status_text",
        "date",
        "date_source",
        "superseded_by",
        "current_end",
        "superseded_on",
        "partial",
        "partial_by",
    )
    return ", ".join((note, *(f"{table}.{name}" for name in names)))


def _counting(note: _Row, part: _Row) -> _Row:
    """The row whose standing counts for a section of a part."""
    return part if part_counts(Status(note[3]), Status(part[3]), bool(part[4])) else note


def _record(row: _Row, named: _Row | None = None) -> RecordView:
    """A record with its own standing, or as `named` with the standing that counts for it."""
    _, path, title = (named or row)[:3]
    _, _, _, status, _, date, source, by, end, on, *_ = row[:_WIDTH]
    return RecordView(
        path=DocPath(path),
        title=title,
        status=Status(status),
        date=date,
        date_source=source,
        superseded_by=tuple(map(DocPath, load(by))),
        current_end=tuple(map(DocPath, load(end))),
        superseded_on=on,
    )


def _section(row: tuple[Any, ...]) -> Section:
    key, headings, first, last, location, text, stale = row[:_FIELDS]
    note, part = row[_FIELDS : _FIELDS + _WIDTH], row[_FIELDS + _WIDTH :]
    standing = note if part[0] is None else _counting(note, part)
    _, record, _, status, words, date, source, by, end, on, partial, partial_by = standing
    return Section(
        id=key,
        path=DocPath(note[1]),
        title=note[2],
        ordinal=key & ((1 << ORDINAL_BITS) - 1),
        headings=load(headings),
        lines=(first, last),
        location=location,
        text=text,
        status=Status(status),
        status_text=words,
        date=date,
        date_source=source,
        superseded_by=tuple(map(DocPath, load(by))),
        current_end=tuple(map(DocPath, load(end))),
        superseded_on=on,
        partial=partial,
        partial_by=tuple(map(DocPath, load(partial_by))),
        stale=bool(stale),
        record=None if standing is note else DocPath(record),
    )
