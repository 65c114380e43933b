"""Tells a person how far long work is: a bar on a terminal, a line with the time left elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Self

from docs_rag.cli import output

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE: Final = 1.0
"""Seconds of a phase after which its rate means something; shorter work is not spoken of."""
WORTH_SAYING: Final = 5.0
"""Seconds left from which on a line is worth its reading, where there is no bar."""


class TerminalProgress:
    """Implements `app.progress.Progress` on stderr; as a context manager it leaves no bar behind."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` counts seconds and never goes back."""
        self._clock = clock
        self._draws = output.in_colour(sys.stderr)
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._told = False
        self._phase = ""
        self._total = self._done = 0
        self._begun = 0.0

    def __enter__(self) -> Self:
        """Nothing is shown before there is something to show."""
        return self

    def __exit__(self, *_: object) -> None:
        """Wipe the bar away."""
        self._close()

    def begin(self, phase: str, total: int) -> None:
        """A phase of `total` steps begins; the one before it is over."""
        self._close()
        self._phase, self._total, self._done = phase, total, 0
        self._begun, self._told = self._clock(), False

    def step(self, count: int = 1) -> None:
        """`count` steps are done."""
        self._done += count
        elapsed = self._clock() - self._begun
        if elapsed < PATIENCE:
            return
        rate = self._done / elapsed
        if self._draws:
            self._draw(rate)
        elif not self._told:
            self._told = True
            self._estimate(rate)

    @property
    def reached(self) -> str:
        """How far the phase is that is not over: `embedding sections, 192 of 600`; empty before the first."""
        return f"{self._phase[:1].lower()}{self._phase[1:]}, {self._done} of {self._total}" if self._total else ""

    def say(self, message: str) -> None:
        """A line for the person who waits; it does not disturb the bar."""
        if self._bar is None:
            output.say(message)
        else:
            self._bar.console.print(message, markup=False, highlight=False)

    def _estimate(self, rate: float) -> None:
        left = (self._total - self._done) / rate
        if left >= WORTH_SAYING:
            output.say(f"{self._phase}: {self._total}, {rate:.1f} a second, about {in_words(left)} to go")

    def _draw(self, rate: float) -> None:
        if self._bar is None:
            self._bar = _new_bar()
            self._task = self._bar.add_task(self._phase, total=self._total, completed=self._done, rate="")
            self._bar.start()
        if self._task is not None:
            self._bar.update(self._task, completed=self._done, rate=f"{rate:.1f}/s")

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._bar = self._task = None


def in_words(seconds: float) -> str:
    """A length of time as people say it: `40 s`, `3 min`, `2 h 10 min`."""
    if seconds < 90:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _new_bar() -> Progress:
    from rich.console import Console  # noqa: PLC0415  # 70 ms that only long work should cost
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)
