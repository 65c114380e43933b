"""One answer held against what is right.

A place is the place in the list of hits as a reader sees it: two passages of one note take two places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from docs_rag.core.metrics import ndcg
from docs_rag.core.outline import outline

if TYPE_CHECKING:
    from docs_rag.core.answers import Answer, Hit
    from docs_rag.core.questions import Question, Target

DEPTH: Final = 5
"""A right note among so many hits was found."""
RIGHT: Final = 2
"""Gain of a note that answers."""
USEFUL: Final = 1
"""Gain of one that is worth something beside it."""


class Shown(NamedTuple):
    """A hit in short."""

    path: str
    label: str
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one question."""

    id: str
    text: str
    kind: str
    is_answerable: bool
    is_trap: bool
    """A dead record seems to answer it."""
    wants_section: bool
    """What is right is part of a note."""
    rank: int | None
    """Place of the first right note, from 1."""
    section_rank: int | None
    """Place of the first right section."""
    ndcg: float
    """Over the first `DEPTH` places."""
    refused: bool
    leaks: tuple[str, ...]
    """Dead records that came back."""
    confidence: float | None
    """How far the best of what may answer can be believed, shown or not; None where words alone decide."""
    open_rank: int | None
    """Place of the first right note in the answer that there would be without a floor."""
    hits: tuple[Shown, ...]


def judge(question: Question, answer: Answer, unfloored: Answer | None) -> Outcome:
    """Compare an answer with what is right; `unfloored` is the same question's without a floor, if it has one."""
    right = frozenset(each.path for each in question.answers)
    return Outcome(
        id=question.id,
        text=question.text,
        kind=question.kind,
        is_answerable=question.is_answerable,
        is_trap=question.is_trap,
        wants_section=any(each.heading for each in question.answers),
        rank=_rank(answer.hits, right),
        section_rank=_section_rank(answer.hits, question.answers),
        ndcg=_ndcg(answer.hits, right, frozenset(question.also_ok) - right),
        refused=not answer.hits,
        leaks=tuple(_leaks(answer.hits, question)),
        confidence=_confidence(answer),
        open_rank=None if unfloored is None else _rank(unfloored.hits, right),
        hits=tuple(Shown(hit.section.standing_of, hit.label, hit.score) for hit in answer.hits),
    )


def _names(hit: Hit) -> tuple[str, ...]:
    """What a hit may be called in a question file: its note, one decision of it, notes with the same passage."""
    return (hit.section.standing_of, hit.section.path, *hit.also_in)


def _rank(hits: Sequence[Hit], right: frozenset[str]) -> int | None:
    return next((place for place, hit in enumerate(hits, 1) if not right.isdisjoint(_names(hit))), None)


def _section_rank(hits: Sequence[Hit], answers: Sequence[Target]) -> int | None:
    return next((place for place, hit in enumerate(hits, 1) if any(_is_at(hit, each) for each in answers)), None)


def _is_at(hit: Hit, target: Target) -> bool:
    if target.path not in _names(hit):
        return False
    return not target.heading or _folded(target.heading) in map(_folded, _headings(hit))


def _headings(hit: Hit) -> Iterator[str]:
    """The headings above a section and those inside it: short sections are kept together."""
    yield from hit.section.headings
    yield from (heading.words for heading in outline(hit.section.text, 0).headings)


def _folded(heading: str) -> str:
    return " ".join(heading.casefold().split())


def _ndcg(hits: Sequence[Hit], right: frozenset[str], useful: frozenset[str]) -> float:
    """Every note counts where it stands first: a second passage of it takes a place and gains nothing."""
    gains: list[int] = []
    open_for_gain = {**dict.fromkeys(useful, USEFUL), **dict.fromkeys(right, RIGHT)}
    relevant = list(open_for_gain.values())
    for hit in hits:
        found = [open_for_gain.pop(name) for name in _names(hit) if name in open_for_gain]
        gains.append(max(found, default=0))
    return ndcg(gains, relevant, DEPTH)


def _leaks(hits: Sequence[Hit], question: Question) -> Iterator[str]:
    if question.is_trap:
        returned = dict.fromkeys(name for hit in hits for name in _names(hit))
        yield from (name for name in returned if name in question.must_not)


def _confidence(answer: Answer) -> float | None:
    return None if answer.confidence is None else answer.confidence.value
