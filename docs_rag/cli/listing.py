"""`docs-rag list`: every note of the index with its state, and every file that could not be had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from docs_rag import wiring
from docs_rag.cli import output
from docs_rag.cli.hyperlinks import Links, links_on_stdout
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.core.cleaning import one_line
from docs_rag.core.labels import dated, superseded
from docs_rag.core.listing import ListedNote
from docs_rag.core.listing import as_json as listed
from docs_rag.core.notelist import Filter
from docs_rag.core.status import Status
from docs_rag.core.wanted import prefix_within
from docs_rag.core.width import columns
from docs_rag.errors import EXIT_DONE

_WIDEST = 60
"""Columns that a path is given at most, so that one long name does not push everything off the screen."""


@click.command()
@click.argument("prefix", metavar="[PREFIX]", default="")
@click.option("--status", type=click.Choice([str(each) for each in Status]), help="Only notes in this state.")
@click.option("--problems", is_flag=True, help="Only notes with problems, each with its problems.")
@JSON
@in_project(vault=True)
def command(project: Project, prefix: str, status: str | None, problems: bool, as_json: bool) -> int:
    """Show every note with its state; superseded ones with what took their place.

    PREFIX is what paths begin with, counted from the folder of notes: decisions/ or decisions/2026.
    """
    config, notices = project.open()
    with wiring.open_index(config) as store, store.guarded():
        notices += wiring.open_refresher(config, store).before_query().notices
        wanted = Filter(prefix=prefix_within(prefix, config.vault_path, config.roots), status=status, problems=problems)
        notes = sorted(filter(wanted.admits, store.notes.listing()), key=lambda note: note.path)
    for notice in notices:
        output.note(notice)
    if as_json:
        output.write_json([listed(note) for note in notes])
    else:
        link = links_on_stdout(config)
        output.write(_with_problems(notes, link) if problems else _table(notes, link))
    if not notes:
        output.say("nothing to list")
    return EXIT_DONE


def _path(note: ListedNote, link: Links | None) -> str:
    shown = one_line(note.path)
    return link(note.path, shown) if link is not None and note.indexed else shown


def _table(notes: Sequence[ListedNote], link: Links | None) -> Iterator[str]:
    paths = [one_line(note.path) for note in notes]
    widest = min(_WIDEST, max(map(columns, paths), default=0))
    days = max(10, *(len(dated(note.date, note.date_source)) for note in notes), 0)
    for path, note in zip(paths, notes, strict=True):
        gap = " " * (widest - columns(path))
        day = dated(note.date, note.date_source)
        yield f"{_path(note, link)}{gap}  {_state(note):<10}  {day:<{days}}  {_rest(note)}".rstrip()


def _state(note: ListedNote) -> str:
    return str(note.status) if note.indexed else "not read"


def _rest(note: ListedNote) -> str:
    """The title, then what else must be known."""
    parts = [one_line(note.title)]
    if note.status is Status.SUPERSEDED:
        way = (note.path, *note.superseded_by, *note.current_end)
        chain = tuple(dict.fromkeys(way)) if len(note.superseded_by) == 1 else ()
        parts.append(superseded(chain, note.superseded_by, note.superseded_on))
    if note.stale:
        parts.append("[stale]")
    if note.problems:
        parts.append(f"[{', '.join(dict.fromkeys(each.code for each in note.problems))}]")
    return "  ".join(part for part in parts if part)


def _with_problems(notes: Iterable[ListedNote], link: Links | None) -> Iterator[str]:
    for note in notes:
        yield _path(note, link)
        for each in note.problems:
            place = "" if each.line is None else f" (line {each.line})"
            yield f"    {each.code}: {one_line(each.message)}{place}"
