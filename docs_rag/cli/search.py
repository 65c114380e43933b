"""`docs-rag search`: one question, one answer."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import click

from docs_rag import wiring
from docs_rag.app.answering import during_a_run, may_lack
from docs_rag.cli import output
from docs_rag.cli.options import JSON, Project, in_project, split_list
from docs_rag.config import Config
from docs_rag.core import answers
from docs_rag.core.answers import Answer
from docs_rag.core.documents import note_path
from docs_rag.core.queries import Query
from docs_rag.errors import EXIT_DONE, EXIT_KNOWN, DocsRagError, UsageError
from docs_rag.render import LINES_PER_HIT, answer_lines

if TYPE_CHECKING:
    from docs_rag.cli.shellforms import Form


_ALGEBRA_THREADS: Final = "OPENBLAS_NUM_THREADS"


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """How the command line wants the answer shown."""

    full: bool
    as_json: bool
    files: bool
    null: bool
    vimgrep: bool
    opened: bool
    explain: bool


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
@click.option("-l", "--files-with-matches", "files", is_flag=True, help="Only the paths of the notes, the best first.")
@click.option("-0", "--null", is_flag=True, help="As -l, with a zero byte after each path: for xargs -0.")
@click.option("--vimgrep", is_flag=True, help="path:line:column:text for each hit: for editors and fzf.")
@click.option(
    "--open", "opened", is_flag=True, help="Open the first hit too: in Obsidian if that knows it, else in $EDITOR."
)
@click.option("--explain", is_flag=True, help="Say why each hit is there, and what came nearest to being one.")
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
    exit_code: bool,
    **view: bool,
) -> int:
    """Answer QUERY from the notes that hold today.

    Several words need no quotes. A question that begins with a dash goes after --.
    """
    wanted = _View(**view)
    form = _form(wanted)
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
        explain=wanted.explain,
    )
    answer = _answer(config, asked, notices)
    if exit_code and wanted.as_json and not answer.hits:
        raise DocsRagError(answer.message)
    opens = wanted.opened and bool(answer.hits)
    if opens and wanted.as_json:  # what fails under --json leaves stdout empty
        _open_first(config, answer)
    if form is None:
        _show(config, answer, wanted)
    else:
        _hand_over(config, answer, form, project.options.folder)
    if opens and not wanted.as_json:
        _open_first(config, answer)
    return EXIT_KNOWN if exit_code and not answer.hits else EXIT_DONE


def _form(view: _View) -> Form | None:
    """The form for other programs that is asked for; raises `UsageError` for two of them."""
    if not (view.files or view.null or view.vimgrep):
        return None
    from docs_rag.cli import shellforms  # noqa: PLC0415  # most answers are read by people

    return shellforms.chosen(files=view.files, null=view.null, vimgrep=view.vimgrep, as_json=view.as_json)


def _answer(config: Config, query: Query, notices: Iterable[str]) -> Answer:
    with _for_one_answer(), wiring.open_index(config, is_brief=not query.explain) as store, store.guarded():
        embedder, failure = wiring.choose_search_embedder(config, store)
        answer = wiring.open_answerer(config, store, embedder, failure).answer(query)
    if may_lack(answer) and wiring.is_being_indexed(config):
        answer = during_a_run(answer)
    return replace(answer, notices=(*notices, *answer.notices))


@contextmanager
def _for_one_answer() -> Iterator[None]:
    """Spare a process that ends soon what pays off later: 35 ms of the processor.

    These are the threads that numpy's algebra would start when it is loaded, and the search for garbage that goes in
    circles.
    """
    is_ours = _ALGEBRA_THREADS not in os.environ
    is_collecting = gc.isenabled()
    os.environ.setdefault(_ALGEBRA_THREADS, "1")
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()
        if is_ours:
            del os.environ[_ALGEBRA_THREADS]


def _show(config: Config, answer: Answer, view: _View) -> None:
    if view.as_json:
        output.write_json(answers.as_json(answer))
        return
    for notice in answer.notices:
        output.note(notice)
    lines = answer_lines(answer, most_lines=None if view.full else LINES_PER_HIT, see_hidden="--all")
    if output.in_colour(sys.stdout):
        from docs_rag.cli.painting import Painter  # noqa: PLC0415  # a terminal's matter

        lines = Painter(config, answer).painted(lines)
    output.write(lines)


def _hand_over(config: Config, answer: Answer, form: Form, folder: str | None) -> None:
    """Write the answer for another program; what a person should know goes to stderr."""
    from docs_rag.cli.targets import for_the_shell  # noqa: PLC0415

    for notice in answer.notices:
        output.note(notice)
    if not answer.hits:
        output.note(answer.message)
    place = _text_place(config) if form.counts_lines else wiring.open_vault(config).place
    output.write(form.lines(answer, lambda path: for_the_shell(place(path), folder=folder)), form.end)


def _open_first(config: Config, answer: Answer) -> None:
    from docs_rag.cli.hyperlinks import is_obsidian_vault  # noqa: PLC0415
    from docs_rag.cli.opening import open_note  # noqa: PLC0415
    from docs_rag.core.rootpaths import split_root  # noqa: PLC0415

    output.flush()
    section = answer.hits[0].section
    folders = {"": config.vault_path, **dict(config.roots)}
    obsidian = is_obsidian_vault(folders[split_root(section.path, folders)[0]])
    place = wiring.open_vault(config).place if obsidian else _text_place(config)
    open_note(place(note_path(section.path)), section.lines[0], obsidian=obsidian)


def _text_place(config: Config) -> Callable[[str], str]:
    """What tells for a path which file the lines of its sections count in: of a document, its converted text."""
    from docs_rag.conversion import open_converter, text_place  # noqa: PLC0415

    return text_place(wiring.open_vault(config), open_converter(config))
