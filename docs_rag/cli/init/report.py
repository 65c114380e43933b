"""What `init` says when it is done: what the config holds, and what was found on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from docs_rag.cli.init.findings import AUTO
from docs_rag.cli.init.questions import in_words
from docs_rag.cli.progress import in_words as time_in_words
from docs_rag.render import counted

if TYPE_CHECKING:
    from docs_rag.app.estimating import Estimate
    from docs_rag.cli.init.choices import Choices
    from docs_rag.cli.init.findings import Models
    from docs_rag.config import Config
    from docs_rag.core.proposing import Proposal

_LONG: Final = 60.0
"""Seconds of a first index after which people wonder what there is until then."""


def report_lines(config: Config, choices: Choices, models: Models, first: Estimate) -> Iterator[str]:
    """The lines of the report, the first with the config's path."""
    yield f"wrote {config.path}"
    for name, value in _rows(config, choices, models, first):
        yield f"  {name}: {value}"
    yield from (
        "next:",
        "  docs-rag index",
        "  docs-rag search how do we ...",
        "  docs-rag scaffold .   (for Claude Code and other agents)",
    )


def _rows(config: Config, choices: Choices, models: Models, first: Estimate) -> Iterator[tuple[str, str]]:
    vault = choices.vault
    yield "notes", f"{config.vault_path} ({counted(len(vault.paths), 'note')})"
    if choices.documents:
        chosen = {suffix: vault.documents[suffix] for suffix in choices.documents if suffix in vault.documents}
        yield "documents (`include`)", in_words(chosen) or ", ".join(choices.documents)
    yield "model", choices.model + (f" (here: {models.auto})" if choices.model == AUTO else "")
    if first.sections:
        yield "first index", _first(first)
    if vault.obsidian:
        yield "Obsidian", f"settings in {vault.obsidian}" + _not_taken(vault.filters.others)
    if left_out := vault.left_out(choices.default_exclude):
        yield "searches leave out (`defaultExclude`; --all brings them back)", in_words(left_out)
    if choices.service:
        yield "index", _where(choices)
    if vault.lifecycle is not None:
        yield "statuses that count", _counting(choices.within)
        yield "  of the notes looked at", _seen(vault.lifecycle)


def _counting(within: tuple[str, ...]) -> str:
    return f"those in {', '.join(within)} alone (`lifecycleIn`)" if within else "every note's"


def _seen(proposal: Proposal) -> str:
    return (
        f"{proposal.decisions} say what became of a decision; {proposal.others} elsewhere say something else:"
        f" {', '.join(proposal.words)}"
    )


def _first(first: Estimate) -> str:
    size = f"about {counted(first.sections, 'section')}"
    if first.seconds is None:
        return size
    waiting = "; until then what is not embedded yet is found by its words" if first.seconds > _LONG else ""
    return f"{size}, about {time_in_words(max(1.0, first.seconds))} (tried on a few){waiting}"


def _not_taken(filters: tuple[str, ...]) -> str:
    return f"; not taken over: {', '.join(filters)}" if filters else ""


def _where(choices: Choices) -> str:
    """Where the index lies in a folder that is kept in step, and why."""
    if choices.index:
        return (
            f"{choices.index}, because {choices.service} copies this folder, and a database is damaged when it is"
            " copied while it is written; on your other machines run docs-rag trust once"
        )
    return f"in this folder, which {choices.service} copies: it can be damaged when two machines use it"
