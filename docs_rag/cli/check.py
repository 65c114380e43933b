"""`docs-rag check`: what is wrong with a vault of decisions, for people, for CI and as a pre-commit hook."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import click

from docs_rag import __version__, wiring
from docs_rag.cli import baselines, changing, output
from docs_rag.cli.options import JSON, Project, in_project, split_list
from docs_rag.cli.targets import named_notes, seen_from
from docs_rag.core.linting.findings import Selection, UnknownCode, choose, known_codes
from docs_rag.core.reports import FORMATS, render
from docs_rag.errors import EXIT_DONE, EXIT_KNOWN, UsageError

if TYPE_CHECKING:
    from docs_rag.app.checking import Checked, Checker, CheckRequest
    from docs_rag.config import Config
    from docs_rag.core.reports.outcome import Outcome

_FIX: Final = "Mend what can be mended without doubt: a missing back link, a misspelt status."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wishes:
    """What the command line asks for beside the notes."""

    form: str
    statistics: bool
    exit_zero: bool
    fix: bool
    dry_run: bool


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--select", multiple=True, callback=split_list, metavar="CODES", help="Look for these codes alone.")
@click.option("--ignore", multiple=True, callback=split_list, metavar="CODES", help="Do not look for these codes.")
@click.option("--explain", metavar="CODE", help="Say what a code means, with an example, and stop.")
@click.option("--fix", is_flag=True, help=_FIX)
@click.option("--dry-run", is_flag=True, help="With --fix: show what would change, and write nothing.")
@click.option("--diff", metavar="REV", help="Only what is wrong with notes that changed since this revision of git.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", help="How findings are written.")
@click.option("--baseline", metavar="FILE", help="Findings that are known; default: check-baseline.json in .rag.")
@click.option("--write-baseline", is_flag=True, help="Take what is found now as known.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--statistics", is_flag=True, help="Count the findings by code.")
@JSON
@in_project(vault=True)
def command(
    project: Project,
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    explain: str | None,
    diff: str | None,
    baseline: str | None,
    write_baseline: bool,
    as_json: bool,
    form: str,
    **wishes: bool,
) -> int:
    """Check the notes: what they say of their state, and where they lead. PATH names the notes or folders to tell of.

    Exits with 1 when an error is left. Codes are ids (DR012), names (one-sided-link) or beginnings of ids (DR01).
    """
    if explain is not None:
        return _explain(explain)
    wanted = _Wishes(form="json" if as_json else form, **wishes)
    _refuse(wanted, narrowed=bool(paths) or diff is not None, write_baseline=write_baseline)
    config, notices = project.open(strict=True)  # a mistyped level would let errors pass
    for notice in notices:
        output.note(notice)
    from docs_rag.app.checking import CheckRequest  # noqa: PLC0415  # loads the parsers, which --help needs not

    folder = project.options.folder
    known = baselines.place(config, baseline, folder)
    request = CheckRequest(
        selection=_selection(config, select, ignore),
        only=named_notes(config.vault_path, paths, folder=folder, roots=config.roots) if paths else None,
        since=None if diff is None else wiring.contents_at(config, diff),
        baseline=() if write_baseline else baselines.read(known, must_exist=baseline is not None),
    )
    checker = wiring.open_checker(config)
    checked = checker.run(request)
    if write_baseline:
        baselines.write(config, known, checked.outcome.findings)
        return EXIT_DONE
    if wanted.fix:
        checked = _mend(config, checker, request, checked, wanted)
    return _show(config, checked.outcome, wanted, folder)


def _explain(written: str) -> int:
    from docs_rag.core.linting.explained import explain  # noqa: PLC0415

    try:
        codes = known_codes(written)
    except UnknownCode as error:
        raise UsageError(str(error), "see the table of codes in README.md") from None
    for place, code in enumerate(codes):
        output.write([*([""] if place else []), *explain(code)])
    return EXIT_DONE


def _refuse(wishes: _Wishes, *, narrowed: bool, write_baseline: bool) -> None:
    if wishes.dry_run and not wishes.fix:
        raise UsageError("--dry-run goes with --fix", "add --fix, or leave it out")
    if write_baseline and wishes.fix:
        raise UsageError("--fix and --write-baseline exclude each other", "mend first, then write the baseline")
    if write_baseline and narrowed:
        raise UsageError("a baseline is written for the whole vault", "leave PATH and --diff out")


def _selection(config: Config, select: tuple[str, ...], ignore: tuple[str, ...]) -> Selection:
    """A code that is asked for on the command line is looked for, whatever the config leaves out."""
    left_out = ignore if select else (*config.check.ignore, *ignore)
    try:
        return choose(select, left_out, dict(config.check.levels))
    except UnknownCode as error:
        raise UsageError(str(error), "see the table of codes in README.md") from None


def _mend(config: Config, checker: Checker, request: CheckRequest, checked: Checked, wishes: _Wishes) -> Checked:
    """Show the mends, make them unless they are only to be shown, and look again."""
    from docs_rag.app.mending import plan  # noqa: PLC0415

    mends = plan(checked.outcome.findings, checked.corpus, wiring.open_vault(config))
    lines = changing.differences(zip(mends.edits, mends.former, strict=True)).lines()
    if wishes.form == "text":
        output.write(lines)
    else:
        for line in lines:
            output.say(line)
    for notice in mends.notices:
        output.note(notice)
    if wishes.dry_run or not mends.edits:
        return checked
    files = wiring.open_files(config)
    changing.tell_interrupted(files)
    files.apply(mends.edits, "check --fix")
    changing.refresh(config, [edit.path for edit in mends.edits])
    output.note(f"mended {mends.mended} of the findings; to take this back: {wiring.command_for(config, 'undo')}")
    return checker.run(request)


def _show(config: Config, outcome: Outcome, wishes: _Wishes, folder: str | None) -> int:
    below = seen_from(config.vault_path, folder=folder, in_repository=wishes.form != "text")
    elsewhere = {
        name: seen_from(place, folder=folder, in_repository=wishes.form != "text") for name, place in config.roots
    }
    outcome = replace(outcome, below=below, elsewhere=elsewhere, version=__version__)
    if wishes.statistics and wishes.form == "text":
        from docs_rag.core.reports.text import statistics  # noqa: PLC0415

        output.write(statistics(outcome))
    else:
        output.write(render(outcome, wishes.form))
    for entry in outcome.stale:
        output.note(f"the baseline knows what is no longer there: {entry.path}: {entry.code}: {entry.message}")
    return EXIT_KNOWN if outcome.failed and not wishes.exit_zero else EXIT_DONE
