"""`docs-rag serve`: the MCP server on stdin and stdout."""

from __future__ import annotations

import click

from docs_rag.cli.options import Project, in_project


@click.command()
@in_project(vault=True)
def command(project: Project) -> int:
    """Serve the notes to agents: MCP on stdin and stdout, until stdin ends.

    The config is looked for from CLAUDE_PROJECT_DIR if that is set, else from the working directory.
    """
    from docs_rag.mcp_server import serve  # noqa: PLC0415  # `serve --help` can do without

    return serve(project.options)
