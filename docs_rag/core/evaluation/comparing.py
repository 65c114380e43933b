"""Two runs over the same questions: what changed, and whether chance alone would do that.

Runs are compared question by question. A figure is worse beyond noise when so many of the questions that differ are
worse that a fair coin would do it in less than one case of twenty (one-sided sign test); the figures of the
confidences, when 95 % of the samples of a paired bootstrap are worse. That no dead record comes back is a promise:
there one more is worse, whatever chance would do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from docs_rag.core.evaluation.figures import FIGURES, GROUP_FIGURES, Figure, GroupFigure, confidences
from docs_rag.core.evaluation.outcomes import Outcome
from docs_rag.core.metrics import ROUNDS, SEED, sign_test

NOISE: Final = 0.05
"""A change for the worse that is less likely than this is not taken for chance."""
PROMISES: Final = frozenset({"leaks"})

_Pairs = Sequence[tuple[Outcome, Outcome]]


class Change(NamedTuple):
    """How one figure changed over the questions that both runs have."""

    key: str
    then: float
    now: float
    better: int | None
    """Questions that are better now; None for a figure that single ones have no share in."""
    worse: int | None
    chance: float
    """How likely at least so much for the worse is by chance alone."""
    is_worse: bool
    """Worse beyond noise."""

    @property
    def difference(self) -> float:
        """Now less then."""
        return self.now - self.then


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What became of the figures."""

    changes: tuple[Change, ...]
    common: int
    """Questions that both runs have, with the same text."""
    added: int
    gone: int

    @property
    def is_worse(self) -> bool:
        """True when any figure is worse beyond noise."""
        return any(each.is_worse for each in self.changes)


def compare(then: Sequence[Outcome], now: Sequence[Outcome]) -> Comparison:
    """Compare a former run with this one; a question is the same one by its id and its text."""
    former = {(each.id, each.text): each for each in then}
    pairs = [(former[key], each) for each in now if (key := (each.id, each.text)) in former]
    same = [(a, b) for a, b in pairs if a.is_answerable == b.is_answerable]
    return Comparison(
        changes=(*_singles(same), *_groups(same)),
        common=len(same),
        added=len(now) - len(same),
        gone=len(former) - len(same),
    )


def _singles(pairs: _Pairs) -> Iterator[Change]:
    for figure in FIGURES:
        values = [(figure.value(a), figure.value(b)) for a, b in pairs if figure.applies(a) and figure.applies(b)]
        if values:
            yield _single(figure, values)


def _single(figure: Figure, values: Sequence[tuple[float, float]]) -> Change:
    rose, fell = sum(b > a for a, b in values), sum(b < a for a, b in values)
    better, worse = (rose, fell) if figure.higher_is_better else (fell, rose)
    chance = sign_test(worse, better)
    return Change(
        key=figure.key,
        then=sum(a for a, _ in values) / len(values),
        now=sum(b for _, b in values) / len(values),
        better=better,
        worse=worse,
        chance=chance,
        is_worse=worse > better if figure.key in PROMISES else chance < NOISE,
    )


def _groups(pairs: _Pairs) -> Iterator[Change]:
    both = _both_confidences(pairs)
    if both is not None and all(both):
        for figure in GROUP_FIGURES:
            yield _group(figure, *both)


_Two = Sequence[tuple[float, float]]


def _both_confidences(pairs: _Pairs) -> tuple[_Two, _Two] | None:
    """(then, now) of each answerable question, and of each other one; None where a run had no scores."""
    then, now = confidences([a for a, _ in pairs]), confidences([b for _, b in pairs])
    if then is None or now is None:
        return None
    return list(zip(then[0], now[0], strict=True)), list(zip(then[1], now[1], strict=True))


def _group(figure: GroupFigure, answerable: _Two, unanswerable: _Two) -> Change:
    def values(first: _Two, second: _Two) -> tuple[float, float]:
        then, now = (([each[side] for each in first], [each[side] for each in second]) for side in (0, 1))
        return figure.statistic(*then), figure.statistic(*now)

    random = Random(SEED)
    then, now = values(answerable, unanswerable)
    not_worse = 0
    for _ in range(ROUNDS):
        one, other = values(
            random.choices(answerable, k=len(answerable)), random.choices(unanswerable, k=len(unanswerable))
        )
        not_worse += other >= one
    chance = not_worse / ROUNDS
    return Change(figure.key, then, now, None, None, chance, is_worse=now < then and chance < NOISE)


def as_json(comparison: Comparison) -> dict[str, object]:
    """The part of `eval --json` that `--compare` adds."""
    return {
        "worse": comparison.is_worse,
        "common": comparison.common,
        "added": comparison.added,
        "gone": comparison.gone,
        "changes": {
            each.key: {
                "then": round(each.then, 4),
                "now": round(each.now, 4),
                "difference": round(each.difference, 4),
                "better": each.better,
                "worse": each.worse,
                "chance": round(each.chance, 4),
                "isWorse": each.is_worse,
            }
            for each in comparison.changes
        },
    }
