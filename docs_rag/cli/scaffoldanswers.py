"""What `scaffold` is told: by its options, by answers on the terminal, by what is found."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_rag import config as configs
from docs_rag import trust
from docs_rag.app.clients import CLIENTS, Scope, folders_of
from docs_rag.app.launching import Runner
from docs_rag.cli import output
from docs_rag.cli.options import Project
from docs_rag.cli.targets import start_folder
from docs_rag.core import checks
from docs_rag.core.jsontext import shown
from docs_rag.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from docs_rag.app.drafts import Target
    from docs_rag.app.scaffolding import Answers

_ALWAYS = "claude-code"
_FIELDS = {field.key: field for field in configs.FIELDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """The options, as they were given."""

    name: str | None = None
    vault: str | None = None
    include: tuple[str, ...] = ()
    desc: str | None = None
    hook: bool = False
    agents: bool = False
    clients: tuple[str, ...] = ()
    scope: Scope = "project"
    runner: Runner | None = None
    local: bool = False


def target_of(project: Project, directory: str | None) -> Target:
    """The project that DIR, `--config` or `-C` names. Raises `UsageError`."""
    from docs_rag.app.drafts import Target  # noqa: PLC0415  # --help can do without

    here = start_folder(project.options.folder)
    folder = Path(os.path.normpath(here / Path(directory).expanduser())) if directory else here
    config = _config_in(folder)
    if project.options.config is not None:
        config = Path(os.path.normpath(here / Path(project.options.config).expanduser()))
        folder = _project_of(config)
        if directory and Path(os.path.normpath(here / Path(directory).expanduser())) != folder:
            raise UsageError(f"{config} is no config of {directory}", "give DIR or --config")
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}", "make it first, or name another one")
    state = config.parent if config.parent.name == ".rag" else config.parent / ".rag"
    return Target(
        project=str(folder),
        state_dir=str(state),
        config=str(config),
        platform=sys.platform,
        folders=folders_of(os.environ, str(Path.home())),
    )


def answers_for(project: Project, target: Target, flags: Flags, *, ask: bool) -> Answers:
    """Everything that a plan needs. Raises `UsageError` where a question is needed and nobody can be asked."""
    from docs_rag.app.scaffolding import Answers  # noqa: PLC0415

    if ask:
        output.require_terminal("run it with --yes to take what it finds, or with --dry-run to see that")
    name = _present_name(target)
    here = str(start_folder(project.options.folder))
    vault = None if flags.vault is None else _existing(flags.vault, here, target.project)
    settings = _settings(target, flags, vault)
    defaults = {} if name is not None else _found(target, vault, ask=ask)
    clients, hook, agents = _wanted(target, flags) if ask else (_clients(flags), flags.hook, flags.agents)
    if defaults and not all(CLIENTS[each].opens_files for each in clients):
        defaults["tools"] = "reader"
    return Answers(
        settings=settings,
        defaults=defaults,
        name=flags.name or name or configs.for_vault(target.project).name,
        is_named=flags.name is not None,
        clients=clients,
        scope=flags.scope,
        runner=flags.runner,
        local=flags.local,
        hook=hook,
        agents=agents,
    )


def _config_in(folder: Path) -> Path:
    """The config of a folder; where there is none, the place of a new one."""
    new = folder / ".rag" / "config.json"
    try:
        found = Path(configs.find_path(folder=str(folder)))
    except ConfigError:
        return new
    if found.parent in (folder, folder / ".rag"):
        return found
    output.note(f"{found} governed this folder so far; from now on a config of its own does")
    return new


def _project_of(config: Path) -> Path:
    """The folder that a config speaks for. Raises `UsageError` for one that no server would find there."""
    if config.name != "config.json":
        raise UsageError(f"servers do not find {config}", "call it .rag/config.json")
    return config.parent.parent if config.parent.name == ".rag" else config.parent


def _present_name(target: Target) -> str | None:
    """The server's name by the config that is there; None where there is none.

    Raises `ConfigError` for one with mistakes, and for one that asks for what its user has not approved.
    """
    if not os.path.lexists(target.config):
        return None
    config, _ = configs.load(target.config, strict=True)
    trust.require(config, trust_once=False)
    return config.name


def _settings(target: Target, flags: Flags, vault: Path | None) -> dict[str, object]:
    """The keys of the config that options give. Raises `UsageError` for a value that a key cannot have."""
    given: dict[str, tuple[str, object]] = {}
    if vault is not None:
        given["vaultPath"] = ("--vault", _beside(vault, target))
    if flags.include:
        given["include"] = ("--include", list(flags.include))
    if flags.name is not None:
        given["serverName"] = ("--name", flags.name)
    if flags.desc is not None:
        given["toolDescription"] = ("--desc", flags.desc)
    for key, (option, value) in given.items():
        try:
            _FIELDS[key].check(value)
        except checks.Wrong as wrong:
            raise UsageError(f"{option} is {shown(value)}, {wrong}") from wrong
        except ConfigError as error:
            raise UsageError(f"{option}: {error.message}", error.hint) from error
    return {key: value for key, (_, value) in given.items()}


def _existing(vault: str, *bases: str) -> Path:
    """The folder that `--vault` names, counted from the first of these where it is there."""
    places = [Path(os.path.normpath(Path(base) / Path(vault).expanduser())) for base in bases]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise UsageError(f"there is no folder {places[0]}", "correct --vault")
    return found


def _beside(vault: Path, target: Target) -> str:
    """The vault as the config names it: relative as long as it lies in the project."""
    if vault.is_relative_to(target.project):
        return Path(os.path.relpath(vault, Path(target.config).parent)).as_posix()
    return str(vault)


def _found(target: Target, vault: Path | None, *, ask: bool) -> dict[str, object]:
    """What a new config says, as `init` finds it out."""
    from docs_rag.cli.init import config_values  # noqa: PLC0415  # only a new project needs it
    from docs_rag.cli.init.choices import choose  # noqa: PLC0415
    from docs_rag.cli.init.findings import Found, find_models, find_vault  # noqa: PLC0415
    from docs_rag.cli.init.messages import speaker  # noqa: PLC0415
    from docs_rag.cli.init.questions import Asker  # noqa: PLC0415

    folder = Path(target.project)
    found = find_vault(folder) if vault is None else Found(vault, 0)
    asker = Asker(speaker(os.environ)) if ask else None
    choices = choose(folder, folder, found, find_models(folder), asker)
    return config_values(Path(target.config), choices)


def _clients(flags: Flags) -> tuple[str, ...]:
    """Claude Code is always meant in a project: its file is the one that others read too."""
    if flags.scope == "user" and flags.clients:
        return flags.clients
    return tuple(dict.fromkeys((_ALWAYS, *flags.clients)))


def _wanted(target: Target, flags: Flags) -> tuple[tuple[str, ...], bool, bool]:
    """The questions: which clients, the hook, a word to agents; what an option says is not asked."""
    clients = _clients(flags)
    if not flags.clients:
        listed = [name for name, row in CLIENTS.items() if row.file(flags.scope, target.platform, target.folders)]
        output.say(f"MCP clients: {', '.join(listed)}")
        asked = click.prompt("Register with (with commas)", default=_ALWAYS, value_proc=_names(listed), err=True)
        clients = tuple(asked)
    hook = flags.hook or (
        _ALWAYS in clients
        and click.confirm("Let Claude Code index a note as soon as it has edited it?", default=True, err=True)
    )
    agents = flags.agents or click.confirm("Tell agents in AGENTS.md / CLAUDE.md to use the notes?", err=True)
    return clients, hook, agents


def _names(listed: list[str]) -> Callable[[str], list[str]]:
    def read(written: str) -> list[str]:
        names = [part.strip() for part in written.split(",") if part.strip()]
        wrong = [name for name in names if name not in listed]
        if wrong or not names:
            raise click.BadParameter(f"there is no client {wrong[0] if wrong else written}")
        return names

    return read
