"""Lets one step of a piece of work go wrong: an SQL statement or a call that changes files, counted from its start.

The work runs in a forked child, so that it can be killed; the parent looks at what is left. Statements and Python's own
calls can be counted on every POSIX system; SQLite's calls only where `syscalls.c` could be built and was preloaded.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
import sqlite3
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

SOURCE: Final = Path(__file__).with_name("syscalls.c")
_PYTHON_CALLS: Final = ("open", "write", "fsync", "replace", "rename", "link", "unlink", "mkdir", "ftruncate")


class Way(IntEnum):
    """What happens at the step; the numbers are those of `syscalls.c`."""

    KILL = 1
    TEAR = 2
    """Killed when half of what was to be written is written."""
    FAIL_ONCE = 3
    FAIL_FROM = 4
    """This call fails and all after it, as on a disk that is full and stays so."""


def build(folder: Path) -> Path | None:
    """The library that counts system calls, or None where it cannot be made."""
    library = folder / "syscalls.so"
    command = [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    if not sys.platform.startswith("linux"):
        return None
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return library if done.returncode == 0 else None


def is_preloaded() -> bool:
    """Whether this process counts system calls."""
    return hasattr(ctypes.CDLL(None), "faults_arm")


def at_call(step: int, way: Way, code: int = 0) -> None:
    """Let the call number `step` from now on go wrong; `code` is the error of those that fail."""
    ctypes.CDLL(None).faults_arm(ctypes.c_long(step), int(way), code)


def counting_calls() -> Callable[[], int]:
    """Count the calls from now on; returns what tells the count."""
    at_call(1 << 60, Way.KILL)
    return lambda: int(ctypes.CDLL(None).faults_seen())


def counting_statements() -> Callable[[], int]:
    """Count statements and Python's calls from now on; returns what tells the count."""
    seen = [0]

    def strike() -> None:
        seen[0] += 1

    _watch(strike)
    return lambda: seen[0]


def at_statement(step: int) -> None:
    """Kill this process as the SQL statement number `step`, or one of Python's own calls, begins."""
    count = itertools.count()

    def strike() -> None:
        if next(count) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    _watch(strike)


def _watch(strike: Callable[[], None]) -> None:
    """Have `strike` called before each SQL statement, and each call of Python's that may change files."""

    def wrap(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            strike()
            return real(*arguments, **options)

        return call

    real_connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        made = real_connect(*arguments, **options)
        made.set_trace_callback(lambda _: strike())
        return made

    setattr(sqlite3, "connect", connect)  # noqa: B010
    for name in _PYTHON_CALLS:
        setattr(os, name, wrap(getattr(os, name)))


def after(seconds: float) -> None:
    """Kill this process when so much time has passed, wherever it is then."""
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # its default is to end the process, without a word


def forked(work: Callable[[], int], log: Path, arm: Callable[[], None] | None = None) -> int | None:
    """Do `work` in a child with its output in `log`; returns its exit status, or None when it was killed."""
    child = os.fork()
    if child == 0:
        status = 70
        try:
            _redirect(log)
            if arm is not None:
                arm()
            status = work()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    ended = os.waitpid(child, 0)[1]
    return None if os.WIFSIGNALED(ended) else os.waitstatus_to_exitcode(ended)


def _redirect(log: Path) -> None:
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(target, 1)
    os.dup2(target, 2)


def lasts(work: Callable[[], int], log: Path) -> float:
    """Seconds that the work takes when nothing goes wrong."""
    begun = time.monotonic()
    assert forked(work, log) == 0, log.read_text(encoding="utf-8", errors="replace")
    return time.monotonic() - begun
