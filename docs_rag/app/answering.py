"""A question from beginning to end: refresh, search, check the files behind the answer, search again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs_rag.app.refreshing import Refresher
    from docs_rag.app.searching import Searcher
    from docs_rag.core.answers import Answer
    from docs_rag.core.queries import Query

ROUNDS = 4
"""Searches for one question at most: files that change faster than that are caught by the next question."""


class Answerer:
    """Answers questions; no answer quotes a note that is no longer so."""

    def __init__(self, searcher: Searcher, refresher: Refresher) -> None:
        """Both work on the same index."""
        self._searcher = searcher
        self._refresher = refresher

    def answer(self, query: Query) -> Answer:
        """The answer as of now; raises what `Searcher.search` raises."""
        before = self._refresher.before_query()
        gone: frozenset[str] = frozenset()
        for _ in range(ROUNDS):
            answer = self._searcher.search(query, replace(before, gone=gone))
            changed, missing = self._refresher.verify(_paths(answer))
            if not changed and missing <= gone:
                break
            gone |= missing
            before = replace(before, notices=(*before.notices, *_missing_notices(missing, before.notices)))
        return answer


def _missing_notices(missing: frozenset[str], said: tuple[str, ...]) -> Iterator[str]:
    for path in sorted(missing):
        notice = f"{path} was left out: it is gone or changed since it was indexed"
        if notice not in said:
            yield notice


def _paths(answer: Answer) -> list[str]:
    """Every note that the answer shows or names."""
    paths: list[str] = []
    for hit in answer.hits:
        paths += [hit.section.path, *hit.also_in, *hit.section.superseded_by, *hit.section.current_end]
        paths += [] if hit.via is None else hit.via.chain
    for record in answer.hidden_records:
        paths += [record.path, *record.superseded_by, *record.current_end]
    return list(dict.fromkeys(paths))
