"""The command line: a table of commands, each loaded when it is called, and one handler for all that goes wrong.

A command parses, calls one use case, and renders. Results go to stdout; progress, notices and errors to stderr.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import click

from docs_rag import __version__
from docs_rag.cli import failing, output
from docs_rag.cli.page import Page
from docs_rag.cli.session import Session
from docs_rag.errors import EXIT_DONE, UsageError

if TYPE_CHECKING:
    from docs_rag.app.background import WorkerLock


class Row(NamedTuple):
    """One command."""

    place: str
    """`module:name` of the `click.Command`, imported when it is called."""
    help: str
    """Its line in `docs-rag --help`."""


COMMANDS: Final = {
    "init": Row("docs_rag.cli.init:command", "Set up a folder of notes: ask, then write .rag/config.json."),
    "scaffold": Row("docs_rag.cli.scaffold:command", "Set up a project for its agents: config, MCP clients, hook."),
    "index": Row("docs_rag.cli.index:command", "Build the index, or bring it up to date."),
    "search": Row("docs_rag.cli.search:command", "Ask a question; hits carry their reason and their state."),
    "read": Row("docs_rag.cli.read:command", "Read a note, or the section that was found, as it is now."),
    "convert": Row("docs_rag.cli.convert:command", "Show what a PDF, a Word file, an HWP file … reads as."),
    "list": Row("docs_rag.cli.listing:command", "Show every note with its state and its problems."),
    "history": Row("docs_rag.cli.history:command", "Show what a note replaced and what replaced it."),
    "check": Row("docs_rag.cli.check:command", "Find what is wrong with the notes' states and links."),
    "eval": Row("docs_rag.cli.eval:command", "Ask questions whose answers are known, and count what was right."),
    "status": Row("docs_rag.cli.status:command", "Show what is indexed, left out and failed, and the floor in use."),
    "doctor": Row("docs_rag.cli.doctor:command", "Find out what is wrong with the setup, and what mends it."),
    "serve": Row("docs_rag.cli.serve:command", "Serve the notes to agents: MCP on stdin and stdout."),
    "clients": Row("docs_rag.cli.clients:command", "Show what to paste into an MCP client, or into a scheduler."),
    "hook": Row("docs_rag.cli.hook:command", "Take in the notes that Claude Code edits: its hook, on stdin."),
    "bundle": Row("docs_rag.cli.bundle:command", "Write a .mcpb, which Claude Desktop installs with a double click."),
    "supersede": Row("docs_rag.cli.supersede:command", "Let one note supersede another, and say so in both."),
    "undo": Row("docs_rag.cli.undo:command", "Take the last change of notes back."),
    "trust": Row("docs_rag.cli.trust:command", "Show what a config asks for, and approve it."),
    "completion": Row("docs_rag.cli.completion:command", "Let bash, zsh or fish complete what you type."),
    "demo": Row("docs_rag.cli.demo:command", "Try it: a small vault of decisions, and three questions to it."),
}
"""Every command, in the order of `docs-rag --help`; `manual.PAGES` has the rest of its help."""
COMPLETION: Final = "_DOCS_RAG_COMPLETE"
"""Set by a shell that asks what could stand where its cursor is."""


class Commands(click.Group):
    """The table as click needs it; no command is imported before it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the table, in its order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].place.partition(":")
        command: click.Command = getattr(import_module(module), name)
        command.context_class = Page
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, where click would import every command for its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.help) for name, row in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant. Raises `UsageError`, which names the nearest one."""
        if args[0] not in COMMANDS:
            raise UsageError(f"there is no command {args[0]}", _nearest(args[0]))
        return super().resolve_command(ctx, args)


def _nearest(name: str) -> str:
    import difflib  # noqa: PLC0415  # 7 ms that only a mistake should cost

    near = difflib.get_close_matches(name, COMMANDS, n=1)
    return f"did you mean {near[0]}?" if near else "see: docs-rag --help"


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="docs-rag COMMAND --help tells more. `docs-rag demo` shows in one screen what it does.",
)
@click.option("-C", "folder", metavar="DIR", help="Run as if started in DIR.")
@click.option("--config", metavar="PATH", help="The config file, instead of the nearest one.")
@click.version_option(__version__, prog_name="docs-rag", message="%(prog)s %(version)s")
@click.pass_context
def group(context: click.Context, folder: str | None, config: str | None) -> None:
    """Search your notes by meaning and by word, and know which of them still hold."""
    session = cast(Session, context.obj)
    session.folder, session.config = folder, config
    if context.invoked_subcommand is None:
        raise UsageError("no command given", "see: docs-rag --help, or try: docs-rag demo")


def run(arguments: Sequence[str], worker_lock: WorkerLock | None = None) -> int:
    """Run one command line; returns the exit status. Whatever goes wrong is told on stderr and never raised.

    `worker_lock`: the lock of a project's background process, where this process has it already.
    """
    session = Session(worker_lock=worker_lock)
    try:
        output.prepare()
        asked = os.environ.get(COMPLETION)
        status = _complete(asked) if asked else _invoke(arguments, session)
        output.flush()
    except BaseException as error:  # every end of a command is turned into an exit status here, and only here
        return failing.end(error, session)
    return status


def _invoke(arguments: Sequence[str], session: Session) -> int:
    with group.make_context("docs-rag", list(arguments), obj=session) as context:
        status: Any = group.invoke(context)
    return int(status or 0)


def _complete(asked: str) -> int:
    from docs_rag.cli import completing  # noqa: PLC0415  # for shells alone

    output.write([completing.answer(asked)])
    return EXIT_DONE
