"""`docs-rag eval`: how well known questions are answered, and how well the others are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from docs_rag import wiring
from docs_rag.cli import evalfiles, output
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.errors import EXIT_DONE, EXIT_KNOWN, UsageError

if TYPE_CHECKING:
    from docs_rag.config import Config
    from docs_rag.core.evaluation.comparing import Comparison
    from docs_rag.core.evaluation.figures import Evaluation
    from docs_rag.core.questions import Question


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wishes:
    """What the command line asks for beside the questions."""

    limit: int | None
    compare: str | None
    plot: bool
    wrong: bool
    as_json: bool


@click.command()
@click.argument("files", nargs=-1, metavar="[QUESTIONS]...")
@click.option("-n", "--limit", type=click.IntRange(1, 50), metavar="N", help="At most N hits for each question.")
@click.option("--compare", metavar="BASELINE", help="What a former run with --json printed; exits with 1 if worse.")
@click.option("--plot", is_flag=True, help="Risk and coverage over all thresholds of confidence, as a table and drawn.")
@click.option("--wrong", is_flag=True, help="List the questions that went wrong.")
@click.option("--bootstrap", is_flag=True, help="Draft a question file from the vault's titles and headings.")
@click.option("-o", "--output", "draft", metavar="FILE", help="With --bootstrap: write to a new file.")
@JSON
@in_project(vault=True)
def command(project: Project, files: tuple[str, ...], bootstrap: bool, draft: str | None, **wishes: object) -> int:
    """Ask the questions of QUESTIONS (YAML or JSON), whose answers are known, and count what was right.

    With --compare it exits with 1 when a figure is worse than in the former run by more than chance makes likely.
    """
    wanted = _Wishes(**wishes)  # type: ignore[arg-type]
    _refuse(wanted, files, draft=draft, bootstrap=bootstrap)
    folder = project.options.folder
    questions = evalfiles.read_question_files(files, folder)
    former = None if wanted.compare is None else evalfiles.read_baseline(wanted.compare, folder)
    config, notices = project.open()
    for notice in notices:
        output.note(notice)
    if bootstrap:
        return _bootstrap(config, draft, folder)
    evaluation = _evaluate(config, questions, wanted.limit)
    comparison = None
    if former is not None:
        from docs_rag.core.evaluation.comparing import compare  # noqa: PLC0415

        comparison = compare(former, evaluation.outcomes)
    _show(evaluation, comparison, wanted)
    return EXIT_KNOWN if comparison is not None and comparison.is_worse else EXIT_DONE


def _refuse(wishes: _Wishes, files: tuple[str, ...], *, draft: str | None, bootstrap: bool) -> None:
    if bootstrap and (files or wishes != _NOTHING):
        raise UsageError("--bootstrap goes with -o alone", "leave the other arguments out")
    if draft is not None and not bootstrap:
        raise UsageError("-o goes with --bootstrap", "redirect stdout to keep a report")
    if not files and not bootstrap:
        raise UsageError("no question file given", "docs-rag eval --bootstrap -o questions.yaml drafts one")
    if wishes.as_json and (wishes.plot or wishes.wrong):
        raise UsageError("--json holds the curve and each question already", "leave --plot and --wrong out")


_NOTHING = _Wishes(limit=None, compare=None, plot=False, wrong=False, as_json=False)


def _bootstrap(config: Config, draft: str | None, folder: str | None) -> int:
    from docs_rag.app.evaluating import draft_questions  # noqa: PLC0415

    with wiring.open_index(config) as store, store.guarded():
        questions = draft_questions(store)
    evalfiles.write_draft(questions, draft, folder)
    return EXIT_DONE


def _evaluate(config: Config, questions: tuple[Question, ...], limit: int | None) -> Evaluation:
    from docs_rag.cli.progress import TerminalProgress  # noqa: PLC0415

    with wiring.open_index(config) as store, store.guarded(), TerminalProgress() as progress:
        embedder, failure = wiring.choose_search_embedder(config, store)
        evaluator = wiring.open_evaluator(config, store, embedder, failure, progress)
        return evaluator.run(questions, limit or config.limit)


def _show(evaluation: Evaluation, comparison: Comparison | None, wishes: _Wishes) -> None:
    from docs_rag.core.evaluation import comparing, plainjson, text  # noqa: PLC0415

    for notice in evaluation.notices:
        output.note(notice)
    if wishes.as_json:
        document = plainjson.as_json(evaluation)
        compared = {} if comparison is None else {"comparison": comparing.as_json(comparison)}
        output.write_json(compared | document)
        return
    output.write(text.lines(evaluation))
    if wishes.plot:
        output.write(["", *text.plot_lines(evaluation)])
    if wishes.wrong:
        output.write(text.wrong_lines(evaluation.outcomes))
    if comparison is not None:
        output.write(["", *text.comparison_lines(comparison, wishes.compare or "")])
