"""Keeping answers true to the files as they are now, without anybody running `index`."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from docs_rag.app.looking import Look, folders_by_root, look
from docs_rag.app.wording import Before
from docs_rag.core.changes import KEPT_WHEN, MISSING_ROOT, diff, kept_reasons, reason_to_keep, vanished_roots
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.ports import Effort, Interrupted
from docs_rag.core.rootpaths import count_by_root, split_root
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.errors import Busy, DocsRagError, EmbedderUnavailable, VaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from docs_rag.app.intake import Intake, Taken
    from docs_rag.core.changes import StoredStamp
    from docs_rag.core.identity import Make
    from docs_rag.core.ports import Converter, Embedder, Surveyed
    from docs_rag.core.storage import Store

WALK_EVERY = 2.0
"""Seconds that a walk's result is believed."""
MOST_CAUGHT_UP = 64
"""Sections that wait for their vectors, up to which a question looks after them."""
BUSY = "another process is writing to the index; the newest changes may be missing"
READ_ONLY = "the index is read-only: changed notes are left out of answers"
UNSETTLED = (
    "a run of docs-rag index has not yet found out which records are replaced, and some may be shown as current;"
    " if none is at work, run: docs-rag index"
)
FOREIGN = (
    "the notes were read under other status rules or by another version of docs-rag, and their states may differ;"
    " run: docs-rag index"
)
ADOPTING = (
    "the status rules or docs-rag have changed: {count} notes wait to be read again, and their states may differ;"
    " run: docs-rag index"
)
WAITING = "documents of other formats that are new or changed: {count}; they are read by: docs-rag index"
HURRIED = Effort(seconds=3.0)
"""What a question may wait for a document that it would cite and that has changed."""
KEPT = Effort(seconds=0.0)
"""For a document whose text may be kept: it costs no more than reading the file."""
BUDGET = 0.3
"""Seconds that a question may wait for changed notes to be read."""


class Refresher:
    """Takes changed notes in before a question, and checks the files of an answer after it."""

    def __init__(
        self,
        vault: Surveyed,
        store: Store,
        embedder: Embedder | None,
        *,
        automatic: bool,
        make: Make | None = None,
        rules: StatusRules = PLAIN,
        converter: Converter | None = None,
        clock: Callable[[], float] = time.monotonic,
        roots: Collection[str] = (),
    ) -> None:
        """`automatic` is `autoRefresh`; `clock` counts seconds and never goes back.

        `make` is what notes are read with here, `rules` included; an index of another make is brought over to it,
        unless `make` is None.

        `converter` reads documents of other formats. A question never waits for all that are new or changed: they
        are converted by `convert_one`, or by `index`. `roots`: what the paths of notes in other folders begin with.
        """
        self._roots = roots
        self._missing: tuple[str, ...] = ()
        self._converter = converter
        self._documents: list[FileStamp] = []
        self._doubtful: list[FileStamp] = []
        self._make = make
        self._rules = rules
        self._has_adopted = False
        self._vault = vault
        self._store = store
        self._embedder = embedder
        self._automatic = automatic
        self._clock = clock
        self._walked = float("-inf")
        self._unread: list[FileStamp] = []
        self._seen: Look | None = None
        self._warning = ""
        self._owes_vectors = embedder is not None
        self._removed: list[DocPath] = []
        self._known = self._found = count_by_root((), ())

    @property
    def unread(self) -> int:
        """Changed notes that there was no time to read."""
        return len(self._unread) + len(self._doubtful) + len(self._documents)

    @cached_property
    def _intake(self) -> Intake:
        from docs_rag.app.intake import Intake  # noqa: PLC0415  # only when a note changed

        return Intake(self._vault, self._store, self._rules, converter=self._converter)

    def before_query(self) -> Before:
        """Take in what changed since the last walk, within `BUDGET` seconds; never raises for a missing vault."""
        if not self._automatic:
            return Before(notices=self._notices(*self._settled()))
        if not self._store.writable:
            return Before(notices=self._notices(READ_ONLY, *self._settled()))
        started = self._clock()
        if started - self._walked > WALK_EVERY or self._unread or self._doubtful:
            self._walk(started)
        return Before(notices=self._notices(self._warning, *self._settled()), unread=self.unread)

    def _notices(self, *warnings: str) -> tuple[str, ...]:
        """The warnings, and what is to be said of notes that were read otherwise or not yet."""
        warning = "; ".join(filter(None, (*warnings, *self._missing)))
        if self._documents:
            warning = "; ".join(filter(None, (warning, WAITING.format(count=len(self._documents)))))
        if self._is_foreign():
            return (*filter(None, (warning,)), FOREIGN)
        if self._has_adopted and self._unread:
            return (*filter(None, (warning,)), ADOPTING.format(count=len(self._unread)))
        return (warning,) if warning else ()

    def _is_foreign(self) -> bool:
        """Whether the index holds notes that were read by another version or under other rules than these."""
        return self._make is not None and self._store.make() not in (None, str(self._make))

    def _adopt(self) -> None:
        """Let every note of a foreign index count as changed; once, since two servers could go on with it for ever."""
        if self._make is not None and self._is_foreign() and not self._has_adopted:
            self._has_adopted = True
            self._store.set_make(self._make)
            self._walked = float("-inf")

    def _walk(self, started: float) -> None:
        try:
            with self._store.hurried():
                self._adopt()
                if self._is_foreign():
                    return
                if self._clock() - self._walked > WALK_EVERY:
                    self._look(started)
                self._owes_vectors |= self._read_until(started + BUDGET) | self._recall_until(started + BUDGET)
                if not self._unread:
                    self._forget()
                self._remember()
            self._warning = ""
        except VaultError as error:
            self._warning = f"{error}; answers come from the index as it was"
            return
        except Busy:
            self._warning = BUSY
            return
        except DocsRagError as error:  # a full disk, an index that cannot be written
            self._warning = f"changed notes could not be taken in: {error}"
            return
        if self._owes_vectors:
            self._embed_until(started + BUDGET)

    def _look(self, started: float) -> None:
        self._seen = found = look(self._vault, self._store)
        self._walked = started
        known = found.known()
        changes = diff(found.stamps, known)
        if self._converter is not None and changes.removed:
            self._intake.follow(changes, known)
        changed = [*changes.added, *changes.modified]
        self._unread = [each for each in changed if not self._is_document(each)]
        self._sort_out([each for each in changed if self._is_document(each)], known)
        kept = kept_reasons(found.skipped)
        self._removed = [path for path in changes.removed if reason_to_keep(path, kept) is None]
        if self._removed:
            self._known = folders_by_root(self._store.folders.counts(), self._roots)
            self._found = found.found(self._roots)
        self._missing = tuple(each.message for each in kept.values() if each.code == MISSING_ROOT)

    def _sort_out(self, documents: Iterable[FileStamp], known: Mapping[DocPath, StoredStamp]) -> None:
        """Tell the documents that must be converted from those of which the kept text may be the right one.

        These were read too soon after their change to be sure of them, or only what stands beside them has changed.
        """
        waiting = [each for each in documents if self._may_convert(each)]
        doubtful = {each for each in waiting if self._may_be_kept(each)}

        def likely(each: FileStamp) -> tuple[bool, int]:
            return each.path in known and known[each.path].stamp == each, -each.size

        self._doubtful = sorted(doubtful, key=likely)
        self._documents = [each for each in waiting if each not in doubtful]

    def _may_be_kept(self, stamp: FileStamp) -> bool:
        """Whether something was made of a document that counts as long as its bytes are the same."""
        return self._converter is not None and not self._converter.is_outdated(stamp.path)

    def _is_document(self, stamp: FileStamp) -> bool:
        return self._converter is not None and self._converter.handles(stamp.path)

    def _may_convert(self, stamp: FileStamp) -> bool:
        """Whether a document is worth a try: none that is known to fail."""
        return self._converter is not None and self._converter.refusal(stamp) is None

    def convert_one(self, is_wanted: Callable[[], bool]) -> bool:
        """Take in one of the documents that wait; False when none does, or it cannot be written to the index.

        Raises `Interrupted` as soon as `is_wanted` is False: the document then waits on.
        """
        if not self._documents or not self._store.writable or self._is_foreign():
            return False
        try:
            with self._store.hurried():
                outcome = self._intake.take(self._documents[-1].path, effort=Effort(is_wanted=is_wanted))
                self._documents.pop()
                if not isinstance(outcome, Skipped) and outcome.changed:
                    self._owes_vectors = self._embedder is not None
                    self._resolve()
        except Busy:
            return False
        if not self._documents:
            self._rest()
        return True

    def _rest(self) -> None:
        """Let go of the process that converts: a server may live for days."""
        if self._converter is not None:
            self._converter.close()

    def _forget(self) -> None:
        """Forget deleted notes, unless so many are missing that the vault is not what it was.

        A note that only moved is not missing: its content is there under another name.
        """
        if not self._removed:
            return
        lacking = count_by_root([path for path in self._removed if not self._store.notes.has_twin(path)], self._roots)
        rash = vanished_roots(self._known, lacking, self._found)
        gone = [path for path in self._removed if split_root(path, self._roots)[0] not in rash]
        if gone:
            with self._store.batch():
                for path in gone:
                    self._intake.forget(path)
            self._resolve()
        self._removed = [path for path in self._removed if split_root(path, self._roots)[0] in rash]
        for name in sorted(rash):
            counts, place = f"{lacking[name]} of {self._known[name]}", f"root {name}" if name else "the vault"
            raise VaultError(f"{counts} indexed notes are missing from {place}, or left out by the config")

    def outdated(self) -> frozenset[str]:
        """Every note of the index whose file is gone or has changed; nothing when the vault cannot be listed."""
        try:
            found = look(self._vault, self._store)
        except VaultError:
            return frozenset(self._store.notes.stamps())
        now = {each.path: each for each in found.stamps}
        return frozenset(path for path, stored in found.known().items() if now.get(path) != stored.stamp)

    def has_settled(self) -> bool:
        """Whether notes came while the question was being answered, and how all stand was worked out again now."""
        return self._store.graph.is_unresolved() and not self._is_foreign() and not self._settled()

    def _read_until(self, deadline: float) -> bool:
        """Read changed notes; True when the text of one changed."""
        changed = False
        while self._unread and self._clock() < deadline:
            outcome = self._intake.take(self._unread[-1].path)
            self._unread.pop()
            changed = changed or (not isinstance(outcome, Skipped) and outcome.changed)
        if changed:
            self._resolve()
        return changed

    def _recall_until(self, deadline: float) -> bool:
        """Take in the documents that need no conversion; True when the text or the state of one changed."""
        changed = False
        while self._doubtful and self._clock() < deadline:
            document = self._doubtful[-1]
            try:
                outcome = self._intake.take(document.path, effort=KEPT)
                changed = changed or (not isinstance(outcome, Skipped) and outcome.changed)
            except Interrupted:
                self._documents.append(document)
            self._doubtful.pop()
        if changed:
            self._resolve()
        return changed

    def _resolve(self) -> None:
        self._intake.resolve()
        from docs_rag.core.timestamps import utc  # noqa: PLC0415  # only when a note changed

        self._store.set_updated_at(utc(time.time_ns()))

    def _settled(self) -> tuple[str, ...]:
        """Work the states out that a run has not come to, or was stopped before; why not, where that cannot be done.

        No file tells of that, and the user who wants notes to be taken in by `index` alone wants right states too.
        """
        if not self._store.graph.is_unresolved() or self._is_foreign():
            return ()
        if not self._store.writable:
            return (UNSETTLED,)
        try:
            with self._store.hurried():
                self._resolve()
        except DocsRagError:  # busy, a full disk
            return (UNSETTLED,)
        return ()

    def _remember(self) -> None:
        """Once everything has been taken in, let the next look pass over the folders that stay as they are."""
        if self._seen is None or self.unread or self._removed:
            return
        with suppress(Busy):  # then the next look goes into them again
            self._seen.remember(lambda stamp: not self._is_document(stamp))
        self._seen = None

    def _embed_until(self, deadline: float) -> None:
        """Use what is left of the time for vectors; a model that is down shows in the search itself."""
        from docs_rag.app.embedding import EmbeddingRun  # noqa: PLC0415  # only a search with a model comes here

        run = EmbeddingRun(self._store, self._embedder, clock=self._clock)
        try:
            with self._store.hurried():
                self._owes_vectors = not run.catch_up(deadline, MOST_CAUGHT_UP)
        except (EmbedderUnavailable, Busy):
            return

    def verify(self, paths: Iterable[str]) -> tuple[bool, frozenset[str]]:
        """Compare the files behind an answer with the index.

        Returns whether the index was brought up to date, so that the question must be asked again, and the notes
        that may not answer: their files are gone, or changed and not to be written to the index.
        """
        known = self._store.notes.stamps_of([DocPath(path) for path in paths])
        changed, gone = False, set[str]()
        for path, stored in known.items():
            now = self._vault.stamp(path)
            if now is None:
                gone.add(path)
            elif now != stored.stamp:
                outcome = self._take(path)
                if outcome is None or (isinstance(outcome, Skipped) and outcome.code not in KEPT_WHEN):
                    gone.add(path)
                elif isinstance(outcome, Skipped):
                    changed = changed or not stored.racy  # a stale note answers as such
                else:
                    changed = changed or outcome.changed  # a file of another time may say the same
        if changed:
            try:
                with self._store.hurried():
                    self._resolve()
            except Busy:
                self._warning = BUSY
        return changed, frozenset(gone)

    def _take(self, path: DocPath) -> Taken | Skipped | None:
        """Read one changed note into the index; None where that is not possible."""
        if not self._store.writable or self._is_foreign():
            return None
        try:
            with self._store.hurried():
                outcome = self._intake.take(path, effort=HURRIED)
            if not isinstance(outcome, Skipped) or outcome.code != "timeout":
                self._documents = [each for each in self._documents if each.path != path]
            return outcome
        except DocsRagError:
            return None
        finally:
            self._rest()
