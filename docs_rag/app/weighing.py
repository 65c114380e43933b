"""What speaks for the sections of one question: scores, words, and whether all of it is enough to answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from docs_rag.app.evidence import Lengths
from docs_rag.core.confidence import Backing, Confidence, confidence
from docs_rag.core.sections import note_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docs_rag.app.evidence import Evidence
    from docs_rag.app.semantics import Semantic
    from docs_rag.app.track import LexicalTrack
    from docs_rag.core.queries import Admission
    from docs_rag.core.terms import Term

WIDTH: Final = 64
"""Best sections that ranking looks at: enough for 50 hits of at most two a note."""
LEAST_RANKED: Final = 32
SPARE: Final = 3
"""Sections that are ranked for each hit that is wanted: of one note only two count, and equal ones are one."""
CLOSELY: Final = 16
HIDDEN_CLOSELY: Final = 4
"""Notes, and hidden notes, whose sections are searched for the question's common words too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """The sections that one question looks at."""

    semantic: Semantic
    evidence: Evidence
    lengths: Lengths
    scores: Mapping[int, float]
    """Of the sections that may answer and were looked at, best first."""
    backing: Mapping[int, Backing]
    """Of these, and of hidden ones."""
    confidence: Confidence
    hidden: Mapping[int, float]
    """Scores of the sections that are kept out and would have been hits."""

    def clears(self, score: float | None) -> bool:
        """Whether a score is a hit's, in an answer that can be believed."""
        return score is not None and self.confidence.is_enough and self.semantic.clears(score)

    def clearing(self, limit: int) -> list[int]:
        """The sections that are hits by their score, as many as ranking needs, those first that most speaks for."""
        found = [key for key, score in self.scores.items() if self.clears(score)]
        found.sort(key=lambda key: -(self.scores[key] + self.backing[key].aid))
        return found[: max(LEAST_RANKED, SPARE * limit)]

    def backing_of(self, sections: Sequence[int]) -> Mapping[int, Backing]:
        """At least of these sections: those that were not looked at are looked up."""
        more = [key for key in sections if key not in self.backing]
        return {**self.backing, **self.evidence.backing(more, self.lengths)} if more else self.backing

    def best_rejected(self, admission: Admission) -> float | None:
        """The best score of what may answer and does not: under the floor, or any where nothing is believed."""
        if not self.confidence.is_enough:
            return max(self.scores.values(), default=None)
        return self.semantic.scores.best_below(admission, self.semantic.floor.value)


def weigh(
    semantic: Semantic, track: LexicalTrack, terms: tuple[Term, ...], admission: Admission, limit: int
) -> Weighed:
    """Look at the sections that score best, and at those that hold most of the question's uncommon words."""
    evidence = track.rare(terms)
    width = max(WIDTH, 2 * limit)
    scores = dict(semantic.scores.top(admission, width))
    worded = [key for key in evidence.fullest(width) if key not in scores and admission.admits(key)]
    scores |= semantic.scores.of(worded)
    out = dict(semantic.scores.hidden(admission, max(semantic.floor.value, 1e-9), width))
    lengths = Lengths(track.lookup)
    _look_closely(track, evidence, scores, lengths, CLOSELY)
    _look_closely(track, evidence, out, lengths, HIDDEN_CLOSELY)
    backing = evidence.backing([*scores, *out], lengths)
    found = confidence(scores, backing, evidence.said, semantic.needed)
    return Weighed(
        semantic=semantic,
        evidence=evidence,
        lengths=lengths,
        scores=scores,
        backing=backing,
        confidence=found,
        hidden={
            key: score for key, score in out.items() if semantic.clears(score) and found.would_do(score, backing[key])
        },
    )


def _look_closely(
    track: LexicalTrack, evidence: Evidence, scores: Mapping[int, float], lengths: Lengths, count: int
) -> None:
    if not scores:
        return
    backing = evidence.backing(list(scores), lengths)
    best = sorted(scores, key=lambda key: -(scores[key] + backing[key].aid))
    track.look_closely(evidence, list(dict.fromkeys(map(note_of, best)))[:count])
