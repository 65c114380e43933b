"""The lexical track: which sections hold the question's words, and how much that says."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docs_rag.core.sections import ORDINAL_BITS, note_of
from docs_rag.core.terms import Term, is_rare, rarity_limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.queries import Admission
    from docs_rag.core.storage import LookupStore


HALF = 0.5
SOME = 0.3
"""Shares of a question by weight."""
UNCOMMON = 0.05
"""Share of all sections up to which a word tells sections apart well enough to order them."""
OF_SECTION, OF_NOTE = 0.1, 0.2
"""What a section's and its note's share of the question add to a score for the order. Chosen on two corpora with the
builtin model: the first place was right for 0.76 of the questions of either, before for 0.62 and 0.66."""
NEAR = 3
"""Words that may stand between two that count as side by side."""
MOST_PAIRS = 24
ENOUGH = 500
"""With so many sections that hold more, pairs are not looked for."""


@dataclass(slots=True, kw_only=True)
class Evidence:
    """The sections that words speak for; what is kept out stands apart.

    What a section holds is a bit mask over `terms`: of tens of thousands of sections only a few kinds differ.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    """By term; 0.0 for a compound whose parts count."""
    visible: dict[int, int]
    """Section to mask."""
    hidden: dict[int, int]
    frequencies: tuple[int, ...]
    """By term: sections that hold it and whose state is not hidden."""
    misses_a_name: bool
    """The question names something, by an identifier or a capital, that stands nowhere: a strong sign of silence."""
    uncommon: dict[int, int] = field(default_factory=dict)
    """Section to the mask of the uncommon terms that it holds, rare or not; what may not answer among them."""
    _weights_of: dict[int, float] = field(default_factory=dict)

    @property
    def words(self) -> int:
        """Content words of the question."""
        return sum(term.is_word for term in self.terms)

    @property
    def known(self) -> int:
        """How many of them stand in a section whose state is not hidden."""
        return sum(term.is_word and count > 0 for term, count in zip(self.terms, self.frequencies, strict=True))

    @property
    def total(self) -> float:
        """The weight of a section that held every content word."""
        return sum(self.weights)

    def held(self, mask: int) -> tuple[Term, ...]:
        """The terms that a mask stands for."""
        return tuple(term for place, term in enumerate(self.terms) if mask >> place & 1)

    def weight(self, mask: int) -> float:
        """Sum of the weights of a mask's words."""
        if mask not in self._weights_of:
            self._weights_of[mask] = sum(each for place, each in enumerate(self.weights) if mask >> place & 1)
        return self._weights_of[mask]

    def visible_weight(self, section: int) -> float:
        """The weight of what a section holds; 0.0 when it holds nothing or may not answer."""
        return self.weight(self.visible.get(section, 0))

    def aids(self, sections: Sequence[int]) -> dict[int, float]:
        """How far the question's words speak for each of some sections, and for the notes that they stand in."""
        notes = dict.fromkeys(map(note_of, sections), 0)
        for section, mask in self.uncommon.items():
            note = section >> ORDINAL_BITS
            if note in notes:
                notes[note] |= mask
        total = self.total or 1.0
        return {
            section: (
                OF_SECTION * self.weight(self.uncommon.get(section, 0)) + OF_NOTE * self.weight(notes[note_of(section)])
            )
            / total
            for section in sections
        }

    def names(self, mask: int) -> bool:
        """Whether one of the terms is a name rather than a word: in the form of an identifier, or in quotes."""
        return any(term.is_identifier or term.is_quoted for term in self.held(mask))


def weight(frequency: int, sections: int) -> float:
    """How much a word says: the square root of its inverse document frequency as BM25 has it.

    The root keeps a single word that stands nowhere from deciding alone what share of a question a section holds.
    """
    return math.sqrt(math.log(1 + (sections - frequency + 0.5) / (frequency + 0.5)))


class LexicalTrack:
    """Asks one index for one question's words."""

    def __init__(self, lookup: LookupStore, admission: Admission, ratio: float, as_of: str | None = None) -> None:
        """`ratio` is `lexicalMaxDocFreq`; rarity is counted over the sections whose state is not hidden.

        `as_of`: it is the state on that day.
        """
        self._lookup = lookup
        self._admission = admission
        self._dead = lookup.dead_sections(as_of)
        self.sections = lookup.counts()[1] - len(self._dead)
        self._ratio = ratio

    def rare(self, terms: tuple[Term, ...]) -> Evidence:
        """Sections that hold rare terms: what a search by meaning is complemented with."""
        most = max(rarity_limit(self.sections, self._ratio), self._uncommon) + len(self._dead) + 1
        postings = [self._lookup.holding(term.match, term.literal, most) for term in terms]
        counts = self._frequencies(postings)
        masks = _masks([posting if n <= self._uncommon else [] for posting, n in zip(postings, counts, strict=True)])
        rare = sum(1 << place for place, n in enumerate(counts) if n == 0 or is_rare(n, self.sections, self._ratio))
        kept = {section: mask & rare for section, mask in masks.items() if mask & rare}
        evidence = self._evidence(terms, kept, counts, unknown=[not posting for posting in postings])
        evidence.uncommon = masks
        return evidence

    @property
    def _uncommon(self) -> int:
        return max(rarity_limit(self.sections, self._ratio), int(UNCOMMON * self.sections))

    def all(self, terms: tuple[Term, ...]) -> Evidence:
        """Sections that hold any of the terms: what a search without a model works with."""
        postings = [self._lookup.holding(term.match, term.literal, -1) for term in terms]
        return self._evidence(
            terms, _masks(postings), self._frequencies(postings), unknown=[not posting for posting in postings]
        )

    def _frequencies(self, postings: Sequence[Sequence[int]]) -> list[int]:
        return [len(each) - len(self._dead.intersection(each)) for each in postings]

    def _evidence(
        self, terms: tuple[Term, ...], masks: dict[int, int], counts: Sequence[int], unknown: Sequence[bool]
    ) -> Evidence:
        visible, hidden = self._split(masks)
        return Evidence(
            terms=terms,
            weights=tuple(
                weight(count, self.sections) if term.is_word else 0.0 for term, count in zip(terms, counts, strict=True)
            ),
            visible=visible,
            hidden=hidden,
            frequencies=tuple(counts),
            misses_a_name=any(absent and term.is_name for term, absent in zip(terms, unknown, strict=True)),
        )

    def _split(self, masks: dict[int, int]) -> tuple[dict[int, int], dict[int, int]]:
        """What may answer, and what is in scope but kept out."""
        if self._admission.only is not None:
            only = self._admission.only
            masks = {key: mask for key, mask in masks.items() if note_of(key) in only}
        notes, sections = self._admission.hidden, self._admission.sections
        if not notes and not sections:
            return masks, {}
        hidden = {key: mask for key, mask in masks.items() if key >> ORDINAL_BITS in notes or key in sections}
        visible = {key: mask for key, mask in masks.items() if key not in hidden} if hidden else masks
        return visible, hidden


def _masks(postings: Sequence[Sequence[int]]) -> dict[int, int]:
    """Section to the terms that it holds, a bit each."""
    masks: dict[int, int] = {}
    for place, posting in enumerate(postings):
        bit = 1 << place
        for section in posting:
            masks[section] = masks.get(section, 0) | bit
    return masks


def sufficient(evidence: Evidence, masks: dict[int, int], lookup: LookupStore) -> dict[int, int]:
    """Those of `masks` (section to what it holds) that may answer by words alone, without a model.

    A section must hold half of the question by weight, or one of its identifiers; or a smaller share of it in three
    words, or in two that stand side by side. A question that names something unknown gets no such allowance.
    """
    kinds = Counter(masks.values())
    total = evidence.total
    good = {kind for kind in kinds if evidence.weight(kind) >= HALF * total > 0 or evidence.names(kind)}
    if evidence.misses_a_name:
        return {key: kind for key, kind in masks.items() if kind in good}
    fair = {kind for kind in kinds.keys() - good if evidence.weight(kind) >= SOME * total > 0}
    words = {kind: [term for term in evidence.held(kind) if term.is_word] for kind in fair}
    good |= {kind for kind in fair if len(words[kind]) > 2}
    found = {key: kind for key, kind in masks.items() if kind in good}
    pairs = sorted((kind for kind in fair if len(words[kind]) == 2), key=lambda kind: -evidence.weight(kind))
    for kind in pairs[:MOST_PAIRS]:
        if len(found) >= ENOUGH:
            break
        found |= {key: kind for key in _side_by_side(words[kind], lookup) if masks.get(key) == kind}
    return found


def _side_by_side(pair: Sequence[Term], lookup: LookupStore) -> list[int]:
    """Sections in which both words stand within `NEAR` words of each other."""
    one, other = (term.match for term in pair)
    if one.endswith("*") or other.endswith("*"):  # NEAR takes whole phrases only
        return []
    return lookup.holding(f"NEAR({one} {other}, {NEAR})", "", -1)
