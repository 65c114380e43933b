"""Runs of the indexer that nobody waits for: one at a time in a project, one in half a minute, none too few.

Whoever edits sets the mark first and looks at the lock then; whoever works gives the lock back first and looks at the
mark again then. So an edit is either seen by the process at work or starts another one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from docs_rag.core.hookstate import LastRun, following
from docs_rag.core.timestamps import utc

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WINDOW: Final = 30.0
"""Seconds between the end of a run and the begin of the next."""
MOST_TRIES: Final = 120
"""So often, a window apart, a run finds another `index` at work before it gives up; the mark stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How one run of the indexer ended."""

    ok: bool
    message: str
    """What was done, or what the user has to know."""
    taken_in: bool = True
    """Whether text and status of all notes are in the index now; vectors may be missing."""
    is_busy: bool = False
    """Whether nothing was done because another run holds the index."""


class Marks(Protocol):
    """The mark that edits set."""

    def is_set(self) -> bool:
        """True while an edit waits."""
        ...

    def is_new(self) -> bool:
        """True when something was edited since the last run began."""
        ...

    def take(self) -> list[str]:
        """Take the edits over, before the vault is looked at."""
        ...

    def done(self) -> None:
        """What was taken over is in the index."""
        ...


class WorkerLock(Protocol):
    """Held by the one process of a project that works in the background."""

    def acquire(self) -> bool:
        """Take it if it is free, or go on holding it."""
        ...

    def release(self) -> None:
        """Give it back."""
        ...


class Records(Protocol):
    """Where it is written down how runs ended."""

    def last(self) -> tuple[LastRun | None, float]:
        """The last outcome, and when it was written, in seconds since 1970; 0.0 for none."""
        ...

    def keep(self, run: LastRun) -> None:
        """Replace the last outcome."""
        ...

    def log(self, line: str) -> None:
        """Write a line for people."""
        ...


class Background:
    """One process's share of the background work of a project."""

    def __init__(
        self,
        marks: Marks,
        lock: WorkerLock,
        records: Records,
        run: Callable[[Sequence[str]], Ended],
        *,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`run` indexes once, files that were edited first, and raises for nothing but an interruption.

        `now` is the wall clock.
        """
        self._marks = marks
        self._lock = lock
        self._records = records
        self._run = run
        self._now = now
        self._sleep = sleep
        self._ended = 0.0
        self._tries = 0

    def work(self) -> None:
        """Index until no edit waits; does nothing when none does, or when another process is at it."""
        is_due = self._marks.is_set
        while is_due() and self._tries < MOST_TRIES and self._lock.acquire():
            try:
                self._until_clean(is_due)
            finally:
                self._lock.release()
            is_due = self._marks.is_new  # what failed waits for the next edit

    def _until_clean(self, is_due: Callable[[], bool]) -> None:
        while is_due() and self._tries < MOST_TRIES:
            self._wait_out_the_window()
            edited = self._marks.take()
            ended = self._run(edited)
            self._ended = self._now()
            self._write_down(ended, edited)
            if ended.taken_in:
                self._marks.done()
            self._tries = self._tries + 1 if ended.is_busy else 0
            is_due = self._marks.is_set if ended.taken_in or ended.is_busy else self._marks.is_new

    def _wait_out_the_window(self) -> None:
        """A clock that was set back must not make it wait longer."""
        passed = self._now() - max(self._records.last()[1], self._ended)
        if 0 <= passed < WINDOW:
            self._sleep(WINDOW - passed)

    def _write_down(self, ended: Ended, edited: Sequence[str]) -> None:
        at = utc(int(self._ended * 1_000_000_000))
        if not ended.is_busy:
            self._records.keep(following(self._records.last()[0], at=at, ok=ended.ok, message=ended.message))
        self._records.log(f"{at} {_named(edited)}: {ended.message}")


def _named(edited: Sequence[str]) -> str:
    if not edited:
        return "left over"
    return edited[0] + (f" and {len(edited) - 1} more" if len(edited) > 1 else "")
