"""The lexical track: which sections hold the question's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag.app.evidence import SOME, Evidence, weight
from docs_rag.core.names import names_meant
from docs_rag.core.sections import ORDINAL_BITS, note_of, section_id
from docs_rag.core.terms import Term, is_rare, is_unspaced, pieces_of, rarity_limit, stop_words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.queries import Admission
    from docs_rag.core.storage import LookupStore

UNCOMMON = 0.05
"""Share of all sections up to which a word is looked for everywhere. A more common one weighs as if it stood in just so
many, which changes next to nothing and spares counting it."""
MOST_HELD = 2_000
"""The same as a number of sections; counts from 40,000 on."""
MOST_LISTED = 10_000
"""The same for a search by words alone; counts from 100,000 sections on."""
MOST_ADDED = 600
"""Sections, with those of their notes, in which words are then looked for that stand in more."""
FEW = 50
"""Sections that hold all of a question's common words; with fewer, one of these words is left out."""
SPOKEN = 50
"""With fewer sections a vault may well lack words that its language is built with."""
MOST_STOP_WORDS = 6
"""Stop words of a question that are looked for to tell whether the vault speaks its language."""
MOST_CALLED = 5
"""Records that one name may mean: `readme.md` of many folders means none."""


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
        postings, counts = self._postings(terms, uncommon)
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
        return max(rarity_limit(self.sections, self._ratio), min(MOST_HELD, int(UNCOMMON * self.sections)))

    def all(self, terms: tuple[Term, ...]) -> Evidence:
        """Sections that hold any of the terms: what a search without a model works with.

        In a large index a word that stands everywhere is looked for where others speak for a section, and where all
        such words stand together.
        """
        most = MOST_LISTED if self.sections > 10 * MOST_LISTED and self._admission.only is None else None
        postings, counts = self._postings(terms, most)
        unknown = [not posting for posting in postings]
        if most is None or max(counts, default=0) <= most:
            return self._evidence(terms, _masks(postings), counts, unknown)
        common = [place for place, count in enumerate(counts) if count > most]
        masks = _masks([[] if place in common else posting for place, posting in enumerate(postings)])
        evidence = self._evidence(terms, masks, counts, unknown)
        self._add(masks, evidence, common, [*self._fullest(evidence, common), *self._together(evidence, common)])
        return self._evidence(terms, masks, counts, unknown)

    def _fullest(self, evidence: Evidence, common: Sequence[int]) -> Sequence[int]:
        """The best sections of those that hold a word that is not common, by all words."""
        matches = [term.match for term in evidence.terms]
        others = [match for place, match in enumerate(matches) if place not in common and evidence.frequencies[place]]
        if not others:
            return []
        return self.lookup.holding_best(f"({' OR '.join(others)}) AND ({' OR '.join(matches)})", MOST_ADDED)

    def _together(self, evidence: Evidence, common: Sequence[int]) -> Sequence[int]:
        """The best sections that hold all common words, if these may answer; where few do, all but the most common."""
        if sum(evidence.weights[place] for place in common) < SOME * evidence.total:
            return []
        rarest = sorted(common, key=lambda place: evidence.frequencies[place])
        found: Sequence[int] = []
        while rarest and len(found) < FEW:
            found = self.lookup.holding_best(" AND ".join(evidence.terms[place].match for place in rarest), MOST_ADDED)
            rarest.pop()
        return found

    def _add(self, masks: dict[int, int], evidence: Evidence, places: Sequence[int], sections: Sequence[int]) -> None:
        """Note which of the terms at some places stand in the notes of some sections."""
        notes = list(dict.fromkeys(map(note_of, sections)))
        for place in places:
            term = evidence.terms[place]
            for section in self.lookup.holding_in(term.match, term.literal, notes):
                masks[section] = masks.get(section, 0) | 1 << place

    def look_closely(self, evidence: Evidence, notes: Sequence[int]) -> None:
        """Find the question's common words in some notes as well: in all of them that would take too long."""
        common = [
            place
            for place, count in enumerate(evidence.frequencies)
            if count > self._uncommon and evidence.weights[place] > 0
        ]
        self._add(evidence.looked_up, evidence, common, [section_id(note, 0) for note in notes])

    def _postings(self, terms: Sequence[Term], most: int | None) -> tuple[list[Sequence[int]], list[int]]:
        """By term: the sections that hold it or whose record is called so, and in how many in force it stands.

        A record that is called so counts as one section, however many it has: it is what the name means. A term that
        stands in more than `most` sections in force is not followed to the end.
        """
        postings: list[Sequence[int]] = []
        counts: list[int] = []
        for term in terms:
            held, is_whole = self._held(term, most)
            called = self._called(term)
            own = {section for record in called for section in record}
            rest = [section for section in held if section not in own] if own else held
            postings.append(sorted(own.union(rest)) if own else held)
            alive = sum(not self._dead.issuperset(record) for record in called)
            count = self._alive(rest) + alive
            counts.append(count if is_whole or most is None else self._estimated(count, held[-1], most))
        return postings, counts

    def _held(self, term: Term, most: int | None) -> tuple[Sequence[int], bool]:
        """The sections that hold a term, in order, and whether these are all; else more than `most` are in force."""
        if most is None:
            return self.lookup.holding(term.match, term.literal, -1), True
        for end in ([most + most // 2] if self._is_large else []) + [most + len(self._dead) + 1]:
            held = self.lookup.holding(term.match, term.literal, end)
            if len(held) < end or self._alive(held) > most:
                break
        return held, len(held) < end

    def _alive(self, sections: Sequence[int]) -> int:
        return len(sections) - len(self._dead.intersection(sections))

    @property
    def _is_large(self) -> bool:
        return int(UNCOMMON * self.sections) > MOST_HELD

    def _estimated(self, count: int, last: int, most: int) -> int:
        """In how many sections in force a word stands, of which those up to `last` were read and `count` found.

        As if it stood in the rest as often; more than `most`, or its list would have come to its end.
        """
        if not self._is_large:
            return count
        return max(most + 1, min(int(count / self.lookup.share_up_to(last)), self.sections))

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
