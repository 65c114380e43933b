"""Writes down how background runs ended: the last outcome for the hook and `doctor`, a log for people."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from docs_rag.adapters.background.log import open_log
from docs_rag.core.hookfiles import OUTCOME
from docs_rag.core.hookstate import as_bytes, last_run

if TYPE_CHECKING:
    from docs_rag.core.hookstate import LastRun

_MOST_BYTES = 100_000
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class RunRecords:
    """The records in one state folder."""

    def __init__(self, state_dir: str) -> None:
        """Name the folder; nothing is opened."""
        self._folder = state_dir
        self._outcome = Path(state_dir, OUTCOME)

    def last(self) -> tuple[LastRun | None, float]:
        """The last outcome, and when it was written, in seconds since 1970; 0.0 for none."""
        try:
            written = self._outcome.lstat().st_mtime
        except OSError:
            return None, 0.0
        return last_run(read_state_file(self._folder, OUTCOME)), written

    def keep(self, run: LastRun) -> None:
        """Replace the last outcome. Raises `OSError`."""
        replace_state_file(self._folder, OUTCOME, as_bytes(run))

    def log(self, line: str) -> None:
        """Append a line to the log; a log that cannot be written costs no run."""
        try:
            descriptor = open_log(self._folder)
        except OSError:
            return
        with os.fdopen(descriptor, "wb") as file:
            file.write(" ".join(line.split()).encode("utf-8", "replace") + b"\n")


def replace_state_file(state_dir: str, name: str, data: bytes) -> None:
    """Replace a file of the state folder as a whole, 0600. Raises `OSError`; the file is then as it was.

    Whoever writes a file of the state folder holds the lock that it belongs to, so one name does for what is being
    written: what a killed process left there is in the way of nothing, and does not grow.
    """
    temporary = Path(state_dir, f"{name}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        temporary.replace(Path(state_dir, name))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_state_file(state_dir: str, name: str) -> bytes | None:
    """The content of a small regular file of the state folder; None for any other, and for none."""
    try:
        descriptor = os.open(Path(state_dir, name), os.O_RDONLY | _NO_FOLLOW)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        data = file.read(_MOST_BYTES + 1)
    return data if len(data) <= _MOST_BYTES else None
