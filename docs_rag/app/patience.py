"""An embedder for a process that answers questions: embedding sections never keeps a question waiting for long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from docs_rag.core.models import Model
from docs_rag.core.ports import Embedder, EmbedFailure, Vector
from docs_rag.errors import EmbedderUnavailable


class GiveWay(EmbedderUnavailable):
    """Sections are not embedded now: somebody waits for an answer, or for the process to end."""


class PatientEmbedder:
    """Asks before it embeds sections whether it may; questions are embedded at once."""

    def __init__(self, embedder: Embedder, may_go_on: Callable[[], bool]) -> None:
        """Wrap an embedder, which nobody else may use from then on."""
        self._embedder = embedder
        self._may_go_on = may_go_on
        self.is_waiting = False
        """True while the model is at work; the thread that asked it holds no statement of an index then."""

    @property
    def model(self) -> Model:
        """Which model."""
        return self._embedder.model

    @property
    def last_truncated(self) -> frozenset[int]:
        """Which texts of the last `embed_documents` were read in part only, by their place."""
        return self._embedder.last_truncated

    def digest(self) -> str | None:
        """What identifies the model's weights; raises `EmbedderUnavailable`."""
        with self._wait():
            return self._embedder.digest()

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        """One result a text, in order; raises `GiveWay`, and `EmbedderUnavailable` as the embedder does."""
        if not self._may_go_on():
            raise GiveWay("sections are embedded between questions")
        with self._wait():
            return self._embedder.embed_documents(texts)

    def embed_query(self, text: str) -> Vector:
        """The query form of a text; raises `EmbedderUnavailable`."""
        with self._wait():
            return self._embedder.embed_query(text)

    @contextmanager
    def _wait(self) -> Iterator[None]:
        self.is_waiting = True
        try:
            yield
        finally:
            self.is_waiting = False
