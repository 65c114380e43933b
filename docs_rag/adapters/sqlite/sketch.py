"""Vectors of a large index: a bit a dimension in memory, the numbers themselves read from the file for the best few.

The first pass compares the signs of vectors, moved by their mean so that both signs are as likely, with those of the
question: a difference of two signs is a bit, and bits are counted 64 at a time (Charikar, STOC 2002, section 3, for why
the count goes with the angle). The second pass weighs the bits of the best by the question's own numbers, in sixteen
steps. The best get their exact score, and as many more as may be among the best by what the second pass was wrong by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs_rag.adapters.sqlite.admitted import Sections, among, best, distinct
from docs_rag.adapters.sqlite.signs import SAMPLED, SignRows, packed, vectors_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from docs_rag.adapters.sqlite.admitted import Mask
    from docs_rag.core.ports import Vector
    from docs_rag.core.queries import Admission
    from docs_rag.core.sections import Place
    from docs_rag.core.vectors import Mean

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]
    Words = NDArray[np.uint64]
    Counts = NDArray[np.uint16]

FIRST: Final = 65_536
"""Sections that come through the first pass; of those that are kept out a quarter."""
EXACT: Final = 512
"""Sections, the best by the second pass, that get their exact score in any case."""
MOST: Final = 2_048
"""Sections that can get their exact score in one go."""
SURE: Final = 3.5
"""Further sections get it while that may bring them among the best: their score, as the second pass makes it expected,
and so many standard deviations of what that is wrong by. With 2,300 sections of real notes and 96 headings as
questions, 63 of 64 best at the least were found for each, with 512 exact scores in the median, 1,219 at the most."""
FEW: Final = 32
"""Sections that are scored to tell on which side of a floor those lie that differ as much from the question."""
AROUND: Final = 512
"""Sections that are scored to find the best one below a floor that all of the best reach."""
_BLOCK: Final = 65_536
"""Rows that one step of the first pass compares: half a megabyte stays near the processor."""
_STEPS: Final = 4
"""Bits of each of the question's numbers in the second pass."""


class Sketch:
    """The vectors of one model, as `core.scoring.Matrix` has it: their signs, and which section has which."""

    def __init__(self, connection: sqlite3.Connection, model: int) -> None:
        """Read the signs of `model` from the index."""
        self._db = connection
        self.model = model
        self._rows = SignRows(connection, model)
        self.load()

    def load(self) -> None:
        """Bring signs and ids up to the index's committed state; only what is new is read."""
        import numpy as np  # noqa: PLC0415

        self._signs = self._rows.load()
        self._sections = Sections(self._signs.sections)
        self._ones: Counts = np.bitwise_count(self._signs.bits).sum(axis=0, dtype=np.uint16)

    @property
    def waiting(self) -> int:
        """How many sections still wait for their vector."""
        return self._signs.waiting

    def __len__(self) -> int:
        """How many sections have their vector."""
        return len(self._sections)

    def scores(self, query: Vector, centre: tuple[Mean, Mean] | None) -> SketchScores:
        """Scores as `VectorMatrix.scores` gives them, worked out for those that are asked for."""
        import numpy as np  # noqa: PLC0415

        wanted = np.frombuffer(query, "<f4").astype(np.float32)
        means = (self._rows.centre,) * 2 if centre is None else tuple(np.frombuffer(each, "<f4") for each in centre)
        direction = wanted - means[1] if wanted.any() else wanted
        direction = direction / max(float(np.linalg.norm(direction)), 1e-9)
        return SketchScores(
            self,
            self._sections,
            direction,
            wanted if centre is None else direction,
            None if centre is None else means[0],
        )

    def closest_notes(
        self, wanted: Collection[int], among: Collection[int], centre: Mean | None, count: int
    ) -> list[tuple[float, int, int]]:
        """As `VectorMatrix.closest_notes`, which reads every vector for it: `check` asks once and ends."""
        from docs_rag.adapters.sqlite.vectors import VectorMatrix  # noqa: PLC0415

        return VectorMatrix(self._db, self.model).closest_notes(wanted, among, centre, count)

    def differing(self, signs: Words) -> Counts:
        """For each section, in how many dimensions its sign is another one."""
        import numpy as np  # noqa: PLC0415

        found: Counts = np.zeros(len(self), np.uint16)
        for start in range(0, len(found), _BLOCK):
            part = found[start : start + _BLOCK]
            for column, word in zip(self._signs.bits, signs, strict=True):
                part += np.bitwise_count(column[start : start + _BLOCK] ^ word)
        return found

    def weighed(self, places: Ints, planes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """For some sections, the sum over their set bits of the numbers whose binary digits the planes hold."""
        import numpy as np  # noqa: PLC0415

        bits = self._signs.bits.take(places, axis=1)
        total = np.zeros(len(places), np.int64)
        for digit, plane in enumerate(planes):
            count = np.zeros(len(places), np.uint16)
            for column, word in zip(bits, plane, strict=True):
                count += np.bitwise_count(column & word)
            total += count.astype(np.int64) << digit
        return total

    def ones(self, places: Ints) -> Counts:
        """For some sections, how many of their bits are set."""
        found: Counts = self._ones[places]
        return found

    def vectors(self, places: Ints) -> Floats:
        """The vectors of some sections, read from the index, a row each."""
        keys, back = distinct(self._signs.vectors[places])
        return vectors_of(self._db, keys.tolist())[back]


class SketchScores:
    """Scores for one question, as `core.scoring.Scores` has it: exact ones, worked out for those that may matter."""

    def __init__(
        self, sketch: Sketch, sections: Sections, direction: Floats, query: Floats, centre: Floats | None
    ) -> None:
        """`direction`: the question seen from the mean; vectors, seen from `centre`, are multiplied with `query`."""
        import numpy as np  # noqa: PLC0415

        self._sketch = sketch
        self._sections = sections
        self._query = query
        self._centre = centre
        self._direction = direction
        self._is_nothing = not direction.any()
        self._distances: Counts | None = None
        self._exact: Floats = np.full(len(sections), np.nan, np.float32)
        self._ranked: list[tuple[Mask, Ints, Floats]] = []

    def top(self, admission: Admission, count: int) -> list[tuple[int, float]]:
        """The `count` best sections of admitted notes, best first; equal scores by place."""
        places = self._best_places(self._sections.may_answer(admission), count)
        return best(self._sections.ids[places], self._scored(places), count)

    def best_below(self, admission: Admission, floor: float) -> float | None:
        """The best score of an admitted section that stays under the floor, or None."""
        keep = self._sections.may_answer(admission)
        above = int((self._scored(self._best_places(keep, 1)) >= floor).sum())
        are_near = self._best_places(keep, above + 1) if above < EXACT else self._around(keep, floor)
        return self._highest(are_near, floor)

    def _highest(self, places: Ints, floor: float) -> float | None:
        values = self._scored(places)
        under = values[(values < floor) & (values > -1.5)]
        return float(under.max()) if len(under) else None

    def _around(self, keep: Mask, floor: float) -> Ints:
        """Some hundred sections of which about half reach the floor: by their distances, halved again and again.

        In a large index many thousand sections score about as much as a floor does.
        """
        import numpy as np  # noqa: PLC0415

        distances = self._far()
        present = np.flatnonzero(np.bincount(distances[keep]))
        start, stop = 0, len(present) - 1
        while start < stop:
            middle = (start + stop) // 2
            some = _spread(np.flatnonzero(keep & (distances == present[middle])), FEW)
            start, stop = (middle + 1, stop) if np.median(self._scored(some)) >= floor else (start, middle)
        last = min(start + 1, len(present) - 1)
        near = keep & (distances >= present[max(start - 1, 0)]) & (distances <= present[last])
        return _spread(np.flatnonzero(near), AROUND)

    def hidden(self, admission: Admission, least: float, count: int) -> list[tuple[int, float]]:
        """The `count` best sections in scope that are kept out, of those that score at least `least`."""
        kept_out = self._sections.kept_out(admission)
        if kept_out is None:
            return []
        places = self._best_places(kept_out, count, FIRST // 4, least)[: 2 * EXACT]
        found = best(self._sections.ids[places], self._scored(places), count)
        return [pair for pair in found if pair[1] >= least]

    def of(self, sections: list[int]) -> dict[int, float]:
        """The scores of some sections; those without a vector are left out."""
        places = self._sections.find(sections)
        return dict(zip(self._sections.ids[places].tolist(), self._scored(places).tolist(), strict=True))

    def best_of(self, place: Place, admission: Admission) -> tuple[int, float] | None:
        """The best section of one record, of those that may answer, or None when none of them has a vector."""
        import numpy as np  # noqa: PLC0415

        where = self._sections.within(place)
        places = np.arange(where.start, where.stop)
        if admission.sections and len(places):
            places = places[~among(self._sections.ids[places], admission.sections)]
        return next(iter(best(self._sections.ids[places], self._scored(places), 1)), None)

    def count(self, admission: Admission) -> int:
        """How many sections may answer and have a vector."""
        return 0 if self._is_nothing else int(self._sections.may_answer(admission).sum())

    def percentiles(self, admission: Admission, values: Sequence[float]) -> list[float]:
        """For each value the share, 0 to 100, that scores below it of sections spread over those that may answer."""
        import numpy as np  # noqa: PLC0415

        places = np.flatnonzero(self._sections.may_answer(admission))
        scores = np.sort(self._scored(_spread(places, SAMPLED)))
        if len(scores) == 0:
            return [0.0] * len(values)
        below = np.searchsorted(scores, np.array(values, scores.dtype))
        return [float(each) * 100 / len(scores) for each in below]

    def _best_places(self, keep: Mask, count: int, first: int = FIRST, least: float = -1.5) -> Ints:
        """Where the sections stand, of those in `keep`, that may be among the `count` best that score at least so.

        `first`: how many come through the first pass.
        """
        ranked, estimates = self._by_estimate(keep, first)
        values = self._scored(ranked[: max(EXACT, 2 * count)])
        return ranked[: max(len(values), _reach(estimates, values, count, least))]

    def _by_estimate(self, keep: Mask, first: int) -> tuple[Ints, Floats]:
        """At most `MOST` sections of those in `keep` that the first pass leaves: best first, with their estimates."""
        import numpy as np  # noqa: PLC0415

        if self._is_nothing:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        for known, places, estimates in self._ranked:
            if known is keep:
                return places, estimates
        places = self._first(keep, first)
        estimates = self._estimated(places)
        if len(places) > MOST:
            chosen = np.argpartition(estimates, -MOST)[-MOST:]
            places, estimates = places[chosen], estimates[chosen]
        order = np.argsort(-estimates, kind="stable")
        self._ranked.append((keep, places[order], estimates[order]))
        return places[order], estimates[order]

    def _first(self, keep: Mask, count: int) -> Ints:
        """About `count` of the sections, those whose signs differ least from the question's; all of them if few."""
        import numpy as np  # noqa: PLC0415

        if np.count_nonzero(keep) > count:
            distances, step = self._far(), max(1, len(keep) // FIRST)
            reached = step * np.cumsum(np.bincount(distances[::step][keep[::step]]))
            keep = keep & (distances <= int(np.searchsorted(reached, count)))
        return np.flatnonzero(keep)

    def _far(self) -> Counts:
        """For each section, in how many dimensions its sign differs from the question's."""
        if self._distances is None:
            self._distances = self._sketch.differing(packed((self._direction > 0)[None, :])[:, 0])
        return self._distances

    def _estimated(self, places: Ints) -> Floats:
        """What the exact scores of some sections go with: the question's numbers, added or taken away by each bit."""
        import numpy as np  # noqa: PLC0415

        low, high = float(self._direction.min()), float(self._direction.max())
        step = max(high - low, 1e-9) / (2**_STEPS - 1)
        digits = np.rint((self._direction - low) / step).astype(np.uint8)
        planes = np.stack([packed((digits >> digit & 1)[None, :] > 0)[:, 0] for digit in range(_STEPS)])
        found: Floats = (low * self._sketch.ones(places) + step * self._sketch.weighed(places, planes)).astype(
            np.float32
        )
        return found

    def _scored(self, places: Ints) -> Floats:
        """The exact scores of some sections; -2.0 where there is none."""
        import numpy as np  # noqa: PLC0415

        unknown = places[np.isnan(self._exact[places])]
        if len(unknown):
            vectors = self._sketch.vectors(unknown)
            is_zero = ~vectors.any(axis=1)
            if self._centre is not None:
                vectors = vectors - self._centre
                lengths = np.linalg.norm(vectors, axis=1)
                is_zero |= lengths < 1e-6
                vectors /= np.maximum(lengths, 1e-6)[:, None]
            values = vectors @ self._query
            values[is_zero | self._is_nothing] = -2.0
            self._exact[unknown] = values
        scores: Floats = self._exact[places]
        return scores


def _spread(places: Ints, count: int) -> Ints:
    """About `count` of some places, spread evenly over them."""
    return places[:: max(1, len(places) // count)]


def _reach(estimates: Floats, values: Floats, count: int, least: float) -> int:
    """How many of the sections, the best by estimate first, may be among the `count` best that score at least so.

    `values` are the scores of the first of them; the least squares of these say what the others can be expected to be.
    """
    import numpy as np  # noqa: PLC0415

    has_score = values > -1.5
    known, scores = estimates[: len(values)][has_score].astype(np.float64), values[has_score].astype(np.float64)
    if len(scores) <= count or np.ptp(known) == 0:
        return len(estimates)
    slope = float(np.cov(known, scores)[0, 1] / known.var(ddof=1))
    if slope <= 0:
        return len(estimates)
    expected = scores.mean() + slope * (known - known.mean())
    needed = max(least, np.partition(scores, -count)[-count]) - SURE * float((scores - expected).std())
    return int((estimates >= known.mean() + (needed - scores.mean()) / slope).sum())
