"""Completion in shells, by click's own mechanism: a script for the shell, and the answers that it asks for."""

from __future__ import annotations

import copy
from typing import Any, Final

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from docs_rag import cli
from docs_rag.core.linting.codes import CODES
from docs_rag.errors import DocsRagError, UsageError

_FILE: Final = click.Path()
_FOLDER: Final = click.Path(file_okay=False)
_CODE: Final = click.Choice([code.id for code in CODES])
KINDS: Final[dict[str, click.ParamType[Any]]] = {
    "DIR": _FOLDER,
    "[DIR]": _FOLDER,
    "PATH": _FILE,
    "[PATH]...": _FILE,
    "FILE": _FILE,
    "BASELINE": _FILE,
    "[QUESTIONS]...": _FILE,
    "NOTE": _FILE,
    "OLD": _FILE,
    "NEW": _FILE,
    "CODE": _CODE,
    "CODES": _CODE,
}
"""What stands for a parameter that is plain text, by the word that help has for it."""


def script(shell: str) -> str:
    """The lines for a shell's start-up file. Raises `UsageError` for a shell that is not known."""
    return _for_shell(shell).source().strip("\n")


def answer(instruction: str) -> str:
    """What fits where the shell's cursor stands, in the shell's own form; nothing where the line makes no sense.

    `instruction` is what the shell has set, `bash_complete`; the line is in its environment. Raises `UsageError`.
    """
    shell, _, wish = instruction.partition("_")
    completion = _for_shell(shell)
    if wish == "source":
        return script(shell)
    try:
        return completion.complete()
    except (click.ClickException, click.exceptions.Exit, DocsRagError):
        return ""


def _for_shell(shell: str) -> ShellComplete:
    found = get_completion_class(shell)
    if found is None:
        raise UsageError(f"there is no completion for the shell {shell}", "see: docs-rag completion --help")
    return found(_Completed(), {}, "docs-rag", cli.COMPLETION)


class _Completed(click.Group):
    """The command line as completion needs it: no command is imported for its name, and files are known as such."""

    def __init__(self) -> None:
        super().__init__("docs-rag", params=_with_kinds(cli.group.params), invoke_without_command=True)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(cli.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = cli.group.get_command(ctx, cmd_name)
        return None if found is None else click.Command(found.name, params=_with_kinds(found.params))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        fitting = [(name, row.help) for name, row in cli.COMMANDS.items() if name.startswith(incomplete)]
        commands: list[CompletionItem[Any]] = [CompletionItem(name, help=text) for name, text in fitting]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]


def _with_kinds(parameters: list[click.Parameter]) -> list[click.Parameter]:
    return [_with_kind(each) for each in parameters]


def _with_kind(parameter: click.Parameter) -> click.Parameter:
    word = parameter.metavar or (parameter.name or "").upper()
    if word not in KINDS or not isinstance(parameter.type, click.types.StringParamType):
        return parameter
    hinted = copy.copy(parameter)
    hinted.type = KINDS[word]
    return hinted
