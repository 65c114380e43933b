"""What a server does between two questions: read what there was no time for, embed what waits, keep warm."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, Protocol

from docs_rag.app.answering import Answerer
from docs_rag.app.embedding import EmbeddingRun
from docs_rag.app.patience import GiveWay, PatientEmbedder
from docs_rag.core.answers import Answer
from docs_rag.core.ports import Interrupted
from docs_rag.core.queries import Query
from docs_rag.core.storage import Store

PROBE: Final = Query(text="what was decided", limit=1)
"""A question that nobody asked: it walks the vault, reads changed notes, and loads all that a question needs."""


class Others(Protocol):
    """Whoever else works on the index."""

    def is_being_indexed(self) -> bool:
        """True while a run of `index` is at work, which embeds sections itself."""
        ...

    def embedding_turn(self) -> AbstractContextManager[bool]:
        """Whether this server is the one that embeds sections; held until the block is left."""
        ...


class Upkeep:
    """Works in rounds until an answer could be no more complete; each answer may give it new work."""

    def __init__(self, may_embed: Callable[[], bool]) -> None:
        """`may_embed` is False while somebody waits for an answer."""
        self._may_embed = may_embed
        self._others: Others | None = None
        self._is_probing = self._is_embedding = self._is_first = False
        self.restart()

    def restart(self) -> None:
        """Another index or model: nothing is known of what is to be done."""
        self.is_due = True
        """Whether a round may find something to do."""
        self._left = 0
        """Of what an answer calls pending, how much no round can help."""
        self._is_interrupted = False
        """Whether the last round gave way, so that the next goes on with embedding at once."""

    def after(self, answer: Answer) -> None:
        """A question was answered; it may have shown that there is something to do."""
        self.is_due = self.is_due or answer.index.pending > self._left

    def give_up(self) -> None:
        """Something is amiss: do nothing before the next question."""
        self.is_due, self._left, self._is_interrupted = False, 0, False

    def round(
        self,
        store: Store,
        answerer: Answerer,
        embedder: PatientEmbedder | None,
        others: Others,
    ) -> bool:
        """Ask the probe, and convert or embed what that left waiting; True when another round may find more to do.

        What others embed is left to them until the next question. Raises what both raise, but never `GiveWay`.
        """
        self._others = others
        if not self._is_interrupted:
            pending = self._probe(answerer)
            self.is_due = pending not in (0, self._left)
            self._left = pending
        if self.is_due and others.is_being_indexed():
            self.give_up()
        elif self.is_due and not self._convert(answerer) and embedder is not None:
            with others.embedding_turn() as ours:
                if ours:
                    self._embed(store, embedder)
                else:
                    self.give_up()
        return self.is_due

    def may_go_on(self) -> bool:
        """Whether the next few sections may be embedded.

        In a question its own time decides. In a round the first may always, or a host that never stops asking would
        see none embedded; the others only while nobody waits. A run of `index` that has begun goes before all.
        """
        is_first, self._is_first = self._is_first, False
        if self._is_embedding:
            may = is_first or self._may_embed()
            return may and (self._others is None or not self._others.is_being_indexed())
        return not self._is_probing

    def _probe(self, answerer: Answerer) -> int:
        self._is_probing = True
        try:
            return answerer.answer(PROBE).index.pending
        finally:
            self._is_probing = False

    def _convert(self, answerer: Answerer) -> bool:
        """Convert one document; False when there is none to convert."""
        try:
            has_converted = answerer.convert_one(self._may_embed)
        except Interrupted:
            self._is_interrupted = True
            return True
        if has_converted:
            self._left, self._is_interrupted = 0, False  # its sections may wait for vectors now
        return has_converted

    def _embed(self, store: Store, embedder: PatientEmbedder) -> None:
        self._is_embedding = self._is_first = True
        try:
            EmbeddingRun(store, embedder).catch_up(math.inf)
            self._is_interrupted = False
        except GiveWay:
            self._is_interrupted = True
        finally:
            self._is_embedding = False
