"""`docs-rag undo`: take the last change of notes back, if they still are as it left them."""

from __future__ import annotations

import click

from docs_rag import wiring
from docs_rag.cli import changing, output
from docs_rag.cli.options import JSON, YES, Project, in_project
from docs_rag.core.cleaning import one_line
from docs_rag.core.edits import Batch
from docs_rag.errors import EXIT_DONE, DocsRagError


@click.command()
@YES
@JSON
@in_project(vault=True)
def command(project: Project, yes: bool, as_json: bool) -> int:
    """Take the last change that docs-rag made to notes back. What changes is shown first.

    Run again, it takes back the change before that. A file that was edited since is left alone.
    """
    config, notices = project.open()
    for notice in notices:
        output.note(notice)
    files = wiring.open_files(config)
    batch = files.last()
    if batch is None:
        raise DocsRagError("there is nothing to take back", "no note was changed here, or all was taken back")
    due = files.due(batch)
    if not as_json:
        output.write([f"{one_line(batch.what)}, {batch.at}" + (" (interrupted)" if batch.interrupted else "")])
    changes = changing.differences((edit, files.read(edit.path)) for edit in due)
    changing.is_agreed(changes, as_json=as_json, yes=yes or not due)
    written = files.undo(batch)
    changing.refresh(config, written)
    if as_json:
        output.write_json({**_as_json(batch), "files": changes.as_json()})
    else:
        output.write(["taken back" if due else "it had changed nothing yet; it is forgotten"])
    return EXIT_DONE


def _as_json(batch: Batch) -> dict[str, object]:
    return {"what": batch.what, "at": batch.at, "interrupted": batch.interrupted, "undo": batch.id}
