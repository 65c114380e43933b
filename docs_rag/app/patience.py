"""An embedder for a process that answers questions: embedding sections never keeps a question waiting."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from docs_rag.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docs_rag.core.models import Model
    from docs_rag.core.ports import Embedder, EmbedFailure, Vector


class GiveWay(EmbedderUnavailable):
    """Sections are not embedded now: somebody waits for an answer, or for the process to end."""


class PatientEmbedder:
    """Embeds sections one by one and asks before each whether it may go on.

    What was embedded of a batch until then is kept for its next try, so that nothing is embedded twice.
    """

    def __init__(self, embedder: Embedder, may_go_on: Callable[[], bool]) -> None:
        """Wrap an embedder, which nobody else may use from then on."""
        self._embedder = embedder
        self._may_go_on = may_go_on
        self._kept: dict[str, tuple[Vector | EmbedFailure, bool]] = {}
        self.is_waiting = False
        """True while the model is at work; the thread that asked it holds no statement of an index then."""
        self.last_truncated: frozenset[int] = frozenset()
        """Which texts of the last `embed_documents` were read in part only, by their place."""

    @property
    def model(self) -> Model:
        """Which model."""
        return self._embedder.model

    def digest(self) -> str | None:
        """What identifies the model's weights; raises `EmbedderUnavailable`."""
        with self._wait():
            return self._embedder.digest()

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        """One result a text, in order; raises `GiveWay`, and `EmbedderUnavailable` as the embedder does."""
        for text in texts:
            if text not in self._kept:
                self._kept[text] = self._embed(text)
        done = [self._kept[text] for text in texts]
        self._kept.clear()
        self.last_truncated = frozenset(place for place, (_, cut) in enumerate(done) if cut)
        return [result for result, _ in done]

    def embed_query(self, text: str) -> Vector:
        """The query form of a text, at once; raises `EmbedderUnavailable`."""
        with self._wait():
            return self._embedder.embed_query(text)

    def _embed(self, text: str) -> tuple[Vector | EmbedFailure, bool]:
        if not self._may_go_on():
            raise GiveWay("sections are embedded between questions")
        with self._wait():
            [result] = self._embedder.embed_documents([text])
        return result, bool(self._embedder.last_truncated)

    @contextmanager
    def _wait(self) -> Iterator[None]:
        self.is_waiting = True
        try:
            yield
        finally:
            self.is_waiting = False
