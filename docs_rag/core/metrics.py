"""Figures of retrieval and of refusal, with their uncertainty. Pure, and the same for the same input.

Sources: reciprocal rank, Voorhees, "The TREC-8 Question Answering Track Report" (1999); discounted cumulative gain,
Järvelin and Kekäläinen (2002), with the gains 2^g - 1 of Burges et al. (2005); the area under the ROC curve as the
Mann-Whitney statistic, Hanley and McNeil (1982); risk and coverage, El-Yaniv and Wiener (2010); intervals of
proportions, Wilson (1927); percentile bootstrap, Efron and Tibshirani (1993), chapter 13; the sign test, Conover,
"Practical Nonparametric Statistics", section 3.4.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb, log2, sqrt
from random import Random
from typing import Final, NamedTuple, TypeVar

_T = TypeVar("_T")

Z: Final = 1.959963984540054
"""Quantile of the normal distribution for an interval of 95 %."""
TAIL: Final = 0.025
ROUNDS: Final = 1_000
"""Samples of a bootstrap: its limits then move by about a hundredth from seed to seed."""
SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval of 95 %."""

    value: float
    low: float
    high: float
    of: int
    """Questions that it was drawn from."""
    count: int | None = None
    """For a proportion: in how many of them it is so."""


def wilson(count: int, of: int, z: float = Z) -> tuple[float, float]:
    """Limits of a proportion: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). `of` is positive."""
    share, square = count / of, z * z / of
    middle, reach = share + square / 2, z * sqrt(share * (1 - share) / of + square / (4 * of))
    low, high = (middle - reach) / (1 + square), (middle + reach) / (1 + square)
    return (0.0 if count == 0 else low), (1.0 if count == of else high)


def proportion(holds: Sequence[bool]) -> Estimate | None:
    """The share of true ones; None where there is nothing to count."""
    if not holds:
        return None
    count = sum(holds)
    return Estimate(count / len(holds), *wilson(count, len(holds)), of=len(holds), count=count)


def mean(values: Sequence[float]) -> Estimate | None:
    """The mean with its bootstrap interval; None of nothing."""
    if not values:
        return None

    def resampled(random: Random) -> float:
        return sum(random.choices(values, k=len(values))) / len(values)

    return Estimate(sum(values) / len(values), *spread(resampled), of=len(values))


def spread(statistic: Callable[[Random], float], rounds: int = ROUNDS) -> tuple[float, float]:
    """The middle 95 % of what a statistic gives for samples that are drawn with one fixed seed."""
    random = Random(SEED)
    drawn = sorted(statistic(random) for _ in range(rounds))
    cut = int(TAIL * rounds)
    return drawn[cut], drawn[-1 - cut]


def two_samples(
    first: Sequence[_T], second: Sequence[_T], statistic: Callable[[Sequence[_T], Sequence[_T]], float]
) -> Estimate | None:
    """A figure of two groups; each is sampled for itself, so that their sizes stay. None where one is empty."""
    if not first or not second:
        return None

    def resampled(random: Random) -> float:
        return statistic(random.choices(first, k=len(first)), random.choices(second, k=len(second)))

    return Estimate(statistic(first, second), *spread(resampled), of=len(first) + len(second))


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """How likely a random one of `positive` lies above a random one of `negative`; a tie counts half."""
    ranked = sorted(negative)
    above = sum(bisect_left(ranked, each) + bisect_right(ranked, each) for each in positive)
    return above / (2 * len(positive) * len(negative))


def refused_at(answerable: Sequence[float], unanswerable: Sequence[float], wrong: float = 0.05) -> float:
    """The share of unanswerable questions below the highest threshold that refuses at most `wrong` of the others."""
    threshold = sorted(answerable)[int(wrong * len(answerable) + 1e-9)]
    return sum(each < threshold for each in unanswerable) / len(unanswerable)


def reciprocal_rank(rank: int | None) -> float:
    """1 / rank, counted from 1; 0 for what was not found."""
    return 0.0 if rank is None else 1.0 / rank


def ndcg(gains: Sequence[int], relevant: Sequence[int], k: int) -> float:
    """Σ (2^g - 1) / log2(place + 1) over the first `k` places, as a share of the best order's.

    `gains` are those of the hits in their order, `relevant` those of everything that could be found.
    """
    ideal = _dcg(sorted(relevant, reverse=True)[:k])
    return _dcg(gains[:k]) / ideal if ideal else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum((2.0**gain - 1) / log2(place + 1) for place, gain in enumerate(gains, 1))


class Judged(NamedTuple):
    """One question as a threshold sees it."""

    confidence: float
    """It is answered where this reaches the threshold."""
    is_right: bool
    """Whether the answer, if given, would be right; never so for an unanswerable question."""
    is_answerable: bool


class Point(NamedTuple):
    """What one threshold does."""

    threshold: float
    coverage: float
    """Share of all questions that are answered."""
    risk: float
    """Share of wrong answers among those given."""
    refused: float | None
    """Share of the unanswerable questions that are refused; None where there are none."""
    wrongly: float | None
    """Share of the answerable ones that are."""


def risk_coverage(judged: Sequence[Judged]) -> list[Point]:
    """The curve over every threshold that makes a difference, the highest first."""
    answerable = sum(each.is_answerable for each in judged)
    unanswerable = len(judged) - answerable
    points: list[Point] = []
    given = right = held = 0
    ordered = sorted(judged, key=lambda each: -each.confidence)
    for threshold, group in groupby(ordered, key=lambda each: each.confidence):
        for each in group:
            given, right, held = given + 1, right + each.is_right, held + each.is_answerable
        points.append(
            Point(
                threshold=threshold,
                coverage=given / len(judged),
                risk=1 - right / given,
                refused=1 - (given - held) / unanswerable if unanswerable else None,
                wrongly=1 - held / answerable if answerable else None,
            )
        )
    return points


def sign_test(worse: int, better: int) -> float:
    """How likely chance alone makes at least `worse` of the differing pairs worse: one-sided, exact."""
    pairs = worse + better
    ways: int = sum(comb(pairs, count) for count in range(worse, pairs + 1))
    return ways / (1 << pairs)
