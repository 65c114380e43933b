"""Conversions in a process of their own, within limits of time, memory and output, ended when a document breaks them.

One process converts many documents; a new one takes over after a crash, a timeout, or a few hundred documents.
"""

# Paths are plain text here, as everywhere around the vault.
# ruff: noqa: PTH120

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from docs_rag.adapters.converters import CONVERTERS, Row
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.wire import MORE, SCRATCH, Garbled, receive, send, unpack
from docs_rag.core.ports import Interrupted
from docs_rag.errors import DocsRagError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from docs_rag.core.converted import Converted

MOST_DOCUMENTS: Final = 300
"""That one process converts: libraries leak."""
MOST_SECONDS: Final = 3600.0
"""For one document, however often its converter asks for more time."""
LOOK_EVERY: Final = 0.1
"""Seconds between two looks at whether a conversion is still wanted."""
COMMAND: Final = (sys.executable, "-P", "-m", "docs_rag.adapters.converters.child")
"""-P: a folder called docs_rag where the user stands must not be taken for ours."""


class Worker:
    """Converts one document after the other. Not for use from two threads at once; `close` ends the process."""

    def __init__(self, rows: Mapping[str, Row] = CONVERTERS, command: Sequence[str] = COMMAND) -> None:
        """Nothing is started before the first document; `command` starts a process that has these `rows`."""
        self._rows = rows
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Callable[[], object] = lambda: None
        self._done = 0

    def convert(
        self,
        suffix: str,
        data: bytes,
        name: str,
        *,
        seconds: float | None = None,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> Converted:
        """The document with this suffix, a row of the table; at most the row's time, or `seconds` if that is less.

        A converter that gets on may ask for more time (`pace`), which it gets where `seconds` is None. Raises
        `Unconvertible`, and `Interrupted` as soon as `is_wanted` says so.
        """
        limit = self._rows[suffix].seconds
        limit, most = (limit, MOST_SECONDS) if seconds is None else (min(limit, seconds), 0.0)
        try:
            return self._converted(_Request(suffix, name, data), _Deadline(limit, most), is_wanted)
        except BaseException as error:
            if not isinstance(error, Unconvertible) or error.code == "timeout":
                self.close()
            raise

    def _converted(self, request: _Request, deadline: _Deadline, is_wanted: Callable[[], bool]) -> Converted:
        process = self._ready()
        replies: SimpleQueue[_Reply] = SimpleQueue()
        Thread(target=_talk, args=(process, request, replies), daemon=True).start()
        while True:
            try:
                reply = replies.get(timeout=max(0.0, min(LOOK_EVERY, deadline.left())))
                if reply is None or MORE not in reply[0]:
                    break
                deadline.move(reply[0][MORE])
            except Empty:
                if deadline.left() <= 0:
                    raise Unconvertible("timeout", f"converting it took longer than {deadline.limit:g} s") from None
                if not is_wanted():
                    raise Interrupted from None
        self._done += 1
        if reply is None:
            self.close()
            raise Unconvertible("damaged", "the program that reads it broke down on it")
        try:
            return unpack(*reply)
        except Garbled:
            self.close()
            raise Unconvertible("damaged", "the program that reads it broke down on it") from None

    def _ready(self) -> subprocess.Popen[bytes]:
        """The process, started if there is none that can go on."""
        if self._process is not None and (self._process.poll() is not None or self._done >= MOST_DOCUMENTS):
            self.close()
        if self._process is None:
            self._process, scratch = _begin(self._command)
            self._end = weakref.finalize(self, _end, self._process, scratch)  # also where nobody calls `close`
            self._done = 0
        return self._process

    def close(self) -> None:
        """End the process with all that it started, and remove what it left behind."""
        self._process = None
        self._end()


class _Deadline:
    """When a conversion is ended."""

    def __init__(self, limit: float, most: float) -> None:
        """In `limit` seconds; it can be moved to `most` seconds from now, if that is more."""
        self.limit = limit
        self._start = time.monotonic()
        self._most = most

    def left(self) -> float:
        """Seconds until then."""
        return self._start + self.limit - time.monotonic()

    def move(self, seconds: object) -> None:
        """So many seconds from now, if that is later and allowed."""
        if isinstance(seconds, int | float):
            wanted = time.monotonic() - self._start + min(seconds, MOST_SECONDS)  # it may be larger than any float
            self.limit = max(self.limit, min(wanted, self._most))


class _Request:
    """One document on its way."""

    __slots__ = ("data", "header")

    def __init__(self, suffix: str, name: str, data: bytes) -> None:
        self.header = {"suffix": suffix, "name": name}
        self.data = data


_Reply = tuple[dict[str, object], bytes] | None


def _talk(process: subprocess.Popen[bytes], request: _Request, replies: SimpleQueue[_Reply]) -> None:
    """Hand a document over and wait for the reply, which requests for time may precede; None: none will come."""
    try:
        send(cast("BinaryIO", process.stdin), request.header, request.data)
        while (reply := receive(cast("BinaryIO", process.stdout))) is not None and MORE in reply[0]:
            replies.put(reply)
        replies.put(reply)
    except (OSError, ValueError, Garbled):
        replies.put(None)


def _begin(command: Sequence[str]) -> tuple[subprocess.Popen[bytes], tempfile.TemporaryDirectory[str]]:
    """The process with the folder that it may write to; raises `DocsRagError` where there can be none."""
    try:
        scratch = tempfile.TemporaryDirectory(prefix=SCRATCH, ignore_cleanup_errors=True)
        try:
            return _start(command, scratch.name), scratch
        except BaseException:
            scratch.cleanup()
            raise
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise DocsRagError(
            f"documents cannot be read, for their reader cannot be started: {why}",
            "make room for temporary files, or name a folder with room in TMPDIR",
        ) from error


def _start(command: Sequence[str], scratch: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=scratch,
        env=_environment(scratch),
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _environment(scratch: str) -> Mapping[str, str]:
    """This process's own, with our package in reach and temporary files in a folder that is removed."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))  # noqa: PTH100
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH", ""))))
    return {
        **os.environ,
        "PYTHONPATH": path,
        "PYTHONUTF8": "1",
        "PYTHONSAFEPATH": "1",
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), scratch),
    }


def _end(process: subprocess.Popen[bytes], scratch: tempfile.TemporaryDirectory[str]) -> None:
    """Kill a process and its children, and remove their temporary files."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError, ValueError):
            if pipe is not None:
                pipe.close()
    scratch.cleanup()
