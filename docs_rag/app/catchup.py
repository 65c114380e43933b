"""Taking changed notes in when somebody asks for it: more than a question has time for, and within bounds still."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from itertools import chain
from typing import TYPE_CHECKING, Final

from docs_rag.app.finding import no_such_note
from docs_rag.app.intake import Intake, Taken
from docs_rag.app.looking import folders_by_root, look
from docs_rag.app.refreshing import BUSY, FOREIGN
from docs_rag.core.catchup import CaughtUp
from docs_rag.core.changes import diff, kept_reasons, reason_to_keep, vanished_roots
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.ports import Effort
from docs_rag.core.rootpaths import count_by_root, split_root
from docs_rag.core.timestamps import utc
from docs_rag.errors import Busy

if TYPE_CHECKING:
    from docs_rag.core.changes import Changes
    from docs_rag.core.documents import FileStamp
    from docs_rag.core.identity import Make
    from docs_rag.core.ports import Surveyed
    from docs_rag.core.storage import Store

MOST_FILES: Final = 200
MOST_SECONDS: Final = 20.0
READ_ONLY: Final = "the index is read-only here: nothing was taken in"
VANISHED: Final = "{lacking} of {known} notes are missing and none was removed; if that is right, run: docs-rag index"


class CatchUp:
    """Brings an index up to its vault: text and states; vectors are made elsewhere."""

    def __init__(
        self,
        vault: Surveyed,
        store: Store,
        intake: Intake,
        make: Make,
        clock: Callable[[], float] = time.monotonic,
        *,
        roots: Collection[str] = (),
    ) -> None:
        """`make` is what `intake` reads notes with: an index of another make is left to `docs-rag index`.

        `roots`: what the paths of notes in other folders begin with.
        """
        self._roots = roots
        self._vault = vault
        self._store = store
        self._intake = intake
        self._make = make
        self._clock = clock

    def run(self, path: str = "") -> CaughtUp:
        """Take in what changed in a note or below a folder, which count from the vault; the whole of it for "".

        At most `MOST_FILES` files are read, and none is begun after `MOST_SECONDS`. Raises `VaultError` when the
        vault is not there, `NotThere` for a path at which there is nothing.
        """
        if not self._store.writable:
            return CaughtUp(notices=(READ_ONLY,))
        if self._store.make() not in (None, str(self._make)):
            return CaughtUp(notices=(FOREIGN,))
        run = _Run(self._vault, self._store, self._intake, path, roots=self._roots)
        deadline = self._clock() + MOST_SECONDS
        try:
            with self._store.hurried():
                run.read(lambda: deadline - self._clock())
                run.forget()
                if self._intake.resolve() or run.has_changed:
                    self._store.set_updated_at(utc(time.time_ns()))
        except Busy:
            run.notices.append(BUSY)
        return run.result()


class _Run:
    """One call."""

    def __init__(self, vault: Surveyed, store: Store, intake: Intake, path: str, *, roots: Collection[str]) -> None:
        self._store = store
        self._roots = roots
        self._intake = intake
        found = look(vault, store, trusting=not path)
        self._skipped = found.skipped
        known = found.known()
        self._sizes = folders_by_root(store.folders.counts(), roots), found.found(roots)
        self._path = path
        here = chain(known, (each.path for each in found.stamps), (each.path for each in found.skipped))
        if path and not any(map(self._is_wanted, here)):
            raise no_such_note(store, path, path)
        self._changes = self._narrowed(diff(found.stamps, known), found.stamps)
        intake.follow(self._changes, known)
        self._work = [*self._changes.modified, *self._changes.added]
        self._is_new = {each.path for each in self._changes.added}
        self._added: list[str] = []
        self._modified: list[str] = []
        self._removed: list[str] = []
        self._failed = [each for each in self._skipped if self._is_wanted(each.path)]
        self._unchanged = self._changes.unchanged + found.unchanged
        self.notices: list[str] = []

    @property
    def has_changed(self) -> bool:
        return bool(self._added or self._modified or self._removed)

    def _is_wanted(self, path: str) -> bool:
        return not self._path or path == self._path or path.startswith(f"{self._path}/")

    def _narrowed(self, changes: Changes, stamps: list[FileStamp]) -> Changes:
        added = tuple(each for each in changes.added if self._is_wanted(each.path))
        modified = tuple(each for each in changes.modified if self._is_wanted(each.path))
        return type(changes)(
            added=added,
            modified=modified,
            removed=tuple(filter(self._is_wanted, changes.removed)),
            unchanged=sum(self._is_wanted(each.path) for each in stamps) - len(added) - len(modified),
        )

    def read(self, seconds_left: Callable[[], float]) -> None:
        """Read changed notes while there is time; a document that needs more than is left waits for another call."""
        for _ in range(min(MOST_FILES, len(self._work))):
            if (seconds := seconds_left()) <= 0:
                return
            outcome = self._intake.take(self._work[0].path, effort=Effort(seconds))
            if isinstance(outcome, Skipped) and outcome.code == "timeout" and seconds_left() <= 0:
                return
            self._note(outcome)
            self._work.pop(0)

    def _note(self, outcome: Taken | Skipped) -> None:
        if isinstance(outcome, Skipped):
            self._failed.append(outcome)
        elif outcome.path in self._is_new:
            self._added.append(outcome.path)
        elif outcome.changed:
            self._modified.append(outcome.path)
        else:
            self._unchanged += 1

    def forget(self) -> None:
        """Remove the notes whose files are gone, unless so many are that the vault is not what it was.

        A note that only moved is not missing: its content is there under another name, if that was read by now.
        """
        kept = kept_reasons(self._skipped)
        gone = [path for path in self._changes.removed if reason_to_keep(path, kept) is None]
        lacking = count_by_root([path for path in gone if not self._store.notes.has_twin(path)], self._roots)
        rash = vanished_roots(self._sizes[0], lacking, self._sizes[1])
        for name in sorted(rash):
            known = f"{self._sizes[0][name]}" + (f" in root {name}" if name else "")
            self.notices.append(VANISHED.format(lacking=lacking[name], known=known))
        gone = [path for path in gone if split_root(path, self._roots)[0] not in rash]
        with self._store.batch():
            for path in gone:
                self._intake.forget(DocPath(path))
        self._removed = list(gone)

    def result(self) -> CaughtUp:
        return CaughtUp(
            added=tuple(self._added),
            modified=tuple(self._modified),
            removed=tuple(self._removed),
            failed=tuple(self._failed),
            unchanged=self._unchanged,
            left=len(self._work),
            notices=tuple(self.notices),
        )
