"""The log of bugs: what a maintainer needs, in a file that its user alone can read."""

from __future__ import annotations

import os
import platform
import stat
import sys
import time
import traceback
from pathlib import Path
from typing import Final

from docs_rag import __version__
from docs_rag.core.timestamps import utc
from docs_rag.statefiles import private_folder, user_state_folder

NAME: Final = "docs-rag.log"
MOST_BYTES: Final = 1_000_000
"""A log that is larger begins anew."""
_MOST_ENTRY: Final = 50_000
"""Characters of one entry; its end, where the error itself stands, is kept."""
_FLAGS: Final = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Neither following a link nor waiting for a pipe: the folder may have come with a cloned project."""


def write(error: BaseException, state_dir: str | None) -> Path:
    """Append an error to the log in `state_dir`, or in the user's state folder where that cannot be.

    Returns the log's path. Raises `OSError`.
    """
    entry = _entry(error).encode("utf-8", "replace")
    if state_dir is not None:
        try:
            return _append(Path(state_dir, NAME), entry)
        except OSError:
            pass
    return _append(Path(private_folder(user_state_folder()), NAME), entry)


def _entry(error: BaseException) -> str:
    trace = "".join(traceback.format_exception(error))[-_MOST_ENTRY:]
    command = " ".join(sys.argv[1:2])
    made_by = f"docs-rag {__version__} {command}, Python {platform.python_version()}, {platform.platform()}"
    return f"{utc(time.time_ns())} {made_by}\n{trace}\n"


def _append(path: Path, entry: bytes) -> Path:
    descriptor = os.open(path, _FLAGS, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "not a regular file", str(path))
        if found.st_size > MOST_BYTES:
            file.truncate(0)
        file.write(entry)
    return path
