"""The figures of an evaluation: one row each, over all questions and over those of one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from docs_rag.core import metrics
from docs_rag.core.evaluation.outcomes import DEPTH, Outcome
from docs_rag.core.metrics import Estimate, Judged, Point, reciprocal_rank

if TYPE_CHECKING:
    from docs_rag.core.answers import IndexFacts

NOTHING: Final = -1.0
"""Confidence of a question to which nothing at all was in sight: below every score of a hit."""


class Figure(NamedTuple):
    """A figure that each question has a share in."""

    key: str
    """Its name in JSON."""
    title: str
    applies: Callable[[Outcome], bool]
    value: Callable[[Outcome], float]
    """From 0 to 1."""
    is_proportion: bool = True
    higher_is_better: bool = True


class GroupFigure(NamedTuple):
    """A figure of answerable against unanswerable questions by their confidence."""

    key: str
    title: str
    statistic: Callable[[Sequence[float], Sequence[float]], float]


def _found(rank: int | None, within: int) -> bool:
    return rank is not None and rank <= within


FIGURES: Final = (
    Figure("hit1", "right note first (hit@1)", lambda o: o.is_answerable, lambda o: _found(o.rank, 1)),
    Figure("hit5", "right note in five (hit@5)", lambda o: o.is_answerable, lambda o: _found(o.rank, DEPTH)),
    Figure(
        "unfloored5",
        "the same without a floor",
        lambda o: o.is_answerable and o.confidence is not None,
        lambda o: _found(o.open_rank, DEPTH),
    ),
    Figure("mrr", "MRR", lambda o: o.is_answerable, lambda o: reciprocal_rank(o.rank), is_proportion=False),
    Figure("ndcg5", "nDCG@5", lambda o: o.is_answerable, lambda o: o.ndcg, is_proportion=False),
    Figure("section1", "right section first", lambda o: o.wants_section, lambda o: _found(o.section_rank, 1)),
    Figure("section5", "right section in five", lambda o: o.wants_section, lambda o: _found(o.section_rank, DEPTH)),
    Figure("leaks", "dead record returned", lambda o: o.is_trap, lambda o: bool(o.leaks), higher_is_better=False),
    Figure(
        "successor",
        "live record in its place",
        lambda o: o.is_trap and o.is_answerable,
        lambda o: _found(o.rank, DEPTH) and not o.leaks,
    ),
    Figure("abstained", "unanswerable refused", lambda o: not o.is_answerable, lambda o: o.refused),
    Figure(
        "wronglyRefused", "answerable refused", lambda o: o.is_answerable, lambda o: o.refused, higher_is_better=False
    ),
)
"""Every figure that is drawn from single questions, in the order of the report."""

GROUP_FIGURES: Final = (
    GroupFigure("auroc", "AUROC of the confidence", metrics.auroc),
    GroupFigure("refusedAt5", "refused at 5 % wrong refusals", metrics.refused_at),
)

OF_A_KIND: Final = ("hit1", "hit5", "mrr", "ndcg5", "abstained", "wronglyRefused")
"""Figures that the table of kinds shows."""

TITLES: Final[Mapping[str, str]] = {each.key: each.title for each in (*FIGURES, *GROUP_FIGURES)}
LOWER_IS_BETTER: Final = frozenset(each.key for each in FIGURES if not each.higher_is_better)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything that one run found."""

    outcomes: tuple[Outcome, ...]
    index: IndexFacts
    """What the last answer was drawn from."""
    threshold: float | None
    """The floor; None where words alone decide."""
    needed: float | None = None
    """The confidence that an answer needs; None where the score or words alone decide."""
    limit: int
    """Hits of an answer at most."""
    seconds: tuple[float, ...]
    """How long each answer took, in order; the first one opens the model and the index."""
    notices: tuple[str, ...] = ()

    @property
    def milliseconds(self) -> float:
        """Of the middle answer."""
        return 1_000 * median(self.seconds) if self.seconds else 0.0


def estimates(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """Every figure that these questions have anything to say on, by its key."""
    found: dict[str, Estimate | None] = {figure.key: _estimate(figure, outcomes) for figure in FIGURES}
    sides = confidences(outcomes)
    if sides is not None:
        found |= {each.key: metrics.two_samples(*sides, each.statistic) for each in GROUP_FIGURES}
    return {key: each for key, each in found.items() if each is not None}


def _estimate(figure: Figure, outcomes: Iterable[Outcome]) -> Estimate | None:
    values = [figure.value(each) for each in outcomes if figure.applies(each)]
    return metrics.proportion(list(map(bool, values))) if figure.is_proportion else metrics.mean(values)


def confidences(outcomes: Sequence[Outcome]) -> tuple[list[float], list[float]] | None:
    """Of the answerable and of the unanswerable ones; None where no answer had a score."""
    if all(each.confidence is None for each in outcomes):
        return None
    answerable = [_confidence(each) for each in outcomes if each.is_answerable]
    return answerable, [_confidence(each) for each in outcomes if not each.is_answerable]


def _confidence(outcome: Outcome) -> float:
    return NOTHING if outcome.confidence is None else outcome.confidence


def by_kind(outcomes: Iterable[Outcome]) -> dict[tuple[bool, str], list[Outcome]]:
    """The questions of each kind, answerable ones first, in the order in which the kinds appear."""
    groups: dict[tuple[bool, str], list[Outcome]] = {}
    for each in sorted(outcomes, key=lambda each: not each.is_answerable):
        groups.setdefault((each.is_answerable, each.kind), []).append(each)
    return groups


def curve(outcomes: Sequence[Outcome]) -> list[Point]:
    """Risk and coverage for each threshold; an answer is right when a right note is among its first five hits.

    Empty where no answer had a score.
    """
    if confidences(outcomes) is None:
        return []
    judged = (Judged(_confidence(each), _found(each.open_rank, DEPTH), each.is_answerable) for each in outcomes)
    return [point for point in metrics.risk_coverage(list(judged)) if point.threshold > NOTHING]
