"""What the use cases ask of an index. One store implements them today; the contract suite holds any to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NewType, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from docs_rag.core.asof import Life
    from docs_rag.core.changes import StoredStamp
    from docs_rag.core.chunks import Chunk
    from docs_rag.core.digests import Digest
    from docs_rag.core.documents import DocPath, Document, FileStamp, Skipped
    from docs_rag.core.history.tree import Relative
    from docs_rag.core.identity import Make
    from docs_rag.core.listing import ListedNote
    from docs_rag.core.overview import Run
    from docs_rag.core.queries import Admission, Scope
    from docs_rag.core.recompute import Graph
    from docs_rag.core.scoring import Matrix
    from docs_rag.core.sections import Place, RecordView, Section
    from docs_rag.core.vectorstorage import VectorStore
    from docs_rag.core.walked import FolderStore


Draft = NewType("Draft", tuple[Any, ...])
"""What a store keeps of a note, made ready: texts, numbers, bytes and tuples of these. Only the store looks inside."""


class NoteStore(Protocol):
    """Notes, their sections and parts. Every write is one transaction."""

    def stamps(self) -> dict[DocPath, StoredStamp]:
        """What is known of every note's file."""
        ...

    def stamps_of(self, paths: Sequence[DocPath]) -> dict[DocPath, StoredStamp]:
        """The same for a few notes."""
        ...

    def digest(self, path: DocPath) -> Digest | None:
        """The digest of a note's bytes as they were read."""
        ...

    def has_twin(self, path: DocPath) -> bool:
        """Whether another note holds the same bytes."""
        ...

    def touch(self, stamp: FileStamp, racy: bool) -> None:
        """The file was read again and holds what the index holds."""
        ...

    def doubt(self, paths: Sequence[DocPath]) -> None:
        """Let the stamps of these notes prove nothing: the next run reads them again."""
        ...

    def put(
        self,
        stamp: FileStamp,
        racy: bool,
        digest: Digest,
        document: Document,
        chunks: Sequence[Chunk],
        embed_digests: Sequence[Digest | None],
    ) -> None:
        """Replace everything that is kept of one note: its sections, its parts, the names of them all."""
        ...

    def draft(self, document: Document, chunks: Sequence[Chunk], embed_digests: Sequence[Digest | None]) -> Draft:
        """What `put` keeps of a note, made ready without a look at the index."""
        ...

    def put_draft(self, stamp: FileStamp, racy: bool, digest: Digest, draft: Draft) -> None:
        """`put` with what `draft` made ready, here or in another process."""
        ...

    def remove(self, path: DocPath) -> None:
        """Leave no row of a note behind."""
        ...

    def mark_stale(self, skipped: Skipped) -> None:
        """Keep a note's former text, marked, and list why it could not be read."""
        ...

    def set_walk(self, skipped: Sequence[Skipped], ignored: Mapping[str, int]) -> None:
        """Remember what the last whole walk could not have and what it left out."""
        ...

    def listing(self, *, troubled: bool = False) -> Iterator[ListedNote]:
        """Every note and every part of one, or the `troubled` alone, then every file that could not be had."""
        ...


class FirstDayStore(Protocol):
    """When notes without a date of their own first came into the history of the vault."""

    def is_any_unknown(self) -> bool:
        """Whether there are notes without any date."""
        ...

    def unknown(self, version: str) -> list[DocPath]:
        """The notes without any date that were not asked for at this version of the history."""
        ...

    def put(self, version: str, asked: Collection[DocPath], days: Mapping[DocPath, str]) -> None:
        """Keep first days; what was `asked` for is not asked for again at this version."""
        ...

    def forget(self) -> bool:
        """Leave no first day behind; True when there was one."""
        ...


class LineStore(Protocol):
    """Reads that a record's line of descent is made of."""

    def relatives(self, paths: Sequence[DocPath]) -> dict[DocPath, Relative]:
        """The records at these paths; unknown ones are left out."""
        ...

    def names(self) -> Iterator[tuple[str, DocPath]]:
        """Every folded name with the record that is called so."""
        ...


class Records(Protocol):
    """Reads that tell what state records are in: today's, or that of a day."""

    def sections(self, ids: Sequence[int]) -> dict[int, Section]:
        """Whole sections by id."""
        ...

    def records(self, places: Sequence[Place]) -> dict[Place, RecordView]:
        """Records by their places, without their text."""
        ...

    def successors(self, path: str) -> tuple[DocPath, ...]:
        """The direct successors of a record."""
        ...


class LookupStore(Records, Protocol):
    """Reads that a search makes."""

    def counts(self) -> tuple[int, int]:
        """(notes, sections)."""
        ...

    def share_up_to(self, section: int) -> float:
        """About which share of all sections comes up to one; above 0, at most 1."""
        ...

    def dead_sections(self, as_of: str | None = None) -> frozenset[int]:
        """The sections whose state keeps them out of every search that asks not for all; with a day, on that day."""
        ...

    def admission(self, scope: Scope) -> Admission:
        """Work a scope out over the whole index."""
        ...

    def any_within(self, entry: str) -> bool:
        """Whether a path rule matches any note."""
        ...

    def any_tagged(self, tag: str) -> bool:
        """Whether any note has a tag or one below it; case-folded, without `#`."""
        ...

    def top_folders(self, count: int) -> list[str]:
        """The top folders that hold most notes."""
        ...

    def holding(self, match: str, literal: str, limit: int) -> Sequence[int]:
        """Sections that hold a term, at most `limit`."""
        ...

    def holding_in(self, match: str, literal: str, notes: Sequence[int]) -> list[int]:
        """Sections of some notes that hold a term."""
        ...

    def holding_best(self, match: str, count: int) -> list[int]:
        """The `count` sections that an expression of terms fits and that are best by BM25, names counting double."""
        ...

    def lengths(self, notes: Sequence[int]) -> dict[int, int]:
        """How many sections some notes have."""
        ...

    def holding_all(self, matches: Sequence[str], sections: Sequence[int]) -> frozenset[int]:
        """Those of some sections that hold every one of the terms."""
        ...

    def bm25(self, matches: Sequence[str], sections: Sequence[int]) -> dict[int, float]:
        """BM25 of some sections for any of the terms; higher is better."""
        ...

    def named(self, names: Sequence[str]) -> list[Place]:
        """Records that are called by one of these folded names."""
        ...

    def section_ids(self, place: Place) -> list[int]:
        """The sections of one record, in order."""
        ...

    def places(self, paths: Sequence[str]) -> dict[DocPath, Place]:
        """Where the records at these paths lie."""
        ...

    def note_ids(self, paths: Sequence[str]) -> dict[DocPath, int]:
        """Ids of the notes at these paths."""
        ...

    def lives(self, paths: Iterable[str]) -> dict[DocPath, Life]:
        """When the records at these paths were made and what became of them."""
        ...


class Store(Protocol):
    """An open index."""

    @property
    def path(self) -> str:
        """Where it lies."""
        ...

    @property
    def writable(self) -> bool:
        """False where the folder allows reading alone."""
        ...

    @property
    def notes(self) -> NoteStore:
        """The notes' side."""
        ...

    @property
    def graph(self) -> Graph:
        """The succession graph's side."""
        ...

    @property
    def vectors(self) -> VectorStore:
        """The vectors' side."""
        ...

    @property
    def first_days(self) -> FirstDayStore:
        """The side of the version history."""
        ...

    @property
    def folders(self) -> FolderStore:
        """The side of the folders."""
        ...

    @property
    def lines(self) -> LineStore:
        """The side of the lines of descent."""
        ...

    @property
    def lookup(self) -> LookupStore:
        """The searcher's side."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read in the block comes from one committed state."""
        ...

    def hurried(self) -> AbstractContextManager[None]:
        """Writes of the block do not wait long for another process; raises `Busy`."""
        ...

    def batch(self) -> AbstractContextManager[None]:
        """The writes of the block become one commit."""
        ...

    def in_bulk(self) -> AbstractContextManager[None]:
        """In the block many notes are written, in batches."""
        ...

    def matrix(self, model: int) -> Matrix:
        """The vectors of a model in memory, as of now."""
        ...

    def make(self) -> str | None:
        """What the notes were last read with."""
        ...

    def set_make(self, make: Make) -> None:
        """Let the notes be read with this from now on; each one that another make read counts as changed."""
        ...

    def updated_at(self) -> str | None:
        """When the index last changed, ISO, UTC."""
        ...

    def set_updated_at(self, at: str) -> None:
        """Remember when the index changed."""
        ...

    def is_told(self) -> bool:
        """Whether no note has come, gone, or got another name or standing since the last telling that ended."""
        ...

    def begin_telling(self) -> None:
        """Somebody is about to be told what every note is called and how it stands."""
        ...

    def end_telling(self) -> None:
        """They were told; what has changed since that began is to be told again."""
        ...

    def add_run(self, run: Run) -> None:
        """Remember how a run ended."""
        ...

    def compact(self, changed: int) -> None:
        """Keep an index from growing, and quick to ask, after so many notes have changed."""
        ...

    def rebuild(self) -> None:
        """Empty the index inside the same file."""
        ...
