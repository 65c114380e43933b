"""`docs-rag hook` as people call it; the host's own calls are answered before this package is loaded."""

from __future__ import annotations

import click

from docs_rag import config as configs
from docs_rag import hook
from docs_rag.cli.options import Project, in_project


@click.command()
@in_project(trusted=False)
def command(project: Project) -> int:
    """Make sure that the notes which Claude Code edits are indexed.

    Claude Code runs this after each Write and Edit, with a JSON event on stdin. When the edited file is a note of a
    project that was set up, an index run is started in the background and this command is done: it waits for nothing,
    its exit status is 0, and stdout is empty or holds one JSON object with a warning or with what is to be known of
    the note. The project is the one that the edited file lies in, or that of --config. `docs-rag scaffold --hook`
    writes the entry into .claude/settings.local.json.
    """
    said = project.options
    config = configs.find_path(config=said.config, folder=said.folder) if said.config or said.folder else None
    return hook.main(config)
