"""A bench's index as a server opens it: over its own connection, with the bench's vault and model."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from reading import library_of
from workbench import Workbench

from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.app.answering import Answerer
from docs_rag.app.library import Library
from docs_rag.app.refreshing import Refresher
from docs_rag.app.searching import Searcher
from docs_rag.core.arguments import Asked
from docs_rag.core.ports import Embedder
from docs_rag.core.terms import UnicodeAnalyser


def asked(text: str, **more: object) -> Asked:
    """A call of the tool that has been read."""
    return Asked(text=text, **more)  # type: ignore[arg-type]


@dataclass(slots=True)
class Others:
    """Whoever else works on an index: nobody, unless told otherwise."""

    busy: bool = False
    turn: bool = True

    def is_being_indexed(self) -> bool:
        return self.busy

    def embedding_turn(self) -> AbstractContextManager[bool]:
        return nullcontext(self.turn)


@dataclass(slots=True)
class BenchProject:
    """Stands in for a project's config; `opened` counts how often its index was opened."""

    bench: Workbench
    name: str = "bench-docs"
    told: str | None = None
    tools: str = "search"
    limit: int = 8
    notices: Sequence[str] = ()
    current: bool = True
    failure: str = ""
    """Why there is no model, as the choice of one says it."""
    being_indexed: bool = False
    turn: bool = True
    """Whether this server is the one that embeds what waits."""
    may_have_vectors: bool = True
    refused: str | None = None
    """What asking for a run in the background gives."""
    begun: int = 0
    """How often one was asked for."""
    opened: list[BenchIndex] = field(default_factory=list)

    def is_current(self) -> bool:
        return self.current

    def open(self) -> BenchIndex:
        index = BenchIndex(self, open_store(self.bench.store.path, UnicodeAnalyser()))
        self.opened.append(index)
        return index

    def begin_indexing(self) -> str | None:
        self.begun += 1
        return self.refused


@dataclass(slots=True)
class BenchIndex:
    """An index that one session has open."""

    project: BenchProject
    index: SqliteStore
    chosen: int = 0

    def choose_embedder(self) -> tuple[Embedder | None, str]:
        self.chosen += 1
        return (None, self.project.failure) if self.project.failure else (self.project.bench.embedder, "")

    def open_answerer(self, embedder: Embedder | None, failure: str) -> Answerer:
        bench = self.project.bench
        searcher = Searcher(self.index, embedder, UnicodeAnalyser(), bench.rules, failure)
        return Answerer(searcher, Refresher(bench.vault, self.index, embedder, automatic=bench.automatic))

    def open_library(self, embedder: Embedder | None, failure: str) -> Library:
        return library_of(self.project.bench, self.index, embedder, failure)

    def is_being_indexed(self) -> bool:
        return self.project.being_indexed

    def embedding_turn(self) -> AbstractContextManager[bool]:
        return nullcontext(self.project.turn)

    def may_have_vectors(self) -> bool:
        return self.project.may_have_vectors


def is_closed(index: SqliteStore) -> bool:
    """True when nobody holds the index file open: then SQLite has taken its side files away."""
    return not Path(index.path + "-wal").exists()
