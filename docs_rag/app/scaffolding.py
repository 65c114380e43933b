"""Sets a project up for its agents: the config, the entries of MCP clients, the hook, lines for git, a word to agents.

A plan is worked out first, over what the files hold now; nothing is written before all of it is known to fit. Run
again it changes what the call says and leaves the rest as its user has tuned it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from docs_rag.app.clients import CLIENTS, Client, Launch, Scope, client_named
from docs_rag.app.drafts import FORMATS, Draft, Site, Target, draft_for, kept_keys, set_in_json
from docs_rag.app.launching import PROGRAM, Runner, doubts, launch_for
from docs_rag.app.snippets import snippet
from docs_rag.core import agentsblock, ignorelines, scaffoldrecord
from docs_rag.core.digests import bytes_digest
from docs_rag.core.filechanges import FileChange, ProjectFiles
from docs_rag.core.hookentry import HOOK_KEYS, SETTINGS_FILE, holds_hook, hook_entry, is_hook_command
from docs_rag.core.installed import Installed
from docs_rag.core.merging import jsonfile
from docs_rag.core.registrations import entry_name, free_name, renewed
from docs_rag.core.scaffoldrecord import RECORD_NAME, Added, Record
from docs_rag.errors import ConfigError, DocsRagError, Unmergeable, UsageError

SHARED_SETTINGS: Final = ".claude/settings.json"
AGENTS: Final = ("CLAUDE.md", "AGENTS.md")
"""Where Claude Code looks for a word to it, and where the others do."""
_SCOPES: Final[tuple[Scope, ...]] = ("project", "user")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What the user wants."""

    settings: Mapping[str, object]
    """Keys of the config that this call gives, with their values."""
    defaults: Mapping[str, object] = field(default_factory=dict)
    """What a config says beside, if there is none yet."""
    name: str
    """The server's name."""
    is_named: bool = False
    """True when this call gives the name."""
    clients: Sequence[str]
    scope: Scope = "project"
    runner: Runner | None = None
    """None: as it is, and from the search path for a new entry."""
    local: bool = False
    hook: bool = False
    agents: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that cannot be changed."""

    error: DocsRagError
    snippet: str
    """What its user can paste into it, ending with a newline; empty where pasting does not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is going to be done."""

    changes: tuple[FileChange, ...]
    leave: tuple[str, ...] = ()
    """Folders to remove if they are empty afterwards."""
    notices: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    """Unless there are none, nothing may be written."""
    registered: tuple[tuple[Site, str], ...] = ()
    """The files of clients and the server's name in them."""


def plan(files: ProjectFiles, target: Target, installed: Installed, answers: Answers) -> Plan:
    """What scaffolding comes to here. Raises `DocsRagError` for what no snippet would mend."""
    scaffolder = _Scaffolder(draft_for(files, target), installed, answers)
    scaffolder.write_state()
    scaffolder.write_clients()
    if answers.hook:
        scaffolder.write_hook()
    scaffolder.write_ignores()
    if answers.agents:
        scaffolder.write_agents()
    scaffolder.write_record()
    return scaffolder.plan()


class _Scaffolder:
    """Works one plan out, part by part."""

    def __init__(self, draft: Draft, installed: Installed, answers: Answers) -> None:
        self._draft = draft
        self._files = draft.files
        self._target = draft.target
        self._installed = installed
        self._answers = answers
        self._clients = [client_named(name) for name in dict.fromkeys([*answers.clients, *self._served()])]
        self._notices: list[str] = []
        self._refusals: list[Refusal] = []
        self._registered: list[tuple[Site, str]] = []
        self._added: list[Added] = []
        self._dropped: list[Added] = []
        self._record_path = str(Path(self._target.state_dir, RECORD_NAME))
        self._former = scaffoldrecord.read(draft.read(self._record_path))

    def plan(self) -> Plan:
        return Plan(
            changes=self._draft.changes(),
            notices=tuple(dict.fromkeys(self._notices)),
            refusals=tuple(self._refusals),
            registered=tuple(self._registered),
        )

    def write_state(self) -> None:
        """The state folder's own `.gitignore`, and the config: made, or with the keys that this call gives."""
        ignore = str(Path(self._target.state_dir, ".gitignore"))
        if self._draft.read(ignore) is None:
            self._draft.write(ignore, ignorelines.STATE_IGNORE)
        path = self._target.config
        data = self._draft.read(path)
        if data is None:
            value = {**self._answers.defaults, **self._answers.settings}
            self._draft.write(path, (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())
            return
        try:
            for key, each in self._answers.settings.items():
                data = jsonfile.set_entry(data, (key,), each)
        except Unmergeable as error:
            raise _named(error, f"config {path}") from error
        self._draft.write(path, data)

    def write_clients(self) -> None:
        """An entry for each client that is wanted."""
        sites = [self._site(client) for client in self._clients]
        name = self._free_name(sites)
        for site in sites:
            launch = self._launch(site.client)
            try:
                self._write_entry(site, name, launch)
            except Unmergeable as error:
                text = snippet(site.client, name, launch).text
                self._refusals.append(Refusal(_named(error, site.name), text))

    def write_hook(self) -> None:
        """The hook of Claude Code, unless it is there."""
        path, shared = (self._draft.below(name) for name in (SETTINGS_FILE, SHARED_SETTINGS))
        entry = self._hook()
        data = self._draft.read(path)
        try:
            if _has_hook(data):
                self._draft.write(path, self._with_due_hooks(data or b"", entry))
                return
            after = jsonfile.append_item(data, HOOK_KEYS, entry)
        except Unmergeable as error:
            text = jsonfile.append_item(None, HOOK_KEYS, entry).decode()
            self._refusals.append(Refusal(_named(error, SETTINGS_FILE), text))
            return
        if _has_hook_somehow(self._draft.read(shared)):
            self._notices.append(f"the hook stands in {SHARED_SETTINGS} already")
            return
        self._added.append(Added(SETTINGS_FILE, HOOK_KEYS, kept_keys(FORMATS["json"], data, HOOK_KEYS)))
        self._draft.write(path, after)

    def write_ignores(self) -> None:
        """The lines of `.gitignore`."""
        path = self._draft.below(".gitignore")
        data = self._draft.read(path)
        has_hook = _has_hook_somehow(self._draft.read(self._draft.below(SETTINGS_FILE)))
        lines = (*ignorelines.STATE_LINES, *((ignorelines.HOOK_LINE,) if has_hook else ()))
        self._draft.write(path, ignorelines.add_lines(data, lines))
        hiding = ignorelines.hides_config(data)
        if hiding is not None:
            self._notices.append(f".gitignore has {hiding}: others who clone the project get no config")

    def write_agents(self) -> None:
        """The block for agents, in the files that the clients read; one that leads to the other is left out."""
        wanted = {AGENTS[client.name != "claude-code"] for client in self._clients}
        wanted |= {name for name in AGENTS if self._files.exists(self._draft.below(name))}
        claude, agents = (self._draft.below(name) for name in AGENTS)
        if self._files.is_link(claude) or agentsblock.imports_agents(self._draft.read(claude)):
            wanted = {AGENTS[1]}
        elif self._files.is_link(agents):
            wanted = {AGENTS[0]}
        for name in sorted(wanted):
            path = self._draft.below(name)
            self._draft.write(path, agentsblock.put_block(self._draft.read(path), name))

    def write_record(self) -> None:
        """What was written, for `--remove`."""
        former = self._former or Record()
        changes = self._draft.changes()
        created = [each for each in changes if each.before is None and each.after is not None]
        folders = [folder for each in created for folder in self._files.missing_folders(each.path)]
        entries = [each for each in former.entries if each not in self._dropped]
        record = Record(
            entries=tuple(dict.fromkeys([*entries, *self._added])),
            created=tuple(dict.fromkeys([*former.created, *(each.name for each in created)])),
            blank=tuple(dict.fromkeys([*former.blank, *(each.name for each in changes if each.before == b"")])),
            folders=tuple(dict.fromkeys([*former.folders, *map(self._draft.shown, folders)])),
            config=self._config_digest(former),
        )
        if record != former:
            self._draft.write(self._record_path, scaffoldrecord.written(record))

    def _config_digest(self, former: Record) -> str | None:
        """Of the config as it will be, if nobody else has had a hand in it."""
        before, after = self._draft.held[self._target.config], self._draft.read(self._target.config)
        is_ours = before is None or bytes_digest(before).hex() == former.config
        return bytes_digest(after or b"").hex() if is_ours else former.config

    def _served(self) -> list[str]:
        """Clients in which the server is registered already: a new name or command is meant for them too."""
        found: list[str] = []
        for client in CLIENTS.values():
            site = self._draft.site(client, self._answers.scope)
            try:
                servers = {} if site is None else self._draft.servers(site)
            except DocsRagError:
                continue
            if any(self._draft.is_ours(entry, self._answers.scope) for entry in servers.values()):
                found.append(client.name)
        return found

    def _site(self, client: Client) -> Site:
        """The client's file. Raises `UsageError` where there is none in this scope or on this system."""
        site = self._draft.site(client, self._answers.scope)
        if site is not None:
            return site
        if self._answers.scope == "project":
            raise UsageError(f"{client.title} has no settings for one project", "add --scope user")
        raise DocsRagError(f"it is not known where {client.title} keeps its settings on this system", "leave it out")

    def _free_name(self, sites: Sequence[Site]) -> str:
        """The server's name, or a numbered one where that stands for something else in one of the clients."""
        taken = {name.lower(): site.name for site in sites for name in self._foreign(site)}
        wanted = entry_name(self._answers.name)
        free = free_name(wanted, taken)
        if free == wanted:
            return wanted
        where = taken.get(wanted.lower())
        why = f"is registered in {where} for something else" if where else "is kept by Claude Code for itself"
        if self._answers.is_named:
            raise ConfigError(f"{wanted} {why}", "give another --name")
        self._notices.append(f"{wanted} {why}; this server is called {free}")
        return free

    def _foreign(self, site: Site) -> list[str]:
        """Names of a client's entries that are not ours, in both of its files: what cannot be read takes none."""
        found: list[str] = []
        for scope in _SCOPES:
            other = self._draft.site(site.client, scope)
            if other is None:
                continue
            try:
                servers = self._draft.servers(other)
            except DocsRagError:
                continue
            found += [name for name, entry in servers.items() if not self._draft.is_ours(entry, scope)]
        return found

    def _launch(self, client: Client) -> Launch:
        answers = self._answers
        return launch_for(
            client,
            self._installed,
            scope=answers.scope,
            config=self._target.config,
            runner=answers.runner or "path",
            local=answers.local,
        )

    def _write_entry(self, site: Site, name: str, launch: Launch) -> None:
        """Register the server, or renew its entry where this call asks for that or its program is gone."""
        servers, data = self._draft.servers(site), self._draft.read(site.path)
        former = next((each for each, entry in servers.items() if self._draft.is_ours(entry, site.scope)), None)
        if former is not None and not self._answers.is_named:
            name = former
        self._registered.append((site, name))
        if former == name and not self._is_due(servers[former]):
            return
        writer, place = FORMATS[site.client.format], site.client.place(name)
        if former != name:
            self._added.append(Added(site.name, place, kept_keys(writer, data, place)))
        if former not in (None, name):
            data = self._without(site, str(former), data or b"")
        entry = renewed(servers[former] if former else None, site.client.entry(launch))
        self._draft.write(site.path, writer.set(data, place, entry))
        self._tell(site, launch)

    def _without(self, site: Site, name: str, data: bytes) -> bytes:
        """A client's file without the entry that gets another name; what came with it goes when the new one goes."""
        place = site.client.place(name)
        noted = self._former.of(site.name, place) if self._former else None
        if noted is not None:
            self._dropped.append(noted)
            self._added[-1] = replace(self._added[-1], kept=noted.kept)
        return FORMATS[site.client.format].remove(data, place, len(place) - 1)

    def _is_due(self, entry: object) -> bool:
        if self._answers.runner is not None or self._answers.local:
            return True
        command = entry.get("command") if isinstance(entry, dict) else None
        program = command[0] if isinstance(command, list) and command else command
        return isinstance(program, str) and Path(program).is_absolute() and not self._files.exists(program)

    def _tell(self, site: Site, launch: Launch) -> None:
        self._notices += doubts(site.client, self._installed, launch)
        if site.scope == "project" and (Path(launch.command).is_absolute() or "--config" in launch.args):
            again = f"docs-rag scaffold --client {site.client.name}"
            self._notices.append(f"{site.name} names paths of this machine: keep it out of git; others run {again}")

    def _with_due_hooks(self, data: bytes, entry: dict[str, object]) -> bytes:
        """The settings with the command of the hook renewed, where this call asks for that or its program is gone."""
        [fresh] = _listed(entry["hooks"])
        for number, item in enumerate(_listed(jsonfile.get_entry(data, HOOK_KEYS))):
            for place, handler in enumerate(_listed(item.get("hooks")) if isinstance(item, dict) else []):
                if is_hook_command(handler) and isinstance(fresh, dict) and self._is_due(handler):
                    keys = (*HOOK_KEYS, number, "hooks", place)
                    data = set_in_json(data, keys, renewed(handler, fresh))
        return data

    def _hook(self) -> dict[str, object]:
        """The hook's entry. Its file is for this machine alone: it may name a path where nothing else would do."""
        if self._answers.runner == "uvx":
            launch = self._launch(CLIENTS["claude-code"])
            return hook_entry(launch.command, launch.args[: launch.args.index("serve")])
        is_found = self._installed.on_path is not None and not self._answers.local
        return hook_entry(PROGRAM if is_found else self._installed.program or PROGRAM, ())


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _has_hook(data: bytes | None) -> bool:
    """Whether settings start our hook. Raises `Unmergeable`."""
    return any(map(holds_hook, _listed(jsonfile.get_entry(data, HOOK_KEYS))))


def _has_hook_somehow(data: bytes | None) -> bool:
    try:
        return _has_hook(data)
    except Unmergeable:
        return False


def _named(error: Unmergeable, name: str) -> Unmergeable:
    """The error with the file's name before its message."""
    return Unmergeable(f"{name} {error.message}", error.hint)
