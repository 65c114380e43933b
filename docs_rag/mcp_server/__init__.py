"""The MCP server, `docs-rag serve`: one tool over stdin and stdout.

Three threads: the main one waits for the end, one speaks the protocol, one (`Desk`) has index and model to itself.
The desk starts first, so that they load while the SDK is imported, which takes longer than all the rest.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import BinaryIO, Final, NoReturn

from docs_rag.app.serving import Desk
from docs_rag.errors import EXIT_BUG, EXIT_DONE, EXIT_INTERRUPTED
from docs_rag.mcp_server.project import ServedProject
from docs_rag.mcp_server.streams import take_over
from docs_rag.wiring import Options

ENDINGS: Final = {
    "SIGINT": EXIT_INTERRUPTED,
    "SIGTERM": EXIT_DONE,
    "SIGHUP": EXIT_DONE,
    "SIGBREAK": EXIT_INTERRUPTED,
}
"""Signals that end the server, with the exit status; not every system has all of them."""
PATIENCE: Final = 0.4
"""Seconds that the desk has to finish what it is at; hosts kill a server that is not gone within a second or two."""
_WAKE: Final = 0.2 if sys.platform == "win32" else None
"""Windows runs a handler only when the main thread wakes up; elsewhere a signal wakes it."""

_log = logging.getLogger(__name__)


def serve(options: Options, tools: str | None = None) -> NoReturn:
    """Serve until stdin ends, nobody reads stdout, or a signal comes; then end the process.

    `tools` counts instead of what the config says.

    It starts with whatever is there: what is amiss with config, index or model is told by the tool's answers.
    """
    source, sink = take_over()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="docs-rag: %(name)s: %(message)s")
    ended: SimpleQueue[int] = SimpleQueue()
    _listen(ended)
    desk = Desk(lambda: ServedProject(options, tools))
    desk.open()
    Thread(target=_speak, args=(desk, source, sink, ended), name="docs-rag protocol", daemon=True).start()
    status = _wait(ended)
    try:
        desk.close(PATIENCE)
    finally:
        _leave(status)


def _listen(ended: SimpleQueue[int]) -> None:
    """Let signals end the server; a hang-up that its user wanted ignored (`nohup`) stays so."""
    for name, status in ENDINGS.items():
        number = getattr(signal, name, None)
        if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
            continue
        signal.signal(number, lambda *_, status=status: ended.put(status))


def _speak(desk: Desk, source: BinaryIO, sink: BinaryIO, ended: SimpleQueue[int]) -> None:
    """Speak the protocol until the host leaves."""
    try:
        from docs_rag.mcp_server.protocol import speak  # noqa: PLC0415  # 0.7 s, and signals count meanwhile

        speak(desk, source, sink, lambda: ended.put(EXIT_DONE))
    except BaseException:
        _log.exception("the protocol ended")
        ended.put(EXIT_BUG)
    else:
        ended.put(EXIT_DONE)


def _wait(ended: SimpleQueue[int]) -> int:
    while True:
        try:
            return ended.get(timeout=_WAKE)
        except Empty:
            continue


def _leave(status: int) -> NoReturn:
    """End the process here and now.

    The usual way would wait for threads that cannot be woken: one sits in a read of stdin, one perhaps in a model's
    call. The index is closed by now and replies are written without a buffer, so nothing is lost.
    """
    with suppress(AttributeError, OSError, ValueError):  # no stderr, or nobody at its other end
        sys.stderr.flush()
    os._exit(status)
