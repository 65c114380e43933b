"""The vectors' side of the index: models, vectors by text, what is still to be embedded, calibration."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.sqlite.connection import transaction
from docs_rag.core.calibration import Calibration, Sides
from docs_rag.core.digests import Digest
from docs_rag.core.documents import DocPath
from docs_rag.core.identity import StoredModel
from docs_rag.core.ports import Vector
from docs_rag.core.sampling import Pending, Sampled
from docs_rag.core.sections import ORDINAL_BITS
from docs_rag.core.vectors import Mean

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

DAY = 24 * 3600
KEEP_SECONDS = 30 * DAY
"""How long a vector outlives its text: a branch switch or a move costs no embedding."""


class VectorRows:
    """Writes and reads what belongs to embedding; every write is one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Work on an open connection."""
        self._db = connection

    def active(self) -> StoredModel | None:
        """The model whose vectors answer, or None before the first."""
        row = self._db.execute(
            "SELECT id, name, digest, prefixes, dimensions FROM models"
            " WHERE id = (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'model')"
        ).fetchone()
        return None if row is None else _stored(row)

    def register(self, name: str, digest: str, prefixes: tuple[str, str], dimensions: int) -> StoredModel:
        """The row of a model, made if there is none; the first one is active at once."""
        with transaction(self._db):
            row = self._db.execute(
                "INSERT INTO models (name, digest, prefixes, dimensions) VALUES (:name, :digest, :prefixes, :dims)"
                " ON CONFLICT (name, digest, prefixes) DO UPDATE SET dimensions = max(dimensions, :dims)"
                " RETURNING id, name, digest, prefixes, dimensions",
                {"name": name, "digest": digest, "prefixes": json.dumps(prefixes), "dims": dimensions},
            ).fetchone()
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('model', ?)", (str(row[0]),))
        return _stored(row)

    def activate(self, model: int) -> None:
        """Let this model's vectors answer from now on, and forget every other model's."""
        with transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('model', ?)", (str(model),))
            self._db.execute("DELETE FROM models WHERE id <> ?", (model,))

    def pending(self, model: int) -> list[tuple[Digest, int]]:
        """Every text without a vector, once, with a section that holds it: of the newest records first, by their date.

        What a default search would not return comes last: the first answers by meaning are of what holds now.
        """
        rows = self._db.execute(
            f"SELECT p.digest, p.first FROM (SELECT c.digest, min(c.id) AS first FROM {self._searched(model)}"
            f" WHERE {_LACKING} GROUP BY c.digest) p LEFT JOIN notes n ON n.id = p.first >> {ORDINAL_BITS}"
            " ORDER BY n.status IN ('superseded', 'archived') OR n.template, n.date DESC, p.first",
            {"model": model},
        )
        return [(Digest(digest), first) for digest, first in rows]

    def _searched(self, model: int) -> str:
        """Where to look for sections without a vector: in the notes that may have some, where these are known."""
        known = self._db.execute("SELECT 1 FROM meta WHERE key = 'searched' AND value = ?", (str(model),)).fetchone()
        return "chunks c" if known is None else _OF_FRESH

    def pending_texts(self, sections: Sequence[int]) -> list[Pending]:
        """What the texts to embed are made of, for the sections that `pending` named."""
        rows = self._db.execute(
            f"SELECT c.digest, n.path, n.title, c.headings, c.text FROM chunks c JOIN notes n ON n.id = c.id >>"
            f" {ORDINAL_BITS} WHERE c.id IN (SELECT value FROM json_each(:ids)) AND c.digest IS NOT NULL ORDER BY c.id",
            {"ids": json.dumps(sections)},
        )
        return [
            Pending(
                digest=Digest(digest),
                path=DocPath(path),
                title=title,
                headings=tuple(json.loads(h)),
                text=text,
            )
            for digest, path, title, h, text in rows
        ]

    def put(self, model: int, vectors: Mapping[Digest, Vector]) -> None:
        """Keep vectors; whatever was refused for these texts before is forgotten."""
        with transaction(self._db):
            self._db.executemany(
                "INSERT OR REPLACE INTO vectors (model, digest, vector) VALUES (?, ?, ?)",
                ((model, digest, vector) for digest, vector in vectors.items()),
            )
            self._db.executemany(
                "DELETE FROM refused WHERE model = ? AND digest = ?", ((model, digest) for digest in vectors)
            )
            self._db.executemany(  # the text may have gone since it was asked for
                "INSERT OR IGNORE INTO dropped SELECT :digest WHERE NOT EXISTS"
                " (SELECT 1 FROM chunks WHERE digest = :digest)",
                ({"digest": digest} for digest in vectors),
            )
            dimensions = max((len(vector) // 4 for vector in vectors.values()), default=0)
            self._db.execute("UPDATE models SET dimensions = max(dimensions, ?) WHERE id = ?", (dimensions, model))

    def note_refusals(self, model: int, refusals: Mapping[Digest, tuple[str, str]]) -> None:
        """List texts that could not be embedded, or not whole: digest to (code, message)."""
        with transaction(self._db):
            self._db.executemany(
                "INSERT OR REPLACE INTO refused VALUES (?, ?, ?, ?)",
                ((model, digest, code, message) for digest, (code, message) in refusals.items()),
            )

    def coverage(self, model: int) -> tuple[int, int]:
        """(sections that have their vector, sections that still wait for one)."""
        # In two parts: all rows are counted without a look into them, and few have nothing to embed.
        (sections,) = self._db.execute(
            "SELECT (SELECT count(*) FROM chunks) - (SELECT count(*) FROM chunks WHERE digest IS NULL)"
        ).fetchone()
        (waiting,) = self._db.execute(
            f"SELECT count(*) FROM {self._searched(model)} WHERE {_LACKING}", {"model": model}
        ).fetchone()
        return int(sections) - int(waiting), int(waiting)

    def sweep(self, now: int, model: int | None = None) -> None:
        """Note which vectors no text uses any more, and drop those that have been so for `KEEP_SECONDS`.

        With `model`, of which all texts have been looked for, note which notes are still without a vector of it: the
        next look for such texts goes into these and into those that are read from now on.
        """
        with transaction(self._db):
            if self._db.execute("SELECT 1 FROM meta WHERE key = 'swept'").fetchone() is None:
                self._db.execute(
                    f"UPDATE vectors SET unused = CASE WHEN {_USED} THEN NULL ELSE coalesce(unused, :now) END"
                    f" WHERE (unused IS NULL) <> {_USED}",
                    {"now": now},
                )
                self._db.execute("INSERT INTO meta VALUES ('swept', '1')")
            else:
                self._sweep_changed(now)
            self._db.execute("DELETE FROM dropped")
            self._db.execute(f"DELETE FROM vectors WHERE unused < ? AND NOT {_USED}", (now - KEEP_SECONDS,))
            # Ids at the end may be given again: to signs those are newer vectors.
            self._db.execute(
                "UPDATE sketch_centres SET newest = (SELECT coalesce(max(id), 0) FROM vectors)"
                " WHERE newest > (SELECT coalesce(max(id), 0) FROM vectors)"
            )
            self._db.execute(
                "DELETE FROM refused WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.digest = refused.digest)"
            )
            if model is not None:
                self._settle(model)

    def _sweep_changed(self, now: int) -> None:
        """The same for the texts alone that went or came since."""
        of_models = "model IN (SELECT id FROM models)"  # leads to the digests by their index
        self._db.execute(
            f"UPDATE vectors SET unused = ? WHERE {of_models} AND digest IN (SELECT digest FROM dropped)"
            f" AND unused IS NULL AND NOT {_USED}",
            (now,),
        )
        self._db.execute(
            f"UPDATE vectors SET unused = NULL WHERE unused IS NOT NULL AND EXISTS (SELECT 1 FROM fresh) AND {_USED}"
        )

    def _settle(self, model: int) -> None:
        found = f"SELECT DISTINCT c.id >> {ORDINAL_BITS} FROM {self._searched(model)} WHERE {_LACKING}"
        notes = self._db.execute(found, {"model": model}).fetchall()
        self._db.execute("DELETE FROM fresh")
        self._db.executemany("INSERT INTO fresh VALUES (?)", notes)
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('searched', ?)", (str(model),))

    def keep_signs(self, model: int) -> None:
        """Bring the signs that a process may read instead of many vectors up to date."""
        from docs_rag.adapters.sqlite.signs import SignRows  # noqa: PLC0415  # a search keeps none

        SignRows(self._db, model).complete()

    def sample(self, model: int, count: int) -> list[Sampled]:
        """At most `count` sections with their vectors, spread over the index; the same ones for the same index."""
        rows = self._db.execute(
            # CROSS JOIN: the sections' texts come in order by their index, and no vector more than asked for is read.
            f"SELECT c.id >> {ORDINAL_BITS}, c.digest, v.vector FROM chunks c CROSS JOIN vectors v"
            " ON v.model = :model AND v.digest = c.digest WHERE c.digest IS NOT NULL ORDER BY c.digest LIMIT :count",
            {"model": model, "count": count},
        )
        return [Sampled(note, Digest(digest), Vector(vector)) for note, digest, vector in rows]

    def sampled(self) -> str:
        """What was last kept with `put_sampled`; empty for nothing."""
        row = self._db.execute("SELECT value FROM meta WHERE key = 'sampled'").fetchone()
        return "" if row is None else str(row[0])

    def put_sampled(self, mark: str) -> None:
        """Keep a mark of the sample that was last measured."""
        with transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('sampled', ?)", (mark,))

    def headings(self, count: int) -> list[tuple[int, str]]:
        """At most `count` headings that stand in one note alone, with that note's id, spread over the index."""
        rows = self._db.execute(
            f"SELECT min(c.id) >> {ORDINAL_BITS}, json_extract(c.headings, '$[#-1]') AS heading FROM chunks c"
            " WHERE c.digest IS NOT NULL AND c.headings <> '[]' GROUP BY heading"
            f" HAVING min(c.id) >> {ORDINAL_BITS} = max(c.id) >> {ORDINAL_BITS} ORDER BY min(c.digest) LIMIT :count",
            {"count": count},
        )
        return [(note, heading) for note, heading in rows if heading]

    def query_vectors(self, model: int) -> dict[Digest, Vector]:
        """The kept query forms, by the digest of their text."""
        rows = self._db.execute("SELECT digest, vector FROM query_vectors WHERE model = ?", (model,))
        return {Digest(digest): Vector(vector) for digest, vector in rows}

    def keep_query_vectors(self, model: int, vectors: Mapping[Digest, Vector]) -> None:
        """Replace the kept query forms."""
        with transaction(self._db):
            self._db.execute("DELETE FROM query_vectors WHERE model = ?", (model,))
            self._db.executemany(
                "INSERT INTO query_vectors VALUES (?, ?, ?)",
                ((model, digest, vector) for digest, vector in vectors.items()),
            )

    def means(self, model: int) -> tuple[Mean, Mean] | None:
        """(document mean, query mean) for centred scores, or None before the first calibration."""
        row = self._db.execute("SELECT documents, queries FROM means WHERE model = ?", (model,)).fetchone()
        return None if row is None else (Mean(row[0]), Mean(row[1]))

    def put_means(self, model: int, documents: Mean, queries: Mean) -> None:
        """Keep the means that scores are centred with from now on."""
        with transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO means VALUES (?, ?, ?)", (model, documents, queries))

    def calibration(self) -> Calibration | None:
        """The last calibration, or None; one of another model does not count."""
        row = self._db.execute("SELECT value FROM meta WHERE key = 'calibration'").fetchone()
        active = self._db.execute("SELECT value FROM meta WHERE key = 'model'").fetchone()
        if row is None or active is None:
            return None
        values = json.loads(row[0])
        if str(values.pop("model")) != active[0]:
            return None
        sides = values.pop("sides", None)
        return Calibration(**values, sides=sides and Sides(**sides))

    def put_calibration(self, model: int, calibration: Calibration) -> None:
        """Keep a calibration with the model that it was made with."""
        values = {"model": model, **asdict(calibration)}
        with transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('calibration', ?)", (json.dumps(values),))


_OF_FRESH: Final = (
    f"fresh f JOIN chunks c ON c.id >= f.note << {ORDINAL_BITS} AND c.id < (f.note + 1) << {ORDINAL_BITS}"
)
_LACKING: Final = (
    "c.digest IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = :model AND v.digest = c.digest)"
)
_USED: Final = "EXISTS (SELECT 1 FROM chunks WHERE chunks.digest = vectors.digest)"


def _stored(row: Iterable[object]) -> StoredModel:
    key, name, digest, prefixes, dimensions = row
    query, document = json.loads(str(prefixes))
    return StoredModel(
        id=int(str(key)),
        name=str(name),
        digest=str(digest),
        prefixes=(query, document),
        dimensions=int(str(dimensions)),
    )
