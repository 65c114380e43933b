"""`docs-rag serve`: the MCP server on stdin and stdout."""

from __future__ import annotations

import sys

import click

from docs_rag.cli import output
from docs_rag.cli.options import Project, in_project


@click.command()
@click.option(
    "--tools",
    type=click.Choice(["search", "reader"]),
    help="Instead of what the config says: `reader` for agents that cannot open files.",
)
@in_project(vault=True)
def command(project: Project, tools: str | None) -> int:
    """Serve the notes to agents: MCP on stdin and stdout, until stdin ends.

    The config is looked for from CLAUDE_PROJECT_DIR if that is set, else from the working directory. Without an index,
    or with a config that waits for approval, it runs all the same: its answers say what to do.
    """
    if output.is_terminal(sys.stdin):
        output.note("this speaks with an MCP client, which starts it; see: docs-rag clients; Ctrl-D ends it")
    from docs_rag.mcp_server import serve  # noqa: PLC0415  # `serve --help` can do without

    return serve(project.options, tools)
