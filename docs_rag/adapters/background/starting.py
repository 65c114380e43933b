"""Starts the background run from a process that lives on, with nothing of that process's in its hands."""

# The hook on Windows comes here: see `adapters.background.log`.
# ruff: noqa: PLC0415, PTH100

from __future__ import annotations

import os
import sys

from docs_rag.adapters.background.log import open_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess


def command(config: str) -> list[str]:
    """The call of a background run for the project with this config.

    `-P` keeps Python from importing modules that lie in a working folder, such as a cloned project.
    """
    return [sys.executable, "-P", "-m", "docs_rag", "index", "--background", "--config", config]


def start_process(config: str, state_dir: str) -> subprocess.Popen[bytes]:
    """Start a background run in a session of its own; what it has to say goes to the log. Raises `OSError`.

    It outlives whoever started it, who has to wait for it only if that process lives on.
    """
    import subprocess

    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    log = open_log(state_dir)
    try:
        return subprocess.Popen(
            command(config),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            cwd=os.path.abspath(os.sep),  # the root of a drive is in nobody's way
            creationflags=flags,
            close_fds=True,
            start_new_session=True,
        )
    finally:
        os.close(log)
