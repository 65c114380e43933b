"""What a config asks for beyond its own project, and whether this user has approved it.

A config may come with a cloned project. Approvals and the list of indexes that were made here therefore lie
in the user's state folder, where no project can put anything: two JSON objects from a real path to texts.
"""

# Every search passes here; pathlib would cost it more than the work itself:
# ruff: noqa: PTH118

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from docs_rag.config import Config, lies_in
from docs_rag.core.hosts import is_loopback
from docs_rag.core.jsontext import shown
from docs_rag.errors import Unapproved
from docs_rag.statefiles import (
    locked,
    private_folder,
    put_aside,
    read_private,
    user_state_folder,
    write_private,
)

_APPROVALS: Final = "approvals.json"
_INDEXES: Final = "indexes.json"
_MOST_APPROVALS: Final = 50
"""Digests kept for one config: a change of branch and back should not ask again."""
_MOST_PATHS: Final = 2000
"""Paths kept in one file; those that were named longest ago go first."""

_MOST_SHOWN: Final = 1000
"""Characters of a request in an error message: whoever approves must see a path as a whole."""


class Request(NamedTuple):
    """One thing that needs the user's approval."""

    key: str
    """The config's key, or `.rag` for the state folder itself."""
    value: str
    """What it comes to: a path with its links resolved, a URL, a text."""
    reason: str
    """What happens when it is granted."""


def requests(config: Config) -> tuple[Request, ...]:
    """What this config asks for that its user must approve; none under `--vault`.

    Links are resolved, so a folder of the project that leads out of it counts as outside.
    """
    return () if config.path is None else (*_paths_outside(config), *_settings_for_others(config))


def is_approved(config: Config) -> bool:
    """True when the config asks for nothing, or this user has approved exactly this before."""
    return _all_approved(config, requests(config))


def approve(config: Config) -> None:
    """Remember that the user wants what the config asks for now; raises `DocsRagError` if it cannot."""
    asked = requests(config)
    if config.path is None or not asked:
        return
    _remember(_APPROVALS, os.path.realpath(config.path), digest(asked), keep=_MOST_APPROVALS)


def require(config: Config, *, trust_once: bool) -> None:
    """To be called before any path of the config is opened; raises `Unapproved` with all that is asked for.

    `trust_once` grants it for this call alone.
    """
    asked = requests(config)
    if trust_once or _all_approved(config, asked):
        return
    listed = "; ".join(f"{each.key} {shown(each.value, most=_MOST_SHOWN)}: {each.reason}" for each in asked)
    raise Unapproved(
        f"config {config.path} needs your approval: {listed}", f"docs-rag trust --config {_quoted(config)}"
    )


def digest(asked: tuple[Request, ...]) -> str:
    """Stands for these keys and values, whatever their order."""
    import hashlib  # noqa: PLC0415  (most configs ask for nothing and need none)

    pairs = sorted((each.key, each.value) for each in asked)
    return hashlib.sha256(json.dumps(pairs).encode()).hexdigest()


def known_index(index_path: str, token: str) -> bool:
    """True when an index with this token (the random id inside it) was made here, at this real path."""
    return token in _read(_INDEXES).get(os.path.realpath(index_path), ())


def remember_index(index_path: str, token: str) -> None:
    """Take note of an index that was made, or read again from the notes, here. Raises `DocsRagError`."""
    if not known_index(index_path, token):
        _remember(_INDEXES, os.path.realpath(index_path), token, keep=1)


def _paths_outside(config: Config) -> Iterator[Request]:
    project = os.path.realpath(config.project)
    for key, path, reason in (
        ("vaultPath", config.vault_path, "notes outside the project are read"),
        ("indexPath", config.index_path, "a file outside the project is written"),
        (".rag", config.state_dir, "files outside the project are written"),
        *((f"roots.{name}", folder, "notes outside the project are read") for name, folder in config.roots),
    ):
        real = os.path.realpath(path)
        if not lies_in(real, project):
            yield Request(key, real, reason)


def _settings_for_others(config: Config) -> Iterator[Request]:
    """What leaves this machine, and what an agent is told about the vault before it asks anything."""
    if "ollamaHost" in config.given and not is_loopback(config.ollama_host):
        yield Request("ollamaHost", config.ollama_host, "the text of notes and questions is sent there")
    if "serverName" in config.given:
        yield Request("serverName", config.name, "agents are shown this name")
    if "toolDescription" in config.given and config.tool_description is not None:
        yield Request("toolDescription", config.tool_description, "agents are told this")


def _all_approved(config: Config, asked: tuple[Request, ...]) -> bool:
    if config.path is None or not asked:
        return True
    return digest(asked) in _read(_APPROVALS).get(os.path.realpath(config.path), ())


def _quoted(config: Config) -> str:
    import shlex  # noqa: PLC0415  (for an error message alone)

    return shlex.quote(str(config.path))


def _read(name: str) -> dict[str, list[str]]:
    """The entries of one file; empty when there is none, or none that can be believed."""
    data = read_private(os.path.join(user_state_folder(), name))
    return (None if data is None else _entries(data)) or {}


def _entries(data: bytes) -> dict[str, list[str]] | None:
    """What the file holds; None when it is damaged."""
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    whole = all(isinstance(texts, list) and all(isinstance(each, str) for each in texts) for texts in raw.values())
    return raw if whole else None


def _remember(name: str, path: str, text: str, *, keep: int) -> None:
    """Add a text to a path's list, the newest last, under a lock: another process may be doing the same."""
    folder = private_folder(user_state_folder())
    file = os.path.join(folder, name)
    with locked(f"{file}.lock"):
        data = read_private(file)
        entries = None if data is None else _entries(data)
        if entries is None:
            put_aside(file)
            entries = {}
        texts = [each for each in entries.pop(path, []) if each != text]
        entries[path] = [*texts, text][-keep:]
        newest = list(entries.items())[-_MOST_PATHS:]
        write_private(file, json.dumps(dict(newest), indent=1).encode())
