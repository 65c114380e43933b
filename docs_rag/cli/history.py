"""`docs-rag history`: what a record replaced, back to the oldest, and what replaced it, to the records in force."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from docs_rag import wiring
from docs_rag.cli import output
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.cli.targets import named_record
from docs_rag.core.history import drawing, plainjson
from docs_rag.core.history.mermaid import chart
from docs_rag.core.status import Status
from docs_rag.errors import EXIT_DONE, UsageError

if TYPE_CHECKING:
    from docs_rag.core.history.tree import History

_COLOURS: Final = {Status.CURRENT: "green", Status.DRAFT: "yellow", Status.REJECTED: "red"}
"""Of states that still count; all others are dimmed."""


@click.command()
@click.argument("note", metavar="NOTE")
@click.option("--mermaid", is_flag=True, help="A Mermaid flowchart, to be put into a note.")
@JSON
@in_project(vault=True)
def command(project: Project, note: str, mermaid: bool, as_json: bool) -> int:
    """Show what NOTE replaced and what replaced it, with dates, the oldest first.

    NOTE is a path, a file name, an id, a title or an alias; log.md#D-013 is one decision of a log.
    """
    if mermaid and as_json:
        raise UsageError("--json and --mermaid exclude each other", "give one of them")
    from docs_rag.app import tracing  # noqa: PLC0415  # loads the look-up tables, which --help needs not

    config, notices = project.open()
    with wiring.open_index(config) as store, store.guarded():
        notices += wiring.open_refresher(config, store).before_query().notices
        named = named_record(config.vault_path, note, folder=project.options.folder, roots=config.roots)
        found = tracing.history(store, named)
    for notice in notices:
        output.note(notice)
    _show(found, mermaid=mermaid, as_json=as_json)
    return EXIT_DONE


def _show(found: History, *, mermaid: bool, as_json: bool) -> None:
    if as_json:
        output.write_json(plainjson.as_json(found))
        return
    if mermaid:
        output.write(chart(found))
    else:
        output.write(_lines(found, drawing.LINES if _draws_lines() else drawing.PLAIN))
    if found.is_alone:
        output.say("it replaced nothing, and nothing replaced it")


def _lines(found: History, art: drawing.Art) -> Iterator[str]:
    in_colour = output.in_colour(sys.stdout)
    for head, rest, row in drawing.aligned(drawing.rows(found, art)):
        yield _painted(head, row) + click.style(rest, bold=row.is_asked or None) if in_colour else head + rest


def _painted(head: str, row: drawing.Row) -> str:
    if row.status is None:
        return click.style(head, dim=True)
    colour = _COLOURS.get(row.status)
    return click.style(head, fg=colour, dim=True if colour is None else None)


def _draws_lines() -> bool:
    """Whether the terminal can show box-drawing characters; what is no terminal gets them, as all output is UTF-8."""
    if not output.is_terminal(sys.stdout):
        return True
    encoding = os.environ.get("PYTHONIOENCODING", "").partition(":")[0] or locale.getencoding()
    try:
        return bool("●○│├─…–".encode(encoding))
    except (UnicodeEncodeError, LookupError):
        return False
