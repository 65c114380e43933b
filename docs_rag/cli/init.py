"""`docs-rag init`: ask which folder holds the notes, and write the config."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from docs_rag import config as configs
from docs_rag import trust, wiring
from docs_rag.app.surveying import survey_statuses
from docs_rag.cli import output
from docs_rag.cli.newfile import write_new
from docs_rag.cli.options import YES, Project, in_project
from docs_rag.cli.targets import start_folder
from docs_rag.config import Config
from docs_rag.core.documents import Skipped
from docs_rag.core.globs import Globs
from docs_rag.core.proposing import Proposal, propose
from docs_rag.errors import EXIT_DONE, ConfigError, EmbedderUnavailable
from docs_rag.render import counted

AUTO: Final = "auto"
MOSTLY: Final = 0.7
"""Share of the notes that one folder must hold to be taken for the vault."""


@dataclass(frozen=True, slots=True)
class Found:
    """The folder that most likely holds the notes."""

    vault: Path
    notes: int


@click.command()
@YES
@in_project(trusted=False)
def command(project: Project, yes: bool) -> int:
    """Set up a folder of notes: ask where they lie, then write .rag/config.json."""
    folder = start_folder(project.options.folder)
    target = _target(folder, project.options.config)
    if not yes:
        output.require_terminal("run it with --yes to take what it finds")
    found = find_vault(folder)
    here = _auto_here(folder)
    vault, model = (found.vault, AUTO) if yes else _ask(folder, found, here)
    proposal = propose_lifecycle(vault)
    within = () if proposal is None else proposal.within if yes else _ask_where_statuses_count(proposal)
    config = _write(target, vault, model, within)
    output.write(
        [
            f"wrote {config.path}",
            f"  notes: {config.vault_path}" + (f" ({counted(found.notes, 'note')})" if vault == found.vault else ""),
            f"  model: {model}" + (f" (here: {here})" if model == AUTO else ""),
            *([] if proposal is None else _statuses_found(proposal, within)),
            "next:",
            "  docs-rag index",
            "  docs-rag search how do we ...",
        ]
    )
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


def find_vault(folder: Path) -> Found:
    """The folder itself if notes lie in it or Obsidian knows it, else the one below it that holds most of them."""
    scanned = wiring.open_vault(configs.for_vault(str(folder))).scan()
    paths = [each.path for each in scanned if not isinstance(each, Skipped)]
    tops = Counter(path.partition("/")[0] if "/" in path else "" for path in paths)
    if not tops or tops[""] or (folder / ".obsidian").is_dir():
        return Found(folder, tops.total())
    name, notes = tops.most_common(1)[0]
    if notes < MOSTLY * tops.total():
        return Found(folder, tops.total())
    return Found(folder / name, notes)


def propose_lifecycle(vault: Path) -> Proposal | None:
    """Where alone statuses should count, by what a sample of the notes says; None where everywhere."""
    opened = wiring.open_vault(configs.for_vault(str(vault)))
    paths = [each.path for each in opened.scan() if not isinstance(each, Skipped)]
    return propose(survey_statuses(opened, paths))


def _statuses_found(proposal: Proposal, within: tuple[str, ...]) -> list[str]:
    counts = "every note's" if not within else f"those in {', '.join(within)} alone (`lifecycleIn`)"
    return [f"  statuses that count: {counts}", f"    {_seen(proposal)}"]


def _seen(proposal: Proposal) -> str:
    return (
        f"of the notes looked at, {proposal.decisions} say what became of a decision; {proposal.others} elsewhere say"
        f" something else: {', '.join(proposal.words)}"
    )


def _ask_where_statuses_count(proposal: Proposal) -> tuple[str, ...]:
    """The globs for `lifecycleIn`; none when every status is to count."""

    def globs(written: str) -> tuple[str, ...]:
        parts = tuple(part.strip() for part in written.split(",") if part.strip())
        if parts in (("all",), ("**",)):
            return ()
        try:
            Globs(parts, key="lifecycleIn")
        except ConfigError as error:
            raise click.BadParameter(error.message) from error
        return parts

    output.say(_seen(proposal))
    asked = "Let statuses count only in (globs with commas, or all)"
    return tuple(click.prompt(asked, default=", ".join(proposal.within), value_proc=globs, err=True))


def _auto_here(folder: Path) -> str:
    """The model that `auto` comes to on this machine, today."""
    try:
        embedder = wiring.choose_embedder(replace(configs.for_vault(str(folder)), embed_model=AUTO), None)
    except EmbedderUnavailable:
        return "none"
    return "none" if embedder is None else embedder.model.name


def _ask(folder: Path, found: Found, here: str) -> tuple[Path, str]:
    """The two questions; what was found is the answer to an empty line."""

    def existing(written: str) -> Path:
        place = Path(os.path.normpath(folder / Path(written).expanduser()))
        if not place.is_dir():
            raise click.BadParameter(f"there is no folder {place}")
        return place

    likely = os.path.relpath(found.vault, folder)
    output.say(f"{counted(found.notes, 'note')} found in {found.vault}")
    vault = click.prompt("Folder of notes", default=likely, value_proc=existing, err=True)
    output.say(f"models: {AUTO} (here: {here}), builtin:multilingual-e5-small, none, or one of your Ollama")
    model = click.prompt("Embedding model", default=AUTO, err=True)
    return vault, model.strip()


def _write(target: Path, vault: Path, model: str, within: tuple[str, ...]) -> Config:
    """Write the config, read it back as every command will, and approve it: its user has just chosen it."""
    value: dict[str, object] = {"vaultPath": _beside(vault, target), "embedModel": model}
    if within:
        value["lifecycleIn"] = within
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
    state = target.parent
    project = state.parent if state.name == ".rag" else state
    if vault.is_relative_to(project):
        return Path(os.path.relpath(vault, state)).as_posix()
    return str(vault)
