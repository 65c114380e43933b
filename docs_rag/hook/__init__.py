"""`docs-rag hook`: Claude Code tells of an edited file; an index run is made sure of, and the process is gone.

Everything here runs on every save of an agent. So the modules of this package import next to nothing, and whatever
goes wrong costs the agent nothing: the exit status is 0, stdout is empty or one JSON object.
"""

# ruff: noqa: PLC0415, PTH118  # what most saves do not need is loaded by those that do

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from docs_rag.adapters.locks import FileLock

_MOST_BYTES = 64_000_000
"""An event holds the text of the edited file twice; a larger one is of no note."""
_CHUNK = 1 << 20
_STDIN, _STDOUT, _STDERR = 0, 1, 2


def understands(arguments: list[str]) -> bool:
    """True for the ways to call the hook that need no command line parser; `arguments` follow `hook`."""
    return not arguments or (len(arguments) == 2 and arguments[0] == "--config" and bool(arguments[1]))


def main(config: str | None) -> int:
    """Answer the event on stdin; returns the exit status, which is 0. `config` is the option of that name."""
    try:
        if os.isatty(_STDIN):
            raise ValueError("it reads an event of Claude Code from stdin; see: docs-rag hook --help")
        said = _answer(_read(), config)
        if said:
            os.write(_STDOUT, said.encode("ascii"))
    except (Exception, KeyboardInterrupt) as error:  # an agent's work must not stop for a note that is not indexed
        _complain(error)
    return 0


def claim_worker(arguments: list[str]) -> "FileLock | None":
    """The lock of the background process, for a process that was called as the hook starts one; else None.

    Taken before anything slow is loaded: of many processes that an agent's edits start at once, all but one are gone
    again at once. `arguments` are those of the whole call. Raises `BlockingIOError` when another process works; what
    else may be wrong with the lock is found out by the command itself.
    """
    if arguments[:3] != ["index", "--background", "--config"] or len(arguments) != 4:
        return None
    from docs_rag import locate
    from docs_rag.adapters.locks import FileLock
    from docs_rag.core.hookfiles import WORKER_LOCK

    lock = FileLock(os.path.join(locate.state_folder(arguments[3]), WORKER_LOCK))
    try:
        return lock.__enter__()
    except BlockingIOError:
        raise
    except OSError:
        return None


def _answer(data: bytes, config: str | None) -> str:
    from docs_rag.hook.event import edited_file, parse

    event = parse(data)
    path = edited_file(event)
    if path is None:
        return ""
    from docs_rag.hook.project import find_project

    project = find_project(path, config)
    if project is None:
        return ""
    project.heard()
    note = project.note(path)
    if note is None:
        return ""
    from docs_rag.hook.editing import noticed

    return noticed(project, path, note, event)


def _read() -> bytes:
    """All of stdin; nothing when it is closed or endless."""
    parts: list[bytes] = []
    size = 0
    while size <= _MOST_BYTES:
        try:
            part = os.read(_STDIN, _CHUNK)
        except OSError:
            break
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
    return b""


def _complain(error: BaseException) -> None:
    """To the host's debug log."""
    line = " ".join(f"docs-rag hook: {type(error).__name__}: {error}".split())
    try:
        os.write(_STDERR, line.encode(sys.getdefaultencoding(), "replace")[:1000] + b"\n")
    except OSError:
        return
