"""Changes files of the vault so that a change is made whole or not at all, and can be taken back.

What a change replaces is in the undo journal, on disk, before the first file is touched. Each file is replaced in one
step by a prepared one. A process that is killed in between leaves files that are as before or as after, and a journal
that knows of it.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from typing import Final

from docs_rag.adapters.files.journal import Journal, Mark
from docs_rag.adapters.files.places import Place, reach, trouble
from docs_rag.core.digests import Digest, bytes_digest
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import Batch, Edit, MoveFile, WriteFile, inverse, touched
from docs_rag.core.rootpaths import split_root
from docs_rag.core.timestamps import utc
from docs_rag.errors import DocsRagError

NO_ROOTS: Final[Mapping[str, str]] = {}
_MOST_OLD: Final = 100_000_000
"""Bytes that one change may replace: they are kept in the journal."""


class FolderFiles:
    """The files of one folder, and of others beside it; answers the `Files` port."""

    def __init__(
        self,
        root: str,
        journal: str,
        *,
        roots: Mapping[str, str] = NO_ROOTS,
        lock: Callable[[], AbstractContextManager[object]] = nullcontext,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """`journal` is the path of the undo journal; `lock` keeps other processes out for the time of a change.

        `roots` are other folders (absolute) by the names that paths of their files begin with; each is contained on
        its own, as `root` is.

        Nothing is opened yet. `now_ns` is the wall clock.
        """
        self._root = root
        self._roots = roots
        self._journal = Journal(journal, os.path.realpath(root))
        self._lock = lock
        self._now_ns = now_ns

    def read(self, path: DocPath) -> bytes | None:
        """What a file holds now; None when there is none. Raises `DocsRagError`."""
        with self._reach(path) as place:
            return _read(place)

    def last(self) -> Batch | None:
        """The newest change that was not taken back; None when there is none. Raises `DocsRagError`."""
        return next(reversed(self._journal.batches()), None)

    def apply(self, edits: Sequence[Edit], what: str) -> Batch:
        """Make all of these edits or none; `what` says in a few words what they are for.

        Raises `DocsRagError` when a file is not as an edit expects it, or cannot be written; then nothing changed.
        """
        with self._lock(), self._reached(edits) as places:
            self._clean_up(self.last())
            former = [self._expected(edit, places) for edit in edits]
            if sum(len(each or b"") for each in former) > _MOST_OLD:
                raise DocsRagError("too much to change in one step", "name fewer notes")
            inverses = tuple(inverse(edit, old) for edit, old in zip(edits, former, strict=True))[::-1]
            batch = Batch(id=secrets.token_hex(8), at=utc(self._now_ns()), what=what, inverses=inverses)
            self._journal.begin(batch)
            try:
                self._make(edits, places, batch.id)
            except OSError as error:
                raise _failed(error, self._revert(batch, places)) from error
            except BaseException:
                self._revert(batch, places)
                raise
            self._journal.mark(batch, Mark.DONE)
        return batch

    def due(self, batch: Batch) -> tuple[Edit, ...]:
        """What taking a change back would do now: an interrupted one did not come to all of its files.

        Raises `DocsRagError` when a file is no longer as the change left it.
        """
        with self._reached(batch.inverses) as places:
            return tuple(each for each in batch.inverses if self._is_due(each, batch, places))

    def undo(self, batch: Batch) -> tuple[DocPath, ...]:
        """Take the newest change back; returns the paths that were written.

        A change that was interrupted may have come to any of its files or to none. Raises `DocsRagError` when the
        change is no longer the newest, or a file is no longer as it left it; then nothing changed.
        """
        with self._lock(), self._reached(batch.inverses) as places:
            newest = self.last()
            if newest is None or newest.id != batch.id:
                raise DocsRagError("the journal has changed meanwhile", "run it again: docs-rag undo")
            wanted = [each for each in newest.inverses if self._is_due(each, newest, places)]
            self._clean_up(newest)
            self._journal.mark(newest, Mark.UNDOING)
            try:
                self._make(wanted, places, newest.id)
            except OSError as error:
                raise _failed(error, is_as_before=False) from error
            self._journal.mark(newest, Mark.UNDONE)
        return touched(wanted)

    def _reach(self, path: DocPath) -> AbstractContextManager[Place]:
        name, rest = split_root(path, self._roots)
        return reach(self._roots[name], rest, called=path) if name else reach(self._root, path)

    @contextmanager
    def _reached(self, edits: Sequence[Edit]) -> Iterator[dict[DocPath, Place]]:
        """The places of all files that edits touch; two names of one file are refused."""
        with ExitStack() as stack:
            places = {path: stack.enter_context(self._reach(path)) for path in touched(edits)}
            seen: dict[str, DocPath] = {}
            for path, place in places.items():
                if place.real in seen:
                    raise DocsRagError(f"{seen[place.real]} and {path} are one and the same file", "name it once")
                seen[place.real] = path
            yield places

    def _expected(self, edit: Edit, places: dict[DocPath, Place]) -> bytes | None:
        """What the file of an edit holds. Raises `DocsRagError` when that is not what the edit expects."""
        held = _read(places[edit.path])
        if _digest(held) != edit.before:
            gone = "is gone" if held is None else "has changed" if edit.before is not None else "is there by now"
            raise DocsRagError(f"{edit.path} {gone} since it was read; nothing was written", "run the command again")
        if isinstance(edit, MoveFile):
            if places[edit.path].is_link:
                raise DocsRagError(f"{edit.path} is a link", "move the file that it leads to")
            if _read(places[edit.to]) is not None:
                raise DocsRagError(f"{edit.to} is there already; nothing was moved", "choose another name")
        return held

    def _is_due(self, edit: Edit, batch: Batch, places: dict[DocPath, Place]) -> bool:
        """Whether an inverse is to be made: False when an interrupted change did not come to its file.

        Raises `DocsRagError` when the file is neither as the change left it nor, after an interruption, as before it.
        """
        held = _digest(_read(places[edit.path]))
        if isinstance(edit, MoveFile):
            target = _digest(_read(places[edit.to]))
            is_left, is_former = (held, target) == (edit.before, None), (held, target) == (None, edit.before)
            if batch.interrupted and _is_halfway(edit, places):
                return True
        else:
            is_left, is_former = held == edit.before, held == _digest(edit.after)
        if is_left or (batch.interrupted and is_former):
            return is_left
        raise DocsRagError(
            f"{edit.path} is no longer as '{batch.what}' left it; nothing was taken back",
            f"what it held before is in the undo journal, {batch.at}",
        )

    def _make(self, edits: Sequence[Edit], places: dict[DocPath, Place], mark: str) -> None:
        """Prepare everything, then give the names, one file after the other. Raises `OSError`, `DocsRagError`."""
        for number, edit in enumerate(edits):
            if isinstance(edit, WriteFile) and edit.after is not None:
                places[edit.path].prepare(edit.after, _temporary(mark, number))
        for number, edit in enumerate(edits):
            place = places[edit.path]
            if isinstance(edit, MoveFile) and _is_halfway(edit, places):
                place.remove()
                continue
            self._expected(edit, places)
            if isinstance(edit, MoveFile):
                place.move(places[edit.to])
            elif edit.after is None:
                place.remove()
            elif edit.before is None:
                place.give(_temporary(mark, number))
            else:
                place.take(_temporary(mark, number))

    def _revert(self, batch: Batch, places: dict[DocPath, Place]) -> bool:
        """After a failure: take back what was done; False when that failed too, and is left to `undo`."""
        begun = Batch(id=batch.id, at=batch.at, what=batch.what, inverses=batch.inverses, interrupted=True)
        try:
            self._remove_prepared(batch, places)
            self._make([each for each in batch.inverses if self._is_due(each, begun, places)], places, batch.id)
            self._journal.mark(batch, Mark.UNDONE)
        except (OSError, DocsRagError):
            return False
        return True

    def _clean_up(self, newest: Batch | None) -> None:
        """Take away what a killed process had prepared and not used."""
        if newest is not None and newest.interrupted:
            with suppress(OSError, DocsRagError), self._reached(newest.inverses) as left:
                self._remove_prepared(newest, left)

    def _remove_prepared(self, batch: Batch, places: dict[DocPath, Place]) -> None:
        for number in range(len(batch.inverses)):
            for place in places.values():
                place.discard(_temporary(batch.id, number))


def _temporary(mark: str, number: int) -> str:
    return f".docs-rag-{mark}-{number}.tmp"


def _read(place: Place) -> bytes | None:
    try:
        return place.read()
    except OSError as error:
        raise trouble(place.path, error) from error


def _is_halfway(edit: MoveFile, places: dict[DocPath, Place]) -> bool:
    """Whether a file has both names already, as a process leaves it that is killed while it moves one."""
    return places[edit.path].is_same(places[edit.to])


def _digest(data: bytes | None) -> Digest | None:
    return None if data is None else bytes_digest(data)


def _failed(error: OSError, is_as_before: bool) -> DocsRagError:
    why = (error.strerror or type(error).__name__).lower()
    hint = "no note was changed" if is_as_before else "some notes may have been; to take that back: docs-rag undo"
    return DocsRagError(f"the notes could not be written: {why}", hint)
