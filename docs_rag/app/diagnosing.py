"""What `doctor` finds of the notes, the index and the model; what it makes of that stands in `core.diagnosis`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from docs_rag.app.overview import KeepsRecords, failures
from docs_rag.core.changes import MISSING_ROOT, diff, kept_reasons, reason_to_keep, vanished_roots
from docs_rag.core.diagnosis.facts import Embedding, Index, Notes, RootNotes
from docs_rag.core.diagnosis.findings import Fault
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.rootpaths import Roots, count_by_root
from docs_rag.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from docs_rag.core.identity import Make
    from docs_rag.core.ports import Embedder, Vault

_QUESTION: Final = "tea"
"""What a model is asked, to see whether it answers."""
_USUAL_SKIPS: Final = frozenset({"outside-vault", "not-a-file", MISSING_ROOT})
"""Files that are left out on purpose, or are none."""


class Seen(NamedTuple):
    """One look at the vault."""

    stamps: tuple[FileStamp, ...]
    skipped: tuple[Skipped, ...]


def see(vault: Vault) -> Seen:
    """Walk the vault once; raises `VaultError`."""
    found = list(vault.scan())
    return Seen(
        tuple(each for each in found if not isinstance(each, Skipped)),
        tuple(each for each in found if isinstance(each, Skipped)),
    )


def notes_facts(folder: str, seen: Seen, copies: Callable[[Iterable[str]], list[str]], *, roots: Roots = ()) -> Notes:
    """What is to be said of the notes; `copies` picks the names that look like conflicted copies."""
    counts = count_by_root([each.path for each in seen.stamps], [name for name, _ in roots])
    missing = {each.path: each.message for each in seen.skipped if each.code == MISSING_ROOT}
    return Notes(
        folder=folder,
        count=counts[""],
        roots=tuple(
            RootNotes(name=name, folder=place, count=counts[name], fault=missing.get(DocPath(name), ""))
            for name, place in roots
        ),
        unreadable=tuple(f"{each.path}: {each.message}" for each in seen.skipped if each.code not in _USUAL_SKIPS),
        copies=tuple(copies(each.path for each in seen.stamps)),
    )


def index_facts(path: str, store: KeepsRecords, make: Make, seen: Seen | None, *, roots: Collection[str] = ()) -> Index:
    """How the index stands beside the notes; `seen` is None when they could not be looked at.

    `roots`: what the paths of notes in other folders begin with.
    """
    documents, chunks = store.lookup.counts()
    active = store.vectors.active()
    failed = {each.path: each for each in failures(store)}
    changed, is_lacking = (None, False) if seen is None else _moved_on(store, seen, failed, roots)
    said_before = () if seen is None else {each.path for each in seen.skipped}
    return Index(
        path=path,
        documents=documents,
        chunks=chunks,
        updated_at=store.updated_at(),
        changed=changed,
        failed=tuple(f"{path}: {each.message}" for path, each in failed.items() if path not in said_before),
        has_vanished=is_lacking,
        is_foreign=store.make() not in (None, str(make)),
        pending=0 if active is None else store.vectors.coverage(active.id)[1],
        last_run=store.last_run(),
    )


def _moved_on(store: KeepsRecords, seen: Seen, failed: Container[DocPath], roots: Collection[str]) -> tuple[int, bool]:
    """How many notes are others than the index knows, and whether so many are gone that the vault is not itself.

    A note that was read in the very moment of its change counts by its stamp alone: reading it is for `index`. One
    that failed has no stamp to go by, and does not count.
    """
    known = store.notes.stamps()
    changes = diff(seen.stamps, {path: each._replace(racy=False) for path, each in known.items()})
    kept = kept_reasons(seen.skipped)
    gone = [path for path in changes.removed if reason_to_keep(path, kept) is None]
    lacking = count_by_root([path for path in gone if not store.notes.has_twin(path)], roots)
    rash = vanished_roots(
        count_by_root(known, roots), lacking, count_by_root([each.path for each in seen.stamps], roots)
    )
    moved = sum(each.path not in failed for each in (*changes.added, *changes.modified))
    return moved + len(gone), bool(rash)


def embedding_facts(configured: str, embedder: Embedder | None, store: KeepsRecords | None) -> Embedding:
    """Whether the model answers, and is the one that the index was made with; it is asked one question."""
    active = None if store is None else store.vectors.active()
    fault, digest = None, None
    if embedder is not None:
        try:
            digest = embedder.digest()
            embedder.embed_query(_QUESTION)
        except EmbedderUnavailable as error:
            fault = Fault.of(error)
    return Embedding(
        configured=configured,
        name="none" if embedder is None else embedder.model.name,
        indexed_with="" if active is None else active.name,
        has_changed=bool(digest and active is not None and active.digest and digest != active.digest),
        fault=fault,
    )
