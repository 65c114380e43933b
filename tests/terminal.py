"""Runs commands on a terminal, and types what they ask for."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time

from commandline import SECONDS


def on_terminal(arguments: list[str], typed: str, env: dict[str, str], *, module: bool = True) -> tuple[int, str]:
    """Run on a terminal and type; returns the exit status and everything that was shown.

    `arguments` are those of `docs-rag`, or with `module` false those of Python.
    """
    ours, theirs = os.openpty()
    command = [sys.executable, *(["-m", "docs_rag"] if module else []), *arguments]
    environment = {**os.environ, **env}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        os.write(ours, typed.encode("utf-8"))
        shown = b""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until and select.select([ours], [], [], SECONDS)[0]:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux says that nobody is there any more
                break
            if not part:
                break
            shown += part
        status = process.wait(timeout=SECONDS)
    os.close(ours)
    return status, shown.decode("utf-8", "replace")
