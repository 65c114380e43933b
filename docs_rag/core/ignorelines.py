"""The lines that a project's `.gitignore` needs, under a heading by which they are found and taken out again.

Works on bytes: what else stands in the file is nobody's business, and need not be UTF-8. Taking the lines out gives
back the very bytes that were there before: one blank line goes before the heading, and a file without a last line
end keeps having none.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final

from docs_rag.errors import ConfigError

HEADING: Final = b"# docs-rag"
STATE_LINES: Final = (".rag/index.db*", ".rag/*.log*")
"""What a run leaves in the project: the index with its side files, and the logs."""
HOOK_LINE: Final = ".claude/settings.local.json"
"""One person's settings; Claude Code ignores them itself only where it writes them itself."""
OURS: Final = frozenset((*STATE_LINES, HOOK_LINE))
STATE_IGNORE: Final = b"*\n!.gitignore\n!config.json\n"
"""The `.gitignore` of `.rag` itself."""

_WIDER: Final = {
    ".rag/index.db*": (".rag", ".rag/", ".rag/*", ".rag/**"),
    ".rag/*.log*": (".rag", ".rag/", ".rag/*", ".rag/**"),
    HOOK_LINE: (".claude", ".claude/", ".claude/*", ".claude/**"),
}
"""Lines of others that cover one of ours."""
_HIDES_CONFIG: Final = (".rag", ".rag/")
"""Lines under which git would not even see the config: what is below an ignored folder cannot be taken back in."""


def add_lines(data: bytes | None, wanted: Sequence[str]) -> bytes | None:
    """The file with what it lacks of `wanted`; the same when it lacks nothing. None stands for no file.

    Raises `ConfigError` for UTF-16, which git does not read either.
    """
    held = data or b""
    _refuse_utf16(held)
    known = _lines(held)
    missing = [line for line in wanted if not {line, *_WIDER.get(line, ())} & known]
    if not missing:
        return data
    end = _line_end(held)
    new = [line.encode() for line in missing]
    parts = held.split(end)
    found = _block(parts)
    if found is not None:
        return end.join([*parts[: found.stop], *new, *parts[found.stop :]])
    block = end.join([HEADING, *new])
    if not held:
        return block + end
    return held + end + block + end if held.endswith(end) else held + end + end + block


def remove_lines(data: bytes, drop: Iterable[str] = OURS) -> bytes:
    """The file without those of our lines; the heading goes with the last of them."""
    end = _line_end(data)
    parts = data.split(end)
    found = _block(parts)
    if found is None:
        return data
    gone = {line.encode() for line in drop}
    start, last = found.start - 1, found.stop
    kept = [line for line in parts[found.start : last] if line not in gone]
    if kept:
        return end.join([*parts[: found.start], *kept, *parts[last:]])
    if last == len(parts):  # no last line end: the one before the block was ours as well
        return end.join(parts[: max(start - 1, 0)])
    if start and not parts[start - 1]:
        start -= 1
    return end.join([*parts[:start], *parts[last:]])


def has_lines(data: bytes | None) -> bool:
    """Whether lines of ours stand below their heading: a trace of `scaffold` that a clone has too."""
    held = data or b""
    return _block(held.split(_line_end(held))) is not None


def hides_config(data: bytes | None) -> str | None:
    """The line under which git would not see `.rag/config.json`, when there is one."""
    known = _lines(data or b"")
    return next((line for line in _HIDES_CONFIG if line in known), None)


def _lines(data: bytes) -> set[str]:
    """The patterns of the file, without the slash that ties one to this folder."""
    written = (line.strip().decode("utf-8", "replace") for line in data.removeprefix(b"\xef\xbb\xbf").splitlines())
    return {line.removeprefix("/") for line in written if line}


def _line_end(data: bytes) -> bytes:
    """The line end of our lines, else of the file; a lone carriage return before ours makes no other of theirs."""
    if b"\r\n" not in data or _block(data.split(b"\n")) is not None:
        return b"\n"
    return b"\r\n"


def _block(parts: Sequence[bytes]) -> range | None:
    """Where our lines stand, below the last heading that has some; None when there is no such block."""
    ours = {line.encode() for line in OURS}
    for heading in range(len(parts) - 2, -1, -1):
        if parts[heading] == HEADING and parts[heading + 1] in ours:
            rest = itertools.takewhile(lambda line: line in ours, parts[heading + 1 :])
            return range(heading + 1, heading + 1 + sum(1 for _ in rest))
    return None


def _refuse_utf16(data: bytes) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ConfigError(".gitignore is UTF-16, which git does not read", "save it as UTF-8")
