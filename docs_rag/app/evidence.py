"""The lexical track: which sections hold the question's words, and how much that says."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.sections import note_of
from docs_rag.core.terms import Term, is_rare, rarity_limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.queries import Admission
    from docs_rag.core.storage import LookupStore


HALF = 0.5
SOME = 0.3
"""Shares of a question by weight."""
NEAR = 3
"""Words that may stand between two that count as side by side."""
MOST_PAIRS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What one section holds of a question."""

    terms: tuple[Term, ...]
    weight: float
    """Sum of the weights of its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The sections that words speak for; what is kept out stands apart."""

    visible: dict[int, Holding]
    hidden: dict[int, Holding]
    words: int
    """Content words of the question."""
    known: int
    """How many of them stand in a section whose state is not hidden."""
    total: float
    """The weight of a section that held every content word."""
    misses_a_name: bool
    """The question names something, by an identifier or a capital, that stands nowhere: a strong sign of silence."""


@dataclass(frozen=True, slots=True)
class _Posting:
    term: Term
    sections: list[int]
    frequency: int
    """Sections that hold it and whose state is not hidden."""


def weight(frequency: int, sections: int) -> float:
    """How much a word says: the square root of its inverse document frequency as BM25 has it.

    The root keeps a single word that stands nowhere from deciding alone what share of a question a section holds.
    """
    return math.sqrt(math.log(1 + (sections - frequency + 0.5) / (frequency + 0.5)))


class LexicalTrack:
    """Asks one index for one question's words."""

    def __init__(self, lookup: LookupStore, admission: Admission, ratio: float) -> None:
        """`ratio` is `lexicalMaxDocFreq`; rarity is counted over the sections whose state is not hidden."""
        self._lookup = lookup
        self._admission = admission
        self._dead = lookup.hidden_states()
        self._dead_sections = lookup.section_count(self._dead) if self._dead else 0
        self.sections = lookup.counts()[1] - self._dead_sections
        self._ratio = ratio

    def rare(self, terms: Sequence[Term]) -> Evidence:
        """Sections that hold rare terms: what a search by meaning is complemented with."""
        most = rarity_limit(self.sections, self._ratio) + self._dead_sections + 1
        postings = [self._posting(term, most) for term in terms]
        rare = [each for each in postings if is_rare(each.frequency, self.sections, self._ratio)]
        only_dead = [each for each in postings if each.frequency == 0 and each.sections]
        return self._evidence(terms, postings, rare + only_dead)

    def all(self, terms: Sequence[Term]) -> Evidence:
        """Sections that hold any of the terms: what a search without a model works with."""
        postings = [self._posting(term, -1) for term in terms]
        return self._evidence(terms, postings, postings)

    def _posting(self, term: Term, most: int) -> _Posting:
        sections = self._lookup.holding(term.match, term.literal, most)
        frequency = len(sections)
        if self._dead:
            frequency -= sum(note_of(section) in self._dead for section in sections)
        return _Posting(term, sections, frequency)

    def _evidence(self, terms: Sequence[Term], postings: Sequence[_Posting], used: Sequence[_Posting]) -> Evidence:
        held: dict[int, list[Term]] = defaultdict(list)
        weights: dict[int, float] = defaultdict(float)
        for posting in used:
            says = weight(posting.frequency, self.sections) if posting.term.is_word else 0.0
            for section in posting.sections:
                held[section].append(posting.term)
                weights[section] += says
        holdings = {key: Holding(terms=tuple(found), weight=weights[key]) for key, found in held.items()}
        return Evidence(
            visible={key: each for key, each in holdings.items() if self._admission.admits(note_of(key))},
            hidden={key: each for key, each in holdings.items() if self._admission.hides(note_of(key))},
            words=sum(term.is_word for term in terms),
            known=sum(each.term.is_word and each.frequency > 0 for each in postings),
            total=sum(weight(each.frequency, self.sections) for each in postings if each.term.is_word),
            misses_a_name=any(not each.sections and each.term.is_name for each in postings),
        )


def sufficient(evidence: Evidence, holdings: dict[int, Holding], lookup: LookupStore) -> dict[int, Holding]:
    """Those of `holdings` that may answer by words alone, without a model.

    A section must hold half of the question by weight, or one of its identifiers; or a smaller share of it in three
    words, or in two that stand side by side. A question that names something unknown gets no such allowance.
    """
    found = {
        key: each for key, each in holdings.items() if each.weight >= HALF * evidence.total > 0 or names_something(each)
    }
    if evidence.misses_a_name:
        return found
    some = {key: each for key, each in holdings.items() if key not in found and each.weight >= SOME * evidence.total}
    words = {key: [term for term in each.terms if term.is_word] for key, each in some.items()}
    close = _side_by_side({key: held for key, held in words.items() if len(held) == 2}, lookup)
    return found | {key: each for key, each in some.items() if len(words[key]) > 2 or key in close}


def _side_by_side(pairs: dict[int, list[Term]], lookup: LookupStore) -> frozenset[int]:
    """Sections in which both words stand within `NEAR` words of each other; the pairs that most sections hold."""
    sections: dict[tuple[str, str], list[int]] = defaultdict(list)
    for key, (one, other) in pairs.items():
        if not (one.match.endswith("*") or other.match.endswith("*")):
            sections[one.match, other.match].append(key)
    found: set[int] = set()
    for (one_match, other_match), keys in sorted(sections.items(), key=lambda item: -len(item[1]))[:MOST_PAIRS]:
        found |= lookup.holding_all([f"NEAR({one_match} {other_match}, {NEAR})"], keys)
    return frozenset(found)


def names_something(holding: Holding) -> bool:
    """Whether one of the held terms is a name rather than a word: in the form of an identifier, or in quotes."""
    return any(term.is_identifier or term.is_quoted for term in holding.terms)
