"""`docs-rag search`: one question, one answer."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import replace

import click

from docs_rag import wiring
from docs_rag.cli import output
from docs_rag.cli.options import JSON, Project, in_project, split_list
from docs_rag.config import Config
from docs_rag.core import answers
from docs_rag.core.answers import Answer
from docs_rag.core.queries import Query
from docs_rag.errors import EXIT_DONE, EXIT_KNOWN, DocsRagError, UsageError
from docs_rag.render import LINES_PER_HIT, answer_lines

_HEAD = re.compile(r"(\[[^\]]*\])(  )(.*?)((?:  \[[^\]]*\](?: \[[^\]]*\])*)?  \(lines \d+-\d+\))?$")
"""Reason, path with headings, the rest of a hit's first line."""


def _day(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Callback: the day that is meant, ISO."""
    if value is None:
        return None
    from docs_rag.core.asof import read_day  # noqa: PLC0415  # few questions name a day

    return read_day(value)


@click.command()
@click.argument("query", nargs=-1, metavar="QUERY...")
@click.option("-n", "--limit", type=click.IntRange(1, 50), metavar="N", help="At most N hits.")
@click.option("--within", multiple=True, callback=split_list, metavar="A,B", help="Only in these folders.")
@click.option("--exclude", multiple=True, callback=split_list, metavar="A,B", help="Not in these folders.")
@click.option("--tag", "tags", multiple=True, callback=split_list, metavar="T", help="Only notes with this tag.")
@click.option("--all", "search_all", is_flag=True, help="Superseded, archived and excluded notes too, labelled.")
@click.option(
    "--as-of", callback=_day, metavar="DATE", help="What was in force on that day: 2025-06-30, 2025-06, 2025."
)
@click.option("--full", is_flag=True, help="Every line of a hit's passage, not the first 12 only.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 when there is no hit.")
@JSON
@in_project(vault=True)
def command(
    project: Project,
    query: tuple[str, ...],
    limit: int | None,
    within: tuple[str, ...],
    exclude: tuple[str, ...],
    tags: tuple[str, ...],
    search_all: bool,
    as_of: str | None,
    full: bool,
    exit_code: bool,
    as_json: bool,
) -> int:
    """Answer QUERY from the notes that hold today.

    Several words need no quotes. A question that begins with a dash goes after --.
    """
    text = " ".join(query).strip()
    if not text:
        raise UsageError("the query is empty", "ask for something: docs-rag search session expiry")
    config, notices = project.open()
    asked = Query(
        text=text,
        limit=limit or config.limit,
        within=within,
        exclude=exclude,
        tags=tags,
        search_all=search_all,
        as_of=as_of,
    )
    answer = _answer(config, asked, notices)
    if exit_code and as_json and not answer.hits:
        raise DocsRagError(answer.message)
    _show(answer, as_json, None if full else LINES_PER_HIT)
    return EXIT_KNOWN if exit_code and not answer.hits else EXIT_DONE


def _answer(config: Config, query: Query, notices: Iterable[str]) -> Answer:
    with wiring.open_index(config) as store, store.guarded():
        embedder, failure = wiring.choose_search_embedder(config, store)
        answer = wiring.open_answerer(config, store, embedder, failure).answer(query)
    return replace(answer, notices=(*notices, *answer.notices))


def _show(answer: Answer, as_json: bool, most_lines: int | None) -> None:
    if as_json:
        output.write_json(answers.as_json(answer))
        return
    for notice in answer.notices:
        output.note(notice)
    lines = answer_lines(answer, most_lines=most_lines, see_hidden="--all")
    output.write(map(_painted, lines) if output.in_colour(sys.stdout) else lines)


def _painted(line: str) -> str:
    """A hit's first line with its reason set off and the rest of what is no text dimmed; others as they are."""
    head = _HEAD.match(line)
    if head is None:
        return line
    reason, gap, place, rest = head.groups(default="")
    return click.style(reason, fg="cyan") + gap + click.style(place, bold=True) + click.style(rest, dim=True)
