"""A host that starts `docs-rag serve` and speaks with it over raw pipes, so that every byte can be looked at."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from commandline import start

SECONDS = 60.0
"""After which a server that says nothing is given up; one that works needs a fraction of it."""
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Host:
    """One server process with its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.raw = b""
        """Everything that came out of stdout."""
        self._frames: Queue[bytes] = Queue()
        self._ids = iter(range(1, 1_000_000))
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.raw += line
            self._frames.put(line)

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, method: str, **params: object) -> int:
        """Send a request; returns its id."""
        number = next(self._ids)
        self.write(frame(method, number, **params))
        return number

    def notify(self, method: str, **params: object) -> None:
        self.write(frame(method, None, **params))

    def receive(self) -> dict[str, Any]:
        """The next frame; fails when none comes."""
        try:
            found: dict[str, Any] = json.loads(self._frames.get(timeout=SECONDS))
        except Empty:
            raise AssertionError("the server says nothing") from None
        return found

    def reply(self, number: int) -> dict[str, Any]:
        """The reply to one request; whatever comes before it is dropped."""
        while True:
            found = self.receive()
            if found.get("id") == number:
                return found

    def initialize(self) -> dict[str, Any]:
        found: dict[str, Any] = self.reply(self.send("initialize", **INITIALIZE))["result"]
        self.notify("notifications/initialized")
        return found

    def ask(self, query: str, **more: object) -> dict[str, Any]:
        """The result of one call of the tool."""
        found: dict[str, Any] = self.reply(self.call(query, **more))["result"]
        return found

    def call(self, query: str, **more: object) -> int:
        """Begin a call of the tool; returns its id."""
        return self.send("tools/call", name="search_notes", arguments={"query": query, **more})

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self, seconds: float = SECONDS) -> int:
        """The exit status of a server that was told to end; fails when it does not."""
        status = self.process.wait(seconds)
        self._thread.join(SECONDS)
        return status

    @property
    def log(self) -> str:
        """What came out of stderr, once the server has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode("utf-8")


def frame(method: str, number: int | None, **params: object) -> bytes:
    """One message as it goes over the wire."""
    message: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    if number is not None:
        message["id"] = number
    if params:
        message["params"] = params
    return json.dumps(message, ensure_ascii=False).encode("utf-8") + b"\n"


@contextmanager
def host(*arguments: str | Path, **options: Any) -> Iterator[Host]:
    """Start `docs-rag serve`; whatever happens, it is gone afterwards."""
    process = start("serve", *arguments, **{"stdin": subprocess.PIPE, **options})
    try:
        yield Host(process)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(SECONDS)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
