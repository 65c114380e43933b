"""`docs-rag init`: look around, ask what cannot be known, and write the config."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from docs_rag import config as configs
from docs_rag import trust, wiring
from docs_rag.cli import output
from docs_rag.cli.init.choices import USUAL, Choices, choose
from docs_rag.cli.init.findings import find_models, find_vault, first_index
from docs_rag.cli.init.messages import speaker
from docs_rag.cli.init.questions import Asker
from docs_rag.cli.init.report import report_lines
from docs_rag.cli.newfile import write_new
from docs_rag.cli.options import YES, Project, in_project
from docs_rag.cli.targets import start_folder
from docs_rag.config import Config
from docs_rag.conversion import documents_glob
from docs_rag.errors import EXIT_DONE, ConfigError


@click.command()
@YES
@in_project(trusted=False)
def command(project: Project, yes: bool) -> int:
    """Set up a folder of notes: look around, ask, then write .rag/config.json.

    It looks for the folder of notes, for Ollama and its embedding models, for what Obsidian excludes, and for a service
    that copies the folder to other machines; what it found is the answer to an empty line, and to --yes. It never
    writes over a config.
    """
    folder = start_folder(project.options.folder)
    target = _target(folder, project.options.config)
    if not yes:
        output.require_terminal("run it with --yes to take what it finds")
    found, models = find_vault(folder), find_models(folder)
    asker = None if yes else Asker(speaker(os.environ))
    choices = choose(folder, _project(target), found, models, asker)
    config = _write(target, choices)
    output.write(report_lines(config, choices, models, first_index(choices.vault, choices.model)))
    return EXIT_DONE


def _target(folder: Path, named: str | None) -> Path:
    """Where the config goes; raises `ConfigError` when this folder has one already."""
    if named is not None:
        target = Path(os.path.normpath(folder / Path(named).expanduser()))
    else:
        target = folder / ".rag" / "config.json"
        _look_for_another(folder)
    if os.path.lexists(target):
        raise ConfigError(f"there is a config already: {target}", "edit it, or run: docs-rag index")
    return target


def _look_for_another(folder: Path) -> None:
    try:
        other = Path(configs.find_path(folder=str(folder)))
    except ConfigError:
        return
    if other.parent in (folder, folder / ".rag"):
        raise ConfigError(f"there is a config already: {other}", "edit it, or run: docs-rag index")
    output.note(f"{other} governed this folder so far; from now on the new config does")


def config_values(target: Path, choices: Choices) -> dict[str, object]:
    """What the config at `target` will say."""
    value: dict[str, object] = {"vaultPath": _beside(choices.vault.folder, target), "embedModel": choices.model}
    if choices.documents:
        value["include"] = ["**/*.md", documents_glob(choices.documents)]
    if choices.index:
        value["indexPath"] = choices.index
    if choices.default_exclude != USUAL:
        value["defaultExclude"] = choices.default_exclude
    if choices.within:
        value["lifecycleIn"] = choices.within
    return value


def _write(target: Path, choices: Choices) -> Config:
    """Write the config, read it back as every command will, and approve it: its user has just chosen it."""
    value = config_values(target, choices)
    try:
        if target.parent.name == ".rag" and not target.parent.is_dir():
            target.parent.mkdir(mode=0o700)
        write_new(target, json.dumps(value, ensure_ascii=False, indent=2) + "\n")
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise ConfigError(f"cannot write {target}: {why}", "look at its folder") from error
    config, _ = configs.load(str(target), strict=True)
    trust.approve(config)
    wiring.make_state_folder(config)
    return config


def _beside(vault: Path, target: Path) -> str:
    """The vault as the config names it: relative as long as both lie in one project."""
    if vault.is_relative_to(_project(target)):
        return Path(os.path.relpath(vault, target.parent)).as_posix()
    return str(vault)


def _project(target: Path) -> Path:
    """The folder that the config speaks for."""
    return target.parent.parent if target.parent.name == ".rag" else target.parent
