"""What is kept out of an answer, what is said of it, and which live records take its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from docs_rag.core.answers import HiddenRecord, Via
from docs_rag.core.documents import DocPath
from docs_rag.core.lineage import lineage
from docs_rag.core.queries import Admission, Hidden
from docs_rag.core.ranking import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from docs_rag.core.sections import Place, RecordView, Section
    from docs_rag.core.storage import LookupStore, Records

MOST_RECORDS = 3
_BY_STATE = (Hidden.SUPERSEDED, Hidden.ARCHIVED, Hidden.LATER)
MOST_FOLLOWED_FROM = 12
"""Hidden records, best first, whose successors are looked at."""


class Dead(NamedTuple):
    """A hidden record that would have answered, with its best section's score; None where only words speak for it."""

    place: Place
    score: float | None


class End(NamedTuple):
    """A live end of a dead record's line."""

    dead: Dead
    path: str
    """The dead record's."""
    end: str
    place: Place


class Succession:
    """Works out, for one question, what is said of hidden records and who stands in for them."""

    def __init__(self, lookup: LookupStore, records: Records, admission: Admission, follow: bool) -> None:
        """`records` tells the states that count, today's or a day's; `follow` is `followSuccession`."""
        self._lookup = lookup
        self._records = records
        self._admission = admission
        self._follow = follow

    def would_be(self, scored: Mapping[int, float], lexical: Mapping[int, float]) -> list[Dead]:
        """The hidden records whose state alone keeps them out, best first: by score, then by the weight of words."""
        best, weights = self._best(scored), self._best(lexical)
        by_score = [Dead(place, best[place]) for place in sorted(best, key=lambda place: -best[place])]
        by_words = [Dead(place, None) for place in sorted(weights, key=lambda p: -weights[p]) if place not in best]
        return [each for each in by_score + by_words if self._by_state(each.place)]

    def _best(self, sections: Mapping[int, float]) -> dict[Place, float]:
        """The best value of each record's sections."""
        best: dict[Place, float] = {}
        for section, value in sections.items():
            place = self._admission.hidden_record(section)
            best[place] = max(value, best.get(place, value))
        return best

    def _by_state(self, place: Place) -> bool:
        return self._admission.hides_record(place) in _BY_STATE

    def counts(self, scored: Mapping[int, float], lexical: Mapping[int, float]) -> dict[str, int]:
        """How many sections would have been candidates, by what keeps them out."""
        counts = {"superseded": 0, "archived": 0, "excluded": 0, "later": 0}
        for section in scored.keys() | lexical.keys():
            reason = self._admission.hides(section)
            if reason is not None and reason.value in counts:
                counts[reason.value] += 1
        return counts

    def records(self, named: Sequence[Place], dead: Sequence[Dead]) -> tuple[list[HiddenRecord], int]:
        """At most three hidden records, those that the question names first, and how many it names."""
        asked = [place for place in named if self._by_state(place)]
        places = list(dict.fromkeys([*asked, *(each.place for each in dead)]))[:MOST_RECORDS]
        known = self._records.records(places)
        found = [_record(known[place], self._chain(known[place])) for place in places if place in known]
        return found, min(len(asked), len(found))

    def _chain(self, record: RecordView) -> tuple[DocPath, ...]:
        return lineage(record.path, self._records.successors, next(iter(record.current_end), None))

    def stand_ins(
        self, dead: Sequence[Dead], best_of: Callable[[Place, Admission], tuple[int, float] | None], noise: float
    ) -> Iterator[Candidate]:
        """Live ends of superseded records, with their best section, where that is better than noise."""
        for each in self._ends(dead):
            best = best_of(each.place, self._admission)
            if best is None or best[1] <= noise or best[1] <= 0:
                continue
            section = self._records.sections([best[0]]).get(best[0])
            if section is not None:
                yield self._stand_in(section, best[1], each)

    def stand_ins_by_words(self, dead: Sequence[Dead], weight: Callable[[int], float]) -> Iterator[Candidate]:
        """The same without a model: the live end's section that holds most, if it holds anything of the question."""
        for each in self._ends(dead):
            best = max(self._lookup.section_ids(each.place), key=lambda key: (weight(key), -key), default=None)
            if best is None or weight(best) <= 0:
                continue
            section = self._records.sections([best]).get(best)
            if section is not None:
                yield self._stand_in(section, None, each)

    def _ends(self, dead: Sequence[Dead]) -> Iterator[End]:
        """The live ends that may answer, those of the best dead record first."""
        best = [each for each in dead[:MOST_FOLLOWED_FROM] if self._is_superseded(each.place)] if self._follow else []
        if not best:
            return
        known = self._records.records([each.place for each in best])
        for each in best:
            record = known.get(each.place)
            if record is None:
                continue
            places = self._lookup.places(record.current_end)
            for end in record.current_end:
                if end in places and self._admission.admits_record(places[end]):
                    yield End(each, record.path, end, places[end])

    def _is_superseded(self, place: Place) -> bool:
        return self._admission.hides_record(place) is Hidden.SUPERSEDED

    def named_ends(self, named: Sequence[Place]) -> dict[Place, Via]:
        """The live ends of superseded records that a question is the name of: they are what is asked for now."""
        return {each.place: self._via(each) for each in self._ends([Dead(place, None) for place in named])}

    def _stand_in(self, section: Section, score: float | None, end: End) -> Candidate:
        return Candidate(section=section, score=score, clears=False, via=self._via(end))

    def _via(self, end: End) -> Via:
        chain = lineage(DocPath(end.path), self._records.successors, DocPath(end.end))
        return Via(end.path, None if end.dead.score is None else round(end.dead.score, 3), chain)


def _record(record: RecordView, chain: tuple[DocPath, ...]) -> HiddenRecord:
    return HiddenRecord(
        path=record.path,
        title=record.title,
        status=record.status,
        superseded_by=tuple(record.superseded_by),
        current_end=tuple(record.current_end),
        superseded_on=record.superseded_on,
        chain=chain,
        force=record.force,
    )
