"""Runs commands in processes that write down every address they turn to, with nothing of the program replaced.

An audit hook (https://docs.python.org/3/library/audit_events.html) cannot be taken out again and sees what is below
every library in this interpreter. It is set by a `sitecustomize` module, which child processes load too.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

_HOOK: Final = """\
import os, sys

def _watch(event, arguments, _log=os.environ["DOCS_RAG_WATCHED"], _pid=os.getpid):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"):
        said = arguments[1]
    elif event.startswith(("socket.gethostby", "socket.getaddrinfo", "socket.getnameinfo")):
        said = arguments[0]
    elif event in ("urllib.Request", "ftplib.connect", "smtplib.connect", "http.client.connect"):
        said = arguments[0] if event == "urllib.Request" else arguments[1]
    else:
        return
    _note(event, said, _log, _pid())

def _note(event, said, log, pid):
    line = repr((pid, event, said)).encode("utf-8", "replace") + b"\\n"
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)

_note("begun", " ".join(sys.orig_argv[-3:]), os.environ["DOCS_RAG_WATCHED"], os.getpid())
sys.addaudithook(_watch)
"""


class Watch:
    """What processes with `environment` turned to."""

    def __init__(self, folder: Path) -> None:
        """Put the hook into `folder`."""
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(_HOOK, encoding="utf-8")
        self._log = folder / "log"
        path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH", ""))))
        self.environment = {"PYTHONPATH": path, "DOCS_RAG_WATCHED": str(self._log)}

    def events(self) -> list[tuple[int, str, object]]:
        """Process, event and address of everything so far, in order."""
        import ast

        written = self._log.read_text(encoding="utf-8") if self._log.exists() else ""
        return [ast.literal_eval(line) for line in written.splitlines()]

    def processes(self) -> int:
        """How many processes were watched."""
        return len({pid for pid, event, _ in self.events() if event == "begun"})

    def addresses(self) -> set[str]:
        """Every address that was turned to, as JSON."""
        return {json.dumps(said) for _, event, said in self.events() if event != "begun"}
