"""Entries of MCP clients: which of them start our server, for which config, and which name is still free.

Clients write a command in two ways: `command` with `args`, or one list in `command`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Final

_PROGRAMS: Final = frozenset({"docs-rag", "docs-rag.exe", "docs_rag"})
"""The console script, and the module behind `python -m`."""
_OPTIONS: Final = ("--config", "--vault", "-C")
"""Options of `serve` that say which project is meant."""
_COMMAND: Final = ("command", "args")
_RESERVED: Final = frozenset({"workspace", "claude-in-chrome", "computer-use"})
"""Names that Claude Code keeps for itself."""
_FOREIGN: Final = re.compile(r"[^A-Za-z0-9_-]+")
_MOST_NAME: Final = 40
"""Characters of an entry's name; hosts call the tool `mcp__NAME__search_notes` and allow 64 for all of it."""


_DEFAULT: Final = re.compile(r"\$\{\w+:-([^}]*)\}")
"""A variable of Claude Code with what stands for it when it is not set, as `CLAUDE_PROJECT_DIR` never is there."""


@dataclass(frozen=True, slots=True)
class Served:
    """What an entry that starts our server says of the project; each None when it says nothing."""

    config: str | None = None
    vault: str | None = None
    folder: str | None = None
    """`-C`."""


def served(entry: object) -> Served | None:
    """The project that an entry of a client serves; None for an entry that does not start `docs-rag serve`."""
    words = _words(entry)
    names = [word.replace("\\", "/").rpartition("/")[2] for word in words]
    if not any(name in _PROGRAMS and "serve" in words[place + 1 :] for place, name in enumerate(names)):
        return None
    said = {option: _value(words, option) for option in _OPTIONS}
    return Served(said["--config"], said["--vault"], said["-C"])


def renewed(former: object, entry: Mapping[str, object]) -> dict[str, object]:
    """A former entry with the command of a new one; what its user set (timeouts, variables, off) stays."""
    kept = dict(former) if isinstance(former, dict) else {}
    both = {key: value for key, value in kept.items() if key not in _COMMAND or key in entry}
    for key, value in entry.items():
        held = both.get(key)
        if isinstance(value, dict) and isinstance(held, dict):
            both[key] = {**held, **value}
        elif key in _COMMAND or key not in both:
            both[key] = value
    return both


def entry_name(server_name: str) -> str:
    """A server's name as every client takes it: letters, digits, `-` and `_` of ASCII, at most 40."""
    name = _FOREIGN.sub("-", server_name).strip("-")[:_MOST_NAME].strip("-")
    return name or "docs"


def free_name(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, else with the first number from 2 on that nobody has; upper and lower case count as equal."""
    known = {each.lower() for each in (*taken, *_RESERVED)}
    if wanted.lower() not in known:
        return wanted
    return next(name for number in count(2) if (name := f"{wanted[: _MOST_NAME - 4]}-{number}").lower() not in known)


def _words(entry: object) -> list[str]:
    if not isinstance(entry, dict):
        return []
    command, arguments = entry.get("command"), entry.get("args")
    words = [*_listed(command), *_listed(arguments)]
    return [_DEFAULT.sub(r"\1", word) for word in words if isinstance(word, str)]


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _value(words: Sequence[str], option: str) -> str | None:
    """What follows an option, or stands behind its `=`; the last one counts."""
    found = [after for before, after in pairwise(words) if before == option]
    found += [word.removeprefix(f"{option}=") for word in words if word.startswith(f"{option}=")]
    return found[-1] if found else None
