"""Taking single notes into the index: read, parse, cut, store. Text and status only; vectors follow elsewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docs_rag.app.reading import Source, is_companion, parse_source, read_source, table_row
from docs_rag.core.changes import KEPT_WHEN, is_racy, moved
from docs_rag.core.digests import Digest, bytes_digest, text_digest
from docs_rag.core.doctable import READMES
from docs_rag.core.documents import DocPath, FileStamp, Problem, Skipped
from docs_rag.core.ports import Effort, Unreadable, Vault
from docs_rag.core.sidecars import sidecar_of
from docs_rag.core.statusrules import PLAIN, StatusRules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from docs_rag.core.changes import Changes, StoredStamp
    from docs_rag.core.chunks import Chunk
    from docs_rag.core.ports import Converter
    from docs_rag.core.storage import Store


HURRIED = Effort(seconds=3.0)
"""For a document that is looked at again: its text is kept, and one that is not waits for the next run."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A note is in the index as its file is now."""

    path: DocPath
    changed: bool
    digest: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beside:
    """The metadata file beside a note, as far as there is one."""

    data: bytes | None = None
    fault: tuple[str, str] | None = None
    """Code and message where it is there but could not be read."""

    @property
    def mark(self) -> bytes:
        """What the digest of a note counts of it; empty when there is none."""
        if self.fault is not None:
            return "\0".join(("", *self.fault)).encode("utf-8", "replace")
        return b"" if self.data is None else b"\0" + self.data

    def decoded(self, path: DocPath) -> tuple[str | None, tuple[Problem, ...]]:
        """Its text, and as a problem of its note why there is none."""
        fault = self.fault
        if fault is None:
            try:
                return None if self.data is None else _decode(self.data), ()
            except Unreadable as error:
                fault = (error.code, str(error))
        name = str(sidecar_of(path)).rpartition("/")[2]
        return None, (Problem(fault[0], f"{name} beside the note: {fault[1]}"),)


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
        """Notes that speak for documents that have changed: they may be new or gone."""

    def take(self, path: DocPath, *, force: bool = False, effort: Effort | None = None) -> Taken | Skipped:
        """Bring one note up to its file. Unchanged content is not parsed again unless `force` is set.

        A file that cannot be read is an outcome, not an exception; a former text of it stays, marked stale.
        `effort` is how much time a document may cost; raises `Interrupted` where that allows it.
        """
        notes = self._store.notes
        try:
            read_at = self._now_ns()
            self._refuse_again(path)
            stamp, data = self._vault.read(path)
            racy = is_racy(stamp, read_at)
            beside = self._read_beside(path)
            digest = bytes_digest(b"".join((data, beside.mark, self._mark(path))))
            if not force and notes.digest(path) == digest:
                notes.touch(stamp, racy)
                return Taken(path, False, digest)
            source = read_source(self._converter, stamp, data, racy=racy, effort=effort)
        except Unreadable as error:
            return self._give_up(Skipped(path, error.code, str(error)))
        try:
            self._put(stamp, racy, digest, source, beside)
        except RecursionError:  # nesting no person writes; it must not cost the other notes their run
            return self._give_up(Skipped(path, "unreadable", "nested too deep to be read"))
        self._remember(path)
        return Taken(path, True, digest)

    def _remember(self, path: DocPath) -> None:
        """What has to be looked at again because this file has changed or is gone."""
        if self._converter is None:
            return
        folder, _, name = path.rpartition("/")
        if name in READMES:
            self._tables.add(folder)
        elif self._converter.handles(path):
            self._companions.add(DocPath(f"{path}.md"))

    def follow(self, changes: Changes, known: Mapping[DocPath, StoredStamp]) -> None:
        """Let what is kept of documents follow those that seem to have moved, so that they need no conversion."""
        if self._converter is not None and changes.removed and changes.added:
            for old, new in moved(changes, known):
                self._converter.move(old, new)

    def forget(self, path: DocPath) -> None:
        """Leave nothing of a note whose file is gone in the index; the next `resolve` sees what it spoke for."""
        self._store.notes.remove(path)
        self._remember(path)

    def _look_again(self) -> None:
        """Bring the documents up to the tables that speak for them, and companions up to their documents."""
        if self._converter is None or not (self._tables or self._companions):
            return
        known = self._store.notes.stamps()
        for path in known:
            if path.rpartition("/")[0] in self._tables and self._converter.handles(path):
                self.take(path, effort=HURRIED)
        for path in self._companions & known.keys():
            self.take(path, force=True)
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

    def _read_beside(self, path: DocPath) -> _Beside:
        try:
            data = self._vault.sidecar(path)
            row = table_row(self._vault, path) if data is None else None
            return _Beside(data=data if row is None else row[1].text.encode("utf-8", "replace"))
        except Unreadable as error:
            return _Beside(fault=(error.code, str(error)))

    def _put(self, stamp: FileStamp, racy: bool, digest: Digest, source: Source, beside: _Beside) -> None:
        from docs_rag.core.chunks import chunk  # noqa: PLC0415
        from docs_rag.core.embedtext import embed_text  # noqa: PLC0415

        metadata, problems = beside.decoded(stamp.path)
        document = parse_source(stamp.path, source, self._rules, metadata)
        if is_companion(self._vault, self._converter, stamp.path):
            from docs_rag.core.companions import as_companion  # noqa: PLC0415

            document = as_companion(document)
        if problems:
            document = replace(document, problems=document.problems + problems)
        chunks = [_placed(each, source) for each in chunk(document)]
        texts = [embed_text(document.title, each.headings, each.text) for each in chunks]
        digests = [text_digest(each) if each else None for each in texts]
        self._store.notes.put(stamp, racy, digest, document, chunks, digests)

    def resolve(self) -> bool:
        """Work the succession graph out again if a note changed since; True when it was done."""
        self._look_again()
        if not self._store.graph.is_unresolved():
            return False
        from docs_rag.core.recompute import recompute  # noqa: PLC0415

        recompute(self._store.graph)
        return True

    def _give_up(self, skipped: Skipped) -> Skipped:
        if skipped.code in KEPT_WHEN:
            self._store.notes.mark_stale(skipped)
        return skipped


def _placed(found: Chunk, source: Source) -> Chunk:
    """A section with the place in the document that it comes from."""
    if not source.stretches:
        return found
    from docs_rag.core.converted import location_of  # noqa: PLC0415  # documents alone have places

    return replace(found, location=location_of(source.stretches, found.lines))


def _decode(data: bytes) -> str:
    from docs_rag.core.parsing import decode  # noqa: PLC0415  # YAML and markdown load only for changed notes

    return decode(data)
