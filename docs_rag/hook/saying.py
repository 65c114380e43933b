"""What the hook says, and that it says it once: a warning in each session, a citation for each note and session."""

# ruff: noqa: PTH118

import json
import os

from docs_rag.adapters.locks import FileLock
from docs_rag.core.hookfiles import LOG, TOLD, TOLD_LOCK
from docs_rag.hook.event import text_of
from docs_rag.hook.project import read_file

_MOST_BYTES = 200_000
"""Of what was said; then it is forgotten, and some of it said again."""
_MOST_CHARACTERS = 800
_LOCK_SECONDS = 1.0
_FLAGS = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


def said(state_dir: str, event: object, *, warning: tuple[str, str] | None, context: tuple[str, str] | None) -> str:
    """The JSON object for the host; empty when all of it was said in this session before. Raises `OSError`.

    Of two hooks at once one asks first: the other finds that it was said.
    """
    lock = FileLock(os.path.join(state_dir, TOLD_LOCK))
    if not lock.wait(_LOCK_SECONDS, lambda holder: None):
        return ""
    try:
        answer: dict[str, object] = {}
        if warning is not None and _is_news(state_dir, event, f"failure {warning[0]}"):
            answer["systemMessage"] = f"{_plain(warning[1])} (details: .rag/{LOG})"
        if context is not None and _is_news(state_dir, event, f"citation {context[0]}"):
            answer["hookSpecificOutput"] = {
                "hookEventName": "PostToolUse",
                "additionalContext": _plain(context[1]),
            }
    finally:
        lock.release()
    return json.dumps(answer) if answer else ""


def _is_news(state_dir: str, event: object, what: str) -> bool:
    """True the first time, and remembered from then on."""
    path = os.path.join(state_dir, TOLD)
    session = " ".join(text_of(event, "session_id").split())[:100]
    line = f"{session}\t{' '.join(what.split())}".encode("utf-8", "replace")
    before = read_file(path, _MOST_BYTES)
    if line in before.split(b"\n"):
        return False
    descriptor = os.open(path, _FLAGS | (os.O_TRUNC if len(before) >= _MOST_BYTES else 0), 0o600)
    try:
        os.write(descriptor, line + b"\n")
    finally:
        os.close(descriptor)
    return True


def _plain(text: str) -> str:
    """One line of printable characters: what a state folder holds may have come with a cloned project."""
    line = " ".join(text.split())[:_MOST_CHARACTERS]
    return "".join(char if char.isprintable() else "\ufffd" for char in line)
