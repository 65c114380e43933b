"""`docs-rag clients`: what to paste into the settings of an MCP client, and into a scheduler."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from docs_rag import config as configs
from docs_rag import wiring
from docs_rag.app import snippets
from docs_rag.app.clients import CLIENTS, Client, Scope, client_named, folders_of
from docs_rag.app.launching import RUNNERS, Runner, doubts, launch_for
from docs_rag.cli import output
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.core.registrations import entry_name
from docs_rag.core.schedules import SCHEDULES
from docs_rag.errors import EXIT_DONE, ConfigError, DocsRagError, UsageError


@dataclass(frozen=True, slots=True)
class _Target:
    """What is to be served."""

    config: str
    """Absolute path."""
    name: str
    """Of the server, as every client takes it."""


@click.command()
@click.argument("name", required=False, metavar="[CLIENT]")
@click.option("--scope", type=click.Choice(("project", "user")), help="For this project alone, or for all of yours.")
@click.option(
    "--runner",
    type=click.Choice(RUNNERS),
    default="path",
    help="How the client gets the program: from the search path, or by uvx from where this copy was installed from.",
)
@click.option("--local", is_flag=True, help="Paths that only this machine has are all right.")
@click.option("--schedule", type=click.Choice(tuple(SCHEDULES)), help="A block that keeps the index up to date.")
@JSON
@in_project(trusted=False)
def command(
    project: Project,
    name: str | None,
    scope: Scope | None,
    runner: Runner,
    local: bool,
    schedule: str | None,
    as_json: bool,
) -> int:
    """Show what to paste into an MCP client's settings. Nothing is written.

    Without CLIENT it lists the clients and their files. The snippet goes to stdout, what to do with it to stderr.
    """
    if name and schedule:
        raise UsageError("a client and --schedule exclude each other", "ask for one of them")
    if schedule:
        _show_schedule(_target(project), schedule, as_json)
    elif name is None:
        _show_table(as_json)
    else:
        _show_snippet(_target(project), client_named(name), scope, runner, local=local, as_json=as_json)
    return EXIT_DONE


def _target(project: Project) -> _Target:
    """The config that counts here, or where the first one would lie."""
    options = project.options
    try:
        path = configs.find_path(config=options.config, folder=options.folder)
    except ConfigError:
        output.note("there is no config here yet; docs-rag init writes one")
        return _Target(str(Path(options.folder or ".", ".rag", "config.json").absolute()), "docs")
    config, notices = configs.load(path, strict=False)
    for notice in notices:
        output.note(notice)
    return _Target(path, entry_name(config.name))


def _show_snippet(
    target: _Target, client: Client, scope: Scope | None, runner: Runner, *, local: bool, as_json: bool
) -> None:
    scope = scope or ("project" if client.project else "user")
    if scope == "project" and client.project is None:
        raise DocsRagError(f"{client.title} has no settings for one project", "use --scope user")
    installed = wiring.installed()
    launch = launch_for(client, installed, scope=scope, config=target.config, runner=runner, local=local)
    made = snippets.snippet(client, target.name, launch)
    for doubt in doubts(client, installed, launch):
        output.note(doubt)
    file = _file(client, scope)
    if as_json:
        output.write_json({**_row(client), "scope": scope, "file": file, "keys": list(client.place(made.server))}
                          | {"entry": made.entry, "snippet": made.text})  # fmt: skip
        return
    output.say(f"{client.title}: {file or 'no file is known for this system'}")
    output.write(made.text.splitlines())
    output.flush()
    output.say(client.then)


def _show_schedule(target: _Target, name: str, as_json: bool) -> None:
    installed = wiring.installed()
    program = installed.program or installed.on_path
    if program is None:
        raise DocsRagError("the docs-rag program was not found", "install it, so that it has a path of its own")
    schedule = SCHEDULES[name]
    block = schedule.block(target.name, (program, "index", "--config", target.config))
    then = schedule.then.format(name=target.name)
    if as_json:
        output.write_json({"schedule": name, "title": schedule.title, "block": block, "then": then})
        return
    output.write(block.splitlines())
    output.flush()
    output.say(then)


def _show_table(as_json: bool) -> None:
    rows = [_row(client) for client in CLIENTS.values()]
    if as_json:
        output.write_json(rows)
        return
    output.write(_table([(client.name, client.title, *_files(client)) for client in CLIENTS.values()]))
    output.say("docs-rag clients CLIENT shows what to put there.")


def _row(client: Client) -> dict[str, object]:
    """A client as JSON."""
    return {
        "name": client.name,
        "title": client.title,
        "projectFile": client.project,
        "userFile": _file(client, "user"),
        "format": client.format,
        "then": client.then,
        "source": client.seen,
    }


def _files(client: Client) -> tuple[str, str]:
    home = str(Path.home())
    user = _file(client, "user") or "-"
    return client.project or "-", f"~{user.removeprefix(home)}" if user.startswith(f"{home}/") else user


def _file(client: Client, scope: Scope) -> str | None:
    return client.file(scope, sys.platform, folders_of(os.environ, str(Path.home())))


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
