"""What scores are worth on this vault, seen from both sides, on the scale of the score that the floor applies to.

From below, noise: how alike sections are that have nothing to do with each other. That differs from model to model
(0.05 for one, 0.85 for another), so a floor means something only beside it. Pairs are drawn from different notes, the
query form on one side where the model tells queries and documents apart.

From above, the vault's own headings asked as questions: what the right note scores, and what the best of all the
others does, which is what a question gets that the vault nearly answers. A heading's words stand in its own section,
so real questions score lower on the right note than this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

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
MINIMUM_QUESTIONS: Final = 20
"""Below this many headings a tenth of them is one or none, and the last twentieth less than one."""
MISSED: Final = 0.1
"""Share of questions whose right note may score below `Sides.own`."""
NEARLY: Final = 0.95
"""Share of questions whose best wrong note scores below `Sides.others`."""
_STEP = 0.6180339887498949
"""The golden ratio's fraction: multiples of it, modulo 1, spread evenly, and the same way every time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What the vault's own headings score when they are asked as questions."""

    own: float
    """The best section of a heading's own note reaches this for 90 % of them, by split-conformal prediction."""
    others: float
    """95th percentile of the best scores among all other notes."""
    overlap: float
    """Share of the headings, 0 to 1, whose own note stays below `others`: no floor parts these from near misses."""


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
    questions: int | None = None
    """Headings that were asked; None in what a version kept that did not ask any."""
    sides: Sides | None = None
    """What came of them; None when they were fewer than `MINIMUM_QUESTIONS`."""


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


def both_sides(own: Sequence[float], others: Sequence[float]) -> Sides | None:
    """Put the best scores of own and of other notes, one of each for a question, side by side; None for too few."""
    if min(len(own), len(others)) < MINIMUM_QUESTIONS:
        return None
    limit = percentile(sorted(others), NEARLY)
    below = sum(score < limit for score in own)
    return Sides(own=round(conformal_low(own, MISSED), 3), others=round(limit, 3), overlap=round(below / len(own), 3))


def conformal_low(scores: Sequence[float], alpha: float) -> float:
    """The score that one more, drawn as these were, reaches with a probability of at least 1 - `alpha`.

    It is the floor((n + 1) alpha)-th smallest of n, without any assumption on how they are distributed: split-conformal
    prediction, Lei, G'Sell, Rinaldo, Tibshirani and Wasserman, JASA 113 (2018), section 2.2. Raises `ValueError` when n
    is too small for that to be one of them.
    """
    place = math.floor(round((len(scores) + 1) * alpha, 9))
    if not 1 <= place <= len(scores):
        raise ValueError(f"{len(scores)} scores say nothing of a share of {alpha}")
    return sorted(scores)[place - 1]


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
    return resized(old, new.sections)


def resized(old: Calibration, sections: int) -> bool:
    """Whether the vault has grown or shrunk by more than a fifth since."""
    return abs(sections - old.sections) > 0.2 * old.sections


@dataclass(frozen=True, slots=True)
class Floor:
    """The score that a hit must reach, and who says so."""

    value: float
    source: str
    """`config`, `registry`, `calibration` or `fallback`."""
    confidence: float | None = None
    """What an answer's confidence (core/confidence.py) must come to as well; None where the score alone decides."""


def floor_in_use(configured: float | None, model: Model, calibration: Calibration | None) -> Floor:
    """Config before the registry's tested value before the calibration before the registry's fallback.

    Who sets a floor wants the score to decide: a configured one asks for no confidence.
    """
    if configured is not None:
        return Floor(configured, "config")
    if model.min_score is not None:
        return Floor(model.min_score, "registry", model.min_confidence)
    if calibration is not None:
        return Floor(calibration.suggested, "calibration", model.min_confidence)
    return Floor(model.fallback_score, "fallback", model.min_confidence)
