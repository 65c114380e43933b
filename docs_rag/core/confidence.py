"""Whether there is an answer at all: a decision that looks at more than one number.

A model gives every question some best section, and the scores of right and wrong ones overlap: a near miss reaches 0.4
where a right section in other words reaches 0.3. What tells them apart is how much of the question's words, each
weighed by how much it says, the section and its note hold, how much of them stands anywhere, and whether the question
names something that stands nowhere. So

    confidence = best (score + 0.1 x the section's share + 0.3 x the note's share) + 0.3 x the known share - the absent

and below a needed value the answer is "no relevant results", however high the score. Where the question's words cannot
be the vault's, since it is asked in another language or none of them stands anywhere, the score speaks alone, and
counts 0.25 more. The score that is shown and that the floor applies to stays the model's own. docs/evaluation.md has
the figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from docs_rag.core.terms import Term

OF_SECTION: Final = 0.1
OF_NOTE: Final = 0.3
OF_KNOWN: Final = 0.3
"""What a whole question's words add."""
ALONE: Final = 0.25
"""What a score counts more where no word can speak: unanswerable questions of other languages reached 0.24."""
ABSENT_NAME: Final = 0.15
"""What a name takes away that stands nowhere: a word with a capital may be another word for what is there."""
ABSENT_IDENTIFIER: Final = 0.45
"""The same for what has the form of a name in code or an abbreviation, which seldom has other words."""
MOST_ABSENT: Final = 0.6
LEAST_EXACT: Final = 5
"""Characters from which on a mixture of letters and digits is the name of one thing."""


class Backing(NamedTuple):
    """How far a question's words speak for a section; shares of the question by weight, 0 to 1."""

    section: float = 0.0
    note: float = 0.0
    """Of a long note that holds a word once, less than of a short one."""

    @property
    def aid(self) -> float:
        """What that adds to a score."""
        return OF_SECTION * self.section + OF_NOTE * self.note


NO_BACKING: Final = Backing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the words of a question say of the vault as a whole."""

    known: float
    """Share of the question by weight that stands in what is in force."""
    absent: tuple[Term, ...]
    """Names that stand nowhere."""
    holds_exact: bool = False
    """One of the question's exact names stands somewhere."""
    foreign: bool = False
    """They are not the vault's: of another language, or none stands anywhere."""

    @property
    def is_named_in_vain(self) -> bool:
        """Whether every exact name of the question stands nowhere, and there is one."""
        return not self.holds_exact and any(map(is_exact, self.absent))


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """How far the best of what may answer can be believed."""

    value: float
    needed: float
    """Below this there is no answer; 0.0 where the score alone decides."""
    score: float
    """Of the section that the value is that of; 0.0 when there is none."""
    backing: Backing
    known: float
    absent: tuple[str, ...]
    """Names in the question that stand nowhere in the vault."""
    missing: float
    """What they took away."""
    alone: float | None = None
    """Where the words are not the vault's: what the score counts more, less what exact names take away."""
    is_named_in_vain: bool = False
    """What the question names exactly stands nowhere: whatever scores high is about something else."""

    @property
    def is_enough(self) -> bool:
        """Whether there may be an answer."""
        return self.value >= self.needed and not self.is_named_in_vain

    def would_do(self, score: float, backing: Backing) -> bool:
        """Whether another section's score and words would have been enough."""
        return replace(self, value=self._worth(score, backing)).is_enough

    def _worth(self, score: float, backing: Backing) -> float:
        value = score + backing.aid + OF_KNOWN * self.known - self.missing
        return value if self.alone is None else max(value, score + self.alone)


def confidence(
    scores: Mapping[int, float], backing: Mapping[int, Backing], words: Words, needed: float | None
) -> Confidence:
    """Judge a question by its sections' scores and by words.

    `needed` 0.0: the score alone decides; None: nobody tested for this model what is needed, so that of all this only
    exact names count that stand nowhere.
    """
    nothing = Confidence(
        value=0.0,
        needed=needed or 0.0,
        score=0.0,
        backing=NO_BACKING,
        known=words.known,
        absent=tuple(term.text for term in words.absent),
        missing=absence(words.absent),
        alone=ALONE - absence(list(filter(is_code, words.absent))) if words.foreign else None,
        is_named_in_vain=needed != 0.0 and words.is_named_in_vain,
    )
    worths = {key: nothing._worth(score, backing[key]) for key, score in scores.items()}
    best = max(worths, key=worths.__getitem__, default=None)
    if best is None:
        return nothing
    return replace(nothing, value=worths[best], score=scores[best], backing=backing[best])


def absence(absent: Sequence[Term]) -> float:
    """What names that stand nowhere take away; a bare number counts as a word, since years are asked for."""
    return min(MOST_ABSENT, sum(ABSENT_IDENTIFIER if is_code(term) else ABSENT_NAME for term in absent))


def is_code(term: Term) -> bool:
    """Whether a term has the form of a name in code and is no bare number."""
    return term.is_identifier and not term.text.replace(".", "").replace("-", "").isdigit()


def is_exact(term: Term) -> bool:
    """Whether a term can only mean the one thing that is called so: `ERR_TOKEN`, `ADR-031`, `HR-27B`, not `S3`."""
    text = term.text
    has_both = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
    return term.is_identifier and len(text) >= LEAST_EXACT and ("_" in text or has_both)
