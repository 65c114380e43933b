"""Every section's vector in memory, scored in one pass. The only place of the index that needs numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag.adapters.sqlite.admitted import Sections, best, distinct
from docs_rag.adapters.sqlite.admitted import among as is_among
from docs_rag.adapters.sqlite.signs import READ, SignRows, is_there, newest, one_state, pairs, vectors_of
from docs_rag.core.sections import ORDINAL_BITS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from docs_rag.core.ports import Vector
    from docs_rag.core.queries import Admission
    from docs_rag.core.sections import Place
    from docs_rag.core.vectors import Mean

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]


def _by_score(pair: tuple[float, int, int]) -> tuple[float, int, int]:
    """Sorts pairs, the best first; equal ones by place."""
    return -pair[0], pair[1], pair[2]


_BLOCK = 1024
"""Notes that are compared with all others in one step: 100 MB for 25,000 of them."""


class VectorMatrix:
    """The vectors of one model: a pool with one row a text, and for every section its row.

    Loading again after a change reads only the vectors that are new.
    """

    def __init__(self, connection: sqlite3.Connection, model: int) -> None:
        """Read the vectors of `model` from the index."""
        import numpy as np  # noqa: PLC0415  # 70 ms that a lexical search shall not pay

        self._np = np
        self._db = connection
        self.model = model
        self.waiting = 0
        self._signs = SignRows(connection, model)
        self._newest: tuple[int, bytes] | None = None
        self._keys: Ints = np.empty(0, np.int64)  # vectors.id of each row of the pool, ascending
        self._pool: Floats = np.empty((0, 0), np.float32)
        self._sections = Sections(np.empty(0, np.int64))
        self._rows: Ints = np.empty(0, np.int64)
        self._squares: Floats = np.empty(0, np.float32)
        self._lengths: Floats = np.empty(0, np.float32)  # |e - m|, worked out with the first centred query
        self.load()

    def load(self) -> None:
        """Bring ids and vectors up to the index's committed state."""
        with one_state(self._db):
            sections, vectors, self.waiting = self._pairs()
            self._hold(distinct(vectors)[0])
        self._sections, self._rows = Sections(sections), self._keys.searchsorted(vectors)
        self._squares = self._np.einsum("ij,ij->i", self._pool, self._pool)
        self._lengths = self._np.empty(0, self._np.float32)

    def _pairs(self) -> tuple[Ints, Ints, int]:
        """The sections that have a vector, ascending, their vectors' ids, and how many sections have none."""
        if self._signs.are_kept():
            signs = self._signs.load()
            return signs.sections, signs.vectors, signs.waiting
        sections, vectors, waiting = pairs(self._db, self.model)
        return sections, vectors, len(waiting)

    def _hold(self, wanted: Ints) -> None:
        """Have a row for each of these vectors; others stay until they are most of the pool."""
        np = self._np
        if len(self._keys) > 2 * len(wanted) + 1000 or not is_there(self._db, self.model, self._newest):
            self._keys, self._pool = np.empty(0, np.int64), np.empty((0, 0), np.float32)
        missing = np.setdiff1d(wanted, self._keys, assume_unique=True) if len(self._keys) else wanted
        if len(missing):
            keys = np.concatenate([self._keys, missing])
            order = np.argsort(keys, kind="stable")
            self._keys, self._pool = keys[order], self._with(missing, order)
        self._newest = newest(self._db, self._keys)

    def _with(self, missing: Ints, order: Ints) -> Floats:
        """The pool with further vectors at its end, in another order."""
        np, held = self._np, len(self._pool)
        rows = np.argsort(order, kind="stable")
        pool: Floats | None = None
        for start in range(0, len(missing), READ):
            block = vectors_of(self._db, missing[start : start + READ].tolist())
            if pool is None:
                pool = np.empty((held + len(missing), block.shape[1]), np.float32)
                pool[rows[:held]] = self._pool if held else pool[:0]
            pool[rows[held + start : held + start + len(block)]] = block
        assert pool is not None
        return pool

    def __len__(self) -> int:
        """How many sections have their vector."""
        return len(self._sections)

    def scores(self, query: Vector, centre: tuple[Mean, Mean] | None) -> Scores:
        """Score every section against a query vector.

        With `centre` (document mean md, query mean mq) by the centred cosine, (q - mq)·(e - md) with both brought
        to unit length; else by the cosine. A vector without length scores below everything. The means must stay
        the same until the next `load`.
        """
        np = self._np
        wanted = np.frombuffer(query, "<f4").astype(np.float32)
        if len(self._sections) == 0 or not wanted.any():
            return Scores(Sections(np.empty(0, np.int64)), np.empty(0, np.float32))
        if centre is None:
            pool = self._pool @ wanted
            pool[self._squares == 0] = -2.0
        else:
            pool = self._centred(wanted, np.frombuffer(centre[0], "<f4"), np.frombuffer(centre[1], "<f4"))
        return Scores(self._sections, pool[self._rows])

    def closest_notes(
        self, wanted: Collection[int], among: Collection[int], centre: Mean | None, count: int
    ) -> list[tuple[float, int, int]]:
        """The pairs of notes whose sections mean nearly the same on the whole: (score, note, other note), best first.

        One of each pair is among `wanted`, both are among `among`; ids of notes. The score is the cosine between the
        means of their sections' vectors, `centre` taken away from each.
        """
        np = self._np
        notes, means = self._means_of(among, centre)
        is_wanted = is_among(notes, wanted)
        rows = np.flatnonzero(is_wanted)
        found: list[tuple[float, int, int]] = []
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            scores = means[block] @ means.T
            # No note pairs with itself, and a pair of which both are wanted is met once.
            scores[notes[None, :] == notes[block][:, None]] = -2.0
            scores[is_wanted[None, :] & (notes[None, :] < notes[block][:, None])] = -2.0
            flat = np.argpartition(scores.ravel(), -count)[-count:] if count < scores.size else np.arange(scores.size)
            firsts, seconds = np.unravel_index(flat, scores.shape)
            values = scores[firsts, seconds].tolist()
            pairs = zip(values, notes[block[firsts]].tolist(), notes[seconds].tolist(), strict=True)
            found = sorted((*found, *(pair for pair in pairs if pair[0] > -1.5)), key=_by_score)[:count]
        return found

    def _means_of(self, wanted: Collection[int], centre: Mean | None) -> tuple[Ints, Floats]:
        """The notes that have vectors, and the mean of each note's vectors, of unit length."""
        np = self._np
        of_notes = self._sections.ids >> ORDINAL_BITS
        held = np.flatnonzero(is_among(of_notes, wanted) & (self._squares[self._rows] > 0))
        notes, places = distinct(of_notes[held])
        vectors = self._pool[self._rows[held]]
        if centre is not None and len(vectors):
            vectors = vectors - np.frombuffer(centre, "<f4")
            vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
        sums = np.zeros((len(notes), self._pool.shape[1]), np.float32)
        np.add.at(sums, places, vectors)
        means: Floats = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        return notes, means

    def _centred(self, query: Floats, documents: Floats, queries: Floats) -> Floats:
        np = self._np
        if len(self._lengths) != len(self._pool):
            # |e - m|² = |e|² - 2 e·m + |m|², without a second copy of the pool.
            squares = self._squares - 2 * (self._pool @ documents) + documents @ documents
            lengths = np.sqrt(np.maximum(squares, 0))
            lengths[self._squares == 0] = 0
            self._lengths = lengths.astype(np.float32)
        moved = query - queries
        moved /= max(float(np.linalg.norm(moved)), 1e-9)
        raw = self._pool @ moved - np.float32(documents @ moved)
        with np.errstate(divide="ignore", invalid="ignore"):
            scores: Floats = raw / self._lengths
        scores[self._lengths < 1e-6] = -2.0
        return scores


class Scores:
    """The score of every section for one question, in (-1, 1]; sections without a vector are not in it."""

    def __init__(self, sections: Sections, values: Floats) -> None:
        """`values` has one score for each of the sections; -2.0 where there is none."""
        self._sections = sections
        self._values = values

    def top(self, admission: Admission, count: int) -> list[tuple[int, float]]:
        """The `count` best sections of admitted notes, best first; equal scores by place."""
        keep = self._sections.may_answer(admission)
        return best(self._sections.ids[keep], self._values[keep], count)

    def best_below(self, admission: Admission, floor: float) -> float | None:
        """The best score of an admitted section that stays under the floor, or None."""
        values = self._values[self._scored(admission) & (self._values < floor)]
        return float(values.max()) if len(values) else None

    def hidden(self, admission: Admission, least: float, count: int) -> list[tuple[int, float]]:
        """The `count` best sections in scope that are kept out, of those that score at least `least`."""
        kept_out = self._sections.kept_out(admission)
        if kept_out is None:
            return []
        keep = kept_out & (self._values >= least)
        return best(self._sections.ids[keep], self._values[keep], count)

    def of(self, sections: list[int]) -> dict[int, float]:
        """The scores of some sections; those without a vector are left out."""
        places = self._sections.find(sections)
        return dict(zip(self._sections.ids[places].tolist(), self._values[places].tolist(), strict=True))

    def best_of(self, place: Place, admission: Admission) -> tuple[int, float] | None:
        """The best section of one record, of those that may answer, or None when none of them has a vector."""
        where = self._sections.within(place)
        ids, values = self._sections.ids[where], self._values[where]
        if admission.sections and len(ids):
            keep = ~is_among(ids, admission.sections)
            ids, values = ids[keep], values[keep]
        return next(iter(best(ids, values, 1)), None)

    def count(self, admission: Admission) -> int:
        """How many sections may answer and have a score."""
        return int(self._scored(admission).sum())

    def percentiles(self, admission: Admission, values: Sequence[float]) -> list[float]:
        """For each value the share, 0 to 100, of the sections that may answer and score below it; 0.0 of none."""
        import numpy as np  # noqa: PLC0415

        scores = np.sort(self._values[self._scored(admission)])
        if len(scores) == 0:
            return [0.0] * len(values)
        below = np.searchsorted(scores, np.array(values, scores.dtype))
        return [float(each) * 100 / len(scores) for each in below]

    def _scored(self, admission: Admission) -> NDArray[np.bool_]:
        keep: NDArray[np.bool_] = self._sections.may_answer(admission) & (self._values > -1.5)
        return keep
