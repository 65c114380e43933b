"""`docs-rag convert`: what a document of another format reads as."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from docs_rag import wiring
from docs_rag.cli import output
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.errors import EXIT_DONE, IndexMissing, UsageError

if TYPE_CHECKING:
    from docs_rag.config import Config
    from docs_rag.core.converted import KeptText


@click.command()
@click.argument("path", metavar="PATH")
@click.option("--again", is_flag=True, help="Convert it anew, even if a text is kept.")
@click.option("--where", is_flag=True, help="Only the path of the file that holds the text.")
@JSON
@in_project(vault=True)
def command(project: Project, path: str, again: bool, where: bool, as_json: bool) -> int:
    """Show the text of the document PATH as markdown, as it is indexed.

    What is missing from it is told on stderr. The text is kept in .rag/converted until the document changes.
    """
    if where and as_json:
        raise UsageError("--where and --json exclude each other", "the object has the path as textPath")
    from docs_rag.cli.targets import in_vault  # noqa: PLC0415  # what --help needs not
    from docs_rag.conversion import convert  # noqa: PLC0415

    config, notices = project.open()
    for notice in notices:
        output.note(notice)
    named = in_vault(config.vault_path, [path], folder=project.options.folder, roots=config.roots)
    if not named:
        raise UsageError(f"{path} is the whole vault", "name one document")
    wiring.make_state_folder(config)
    text, place = convert(config, wiring.open_vault(config), _secret(config), named[0], again=again)
    if as_json:
        output.write_json(_object(named[0], text, place))
        return EXIT_DONE
    for warning in text.warnings:
        output.note(warning)
    output.write([place] if where else text.markdown.rstrip("\n").split("\n"))
    return EXIT_DONE


def _secret(config: Config) -> str:
    """What seals kept texts: the index's token, where there is an index."""
    try:
        with wiring.open_index(config) as store, store.guarded():
            return store.token()
    except IndexMissing:
        return ""


def _object(path: str, text: KeptText, place: str) -> dict[str, object]:
    return {
        "path": path,
        "textPath": place,
        "title": text.title,
        "warnings": list(text.warnings),
        "locations": [{"lines": list(each.lines), "location": each.location} for each in text.stretches],
        "text": text.markdown,
    }
