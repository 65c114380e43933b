"""`docs-rag completion`: the lines that teach a shell to complete the program's commands and options."""

from __future__ import annotations

from typing import Final

import click

from docs_rag.cli import output
from docs_rag.cli.options import Project, in_project
from docs_rag.errors import EXIT_DONE

SHELLS: Final = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@in_project(trusted=False)
def command(project: Project, shell: str) -> int:
    """Print what makes SHELL complete commands, options, files and folders after docs-rag.

    The shell then asks the program itself on every press of TAB; nothing of the project is read for that.
    """
    from docs_rag.cli.completing import script  # noqa: PLC0415

    output.write([script(shell)])
    return EXIT_DONE
