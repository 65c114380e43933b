"""`docs-rag scaffold`: set a project up for its agents, or take that out again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from docs_rag import config as configs
from docs_rag import trust, wiring
from docs_rag.app.clients import CLIENTS, Scope
from docs_rag.app.launching import RUNNERS, Runner
from docs_rag.cli import changing, output
from docs_rag.cli.options import YES, Project, in_project, split_list
from docs_rag.cli.scaffoldanswers import Flags, answers_for, target_of
from docs_rag.core.documents import DocPath
from docs_rag.errors import EXIT_DONE, UsageError

if TYPE_CHECKING:
    from docs_rag.app.scaffolding import Plan, Refusal
    from docs_rag.config import Config

_NOT_WITH_REMOVE: Final = "--remove takes out all that scaffold wrote"


@click.command()
@click.argument("directory", required=False, metavar="[DIR]")
@click.option("--name", metavar="NAME", help="The server's name, which agents see; else FOLDER-docs.")
@click.option("--vault", "notes", metavar="DIR", help="The folder of notes, instead of the one that is found.")
@click.option("--include", multiple=True, callback=split_list, metavar="GLOB,...", help="The notes to index.")
@click.option("--desc", metavar="TEXT", help="What these notes hold, in a sentence for agents.")
@click.option("--hook", is_flag=True, help="Let Claude Code index a note as soon as it has edited it.")
@click.option("--agents", is_flag=True, help="Tell agents in AGENTS.md and CLAUDE.md how to use the notes.")
@click.option("--client", "clients", multiple=True, type=click.Choice(tuple(CLIENTS)), help="Also for this client.")
@click.option("--scope", type=click.Choice(("project", "user")), default="project",
              help="Register in files of the project, or in your own for all projects.")  # fmt: skip
@click.option("--runner", type=click.Choice(RUNNERS),
              help="Start docs-rag from the search path, or by uvx from where this copy came from.")  # fmt: skip
@click.option("--local", is_flag=True, help="Paths that only this machine has are all right, as for a source checkout.")
@click.option("--remove", is_flag=True, help="Take out what scaffold wrote, and nothing else.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing.")
@YES
@in_project(trusted=False)
def command(
    project: Project,
    directory: str | None,
    name: str | None,
    notes: str | None,
    include: tuple[str, ...],
    desc: str | None,
    hook: bool,
    agents: bool,
    clients: tuple[str, ...],
    scope: Scope,
    runner: Runner | None,
    local: bool,
    remove: bool,
    dry_run: bool,
    yes: bool,
) -> int:
    """Set up the project in DIR (else here) for its agents, and show what changes before it is written.

    Writes .rag/config.json, the entry of Claude Code in .mcp.json and those of other clients, and lines in .gitignore.
    What the files hold already stays. Run again, it changes what the options say and nothing else.
    """
    flags = Flags(name=name, vault=notes, include=include, desc=desc, hook=hook, agents=agents, clients=clients,
                  scope=scope, runner=runner, local=local)  # fmt: skip
    target = target_of(project, directory)
    files = wiring.project_files()
    if remove:
        from docs_rag.app.unscaffolding import plan_removal  # noqa: PLC0415  # as below

        if flags != Flags():
            raise UsageError(_NOT_WITH_REMOVE, "give it alone, or with --dry-run or --yes")
        _carry_out(plan_removal(files, target), yes=yes, dry_run=dry_run)
        return EXIT_DONE
    from docs_rag.app.scaffolding import plan  # noqa: PLC0415  # --help can do without

    answers = answers_for(project, target, flags, ask=not (yes or dry_run))
    planned = plan(files, target, wiring.installed(), answers)
    if _carry_out(planned, yes=yes, dry_run=dry_run):
        config, _ = configs.load(target.config, strict=True)
        trust.approve(config)
        output.write(_next(planned, config))
    return EXIT_DONE


def _carry_out(plan: Plan, *, yes: bool, dry_run: bool) -> bool:
    """Show a plan, ask, and write it; False if nothing is written. Raises what a file that cannot be changed gives."""
    if plan.refusals:
        raise _refused(plan.refusals)
    for notice in plan.notices:
        output.note(notice)
    if not plan.changes:
        output.write(["nothing to change"])
        return False
    if not yes or dry_run:
        shown = changing.Differences(tuple((DocPath(each.name), tuple(each.diff)) for each in plan.changes))
        if not changing.is_agreed(shown, as_json=False, yes=yes, dry_run=dry_run):
            return False
    wiring.project_files().apply(plan.changes, leave=plan.leave)
    output.write(_written(plan))
    return True


def _refused(refusals: Sequence[Refusal]) -> Exception:
    """Show what can be pasted; the error names every file."""
    for refusal in refusals:
        if refusal.snippet:
            output.say(f"{refusal.error.message}; to paste into it by hand:\n{refusal.snippet}")
    first = refusals[0].error
    hint = first.hint or "mend it, or paste the lines above into it and leave it out here"
    return type(first)("; ".join(each.error.message for each in refusals), f"nothing was written; {hint}")


def _written(plan: Plan) -> Iterator[str]:
    for change in plan.changes:
        verb = "made" if change.before is None else "removed" if change.after is None else "changed"
        yield f"{verb} {change.name}"


def _next(plan: Plan, config: Config) -> Iterator[str]:
    """Which notes are meant, and what is left to do."""
    yield f"notes: {config.vault_path}"
    yield "next:"
    yield "  docs-rag index"
    for site, name in plan.registered:
        yield f"  {site.client.title} ({name} in {site.name}): {site.client.then}"
