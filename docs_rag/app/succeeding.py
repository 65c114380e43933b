"""What is kept out of an answer, what is said of it, and which live records take its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from docs_rag.core.answers import HiddenRecord, Via
from docs_rag.core.documents import DocPath
from docs_rag.core.lineage import lineage
from docs_rag.core.queries import Admission, Hidden
from docs_rag.core.ranking import Candidate
from docs_rag.core.sections import Section, note_of
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from docs_rag.core.storage import LookupStore

MOST_RECORDS = 3
MOST_FOLLOWED_FROM = 12
"""Hidden records, best first, whose successors are looked at."""


class Dead(NamedTuple):
    """A hidden note that would have answered, with its best section's score; None where only words speak for it."""

    note: int
    score: float | None


class Succession:
    """Works out, for one question, what is said of hidden records and who stands in for them."""

    def __init__(self, lookup: LookupStore, admission: Admission, follow: bool) -> None:
        """`follow` is `followSuccession`."""
        self._lookup = lookup
        self._admission = admission
        self._follow = follow

    def would_be(self, scored: Mapping[int, float], lexical: Mapping[int, float]) -> list[Dead]:
        """The hidden notes whose state alone keeps them out, best first: by score, then by the weight of words."""
        best: dict[int, float] = {}
        for section, score in scored.items():
            best[note_of(section)] = max(score, best.get(note_of(section), score))
        weights: dict[int, float] = {}
        for section, weight in lexical.items():
            note = note_of(section)
            weights[note] = max(weight, weights.get(note, 0.0))
        by_score = [Dead(note, best[note]) for note in sorted(best, key=lambda note: -best[note])]
        by_words = [Dead(note, None) for note in sorted(weights, key=lambda n: -weights[n]) if note not in best]
        return [each for each in by_score + by_words if self._by_state(each.note)]

    def _by_state(self, note: int) -> bool:
        return self._admission.hides(note) in (Hidden.SUPERSEDED, Hidden.ARCHIVED)

    def counts(self, scored: Mapping[int, float], lexical: Mapping[int, float]) -> dict[str, int]:
        """How many sections would have been candidates, by what keeps them out."""
        counts = {"superseded": 0, "archived": 0, "excluded": 0}
        for section in scored.keys() | lexical.keys():
            reason = self._admission.hides(note_of(section))
            if reason is not None and reason.value in counts:
                counts[reason.value] += 1
        return counts

    def records(self, named: Sequence[int], dead: Sequence[Dead]) -> tuple[list[HiddenRecord], int]:
        """At most three hidden records, those that the question names first, and how many it names."""
        asked = [note for note in named if self._by_state(note)]
        notes = list(dict.fromkeys([*asked, *(each.note for each in dead)]))[:MOST_RECORDS]
        sections = self._lookup.first_sections(notes)
        found = [_record(sections[note]) for note in notes if note in sections]
        return found, min(len(asked), len(found))

    def stand_ins(
        self, dead: Sequence[Dead], best_of_note: Callable[[int], tuple[int, float] | None], noise: float
    ) -> Iterator[Candidate]:
        """Live ends of superseded records, with their best section, where that is better than noise."""
        for each, path, end, end_note in self._ends(dead):
            best = best_of_note(end_note)
            if best is None or best[1] <= noise or best[1] <= 0:
                continue
            section = self._lookup.sections([best[0]]).get(best[0])
            if section is not None:
                yield self._stand_in(section, best[1], each, path, end)

    def stand_ins_by_words(self, dead: Sequence[Dead], weight: Callable[[int], float]) -> Iterator[Candidate]:
        """The same without a model: the live end's section that holds most, if it holds anything of the question."""
        for each, path, end, end_note in self._ends(dead):
            best = max(self._lookup.section_ids(end_note), key=lambda key: (weight(key), -key), default=None)
            if best is None or weight(best) <= 0:
                continue
            section = self._lookup.sections([best]).get(best)
            if section is not None:
                yield self._stand_in(section, None, each, path, end)

    def _ends(self, dead: Sequence[Dead]) -> Iterator[tuple[Dead, str, str, int]]:
        """(dead note, its path, a live end that may answer, that end's note), best dead note first."""
        if not self._follow:
            return
        best = dead[:MOST_FOLLOWED_FROM]
        firsts = self._lookup.first_sections([each.note for each in best])
        for each in best:
            record = firsts.get(each.note)
            if record is None or record.status is not Status.SUPERSEDED:
                continue
            ends = self._lookup.note_ids(record.current_end)
            for end in record.current_end:
                if end in ends and self._admission.admits(ends[end]):
                    yield each, record.path, end, ends[end]

    def _stand_in(self, section: Section, score: float | None, dead: Dead, path: str, end: str) -> Candidate:
        chain = lineage(DocPath(path), self._lookup.successors, DocPath(end))
        via = Via(path, None if dead.score is None else round(dead.score, 3), chain)
        return Candidate(section=section, score=score, clears=False, via=via)


def _record(section: Section) -> HiddenRecord:
    return HiddenRecord(
        path=section.path,
        title=section.title,
        status=section.status,
        superseded_by=tuple(section.superseded_by),
        current_end=tuple(section.current_end),
        superseded_on=section.superseded_on,
    )
