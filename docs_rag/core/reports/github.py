"""For GitHub Actions: a workflow command a finding, which becomes a note beside the line of a pull request.

Format: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_rag.core.cleaning import one_line, shown_path
from docs_rag.core.linting.codes import Level
from docs_rag.core.reports.outcome import Outcome

_COMMANDS: Final = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "notice"}


def lines(outcome: Outcome) -> Iterator[str]:
    """`::error file=docs/a.md,line=3,title=DR012 one-sided-link::message`; paths count from the repository's root."""
    for each in outcome.findings:
        fields = {"file": shown_path(outcome.place(each.path)), "line": str(each.line or 1), "title": each.code.title}
        properties = ",".join(f"{key}={_property(value)}" for key, value in fields.items())
        yield f"::{_COMMANDS[each.level]} {properties}::{_data(one_line(each.message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
