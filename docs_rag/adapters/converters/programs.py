"""Runs programs that read what this project does not read itself, within bounds of time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.failing import Unconvertible

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS: Final = 25
"""Less than a conversion may take as a whole, so that no program outlives it."""


def find(names: Sequence[str]) -> str | None:
    """The first of these programs that is on the path."""
    return next((found for name in names if (found := shutil.which(name)) is not None), None)


def run(command: Sequence[str], data: bytes = b"", *, seconds: float = SECONDS) -> bytes:
    """What a program writes when it reads `data`; raises `Unconvertible`: `timeout`, or `damaged` when it fails."""
    program = os.path.basename(command[0])  # noqa: PTH119 - a name, not a file
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # what it starts itself ends with it
        )
    except OSError as failure:
        raise Unconvertible("unsupported", f"{program} cannot be started: {failure.strerror}") from None
    try:
        output, complaint = child.communicate(data, timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(child)
        raise Unconvertible("timeout", f"{program} took longer than {seconds:g} s to read the file") from None
    if child.returncode:
        lines = complaint.decode("utf-8", "replace").strip().splitlines()
        said = f": {lines[-1][:200]}" if lines else ""
        raise Unconvertible("damaged", f"{program} cannot read the file{said}")
    return output


def _end(child: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.communicate()
