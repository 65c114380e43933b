"""`docs-rag doctor`: what is wrong, and the command that mends it, on one screen."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import click

from docs_rag.cli import output
from docs_rag.cli.doctor.gathering import gather
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.core.cleaning import one_line
from docs_rag.core.counting import counted
from docs_rag.core.diagnosis.checks import diagnose
from docs_rag.core.diagnosis.findings import Finding, Verdict, is_broken
from docs_rag.core.diagnosis.findings import as_json as document
from docs_rag.errors import EXIT_DONE, EXIT_KNOWN

_COLOURS: Final = {Verdict.OK: "green", Verdict.WARN: "yellow", Verdict.BROKEN: "red"}
_VERDICT_WIDTH: Final = 8
_NAME_WIDTH: Final = 11


@click.command()
@JSON
@in_project()
def command(project: Project, as_json: bool) -> int:
    """Look at everything that a search needs, and say what is wrong and which command mends it.

    Looked at are the program, SQLite, the config, the vault, the index and how far the notes have moved on since, the
    model (it is asked one question), Ollama, folders that a service copies to other machines, conflicted copies, the
    MCP clients that point here, and the hook of Claude Code. Nothing is changed. Exits with 1 when something is broken;
    a warning is no reason.
    """
    facts, config = gather(project.options)
    if config is not None:
        project.session.state_dir = config.state_dir
    findings = diagnose(facts)
    if as_json:
        output.write_json(document(findings, None if config is None else config.path))
    else:
        output.write(_lines(findings))
    return EXIT_KNOWN if is_broken(findings) else EXIT_DONE


def _lines(findings: Sequence[Finding]) -> Iterator[str]:
    in_colour = output.in_colour(sys.stdout)
    for each in findings:
        verdict = f"{each.verdict:<{_VERDICT_WIDTH}}"
        shown = click.style(verdict, fg=_COLOURS[each.verdict]) if in_colour else verdict
        yield f"{shown}{each.check:<{_NAME_WIDTH}}{one_line(each.message)}"
        if each.mend:
            yield f"{'':<{_VERDICT_WIDTH + _NAME_WIDTH}}-> {one_line(each.mend)}"
    yield ""
    yield _summary(Counter(each.verdict for each in findings))


def _summary(counts: Counter[Verdict]) -> str:
    parts = [f"{counts[Verdict.BROKEN]} broken"] if counts[Verdict.BROKEN] else []
    parts += [counted(counts[Verdict.WARN], "warning")] if counts[Verdict.WARN] else []
    return ", ".join(parts) or "Everything is in order."
