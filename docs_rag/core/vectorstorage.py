"""What the use cases ask of the side of an index that keeps vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docs_rag.core.calibration import Calibration
    from docs_rag.core.digests import Digest
    from docs_rag.core.identity import StoredModel
    from docs_rag.core.ports import Vector
    from docs_rag.core.sampling import Pending, Sampled
    from docs_rag.core.vectors import Mean


class VectorStore(Protocol):
    """Models, vectors by text, calibration. Every write is one transaction."""

    def active(self) -> StoredModel | None:
        """The model whose vectors answer."""
        ...

    def register(self, name: str, digest: str, prefixes: tuple[str, str], dimensions: int) -> StoredModel:
        """The row of a model; the first one is active at once."""
        ...

    def activate(self, model: int) -> None:
        """Let this model's vectors answer, and forget every other model's."""
        ...

    def pending(self, model: int) -> list[tuple[Digest, int]]:
        """Every text without a vector, once, with a section that holds it."""
        ...

    def pending_texts(self, sections: Sequence[int]) -> list[Pending]:
        """What the texts of some sections are made of."""
        ...

    def put(self, model: int, vectors: Mapping[Digest, Vector]) -> None:
        """Keep vectors."""
        ...

    def note_refusals(self, model: int, refusals: Mapping[Digest, tuple[str, str]]) -> None:
        """List texts that could not be embedded, or not whole: digest to (code, message)."""
        ...

    def coverage(self, model: int) -> tuple[int, int]:
        """(sections that have their vector, sections that wait for one)."""
        ...

    def sweep(self, now: int, model: int | None = None) -> None:
        """Drop vectors that no text has used for long; `now` in seconds since 1970.

        `model`: all texts without a vector of it have been looked for; those that still have none are found again.
        """
        ...

    def keep_signs(self, model: int) -> None:
        """Bring up to date what a process may read instead of all vectors."""
        ...

    def sample(self, model: int, count: int) -> list[Sampled]:
        """At most `count` sections with their vectors; the same ones for the same index."""
        ...

    def sampled(self) -> str:
        """The mark of the sample that was last measured; empty for none."""
        ...

    def put_sampled(self, mark: str) -> None:
        """Keep the mark of the sample that was just measured."""
        ...

    def headings(self, count: int) -> list[tuple[int, str]]:
        """At most `count` headings that stand in one note alone, with that note."""
        ...

    def query_vectors(self, model: int) -> dict[Digest, Vector]:
        """The kept query forms."""
        ...

    def keep_query_vectors(self, model: int, vectors: Mapping[Digest, Vector]) -> None:
        """Replace the kept query forms."""
        ...

    def means(self, model: int) -> tuple[Mean, Mean] | None:
        """(document mean, query mean) for centred scores."""
        ...

    def put_means(self, model: int, documents: Mean, queries: Mean) -> None:
        """Keep the means that scores are centred with."""
        ...

    def calibration(self) -> Calibration | None:
        """The last calibration of the active model."""
        ...

    def put_calibration(self, model: int, calibration: Calibration) -> None:
        """Keep a calibration."""
        ...
