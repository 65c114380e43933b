"""`docs-rag index`: make the index agree with the vault, and say what came of it."""

from __future__ import annotations

import click

from docs_rag import wiring
from docs_rag.app.indexing import IndexRequest
from docs_rag.cli import indexrun, output
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.cli.progress import TerminalProgress
from docs_rag.cli.targets import in_vault
from docs_rag.config import Config
from docs_rag.core import report as reports
from docs_rag.core.report import IndexReport
from docs_rag.errors import EXIT_DONE, DocsRagError, EmbedderUnavailable, UsageError
from docs_rag.render import counted, report_lines


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--full", is_flag=True, help="Start from nothing, inside the same file.")
@click.option("--strict", is_flag=True, help="Exit with 1 when a note failed or has problems.")
@click.option("--no-wait", is_flag=True, help="Exit with 1 while another run is at work.")
@click.option("--accept-removals", is_flag=True, help="More than half of the notes are gone on purpose.")
@click.option("--background", is_flag=True, help="Take in the edits that the hook has marked, as it starts it.")
@JSON
@in_project(vault=True)
def command(
    project: Project,
    paths: tuple[str, ...],
    full: bool,
    strict: bool,
    no_wait: bool,
    accept_removals: bool,
    background: bool,
    as_json: bool,
) -> int:
    """Build the index, or bring it up to date. PATH names the notes or folders to look at alone."""
    if background:
        if paths or full or strict or no_wait or accept_removals or as_json:
            raise UsageError("--background goes with no other option", "leave it out")
        return _in_background(project)
    config, _ = project.open(strict=True)
    request = IndexRequest(
        only=in_vault(config.vault_path, paths, folder=project.options.folder, roots=config.roots),
        full=full,
        accept_removals=accept_removals,
        min_score=config.min_score,
    )
    with indexrun.lock(config, wait=not no_wait), TerminalProgress() as progress:
        try:
            outcome = indexrun.run(config, request, progress, strict=strict)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(_interrupted(config, progress.reached)) from None
    failure = _failure(outcome, strict)
    if failure is None or not as_json:
        _show(outcome.report, as_json)
    if failure is not None:
        raise failure
    return EXIT_DONE


def _in_background(project: Project) -> int:
    from docs_rag.cli import backgroundrun  # noqa: PLC0415  # the hook's business alone

    backgroundrun.work(project)
    return EXIT_DONE


def _interrupted(config: Config, reached: str) -> str:
    """How far a run came that its user stopped, and what goes on from there; a phase is stored as it goes."""
    done = f" while {reached}; what is done is kept" if reached else ""
    return f"interrupted{done}; go on with: {wiring.index_command(config)}"


def _failure(outcome: indexrun.Outcome, strict: bool) -> DocsRagError | None:
    """What makes a finished run exit with 1."""
    if outcome.unavailable:
        return EmbedderUnavailable(outcome.unavailable, "text and status of the notes are stored all the same")
    if strict and outcome.troubled:
        return DocsRagError(f"{counted(outcome.troubled, 'note')} failed or with problems", "docs-rag list --problems")
    return None


def _show(report: IndexReport, as_json: bool) -> None:
    if as_json:
        output.write_json(reports.as_json(report))
        return
    output.write(report_lines(report))
    for warning in report.warnings:
        output.warn(warning)
