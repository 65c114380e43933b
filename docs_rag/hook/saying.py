"""What the hook says, and that it says it once: a warning in each session, a citation for each note and session."""

# ruff: noqa: PLC0415, PTH118

import os

from docs_rag.adapters.locks import FileLock
from docs_rag.core.hookfiles import LOG, TOLD, TOLD_LOCK
from docs_rag.hook.project import read_file

_MOST_BYTES = 200_000
"""Of what was said; then it is forgotten, and some of it said again."""
_MOST_CHARACTERS = 800
_LONGEST_ID = 100
_LOCK_SECONDS = 1.0
_FLAGS = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


class Session:
    """One session of an agent in one project, with what it was told."""

    __slots__ = ("_id", "_path", "_state_dir")

    def __init__(self, state_dir: str, session_id: str) -> None:
        """Name it; nothing is opened. `session_id` as the host calls it, or nothing."""
        self._state_dir = state_dir
        self._path = os.path.join(state_dir, TOLD)
        self._id = " ".join(session_id.split())[:_LONGEST_ID]

    def knows_failure(self, since: str) -> bool:
        """Whether it was warned of the row of failures that began then."""
        return self._line("failure", since) in self._told()

    def knows_citation(self, note: str) -> bool:
        """Whether it was told what a note cites."""
        return self._line("citation", note) in self._told()

    def answer(self, *, warning: tuple[str, str] | None, citation: str, note: str) -> str:
        """The JSON object for the host; empty when all of it was said before. Raises `OSError`.

        Of two hooks at once one asks first, and the other finds that it was said.
        """
        lock = FileLock(os.path.join(self._state_dir, TOLD_LOCK))
        if not lock.wait(_LOCK_SECONDS, lambda holder: None):
            return ""
        said: dict[str, object] = {}
        try:
            if warning is not None and self._is_news("failure", warning[0]):
                said["systemMessage"] = f"{_plain(warning[1])} (details: .rag/{LOG})"
            if citation and self._is_news("citation", note):
                context = {"hookEventName": "PostToolUse", "additionalContext": _plain(citation)}
                said["hookSpecificOutput"] = context
        finally:
            lock.release()
        return _dumped(said) if said else ""

    def _is_news(self, kind: str, what: str) -> bool:
        """True the first time, and remembered from then on."""
        told, line = self._told(), self._line(kind, what)
        if line in told:
            return False
        is_full = sum(map(len, told)) + len(told) >= _MOST_BYTES
        descriptor = os.open(self._path, _FLAGS | (os.O_TRUNC if is_full else 0), 0o600)
        try:
            os.write(descriptor, line + b"\n")
        finally:
            os.close(descriptor)
        return True

    def _told(self) -> list[bytes]:
        return read_file(self._path, _MOST_BYTES + 1).split(b"\n")

    def _line(self, kind: str, what: str) -> bytes:
        return f"{self._id}\t{kind}\t{' '.join(what.split())}".encode("utf-8", "replace")


def _dumped(said: dict[str, object]) -> str:
    import json  # costs as much as Python's start, and is seldom needed

    return json.dumps(said)


def _plain(text: str) -> str:
    """One line of printable characters: what a state folder holds may have come with a cloned project."""
    line = " ".join(text.split())[:_MOST_CHARACTERS]
    return "".join(char if char.isprintable() else "\ufffd" for char in line)
