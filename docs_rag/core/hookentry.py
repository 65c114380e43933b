"""The hook of Claude Code as its settings hold it: which file, under which keys, and which item of the list.

Exec form: `args` makes Claude Code start the program itself, without a shell whose profile could print something.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

SETTINGS_FILE: Final = ".claude/settings.local.json"
"""The personal settings of a project, below its root."""
HOOK_KEYS: Final = ("hooks", "PostToolUse")
"""Where the list of entries stands in the settings."""
HOOK_COMMAND: Final[Mapping[str, object]] = {
    "type": "command",
    "command": "docs-rag",
    "args": ["hook"],
    "timeout": 10,
}
HOOK_ENTRY: Final[Mapping[str, object]] = {"matcher": "Write|Edit", "hooks": [HOOK_COMMAND]}
"""The item that is appended to the list at `HOOK_KEYS`."""

_PROGRAMS: Final = frozenset({"docs-rag", "docs-rag.exe"})


def hook_entry(command: str, args: Sequence[str]) -> dict[str, object]:
    """`HOOK_ENTRY` for a program that is started in another way, as by `uvx`; `args` are those before `hook`."""
    return {**HOOK_ENTRY, "hooks": [{**HOOK_COMMAND, "command": command, "args": [*args, "hook"]}]}


def is_hook_entry(item: object) -> bool:
    """True for an entry of the list that starts our hook and nothing else, so that it may be taken out whole."""
    handlers = _handlers(item)
    return bool(handlers) and all(map(is_hook_command, handlers))


def holds_hook(item: object) -> bool:
    """True for an entry of the list that starts our hook, with or without others."""
    return any(map(is_hook_command, _handlers(item)))


def is_hook_command(handler: object) -> bool:
    """True for a handler that runs `docs-rag hook`: in exec form, in shell form, by any path or through a runner."""
    if not isinstance(handler, dict):
        return False
    command, args = handler.get("command"), handler.get("args", [])
    if not isinstance(command, str) or not isinstance(args, list):
        return False
    words = [command, *args] if "args" in handler else command.split()
    names = [word.strip("\"'").replace("\\", "/").rpartition("/")[2] for word in words if isinstance(word, str)]
    return any(name in _PROGRAMS and after == "hook" for name, after in pairwise(names))


def _handlers(item: object) -> list[object]:
    found = item.get("hooks") if isinstance(item, dict) else None
    return found if isinstance(found, list) else []
