"""The noise floor: how alike sections are that have nothing to do with each other.

Scores of unrelated pairs differ from model to model (0.05 for one, 0.85 for another), so a floor means something
only beside them. Pairs are drawn from different notes, the query form on one side where the model tells queries and
documents apart, on the scale of the score that the floor applies to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.vectors import Mean, dot, normalise, unpack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.models import Model
    from docs_rag.core.sampling import Sampled

PAIRS = 500
MINIMUM_SECTIONS = 50
"""Below this many sections a percentile would be a guess."""
MARGIN = 0.025
"""What the suggestion leaves above the 99th percentile."""
NEAR_DUPLICATE = 0.97
"""Plain cosine from which on two texts are versions of one another and no unrelated pair."""
MOVE = 0.03
"""A smaller change of the suggestion does not move the floor between full runs."""
_STEP = 0.6180339887498949
"""The golden ratio's fraction: multiples of it, modulo 1, spread evenly, and the same way every time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was measured on this vault."""

    p99: float
    """99th percentile of the scores of unrelated pairs."""
    pairs: int
    suggested: float
    """`p99` plus a margin, rounded up to hundredths."""
    sections: int
    """How many sections had vectors then."""


def measure(
    left: Sequence[Sampled], right: Sequence[Sampled], means: tuple[Mean, Mean] | None, sections: int
) -> Calibration | None:
    """Score unrelated pairs of `left` (query form, where there is one) and `right` (documents).

    With `means` (documents, queries) the scores are centred. None when there are too few sections.
    """
    if sections < MINIMUM_SECTIONS or not left or not right:
        return None
    lefts = [centred(each.vector, means[1]) if means else each.vector for each in left]
    rights = [centred(each.vector, means[0]) if means else each.vector for each in right]
    scores = [
        dot(lefts[i], rights[j])
        for i, j in _pairs(len(left), len(right))
        if left[i].note != right[j].note and dot(left[i].vector, right[j].vector) < NEAR_DUPLICATE
    ]
    if len(scores) < MINIMUM_SECTIONS:
        return None
    p99 = percentile(sorted(scores), 0.99)
    return Calibration(p99=round(p99, 3), pairs=len(scores), suggested=suggest(p99), sections=sections)


def _pairs(lefts: int, rights: int) -> list[tuple[int, int]]:
    """`PAIRS` pairs of places, spread over both sides, drawn half as many again to replace those left out."""
    return [(i % lefts, int(i * _STEP % 1.0 * rights)) for i in range(PAIRS * 3 // 2)][: lefts * rights]


def suggest(p99: float) -> float:
    """A floor just above the noise, in hundredths."""
    return math.ceil(round((p99 + MARGIN) * 100, 6)) / 100


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which `share` of an ordered, non-empty sequence lies (linear between neighbours)."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def centred(vector: bytes, mean: bytes) -> bytes:
    """The unit vector in the direction of `vector - mean`; a zero vector stays zero and never ranks."""
    numbers = unpack(vector)
    if not any(numbers):
        return vector
    return normalise(a - b for a, b in zip(numbers, unpack(mean), strict=True))


def moves(old: Calibration | None, new: Calibration, *, full: bool) -> bool:
    """Whether a new measurement replaces the stored one: floors that wander with every edit cannot be trusted."""
    if full or old is None or abs(new.suggested - old.suggested) > MOVE:
        return True
    return abs(new.sections - old.sections) > 0.2 * old.sections


@dataclass(frozen=True, slots=True)
class Floor:
    """The score that a hit must reach, and who says so."""

    value: float
    source: str
    """`config`, `registry`, `calibration` or `fallback`."""


def floor_in_use(configured: float | None, model: Model, calibration: Calibration | None) -> Floor:
    """Config before the registry's tested value before the calibration before the registry's fallback."""
    if configured is not None:
        return Floor(configured, "config")
    if model.min_score is not None:
        return Floor(model.min_score, "registry")
    if calibration is not None:
        return Floor(calibration.suggested, "calibration")
    return Floor(model.fallback_score, "fallback")
