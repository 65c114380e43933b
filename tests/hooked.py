"""Feeds the hook with events as Claude Code does, and waits for the background runs that it starts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from commandline import SECONDS, Result, spawn, start, write_config, write_notes

from docs_rag.adapters.locks import FileLock
from docs_rag.core.hookfiles import EDITS, EDITS_IN_WORK, OUTCOME, WORKER_LOCK

NOTES = {
    "adr/0012-cookies.md": "---\nstatus: superseded by 0034\n---\n# Auth with cookies\n\nSessions are cookies.\n",
    "adr/0034-tokens.md": "# Auth with tokens\n\nSessions are tokens.\n",
    "guide.md": "# Guide\n\nBread is baked on Monday.\n",
}


def make_project(folder: Path, **config: object) -> Path:
    """A project that was set up and never indexed, without a model."""
    folder.mkdir(parents=True, exist_ok=True)
    write_notes(folder, NOTES)
    write_config(folder, **config)
    return folder


def event(path: Path | str, session: str = "session-1", tool: str = "Edit", **more: object) -> bytes:
    """PostToolUse of an edit, with all that Claude Code sends."""
    written = {"file_path": str(path), "old_string": "a", "new_string": "b", "replace_all": False}
    whole = {
        "session_id": session,
        "prompt_id": "p-1",
        "transcript_path": "/nowhere/transcript.jsonl",
        "cwd": os.path.dirname(path),  # noqa: PTH120
        "permission_mode": "acceptEdits",
        "effort": {"level": "medium"},
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": written,
        "tool_response": {"filePath": str(path), "success": True},
        "tool_use_id": "toolu_1",
        "duration_ms": 12,
    }
    return json.dumps({**whole, **more}).encode()


def feed(data: bytes, *arguments: str, **options: Any) -> Result:
    """Run the hook to its end with these bytes on stdin."""
    with start("hook", *arguments, **{"stdin": subprocess.PIPE, **options}) as process:
        out, err = process.communicate(data, timeout=SECONDS)
    return Result(process.returncode, out.decode("utf-8"), err.decode("utf-8"))


def said(data: bytes, *arguments: str, **options: Any) -> dict[str, Any] | None:
    """What the hook says; it must end well, with nothing on stdout or one object."""
    result = feed(data, *arguments, **options)
    assert (result.status, result.err) == (0, "")
    if not result.out:
        return None
    found = result.json
    assert isinstance(found, dict)
    return found


def is_at_work(folder: Path) -> bool:
    """Whether a background process has the project."""
    lock = FileLock(str(folder / ".rag" / WORKER_LOCK))
    ours = lock.acquire()
    lock.release()
    return not ours


def is_marked(folder: Path) -> bool:
    """Whether an edit waits, or is being taken in."""
    return any((folder / ".rag" / name).exists() for name in (EDITS, EDITS_IN_WORK))


def settle(folder: Path, seconds: float = SECONDS) -> dict[str, Any]:
    """Wait until nothing is marked and nobody works; returns the outcome of the last run."""
    deadline = time.monotonic() + seconds
    while is_marked(folder) or is_at_work(folder):
        assert time.monotonic() < deadline, (folder / ".rag" / "hook.log").read_text(encoding="utf-8")
        time.sleep(0.05)
    return outcome(folder)


def outcome(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / ".rag" / OUTCOME).read_text(encoding="utf-8"))
    return found


def open_window(folder: Path) -> None:
    """Let the last run be long ago, so that the next edit is taken in at once."""
    if (folder / ".rag" / OUTCOME).exists():
        os.utime(folder / ".rag" / OUTCOME, (1_000_000_000, 1_000_000_000))


def worker(folder: Path) -> int:
    """The process that works in the background, as it says in its lock; 0 for none."""
    words = FileLock(str(folder / ".rag" / WORKER_LOCK)).holder().split() if is_at_work(folder) else []
    return int(words[0]) if words[2:3] == ["index"] else 0


def wait_for_worker(folder: Path) -> None:
    """Until a background process has the project."""
    deadline = time.monotonic() + SECONDS
    while not worker(folder):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def end_worker(folder: Path) -> bool:
    """Kill the background process of a project as a crash would; False when there was none."""
    pid = worker(folder)
    if pid <= 1:
        return False
    try:
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    except (ProcessLookupError, PermissionError):
        return False
    deadline = time.monotonic() + SECONDS
    while worker(folder) == pid:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return True


def indexed(folder: Path, *query: str) -> list[str]:
    """Paths that a search finds without reading the vault first."""
    found = spawn("-C", folder, "search", "--json", *query).json
    return [hit["path"] for hit in found["hits"]]
