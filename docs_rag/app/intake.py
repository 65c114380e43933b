"""Taking single notes into the index: read, parse, cut, store. Text and status only; vectors follow elsewhere."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from docs_rag.app.drafting import Beside, Raw, draft_raw, draft_source, pack_notes, unpack_drafts
from docs_rag.app.reading import is_companion, read_source, table_row
from docs_rag.core.changes import KEPT_WHEN, is_racy, moved
from docs_rag.core.companions import companion_of
from docs_rag.core.digests import Digest, bytes_digest
from docs_rag.core.doctable import READMES
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.ports import Effort, Unreadable, Vault
from docs_rag.core.statusrules import PLAIN, StatusRules

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from docs_rag.core.changes import Changes, StoredStamp
    from docs_rag.core.ports import Converter, Helpers
    from docs_rag.core.storage import Draft, Store

TASK_BYTES = 128 << 10
"""Of notes that a helper gets at once, about."""
TASK_NOTES = 100
BATCH_BYTES = 1 << 20
"""Of notes between two commits, about: the full text index works best on large pieces."""
BATCH_NOTES = 500
"""Notes between two commits at most."""
_COMPANION = b"\0companion"
"""What the digest of a note counts of a document that it speaks for: without that one it reads otherwise."""
HURRIED = Effort(seconds=3.0)
"""For a document that is looked at again: its text is kept, and one that is not waits for the next run."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A note is in the index as its file is now."""

    path: DocPath
    changed: bool
    digest: Digest


class Looked(NamedTuple):
    """A note that was read, and has to be written unless it holds what the index holds."""

    stamp: FileStamp
    racy: bool
    digest: Digest
    known: Digest | None
    """What the index held when the note was read."""
    raw: Raw | None
    """None: nothing else than the index holds."""


class Ready(NamedTuple):
    """A note that can be written."""

    path: DocPath
    found: Looked | Skipped
    draft: Draft | Unreadable | None = None
    size: int = 0
    """Bytes that were read."""


class Intake:
    """Reads notes of one vault into one index."""

    def __init__(
        self,
        vault: Vault,
        store: Store,
        rules: StatusRules = PLAIN,
        now_ns: Callable[[], int] = time.time_ns,
        *,
        converter: Converter | None = None,
    ) -> None:
        """`rules` say what a status means here; `now_ns` is the wall clock, in nanoseconds since 1970.

        `converter` None: there are no documents of other formats; what looks like one is read as a note.
        """
        self._vault = vault
        self._store = store
        self._rules = rules
        self._now_ns = now_ns
        self._converter = converter
        self._tables: set[str] = set()
        """Folders whose README has changed or is gone: it may say something else of the documents there."""
        self._companions: set[DocPath] = set()
        """Where the notes lie that would speak for documents that have changed: those may be new or gone."""

    def take(self, path: DocPath, *, force: bool = False, effort: Effort | None = None) -> Taken | Skipped:
        """Bring one note up to its file. Unchanged content is not parsed again unless `force` is set.

        A file that cannot be read is an outcome, not an exception; a former text of it stays, marked stale.
        `effort` is how much time a document may cost; raises `Interrupted` where that allows it.
        """
        found = self._look(path, force)
        if isinstance(found, Skipped) or found.raw is None:
            return self._settled(Ready(path, found))
        try:
            source = read_source(self._converter, found.stamp, found.raw.data, racy=found.racy, effort=effort)
            draft: Draft | Unreadable = draft_source(found.raw, source, self._rules, self._store.notes.draft)
        except Unreadable as error:
            draft = error
        return self._settled(Ready(path, found, draft))

    def ready(self, work: Iterable[tuple[DocPath, bool]], helpers: Helpers | None = None) -> Generator[Ready]:
        """Read and parse notes, each with whether it is to be parsed by force; in their order, and somewhat ahead.

        Nothing is written. `helpers` are processes that parse; not for documents.
        """
        looked = (Ready(path, self._look(path, force)) for path, force in work)
        if helpers is None:
            yield from map(self._drafted, looked)
            return
        groups: deque[list[Ready]] = deque()
        for reply in helpers.work(_tasks(looked, groups)):
            group = groups.popleft()
            waiting = [each for each in group if _raw(each) is not None]
            drafts = unpack_drafts(reply, _raws(waiting)) if reply is not None else [None] * len(waiting)
            made = dict(zip((each.path for each in waiting), drafts, strict=True))
            yield from (self._drafted(each._replace(draft=made.get(each.path))) for each in group)

    def _drafted(self, ready: Ready) -> Ready:
        """The note with its draft, made here if it has none."""
        raw = _raw(ready)
        if raw is None:
            return ready
        draft = ready.draft or draft_raw(raw, self._rules, self._store.notes.draft)
        return ready._replace(draft=draft, size=len(raw.data))

    def settle(self, ready: Ready, *, force: bool = False) -> Taken | Skipped:
        """Write a note that is ready; one that somebody else has written meanwhile is read again."""
        found = ready.found
        if isinstance(found, Looked) and self._store.notes.digest(ready.path) != found.known:
            return self.take(ready.path, force=force)
        return self._settled(ready)

    def _settled(self, ready: Ready) -> Taken | Skipped:
        found, draft = ready.found, ready.draft
        if isinstance(found, Skipped):
            return self._give_up(found)
        if isinstance(draft, Unreadable):
            return self._give_up(Skipped(ready.path, draft.code, str(draft)))
        if draft is None:
            self._store.notes.touch(found.stamp, found.racy)
            return Taken(ready.path, False, found.digest)
        with self._store.batch():
            self._store.notes.put_draft(found.stamp, found.racy, found.digest, draft)
            self._remember(ready.path)
        return Taken(ready.path, True, found.digest)

    def _look(self, path: DocPath, force: bool) -> Looked | Skipped:
        """Read a note's file."""
        try:
            read_at = self._now_ns()
            self._refuse_again(path)
            stamp, data = self._vault.read(path)
            beside = self._read_beside(path)
        except Unreadable as error:
            return Skipped(path, error.code, str(error))
        speaks = is_companion(self._vault, self._converter, path)
        digest = bytes_digest(b"".join((data, beside.mark, self._mark(path), _COMPANION if speaks else b"")))
        known = self._store.notes.digest(path)
        raw = Raw(path, data, beside, speaks) if force or known != digest else None
        return Looked(stamp, is_racy(stamp, read_at), digest, known, raw)

    def _remember(self, path: DocPath) -> None:
        """What has to be looked at again because this file has changed or is gone; by another run, if this one stops.

        To be called in the transaction that writes the change.
        """
        folder, _, name = path.rpartition("/")
        companion = companion_of(path)
        if companion is not None:
            self._companions.add(companion)
            self._store.notes.doubt([companion])
        elif name in READMES and self._converter is not None:
            self._tables.add(folder)
            self._store.notes.doubt(self._documents_in([folder]))

    def _documents_in(self, folders: Sequence[str]) -> list[DocPath]:
        found = self._store.folders.stamps_in(folders)
        return [each for each in found if self._converter is not None and self._converter.handles(each)]

    def follow(self, changes: Changes, known: Mapping[DocPath, StoredStamp]) -> None:
        """Let what is kept of documents follow those that seem to have moved, so that they need no conversion."""
        if self._converter is not None and changes.removed and changes.added:
            for old, new in moved(changes, known):
                self._converter.move(old, new)

    def forget(self, path: DocPath) -> None:
        """Leave nothing of a note whose file is gone in the index; the next `resolve` sees what it spoke for."""
        with self._store.batch():
            self._store.notes.remove(path)
            self._remember(path)

    def _look_again(self) -> None:
        """Bring the documents up to the tables that speak for them, and companions up to their documents."""
        for path in self._documents_in([*self._tables]) if self._tables else ():
            self.take(path, effort=HURRIED)
        for path in self._companions:
            if self._store.notes.digest(path) is not None:
                self.take(path)
        self._tables, self._companions = set(), set()

    def _refuse_again(self, path: DocPath) -> None:
        """Raise what is known of a document that could not be converted before, without reading it again."""
        if self._converter is None or not self._converter.handles(path):
            return
        stamp = self._vault.stamp(path)
        refusal = None if stamp is None else self._converter.refusal(stamp)
        if refusal is not None:
            raise refusal

    def _mark(self, path: DocPath) -> bytes:
        """What the digest of a document counts of its converter; empty for notes."""
        if self._converter is None or not self._converter.handles(path):
            return b""
        return b"\0" + self._converter.mark(path)

    def _read_beside(self, path: DocPath) -> Beside:
        try:
            data = self._vault.sidecar(path)
            row = table_row(self._vault, path) if data is None else None
            return Beside(data=data if row is None else row[1].text.encode("utf-8", "replace"))
        except Unreadable as error:
            return Beside(fault=(error.code, str(error)))

    def resolve(self) -> bool:
        """Work the succession graph out again if a note changed since; True when it was done.

        Nobody may write meanwhile: what is written down in the end says that nothing has changed since.
        """
        self._look_again()
        if not self._store.graph.is_unresolved():
            return False
        from docs_rag.core.recompute import recompute  # noqa: PLC0415

        with self._store.batch():
            recompute(self._store.graph)
        return True

    def _give_up(self, skipped: Skipped) -> Skipped:
        if skipped.code in KEPT_WHEN:
            self._store.notes.mark_stale(skipped)
        return skipped


def in_batches(ready: Iterable[Ready]) -> Iterator[list[Ready]]:
    """Notes that are written in one transaction: a stopped run reads at most so many again."""
    batch: list[Ready] = []
    size = 0
    for each in ready:
        batch.append(each)
        size += each.size
        if size >= BATCH_BYTES or len(batch) >= BATCH_NOTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _tasks(looked: Iterable[Ready], groups: deque[list[Ready]]) -> Iterator[bytes]:
    """The notes packed for helpers, group by group; each group is kept until its reply comes."""
    group: list[Ready] = []
    size = 0
    for each in looked:
        group.append(each)
        raw = _raw(each)
        size += 0 if raw is None else len(raw.data)
        if size >= TASK_BYTES or len(group) >= TASK_NOTES:
            groups.append(group)
            yield pack_notes(_raws(group))
            group, size = [], 0
    if group:
        groups.append(group)
        yield pack_notes(_raws(group))


def _raws(group: Iterable[Ready]) -> list[Raw]:
    return [raw for each in group if (raw := _raw(each)) is not None]


def _raw(ready: Ready) -> Raw | None:
    return None if isinstance(ready.found, Skipped) else ready.found.raw
