"""The one thread of a server that touches index and model, and the queue in front of it."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from docs_rag.app.sessions import Found, Project, Session
from docs_rag.errors import DocsRagError

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.app.library import Library
    from docs_rag.core.answers import Answer
    from docs_rag.core.arguments import Asked
    from docs_rag.core.description import Overview

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Question:
    work: Callable[[], object]
    """Done in the desk's thread."""
    answer: Future[Any]
    """Of what `work` returns."""


class Desk:
    """Answers questions one after the other, in the order in which they come; between them it does upkeep.

    Index, matrix and model live in its thread alone: SQLite wants one connection a thread, and two questions at once
    would be no faster. `ask`, `consult`, `overview` and `close` may be called from any thread.
    """

    def __init__(self, find: Callable[[], Project]) -> None:
        """`find` reads the project's config, in the desk's thread, whenever there is reason to; may raise."""
        self._questions: SimpleQueue[_Question | None] = SimpleQueue()
        self._closing = Event()
        self._looked = Event()
        self._session = Session(find, self._may_embed)
        # A daemon: a model's call that hangs must not keep the process from ending.
        self._thread = Thread(target=self._work, name="docs-rag desk", daemon=True)

    def open(self) -> None:
        """Start the thread, which opens the index and warms up; returns at once."""
        self._thread.start()

    def ask(self, asked: Asked) -> Future[Answer]:
        """Queue a question. The future fails with `DocsRagError` for what a user can mend; it may be cancelled."""
        answer: Future[Answer] = Future()
        self._questions.put(_Question(lambda: self._session.answer(asked), answer))
        return answer

    def consult(self, work: Callable[[Library], Found]) -> Future[Found]:
        """Queue a call of a reading tool; the future is like that of `ask`."""
        found: Future[Found] = Future()
        self._questions.put(_Question(lambda: self._session.consult(work), found))
        return found

    def overview(self, patience: float = 0.0) -> Overview:
        """What is known of the project; waits at most `patience` seconds for the first look at it."""
        self._looked.wait(patience)
        return self._session.overview

    def close(self, patience: float) -> None:
        """Drop what is queued, close the index and end the thread; gives up after `patience` seconds."""
        self._closing.set()
        self._questions.put(None)
        self._thread.join(patience)
        if self._thread.is_alive():
            self._session.close_from_outside()

    def _may_embed(self) -> bool:
        return self._questions.empty() and not self._closing.is_set()

    def _work(self) -> None:
        self._quietly(self._session.look)
        self._looked.set()
        try:
            while (question := self._next()) is not None:
                self._attend(question)
        finally:
            self._session.close()
            self._drop()

    def _next(self) -> _Question | None:
        """The next question, with upkeep until there is one; None when the desk closes."""
        while self._questions.empty() and self._quietly(self._session.upkeep):
            continue
        question = self._questions.get()
        if not self._closing.is_set():
            return question
        if question is not None:
            question.answer.cancel()
        return None

    def _attend(self, question: _Question) -> None:
        if not question.answer.set_running_or_notify_cancel():
            return
        try:
            question.answer.set_result(question.work())
        except BaseException as error:  # whatever it is, it belongs to whoever waits for the answer
            question.answer.set_exception(error)

    def _quietly(self, work: Callable[[], bool | None]) -> bool:
        """Do what nobody asked for; what is amiss with index or model is told by the next answer."""
        try:
            return bool(work())
        except DocsRagError:
            return False
        except Exception:
            if not self._closing.is_set():  # then the index may have been taken away
                _log.exception("upkeep failed")
            return False

    def _drop(self) -> None:
        while not self._questions.empty():
            question = self._questions.get()
            if question is not None:
                question.answer.cancel()
