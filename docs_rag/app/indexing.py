"""One run of `index`: make the index agree with the vault, then with the embedding model."""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from docs_rag.app.dating import Dated, date_notes
from docs_rag.app.embedding import EmbeddingRun
from docs_rag.app.intake import Intake, Taken, in_batches
from docs_rag.app.looking import Look, folders_by_root, look, look_at
from docs_rag.app.progress import NoProgress, Progress
from docs_rag.core.changes import MISSING_ROOT, Changes, diff, kept_reasons, reason_to_keep, vanished_roots
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.overview import Run
from docs_rag.core.report import IndexReport
from docs_rag.core.rootpaths import count_by_root, split_root
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.core.timestamps import utc
from docs_rag.errors import DocsRagError, EmbedderUnavailable, VaultError

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from docs_rag.core.digests import Digest
    from docs_rag.core.identity import Make
    from docs_rag.core.ports import Converter, Embedder, Helpers, Origins, Surveyed
    from docs_rag.core.storage import Store


MANY = 400
"""Notes from which on other processes parse them: to start one takes as long as parsing some hundred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRequest:
    """What the caller wants of a run."""

    only: tuple[DocPath, ...] = ()
    """Notes or folders to bring up to date; empty means the whole vault."""
    hints: tuple[DocPath, ...] = ()
    """Notes that were edited, to be taken in before the vault is looked through."""
    reread: bool = False
    """Read every note again, whatever its stamp says."""
    full: bool = False
    """Empty the index first."""
    accept_removals: bool = False
    min_score: float | None = None
    """The configured floor, for the report."""


@dataclass(slots=True)
class _Counts:
    added: int = 0
    modified: int = 0
    removed: int = 0
    unchanged: int = 0
    dated: Dated = field(default_factory=Dated)
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def with_hints(self, hinted: _Counts) -> _Counts:
        """Together with what was taken in first, which the look through the vault then found unchanged."""
        self.added += hinted.added
        self.modified += hinted.modified
        self.unchanged -= hinted.added + hinted.modified
        return self


class Indexer:
    """Brings one index up to one vault. The caller holds the index lock."""

    def __init__(
        self,
        vault: Surveyed,
        store: Store,
        embedder: Embedder | None,
        make: Make,
        *,
        rules: StatusRules = PLAIN,
        origins: Origins | None = None,
        converter: Converter | None = None,
        progress: Progress | None = None,
        when_read: Callable[[], None] = lambda: None,
        roots: Collection[str] = (),
        now_ns: Callable[[], int] = time.time_ns,
        helpers: Callable[[], Helpers | None] = lambda: None,
    ) -> None:
        """`embedder` None means lexical only; `rules` are those of `make`; `now_ns` is the wall clock.

        `origins` dates notes that have no date of their own; without it none has such a date. `converter` reads
        documents of other formats, where there are any.

        `when_read` is called as soon as everything in the index was read from the vault by this user: after the
        index was emptied, and again after the notes were taken in.

        `roots`: what the paths of notes in other folders begin with. Of each folder it is asked on its own whether so
        many notes are gone that it looks unmounted.

        `helpers` gives processes that parse notes by the same rules, where there can be any; it is asked when there is
        much to do.
        """
        self._roots = roots
        self._helpers = helpers
        self._when_read = when_read
        self._vault = vault
        self._store = store
        self._embedder = embedder
        self._make = make
        self._origins = origins
        self._progress = progress or NoProgress()
        self._now_ns = now_ns
        self._converter = converter
        self._intake = Intake(vault, store, rules, now_ns, converter=converter)

    def run(self, request: IndexRequest) -> IndexReport:
        """Text and status first, then vectors. Stopping at any point leaves an index that the next run completes.

        Raises `VaultError` when the vault is not there, or lacks so much that removing would be rash: then what is
        there has been taken in and nothing has been removed.
        """
        started = time.monotonic()
        try:
            report = self._run(request, started)
        except DocsRagError as error:
            self._store.add_run(Run(utc(self._now_ns()), False, str(error)))
            raise
        finally:
            if self._converter is not None:
                self._converter.close()
        self._store.add_run(Run(utc(self._now_ns()), True, _summary(report)))
        return report

    def _run(self, request: IndexRequest, started: float) -> IndexReport:
        made = self._store.make()
        if request.reread or made not in (None, str(self._make)):
            # parts of an index that is not believed yet, or was read by another version, are no use
            request = replace(request, only=())
        if request.reread or request.full or made != str(self._make):
            request = replace(request, hints=())
        counts = self._named(request)
        if counts is None:
            counts = self._whole(request)
        self._when_read()
        changed = counts.added + counts.modified + counts.removed
        vectors = EmbeddingRun(self._store, self._embedder, self._progress, request.min_score)
        try:
            vectors.run(full=request.full, now=self._now_ns() // 1_000_000_000)
        except EmbedderUnavailable as error:
            counts.warnings.append(str(error))
            vectors.unavailable = error
        if changed or counts.dated.changed or vectors.changed:
            self._store.set_updated_at(utc(self._now_ns()))
            self._store.compact(changed)
        return self._report(counts, vectors, time.monotonic() - started)

    def _whole(self, request: IndexRequest) -> _Counts:
        """Bring the index up to the vault, or, under `only`, to a part of it of which only a look at all can tell."""
        hinted = self._hinted(request)
        is_narrow = bool(request.only)
        trusting = self._store.make() == str(self._make) and not (request.full or request.reread or is_narrow)
        found = look(self._vault, self._store, trusting=trusting)
        if request.full:
            self._refuse_if_vanished(request, found)
            self._store.rebuild()
            self._when_read()
        self._store.set_make(self._make)
        known = found.known()
        outdated = self._outdated(found.stamps)
        changes = diff(found.stamps, known, reread=request.reread, outdated=outdated)
        if is_narrow:
            changes = _narrowed(changes, request.only, found.stamps)
        self._intake.follow(changes, known)
        counts = _Counts(unchanged=changes.unchanged + found.unchanged, skipped=found.skipped)
        forced = {each.path for each in found.stamps} if request.reread else outdated
        digests = self._take_in(changes, counts, forced)
        self._forget(request, counts, changes, found, digests)
        if not is_narrow:
            self._store.notes.set_walk(counts.skipped, self._vault.ignored())
            self._sweep(found.stamps)
            found.remember(lambda stamp: not self._is_document(stamp.path))
        counts.dated = date_notes(self._store, self._origins)
        self._intake.resolve()
        return counts.with_hints(hinted)

    def _named(self, request: IndexRequest) -> _Counts | None:
        """Bring the index up to the notes of `only`; None where that takes a look at the whole vault.

        That is so for notes that are gone: whether they were removed, or their disk was, the others tell.
        """
        if not request.only or request.full:
            return None
        found = look_at(self._vault, request.only)
        if found is None:
            return None
        stamps, skipped = found
        known = self._store.folders.stamps_at([path.rstrip("/") for path in request.only])
        outdated = self._outdated(stamps)
        changes = diff(stamps, known, outdated=outdated)
        if changes.removed:
            return None
        self._store.set_make(self._make)
        counts = _Counts(unchanged=changes.unchanged, skipped=skipped)
        self._take_in(changes, counts, outdated)
        counts.dated = date_notes(self._store, self._origins)
        self._intake.resolve()
        return counts

    def _hinted(self, request: IndexRequest) -> _Counts:
        """Take in first what was edited, as far as it is known; the look through the vault finds out the rest."""
        counts = _Counts()
        found = look_at(self._vault, [each for each in request.hints if not self._is_document(each)])
        stamps = [] if found is None else found[0]
        known = self._store.notes.stamps_of([each.path for each in stamps])
        changes = diff(stamps, known)
        if changes.any:
            self._take_in(replace(changes, removed=()), counts, ())
            self._intake.resolve()
        return counts

    def _forget(
        self, request: IndexRequest, counts: _Counts, changes: Changes, found: Look, digests: Collection[Digest]
    ) -> None:
        """Remove the notes that are gone, unless so many are that the vault looks unmounted."""
        skipped = _believed(found.skipped) if request.reread else found.skipped
        gone = self._gone(changes.removed, skipped, counts)
        if gone and not request.accept_removals:
            lacking = [path for path in gone if self._store.notes.digest(path) not in digests]
            self._refuse_removals(gone, self._count(lacking), self._known_by_root(), found.found(self._roots))
        self._remove(gone)
        counts.removed = len(gone)

    def _count(self, paths: Collection[str]) -> Counter[str]:
        return count_by_root(paths, self._roots)

    def _known_by_root(self) -> Counter[str]:
        return folders_by_root(self._store.folders.counts(), self._roots)

    def _refuse_if_vanished(self, request: IndexRequest, look: Look) -> None:
        """Before the index is emptied: a folder that is not mounted must not cost it."""
        known, found = self._known_by_root(), look.found(self._roots)
        rash = vanished_roots(known, known - found, found)
        if rash and not request.accept_removals:
            raise _vanished(rash, known - found, known)

    def _refuse_removals(
        self, gone: Sequence[DocPath], lacking: Counter[str], known: Counter[str], found: Counter[str]
    ) -> None:
        """Raise `VaultError` for folders that look unmounted, after the missing notes of the others were removed."""
        rash = vanished_roots(known, lacking, found)
        if rash:
            self._remove([path for path in gone if split_root(path, self._roots)[0] not in rash])
            self._intake.resolve()
            raise _vanished(rash, lacking, known)

    def _remove(self, gone: Sequence[DocPath]) -> None:
        with self._store.batch():
            for path in gone:
                self._intake.forget(path)

    def _is_document(self, path: DocPath) -> bool:
        return self._converter is not None and self._converter.handles(path)

    def _outdated(self, stamps: Sequence[FileStamp]) -> frozenset[DocPath]:
        """The documents of which something else would be made now than was."""
        if self._converter is None:
            return frozenset()
        outdated = self._converter.is_outdated
        return frozenset(each.path for each in stamps if self._is_document(each.path) and outdated(each.path))

    def _sweep(self, stamps: Sequence[FileStamp]) -> None:
        """Forget the converted texts of documents that are neither in the vault nor in the index."""
        if self._converter is not None:
            there, digest = {each.path for each in stamps}, self._store.notes.digest
            self._converter.sweep(lambda path: path in there or digest(DocPath(path)) is not None)

    def _take_in(self, changes: Changes, counts: _Counts, forced: Collection[DocPath]) -> set[Digest]:
        """Read what is new or changed; returns the digests of the notes that were added, if any note is gone.

        Documents come last and each by itself: no transaction may last as long as their conversion.
        """
        digests: set[Digest] = set()
        added = {each.path for each in changes.added}
        paths = [each.path for each in (*changes.added, *changes.modified)]
        notes = [each for each in paths if not self._is_document(each)]
        self._progress.begin("Reading notes", len(notes))
        found = digests if changes.removed else None
        for outcomes in self._taken(notes, forced):
            self._tell(outcomes, added, counts, found)
        if len(notes) < len(paths):
            self._progress.begin("Converting documents", len(paths) - len(notes))
        for path in filter(self._is_document, paths):
            self._tell([self._intake.take(path, force=path in forced)], added, counts, found)
        return digests

    def _taken(self, paths: Sequence[DocPath], forced: Collection[DocPath]) -> Iterator[list[Taken | Skipped]]:
        """Take notes in, some in one transaction; of many the parsing is done by other processes."""
        with ExitStack() as stack:
            helpers = None
            if len(paths) > MANY:
                stack.enter_context(self._store.in_bulk())
                helpers = self._helpers()
            if helpers is not None:
                stack.callback(helpers.close)
            ready = stack.enter_context(
                closing(self._intake.ready(((each, each in forced) for each in paths), helpers))
            )
            for some in in_batches(ready):
                with self._store.batch():
                    outcomes = [self._intake.settle(each, force=each.path in forced) for each in some]
                yield outcomes

    def _tell(
        self, some: Sequence[Taken | Skipped], added: Collection[DocPath], counts: _Counts, digests: set[Digest] | None
    ) -> None:
        """Count what is written by now; one by one, the first of many would seem to have taken as long as all."""
        for outcome in some:
            if not isinstance(outcome, Taken):
                counts.skipped.append(outcome)
            elif outcome.path in added:
                counts.added += 1
                if digests is not None:
                    digests.add(outcome.digest)
            elif outcome.changed:
                counts.modified += 1
            else:
                counts.unchanged += 1
        self._progress.step(len(some))

    def _gone(self, removed: Sequence[DocPath], skipped: Sequence[Skipped], counts: _Counts) -> list[DocPath]:
        """Notes to be removed: those that are there but cannot be had now stay, marked stale."""
        kept = kept_reasons(skipped)
        gone: list[DocPath] = []
        for path in removed:
            reason = reason_to_keep(path, kept)
            if reason is None:
                gone.append(path)
            else:
                self._store.notes.mark_stale(Skipped(path, reason.code, reason.message))
                if path not in kept:
                    counts.skipped.append(Skipped(path, reason.code, reason.message))
        return gone

    def _report(self, counts: _Counts, vectors: EmbeddingRun, seconds: float) -> IndexReport:
        chunks = self._store.lookup.counts()[1]
        return IndexReport(
            added=counts.added,
            modified=counts.modified,
            removed=counts.removed,
            unchanged=counts.unchanged,
            failed=tuple(counts.skipped),
            chunks=chunks,
            embedded=vectors.embedded,
            pending=vectors.pending,
            seconds=seconds,
            calibration=vectors.calibration,
            floor=vectors.floor,
            measured=vectors.floor is not None,
            warnings=tuple(filter(None, (*counts.warnings, *vectors.warnings, counts.dated.warning))),
        )


def _believed(skipped: Iterable[Skipped]) -> list[Skipped]:
    """What may keep notes in an index that was made elsewhere: not a folder that is missing, as any name is."""
    return [each for each in skipped if each.code != MISSING_ROOT]


def _vanished(rash: Collection[str], lacking: Counter[str], known: Counter[str]) -> VaultError:
    told = [
        f"{lacking[name]} of {known[name]} indexed notes are no longer in {f'root {name}' if name else 'the vault'}"
        for name in sorted(rash)
    ]
    return VaultError(
        f"{', and '.join(told)}, or no longer asked for by the config; nothing was removed"
        + ("" if rash == {""} else " of those"),
        "if that is right, run: docs-rag index --accept-removals",
    )


def _narrowed(changes: Changes, only: Sequence[DocPath], stamps: Sequence[FileStamp]) -> Changes:
    """The part of the work that concerns some notes and folders."""

    def wanted(path: DocPath) -> bool:
        return any(path == each or path.startswith(each.rstrip("/") + "/") for each in only)

    added = tuple(each for each in changes.added if wanted(each.path))
    modified = tuple(each for each in changes.modified if wanted(each.path))
    return Changes(
        added=added,
        modified=modified,
        removed=tuple(path for path in changes.removed if wanted(path)),
        unchanged=sum(wanted(each.path) for each in stamps) - len(added) - len(modified),
    )


def _summary(report: IndexReport) -> str:
    return f"{report.added} added, {report.modified} modified, {report.removed} removed, {len(report.failed)} failed"
