"""The lexical track: which sections hold the question's words, and how much that says."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from docs_rag.core.queries import Admission
from docs_rag.core.sections import note_of
from docs_rag.core.storage import LookupStore
from docs_rag.core.terms import Term, is_rare, rarity_limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What one section holds of a question."""

    terms: tuple[Term, ...]
    weight: float
    """Sum of the terms' inverse document frequencies."""


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


@dataclass(frozen=True, slots=True)
class _Posting:
    term: Term
    sections: list[int]
    frequency: int
    """Sections that hold it and whose state is not hidden."""


def idf(frequency: int, sections: int) -> float:
    """Inverse document frequency as BM25 has it (Robertson and Sparck Jones), never negative."""
    return math.log(1 + (sections - frequency + 0.5) / (frequency + 0.5))


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
            weight = idf(posting.frequency, self.sections)
            for section in posting.sections:
                held[section].append(posting.term)
                weights[section] += weight if posting.term.is_word else 0.0
        holdings = {key: Holding(terms=tuple(found), weight=weights[key]) for key, found in held.items()}
        return Evidence(
            visible={key: each for key, each in holdings.items() if self._admission.admits(note_of(key))},
            hidden={key: each for key, each in holdings.items() if self._admission.hides(note_of(key))},
            words=sum(term.is_word for term in terms),
            known=sum(each.term.is_word and each.frequency > 0 for each in postings),
            total=sum(idf(each.frequency, self.sections) for each in postings if each.term.is_word),
        )


def names_something(holding: Holding) -> bool:
    """Whether one of the held terms is a name rather than a word: in the form of an identifier, or in quotes."""
    return any(term.is_identifier or term.is_quoted for term in holding.terms)
