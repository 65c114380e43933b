"""The lexical track: which sections hold the question's words, and how much that says."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docs_rag.core.confidence import Backing, Words, is_exact
from docs_rag.core.names import names_meant
from docs_rag.core.sections import ORDINAL_BITS, note_of
from docs_rag.core.terms import Term, is_rare, is_unspaced, pieces_of, rarity_limit, stop_words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from docs_rag.core.queries import Admission
    from docs_rag.core.storage import LookupStore


HALF = 0.5
SOME = 0.3
"""Shares of a question by weight."""
UNCOMMON = 0.05
"""Share of all sections up to which a word is looked for everywhere. A more common one weighs as if it stood in just so
many, which changes next to nothing and spares counting it."""
HALF_SAID = 0.5
"""So many sections, in a note of average length, that hold a word count half of what any number of them can."""
NEAR = 3
"""Words that may stand between two that count as side by side."""
SPOKEN = 50
"""With fewer sections a vault may well lack words that its language is built with."""
MOST_STOP_WORDS = 6
"""Stop words of a question that are looked for to tell whether the vault speaks its language."""
MOST_PAIRS = 24
MOST_CALLED = 5
"""Records that one name may mean: `readme.md` of many folders means none."""
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
            count = sum(mask >> place & 1 for mask in masks)
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


class LexicalTrack:
    """Asks one index for one question's words."""

    def __init__(
        self, lookup: LookupStore, admission: Admission, ratio: float, *, text: str = "", as_of: str | None = None
    ) -> None:
        """`ratio` is `lexicalMaxDocFreq`; rarity is counted over the sections whose state is not hidden.

        `text` is the question as it was asked; `as_of`: it is the state on that day.
        """
        self.lookup = lookup
        self._text = text
        self._admission = admission
        self._dead = lookup.dead_sections(as_of)
        self.sections = lookup.counts()[1] - len(self._dead)
        self._ratio = ratio

    def rare(self, terms: tuple[Term, ...]) -> Evidence:
        """Sections that hold rare terms: what a search by meaning is complemented with."""
        uncommon = self._uncommon
        postings, counts = self._postings(terms, uncommon + len(self._dead) + 1)
        masks = _masks([posting if n <= uncommon else [] for posting, n in zip(postings, counts, strict=True)])
        rare = sum(1 << place for place, n in enumerate(counts) if n == 0 or is_rare(n, self.sections, self._ratio))
        kept = {section: mask & rare for section, mask in masks.items() if mask & rare}
        evidence = self._evidence(terms, kept, counts, unknown=[not posting for posting in postings])
        evidence.looked_up = masks
        evidence.foreign = self._is_foreign(terms, postings)
        return evidence

    def _is_foreign(self, terms: Sequence[Term], postings: Sequence[Sequence[int]]) -> bool:
        """Whether the vault does not speak the question's language.

        It lacks most of the words that the question is built with; of a script without spaces, the pieces that every
        text in it is full of. Of other languages none of the question's words may stand anywhere, so that `vacation`
        finds what is called holidays; in a script without spaces unrelated texts are too alike for that.
        """
        own = [posting for term, posting in zip(terms, postings, strict=True) if is_unspaced(term.text)]
        if own:
            return not any(own) and not any(self.lookup.holding(piece, "", 1) for piece in pieces_of(self._text))
        if not any(postings) and any(term.is_word for term in terms):
            return True
        if self.sections < SPOKEN:
            return False
        words = stop_words_of(self._text)[:MOST_STOP_WORDS]
        there = sum(bool(self.lookup.holding(f'"{word}"', "", 1)) for word in words)
        return len(words) > 1 and there <= len(words) // 2

    @property
    def _uncommon(self) -> int:
        return max(rarity_limit(self.sections, self._ratio), int(UNCOMMON * self.sections))

    def all(self, terms: tuple[Term, ...]) -> Evidence:
        """Sections that hold any of the terms: what a search without a model works with."""
        postings, counts = self._postings(terms, -1)
        return self._evidence(terms, _masks(postings), counts, unknown=[not posting for posting in postings])

    def look_closely(self, evidence: Evidence, notes: Sequence[int]) -> None:
        """Find the question's common words in some notes as well: in all of them that would take too long."""
        limit = self._uncommon
        common = [
            (1 << place, term)
            for place, (term, count) in enumerate(zip(evidence.terms, evidence.frequencies, strict=True))
            if count > limit and evidence.weights[place] > 0
        ]
        masks = evidence.looked_up
        for bit, term in common:
            for section in self.lookup.holding_in(term.match, term.literal, notes):
                masks[section] = masks.get(section, 0) | bit

    def _postings(self, terms: Sequence[Term], most: int) -> tuple[list[Sequence[int]], list[int]]:
        """By term: the sections that hold it or whose record is called so, and in how many in force it stands.

        A record that is called so counts as one section, however many it has: it is what the name means.
        """
        postings: list[Sequence[int]] = []
        counts: list[int] = []
        for term in terms:
            held = self.lookup.holding(term.match, term.literal, most)
            called = self._called(term)
            own = {section for record in called for section in record}
            rest = [section for section in held if section not in own]
            postings.append(sorted(own.union(rest)) if own else held)
            alive = sum(not self._dead.issuperset(record) for record in called)
            counts.append(len(rest) - len(self._dead.intersection(rest)) + alive)
        return postings, counts

    def _called(self, term: Term) -> list[list[int]]:
        """The sections of each record that a term is a name of; none where many are called so."""
        names = names_meant(self._text, term)
        places = self.lookup.named(names) if names else []
        return [self.lookup.section_ids(place) for place in places] if len(places) <= MOST_CALLED else []

    def _evidence(
        self, terms: tuple[Term, ...], masks: dict[int, int], counts: Sequence[int], unknown: Sequence[bool]
    ) -> Evidence:
        visible, hidden = self._split(masks)
        return Evidence(
            terms=terms,
            weights=tuple(self._weight(term, count) for term, count in zip(terms, counts, strict=True)),
            visible=visible,
            hidden=hidden,
            frequencies=tuple(counts),
            absent=tuple(term for term, absent in zip(terms, unknown, strict=True) if absent and term.is_name),
        )

    def _weight(self, term: Term, count: int) -> float:
        if not term.is_word or (count == 0 and term.is_everyday):
            return 0.0
        return weight(count, self.sections)

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
