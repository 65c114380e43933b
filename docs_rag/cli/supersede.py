"""`docs-rag supersede`: let one record follow another, in both files, after its user has seen what changes."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import click

from docs_rag import wiring
from docs_rag.cli import changing, output
from docs_rag.cli.options import JSON, YES, Project, in_project
from docs_rag.cli.targets import named_record
from docs_rag.errors import EXIT_DONE, UsageError

if TYPE_CHECKING:
    from docs_rag.app.superseding import Plan


@click.command()
@click.argument("old")
@click.argument("new")
@click.option("--date", "day", metavar="DATE", help="The day from which NEW holds, YYYY-MM-DD; its own, else today.")
@click.option("--force", is_flag=True, help="Although OLD has a successor already, or NEW is no longer in force.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing.")
@YES
@JSON
@in_project(vault=True)
def command(
    project: Project, old: str, new: str, day: str | None, force: bool, dry_run: bool, yes: bool, as_json: bool
) -> int:
    """Mark the note OLD as superseded by the note NEW, and NEW as its successor.

    Both are paths, file names, ids or titles. What changes is shown first; `docs-rag undo` takes it back.
    """
    from docs_rag.app.superseding import Request  # noqa: PLC0415  # loads the parsers, which --help needs not

    date, today = _day(day), datetime.datetime.now().astimezone().date().isoformat()
    config, notices = project.open()
    folder, roots = project.options.folder, config.roots
    said = (named_record(config.vault_path, each, folder=folder, roots=roots) for each in (old, new))
    plan = wiring.open_superseder(config).plan(
        Request(old=next(said), new=next(said), today=today, day=date, force=force)
    )
    for notice in (*notices, *plan.notices):
        output.note(notice)
    changes = changing.differences(zip(plan.edits, plan.former, strict=True))
    undo = None
    if plan.edits and changing.is_agreed(changes, as_json=as_json, yes=yes, dry_run=dry_run):
        files = wiring.open_files(config)
        changing.tell_interrupted(files)
        undo = files.apply(plan.edits, plan.what).id
        changing.refresh(config, [edit.path for edit in plan.edits])
    if as_json:
        output.write_json({**_as_json(plan, undo), "files": changes.as_json()})
    else:
        output.write([_end(plan, undo, wiring.command_for(config, "undo"))])
    return EXIT_DONE


def _day(written: str | None) -> str | None:
    if written is None:
        return None
    try:
        return datetime.datetime.strptime(written, "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise UsageError(f"--date {written} is no day", "write it as YYYY-MM-DD") from None


def _as_json(plan: Plan, undo: str | None) -> dict[str, object]:
    return {
        "old": plan.old,
        "new": plan.new,
        "date": plan.day,
        "written": undo is not None,
        "undo": undo,
        "notices": list(plan.notices),
    }


def _end(plan: Plan, undo: str | None, command: str) -> str:
    if not plan.edits:
        return f"{plan.old} and {plan.new} say so already; nothing was changed"
    if undo is None:
        return "nothing was written"
    return f"{plan.old} is superseded by {plan.new}; to take this back: {command}"
