"""A question from beginning to end: refresh, search, check the files behind the answer, search again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docs_rag.app.refreshing import BUSY
from docs_rag.core.documents import note_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docs_rag.app.refreshing import Refresher
    from docs_rag.app.searching import Searcher
    from docs_rag.core.answers import Answer, Hit
    from docs_rag.core.queries import Query

MOST_NAMED = 5
"""Notes left out of an answer that are named one by one."""
ROUNDS = 4
"""Searches for one question at most: files that change faster than that are caught by the next question."""
BEING_INDEXED = (
    "the notes are being indexed at this moment: what the run has not reached yet is missing here, or is found by its"
    " words only; ask again later"
)
"""For an answer from which something may be missing that a run of `index` is about to bring."""
RUN_INDEX = "; run: docs-rag index"
"""How a notice ends that a run would settle."""


def may_lack(answer: Answer, documents: int = 0) -> bool:
    """Whether an answer may lack what a run that is at work has not reached yet; there were `documents` notes before.

    Only then it is asked whether one is: to ask its lock each time could get in its way.
    """
    facts = answer.index
    waits = facts.pending > 0 or facts.documents < documents
    return waits or not answer.hits or any(each.endswith(RUN_INDEX) for each in answer.notices)


def during_a_run(answer: Answer) -> Answer:
    """The answer as it is told while a run of `index` is at work: no notice tells to start what has been started."""
    own = (each.removesuffix(RUN_INDEX) for each in answer.notices if each != BUSY)
    return replace(answer, notices=(BEING_INDEXED, *own))


class Answerer:
    """Answers questions; no answer quotes a note that is no longer so."""

    def __init__(self, searcher: Searcher, refresher: Refresher) -> None:
        """Both work on the same index."""
        self._searcher = searcher
        self._refresher = refresher

    def convert_one(self, is_wanted: Callable[[], bool]) -> bool:
        """Take in one of the documents that no question waits for; raises `Interrupted` when `is_wanted` is False."""
        return self._refresher.convert_one(is_wanted)

    def answer(self, query: Query) -> Answer:
        """The answer as of now; raises what `Searcher.search` raises."""
        before = self._refresher.before_query()
        gone: frozenset[str] = frozenset()
        for again in range(ROUNDS):
            answer = self._searcher.search(query, replace(before, gone=gone))
            changed, missing = self._refresher.verify(_paths(answer))
            changed = changed or (not again and self._refresher.has_settled())  # once: a long run goes on and on
            if not changed and missing <= gone:
                return answer
            if again or missing - gone:  # where a few files changed many may have: none of them answers now
                missing |= self._refresher.outdated()
            gone |= missing
            before = replace(before, notices=(*before.notices, *_missing_notices(gone, before.notices)))
        message = "No relevant results: the notes are changing, ask again in a moment."
        return replace(answer, hits=(), hidden_records=(), message=message)


def _missing_notices(gone: frozenset[str], said: tuple[str, ...]) -> Iterator[str]:
    if len(gone) > MOST_NAMED:
        notice = f"{len(gone)} notes were left out: they are gone or changed since they were indexed"
        if notice not in said:
            yield notice
        return
    for path in sorted(gone):
        notice = f"{path} was left out: it is gone or changed since it was indexed"
        if notice not in said:
            yield notice


def _paths(answer: Answer) -> list[str]:
    """Every note that the answer shows or names, itself or a part of it."""
    paths: list[str] = []
    for hit in answer.hits:
        paths += _paths_of(hit)
    for record in answer.hidden_records:
        paths += [record.path, *record.superseded_by, *record.current_end]
    return list(dict.fromkeys(map(note_path, paths)))


def _paths_of(hit: Hit) -> list[str]:
    section = hit.section
    via = () if hit.via is None else hit.via.chain
    named = (*section.superseded_by, *section.current_end, *section.partial_by)
    return [section.path, *hit.also_in, *named, *via]
