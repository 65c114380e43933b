"""What a question's words say of the sections that hold them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docs_rag.core.confidence import Backing, Words, is_exact
from docs_rag.core.sections import ORDINAL_BITS, note_of
from docs_rag.core.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from docs_rag.core.storage import LookupStore


HALF = 0.5
SOME = 0.3
"""Shares of a question by weight."""
HALF_SAID = 0.5
"""So many sections, in a note of average length, that hold a word count half of what any number of them can."""
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
    absent: tuple[Term, ...]
    """What the question names, by an identifier or a capital, and what stands nowhere: a strong sign of silence."""
    looked_up: dict[int, int] = field(default_factory=dict)
    """Section to the mask of the uncommon terms that it holds, rare or not, whether it may answer or not; in the notes
    that were looked at closely (`LexicalTrack.look_closely`) of all terms."""
    foreign: bool = False
    """The question is in a language that the vault does not speak."""
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

    @property
    def said(self) -> Words:
        """What the words say of the vault as a whole."""
        known = sum(each for each, count in zip(self.weights, self.frequencies, strict=True) if count)
        held = any(is_exact(term) for term, count in zip(self.terms, self.frequencies, strict=True) if count)
        return Words(
            known=known / (self.total or 1.0),
            absent=self.absent,
            holds_exact=held,
            foreign=self.foreign,
        )

    def backing(self, sections: Sequence[int], lengths: Lengths) -> dict[int, Backing]:
        """How far the question's words speak for each of some sections, and for the notes that they stand in."""
        masks: dict[int, list[int]] = {note: [] for note in map(note_of, sections)}
        for section, mask in self.looked_up.items():
            note = section >> ORDINAL_BITS
            if note in masks:
                masks[note].append(mask)
        total = self.total or 1.0
        long = lengths.of(masks)
        shares = {note: self._share(held, long[note]) / total for note, held in masks.items()}
        return {
            section: Backing(self.weight(self.looked_up.get(section, 0)) / total, shares[note_of(section)])
            for section in sections
        }

    def _share(self, masks: Sequence[int], length: float) -> float:
        """The weight of what a note holds, saturated as in BM25: the longer a note, the less one section says of it."""
        share = 0.0
        for place, each in enumerate(self.weights):
            count = len([mask for mask in masks if mask >> place & 1])
            share += each * count / (count + HALF_SAID * length) if count else 0.0
        return share

    def fullest(self, count: int) -> list[int]:
        """The sections that hold most of the question's uncommon words by weight, at most so many."""
        by_kind: dict[int, list[int]] = {}
        for section, mask in self.looked_up.items():
            by_kind.setdefault(mask, []).append(section)
        found: list[int] = []
        for kind in sorted(by_kind, key=lambda mask: -self.weight(mask)):
            if len(found) >= count or not self.weight(kind):
                break
            found += sorted(by_kind[kind])
        return found[:count]

    def overrules(self, mask: int) -> bool:
        """Whether terms may answer although no score does: an exact name or quoted words, or half of the question.

        An abbreviation such as TLS is a name too, but many questions hold one in passing.
        """
        held = self.held(mask)
        if any(is_exact(term) or term.is_quoted for term in held):
            return True
        return any(term.is_identifier for term in held) and self.weight(mask) >= HALF * self.total

    def names(self, mask: int) -> bool:
        """Whether one of the terms is a name rather than a word: in the form of an identifier, or in quotes."""
        return any(term.is_identifier or term.is_quoted for term in self.held(mask))


class Lengths:
    """How long notes are, in sections, as a share of the average of the index."""

    def __init__(self, lookup: LookupStore) -> None:
        """Each note is looked up once; at best many at a time."""
        notes, sections = lookup.counts()
        self._average = sections / notes if notes else 1.0
        self._lookup = lookup
        self._known: dict[int, float] = {}

    def of(self, notes: Iterable[int]) -> Mapping[int, float]:
        """At least for these notes; 1.0 for one of average length."""
        unknown = [note for note in notes if note not in self._known]
        if unknown:
            found = self._lookup.lengths(unknown)
            self._known |= {note: length / self._average for note, length in found.items()}
        return self._known


def weight(frequency: int, sections: int) -> float:
    """How much a word says: the square root of its inverse document frequency as BM25 has it.

    The root keeps a single word that stands nowhere from deciding alone what share of a question a section holds.
    """
    return math.sqrt(math.log(1 + (sections - frequency + 0.5) / (frequency + 0.5)))


def sufficient(evidence: Evidence, masks: dict[int, int], lookup: LookupStore) -> dict[int, int]:
    """Those of `masks` (section to what it holds) that may answer by words alone, without a model.

    A section must hold half of the question by weight, or one of its identifiers; or a smaller share of it in three
    words, or in two that stand side by side. A question that names something unknown gets no such allowance.
    """
    kinds = Counter(masks.values())
    total = evidence.total
    good = {kind for kind in kinds if evidence.weight(kind) >= HALF * total > 0 or evidence.names(kind)}
    if evidence.absent:
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


def _side_by_side(pair: Sequence[Term], lookup: LookupStore) -> Sequence[int]:
    """Sections in which both words stand within `NEAR` words of each other."""
    one, other = (term.match for term in pair)
    if any(each[-1] in "*)" for each in (one, other)):  # NEAR takes whole phrases only
        return []
    return lookup.holding(f"NEAR({one} {other}, {NEAR})", "", -1)
