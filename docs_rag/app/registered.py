"""Which MCP clients on this machine start docs-rag for a project, and whether Claude Code has its hook."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from docs_rag.app.clients import CLIENTS, Client, Scope
from docs_rag.core.diagnosis.facts import Hook, Registration, Unread
from docs_rag.core.hookentry import HOOK_KEYS, SETTINGS_FILE, holds_hook, is_hook_command
from docs_rag.core.hookfiles import LOG
from docs_rag.core.hookstate import hook_state
from docs_rag.core.merging import jsonfile, tomlfile
from docs_rag.core.registrations import Served, served
from docs_rag.errors import Unmergeable

_SCOPES: Final[tuple[Scope, ...]] = ("project", "user")
_SHARED_SETTINGS: Final = ".claude/settings.json"
_TRACES: Final = (b"docs-rag", b"docs_rag")
_OWN: Final = "claude-code"


class Machine(Protocol):
    """What has to be asked of the machine."""

    def read(self, path: str) -> bytes | None:
        """The content of a small file; None where there is none that can be read."""
        ...

    def starts(self, command: str) -> bool:
        """Whether there is a program of that name or path."""
        ...

    def exists(self, path: str) -> bool:
        """Whether something is there."""
        ...

    def real(self, path: str) -> str:
        """The path with its links resolved."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """The project, and where clients keep their files."""

    project: str
    state_dir: str
    config: str
    vault: str
    platform: str
    """As `sys.platform`."""
    folders: Mapping[str, str]
    """`HOME`, and the other variables that clients go by."""


def registrations(here: Here, machine: Machine) -> Iterator[Registration | Unread]:
    """Every entry of a known client that starts docs-rag, this project's and others'."""
    for client in CLIENTS.values():
        for scope in _SCOPES:
            for file in _files(client, scope, here):
                yield from _in_file(client, scope, file, here, machine)


def hook_facts(here: Here, machine: Machine) -> Hook:
    """Whether the hook is installed, and what is known of it."""
    places = (
        _below(here.project, SETTINGS_FILE),
        _below(here.project, _SHARED_SETTINGS),
        _below(here.folders["HOME"], _SHARED_SETTINGS),
    )
    settings = {place: read for place in places if (read := _settings(machine.read(place))) is not None}
    files = [place for place, read in settings.items() if any(map(holds_hook, _hooks(read)))]
    return Hook(
        files=tuple(files),
        off_in=next((place for place, read in settings.items() if read.get("disableAllHooks") is True), ""),
        problem=next(filter(None, (_hook_problem(settings[place], machine) for place in files)), ""),
        state=hook_state(lambda name: machine.read(_below(here.state_dir, name))),
        log=_below(here.state_dir, LOG),
    )


def _files(client: Client, scope: Scope, here: Here) -> list[str]:
    named = client.file(scope, here.platform, here.folders)
    if named is None:
        return []
    names = (named, *client.also) if scope == "project" else (named,)
    return [_below(here.project, name) if scope == "project" else name for name in names]


def _in_file(client: Client, scope: Scope, file: str, here: Here, machine: Machine) -> Iterator[Registration | Unread]:
    data = machine.read(file)
    if data is None or not any(trace in data for trace in _TRACES):
        return
    try:
        entries = list(_entries(data, client, scope, here))
    except Unmergeable as error:
        yield Unread(client=client.title, file=file, why=error.message)
        return
    off = _switched_off(here, machine) if client.name == _OWN and scope == "project" else frozenset[str]()
    for server, entry, said in entries:
        yield Registration(
            client=client.title,
            name=client.name,
            file=file,
            server=server,
            is_here=_is_here(said, client, scope, here, machine),
            problem=_problem(said, entry, here, machine),
            is_off=server in off or entry.get("enabled") is False or entry.get("disabled") is True,
        )


def _entries(
    data: bytes, client: Client, scope: Scope, here: Here
) -> Iterator[tuple[str, Mapping[str, object], Served]]:
    """The entries of a client's file that start our server, by name; raises `Unmergeable`."""
    places = [client.keys]
    if client.name == _OWN and scope == "user":  # its scope `local`: the user's own entries of one project
        places.append(("projects", here.project, *client.keys))
    get = jsonfile.get_entry if client.format == "json" else tomlfile.get_entry
    for keys in places:
        servers = get(data, keys)
        for server, entry in servers.items() if isinstance(servers, dict) else ():
            if (said := served(entry)) is not None:
                yield server, entry, said


def _is_here(said: Served, client: Client, scope: Scope, here: Here, machine: Machine) -> bool:
    """Whether an entry serves this project; one that names none goes by where its client starts it."""
    if said.config is not None:
        return machine.real(_from(said.config, here)) == machine.real(here.config)
    if said.vault is not None:
        return machine.real(_from(said.vault, here)) == machine.real(here.vault)
    if said.folder is not None:
        place, project = machine.real(_from(said.folder, here)), machine.real(here.project)
        return place == project or place.startswith(project.rstrip(os.sep) + os.sep)
    return scope == "project" or client.finds_project


def _problem(said: Served, entry: Mapping[str, object], here: Here, machine: Machine) -> str:
    command = entry.get("command")
    words = command if isinstance(command, list) else [command]
    if complaint := _unstartable(words, machine):
        return complaint
    missing = said.config is not None and not machine.exists(_from(said.config, here))
    return f"names a config that is not there: {said.config}" if missing else ""


def _unstartable(words: Sequence[object], machine: Machine) -> str:
    """Why the command of an entry cannot be started; empty when it can, or when that cannot be seen here."""
    program = words[0] if words else ""
    if not isinstance(program, str) or "${" in program or machine.starts(program):
        return ""
    where = "is not there" if os.sep in program else "is not on the search path"
    return f"starts {program}, which {where}"


def _hook_problem(settings: Mapping[str, object], machine: Machine) -> str:
    handlers = [
        handler
        for item in _hooks(settings)
        if isinstance(item, dict) and isinstance(item.get("hooks"), list)
        for handler in item["hooks"]
        if is_hook_command(handler)
    ]
    commands = ([each["command"]] if "args" in each else each["command"].split()[:1] for each in handlers)
    return next(filter(None, (_unstartable(words, machine) for words in commands)), "")


def _switched_off(here: Here, machine: Machine) -> frozenset[str]:
    """The servers of `.mcp.json` that the user has refused in Claude Code."""
    places = (SETTINGS_FILE, _SHARED_SETTINGS)
    files = [_below(folder, place) for place in places for folder in (here.project, here.folders["HOME"])]
    lists = ((_settings(machine.read(file)) or {}).get("disabledMcpjsonServers") for file in files)
    return frozenset(name for names in lists if isinstance(names, list) for name in names if isinstance(name, str))


def _below(folder: str, name: str) -> str:
    """A file by its name with `/` between folders."""
    return str(Path(folder, *name.split("/")))


def _from(path: str, here: Here) -> str:
    """A path of an entry, counted from the project where it is relative."""
    expanded = here.folders["HOME"] + path[1:] if path == "~" or path.startswith("~/") else path
    return os.path.normpath(Path(here.project, expanded))


def _settings(data: bytes | None) -> dict[str, object] | None:
    """The settings in a file of Claude Code; None where there are none that can be read."""
    try:
        found = jsonfile.get_entry(data, ())
    except Unmergeable:
        return None
    return found if isinstance(found, dict) and data is not None else None


def _hooks(settings: Mapping[str, object]) -> list[object]:
    held: object = settings
    for key in HOOK_KEYS:
        held = held.get(key) if isinstance(held, dict) else None
    return held if isinstance(held, list) else []
