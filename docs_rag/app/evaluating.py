"""Asking known questions: each goes the way of every other search, and its answer is held against what is right."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from docs_rag.app.progress import NoProgress, Progress
from docs_rag.core.documents import note_path
from docs_rag.core.evaluation.drafting import draft
from docs_rag.core.evaluation.figures import Evaluation
from docs_rag.core.evaluation.outcomes import Outcome, judge
from docs_rag.core.queries import Query
from docs_rag.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docs_rag.app.answering import Answerer
    from docs_rag.core.answers import Answer
    from docs_rag.core.questions import Question
    from docs_rag.core.storage import Store

MOST_UNKNOWN = 5
"""Paths of question files that are named one by one."""
MOST_HEADINGS = 500
"""Headings that a draft chooses from."""


class Evaluator:
    """Runs question files against one index."""

    def __init__(
        self,
        store: Store,
        answerer: Answerer,
        unfloored: Answerer,
        progress: Progress | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`answerer` is that of `search`; `unfloored` the same without a floor: what other floors would let through."""
        self._store = store
        self._answerer = answerer
        self._unfloored = unfloored
        self._progress = progress or NoProgress()
        self._clock = clock

    def run(self, questions: Sequence[Question], limit: int) -> Evaluation:
        """Ask them all, at most `limit` hits each. Raises `UsageError` for none, and what `Answerer.answer` raises."""
        if not questions:
            raise UsageError("there are no questions", "name a question file")
        outcomes: list[Outcome] = []
        seconds: list[float] = []
        notices: dict[str, None] = dict.fromkeys(self._unknown(questions))
        self._progress.begin("Asking questions", len(questions))
        for question in questions:
            query = Query(text=question.text, limit=limit, search_all=question.search_all)
            begun = self._clock()
            answer = self._answerer.answer(query)
            seconds.append(self._clock() - begun)
            outcomes.append(judge(question, answer, self._without_floor(query, answer)))
            notices |= dict.fromkeys(_of_the_index(answer))
            self._progress.step()
        return Evaluation(
            outcomes=tuple(outcomes),
            index=answer.index,
            threshold=answer.threshold,
            needed=(answer.confidence.needed or None) if answer.confidence else None,
            limit=limit,
            seconds=tuple(seconds),
            notices=tuple(notices),
        )

    def _without_floor(self, query: Query, answer: Answer) -> Answer | None:
        return None if answer.threshold is None else self._unfloored.answer(query)

    def _unknown(self, questions: Sequence[Question]) -> Iterator[str]:
        """Paths that no note has: such a question cannot be answered rightly."""
        named = {path: each for each in questions for path in _paths(each)}
        known = self._store.lookup.note_ids([note_path(path) for path in named])
        unknown = [path for path in named if note_path(path) not in known]
        for path in unknown[:MOST_UNKNOWN]:
            yield f"{path} is not in the index; the question {named[path].text!r} names it"
        if len(unknown) > MOST_UNKNOWN:
            yield f"{len(unknown) - MOST_UNKNOWN} more paths of the questions are not in the index"


def _paths(question: Question) -> Iterator[str]:
    yield from (each.path for each in question.answers)
    yield from question.also_ok
    yield from question.must_not


def _of_the_index(answer: Answer) -> Iterator[str]:
    """What is wrong with the answers as a whole: a model that is not there makes every figure another one."""
    if answer.index.mode.startswith("lexical (") or answer.index.pending:
        yield from answer.notices


def draft_questions(store: Store) -> list[Question]:
    """Questions from the titles and headings of an index; the same ones for the same index."""
    with store.snapshot():
        notes = list(store.notes.listing())
        paths = {note: path for path, note in store.lookup.note_ids([note.path for note in notes]).items()}
        headings = [(paths[note], words) for note, words in store.vectors.headings(MOST_HEADINGS) if note in paths]
    return draft(notes, headings)
