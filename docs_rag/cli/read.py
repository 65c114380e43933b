"""`docs-rag read`: a part of a note as it is now, with what must be known of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from docs_rag import wiring
from docs_rag.cli import output
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.errors import EXIT_DONE, UsageError

if TYPE_CHECKING:
    from docs_rag.config import Config
    from docs_rag.core.paging import LineRange
    from docs_rag.core.reading import Reading
    from docs_rag.core.wanted import Wanted


def _range(context: click.Context, parameter: click.Parameter, value: str | None) -> LineRange | None:
    """Callback: the lines that are meant."""
    if value is None:
        return None
    from docs_rag.core.paging import read_range  # noqa: PLC0415

    found = read_range(value)
    if found is None:
        raise UsageError(f"--lines is '{value}'", "give for example 41-68, 41- or 41")
    return found


@click.command()
@click.argument("note", metavar="NOTE")
@click.option("--heading", metavar="H", help="The section under this heading; `Auth > Tokens` names both.")
@click.option("--lines", callback=_range, metavar="A-B", help="These lines; 41- is from line 41 on.")
@click.option("--around", type=click.IntRange(0, 20), metavar="N", help="Whole sections, and N before and after.")
@click.option("--full", is_flag=True, help="All that was asked for, however long.")
@JSON
@in_project(vault=True)
def command(
    project: Project,
    note: str,
    heading: str | None,
    lines: LineRange | None,
    around: int | None,
    full: bool,
    as_json: bool,
) -> int:
    """Show NOTE, or a part of it, with line numbers; what became of it stands before its text.

    NOTE is a path, an id or a title; path:41 is the section that holds line 41, and a hit's id the section that was
    found. A long text is shown up to a point; the last line says how to go on.
    """
    if heading is not None and lines is not None:
        raise UsageError("--heading and --lines exclude each other", "give one of them")
    from docs_rag.core.paging import MOST_CHARS  # noqa: PLC0415
    from docs_rag.library import open_library  # noqa: PLC0415  # what --help needs not

    config, notices = project.open()
    asked = _wanted(note, config, project.options.folder)
    asked = replace(asked, around=around)
    if heading is not None:
        asked = replace(asked, heading=(heading,), lines=None, hit=None)
    if lines is not None:
        asked = replace(asked, lines=lines, is_spot=False, hit=None)
    with wiring.open_index(config) as store, store.guarded():
        found = open_library(config, store).read(asked, most_chars=None if full else MOST_CHARS)
    _show(replace(found, notices=(*notices, *found.notices)), as_json)
    return EXIT_DONE


def _wanted(typed: str, config: Config, folder: str | None) -> Wanted:
    """What was typed, its path counted from the working directory where that leads into the vault."""
    from docs_rag.cli.targets import named_record  # noqa: PLC0415
    from docs_rag.core.wanted import wanted  # noqa: PLC0415

    found = wanted(typed)
    return replace(found, path=named_record(config.vault_path, found.path, folder=folder, roots=config.roots))


def _show(found: Reading, as_json: bool) -> None:
    if as_json:
        from docs_rag.core.reading import as_json as whole  # noqa: PLC0415

        output.write_json(whole(found))
        return
    from docs_rag.core.readingtext import reading_lines  # noqa: PLC0415

    for notice in found.notices:
        output.note(notice)
    output.write(reading_lines(found, f"--lines {found.rest}"))
