"""A helper's side: tasks come in on standard input, replies go out on standard output, until whoever asks is gone.

Reading and writing have threads of their own, so that neither side ever waits for the other to read, and so that a
helper whose owner was killed ends at once and not with its task. The work itself is done in the main thread, which
has the stack that deep nesting needs.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, BinaryIO, Final

from docs_rag.adapters.helpers.frames import receive, send

if TYPE_CHECKING:
    from collections.abc import Callable


SWITCH_SECONDS: Final = 0.0005
"""How long a thread that reads or writes waits for the work to pause: whoever asks waits for it with a large task."""


def answer(prepare: Callable[[bytes], Callable[[bytes], bytes]]) -> None:
    """Do tasks until the process ends. The first message is what `prepare` makes the worker from."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _hush()
    sys.setswitchinterval(SWITCH_SECONDS)
    tasks: SimpleQueue[bytes] = SimpleQueue()
    done: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(requests, tasks), daemon=True).start()
    Thread(target=_write, args=(replies, done), daemon=True).start()
    work = prepare(tasks.get())
    while True:
        done.put(work(tasks.get()))


def _read(requests: BinaryIO, tasks: SimpleQueue[bytes]) -> None:
    with suppress(OSError):
        while (message := receive(requests)) is not None:
            tasks.put(message)
    os._exit(0)


def _write(replies: BinaryIO, done: SimpleQueue[bytes]) -> None:
    with suppress(OSError):
        while True:
            send(replies, done.get())
    os._exit(0)


def _hush() -> None:
    """What anything prints must not be taken for replies."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    sys.stdout = sys.stderr
