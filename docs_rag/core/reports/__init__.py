"""What `docs-rag check` found, in the formats that people and other programs read: one row a format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from docs_rag.core.reports.outcome import Outcome

FORMATS: Final = {
    "text": "docs_rag.core.reports.text:lines",
    "json": "docs_rag.core.reports.plainjson:lines",
    "github": "docs_rag.core.reports.github:lines",
    "sarif": "docs_rag.core.reports.sarif:lines",
    "junit": "docs_rag.core.reports.junit:lines",
}
"""Name of a format -> `module:function`, which makes lines of an `Outcome`; imported when it is asked for."""


def render(outcome: Outcome, form: str) -> Iterable[str]:
    """The lines of an outcome in one of the formats."""
    module, _, name = FORMATS[form].partition(":")
    lines = cast("Callable[[Outcome], Iterable[str]]", getattr(import_module(module), name))
    return lines(outcome)
