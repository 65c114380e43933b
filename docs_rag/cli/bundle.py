"""`docs-rag bundle`: this copy of the program as a `.mcpb`, for people who edit no settings files."""

from __future__ import annotations

from pathlib import Path

import click

from docs_rag import machine
from docs_rag.app import bundling
from docs_rag.cli import output
from docs_rag.cli.newfile import write_new_bytes
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.core.cleaning import one_line
from docs_rag.errors import EXIT_DONE, DocsRagError


@click.command()
@click.argument("file", default="docs-rag.mcpb", metavar="[FILE]")
@JSON
@in_project(trusted=False)
def command(project: Project, file: str, as_json: bool) -> int:
    """Write a bundle for Claude Desktop, which asks its user for the folder of notes.

    FILE is docs-rag.mcpb if none is named; a file that is there already is left alone. Nothing of this machine goes
    into the bundle but the program itself.
    """
    place = Path(project.options.folder or ".", file).expanduser().absolute()
    copy = machine.own_copy()
    data = bundling.bundle(copy)
    _write(place, data)
    if as_json:
        output.write_json({"file": str(place), "bytes": len(data), "version": copy.version})
        return EXIT_DONE
    output.write([f"{one_line(str(place))}: docs-rag {copy.version}, {len(data) / 1000:.0f} kB"])
    output.say("Open it with Claude Desktop, which asks for the folder of notes.")
    return EXIT_DONE


def _write(place: Path, data: bytes) -> None:
    try:
        write_new_bytes(place, data)
    except FileExistsError as error:
        raise DocsRagError(f"{place} is there already", "name another file, or remove it") from error
    except OSError as error:
        raise DocsRagError(f"cannot write {place}: {(error.strerror or str(error)).lower()}") from error
