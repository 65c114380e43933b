"""Stdin and stdout belong to the protocol alone: everything else that writes or reads there is sent elsewhere.

The SDK does the same while it serves. Here it is done before anything else is imported and never undone, so that
not even a library that prints when it is loaded, or at the very end, can break a frame.
"""

from __future__ import annotations

import os
from typing import BinaryIO


def take_over() -> tuple[BinaryIO, BinaryIO]:
    """Where the host's bytes come from, and where ours go to, unbuffered.

    From then on descriptor 0 is empty and descriptor 1 leads to stderr, for this process and all libraries in it.
    """
    _open_missing()
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb", buffering=0)


def _open_missing() -> None:
    """Give standard descriptors that the host left closed to the null device, before a frame gets their number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is taken, and those below are open by now.
            os.open(os.devnull, os.O_RDWR)
