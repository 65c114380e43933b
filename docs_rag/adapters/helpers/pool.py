"""Helpers of this process: started with the first task, each with pipes of its own, ended with it or before.

They inherit nothing but their pipes, least of all the standard input and output of a server, and are out of reach of
a Ctrl-C in its terminal. When one breaks down, what it had to do is left to the caller, and the others go on.
"""

# Paths are plain text here, as everywhere around the vault.
# ruff: noqa: PTH100, PTH120

from __future__ import annotations

import os
import subprocess
import sys
import weakref
from collections import deque
from contextlib import suppress
from itertools import cycle
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from docs_rag.adapters.helpers.frames import receive, send

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

MOST: Final = 4
"""Helpers at most: one process writes, and could not keep up with more."""
AHEAD: Final = 8
"""Tasks that a helper has at most, so that it has enough while its owner writes."""
COMMAND: Final = (sys.executable, "-P", "-m")
"""-P: a folder called docs_rag where the user stands must not be taken for ours."""


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class HelperPool:
    """Answers the `Helpers` port. For one caller and one run of `work`; `close` ends the processes."""

    def __init__(self, module: str, first: bytes, count: int, command: Sequence[str] = COMMAND) -> None:
        """`count` processes that run `module`, each of which gets the message `first` before any task."""
        self._command = (*command, module)
        self._first = first
        self._count = count
        self._helpers: list[_Helper] = []

    def work(self, tasks: Iterable[bytes]) -> Generator[bytes | None]:
        """A reply for each task, in order; None for one that no helper did."""
        given: deque[_Helper | None] = deque()
        try:
            self._start()
            turns = cycle(self._helpers or [None])
            for task in tasks:
                given.append(_given(next(turns), task))
                if len(given) > AHEAD * len(self._helpers):
                    yield _reply(given.popleft())
            while given:
                yield _reply(given.popleft())
        finally:
            self.close()

    def _start(self) -> None:
        with suppress(OSError):
            for _ in range(self._count):
                helper = _Helper(self._command)
                self._helpers.append(helper)
                helper.give(self._first)

    def close(self) -> None:
        """End the processes."""
        for helper in self._helpers:
            helper.end()
        self._helpers.clear()


class _Helper:
    """One process."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it; raises `OSError`."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self.end = weakref.finalize(self, _end, self._process)  # also where nobody calls `close`

    def give(self, message: bytes) -> None:
        """Hand a message over; one that has broken down shows in its reply."""
        with suppress(OSError, ValueError):
            send(cast("BinaryIO", self._process.stdin), message)

    def reply(self) -> bytes | None:
        """The next reply, None when there will be none."""
        try:
            return receive(cast("BinaryIO", self._process.stdout))
        except (OSError, ValueError):
            return None


def _given(helper: _Helper | None, task: bytes) -> _Helper | None:
    if helper is not None:
        helper.give(task)
    return helper


def _reply(helper: _Helper | None) -> bytes | None:
    return None if helper is None else helper.reply()


def _environment() -> Mapping[str, str]:
    """This process's own, with our package in reach."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", "PYTHONSAFEPATH": "1"}


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError, ValueError):
            if pipe is not None:
                pipe.close()
    process.wait()
