"""The state of an index, and what a search would make of it: the use case of `status`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from docs_rag.core.calibration import floor_in_use
from docs_rag.core.changes import KEPT_WHEN
from docs_rag.core.documents import Skipped
from docs_rag.core.indexstate import IndexState
from docs_rag.core.overview import Run
from docs_rag.core.rootpaths import Roots
from docs_rag.core.storage import Store
from docs_rag.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from docs_rag.core.ports import Embedder


class KeepsRecords(Store, Protocol):
    """A store that remembers its runs and what its last walk left out."""

    def last_run(self) -> Run | None:
        """How the last run ended."""
        ...

    def ignored(self) -> Mapping[str, int]:
        """How many entries the last walk left out on purpose, by reason."""
        ...

    def by_status(self) -> Mapping[str, int]:
        """How many notes are in each state."""
        ...

    def stale_count(self) -> int:
        """How many notes could not be read again."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the config says that an overview needs."""

    config: str | None
    vault: str
    index: str
    min_score: float | None
    roots: Roots = ()


def overview(store: KeepsRecords, embedder: Embedder | None, settings: Settings, failure: str = "") -> IndexState:
    """Look at an open index; `failure` is why there is no embedder although one is wanted.

    Asks the embedder once whether it can be reached.
    """
    active = store.vectors.active()
    problem = failure or _problem(store, embedder)
    model = embedder.model if embedder is not None else None
    scored = model if active is not None and not problem else None
    documents, chunks = store.lookup.counts()
    embedded, pending = store.vectors.coverage(active.id) if active is not None else (0, chunks if model else 0)
    calibration = store.vectors.calibration()
    return IndexState(
        config=settings.config,
        vault=settings.vault,
        roots=settings.roots,
        index=settings.index,
        updated_at=store.updated_at(),
        documents=documents,
        chunks=chunks,
        embedded=embedded,
        pending=pending,
        stale=store.stale_count(),
        ignored=store.ignored(),
        failed=tuple(failures(store)),
        by_status=store.by_status(),
        model="none" if model is None else model.name,
        score="none" if scored is None else scored.score,
        mode="semantic+lexical" if scored else "lexical (embedder unavailable)" if problem else "lexical",
        calibration=calibration,
        floor=None if scored is None else floor_in_use(settings.min_score, scored, calibration),
        last_run=store.last_run(),
        notices=(problem,) if problem else (),
    )


def _problem(store: Store, embedder: Embedder | None) -> str:
    """Why a wanted model cannot answer; empty when it can, or when none is wanted."""
    if embedder is None:
        return ""
    active, name = store.vectors.active(), embedder.model.name
    if active is not None and active.name != name:
        return f"the index was made with {active.name}, the config asks for {name}; run: docs-rag index"
    try:
        embedder.digest()
    except EmbedderUnavailable as error:
        return str(error)
    return ""


def failures(store: Store) -> Iterator[Skipped]:
    """Files that could not be had, and notes whose file could not be read again."""
    for note in store.notes.listing(troubled=True):
        for problem in note.problems:
            if not note.indexed or (note.stale and problem.code in KEPT_WHEN):
                yield Skipped(note.path, problem.code, problem.message)
