"""Which records are in force: what the vault as a whole makes of what each record says of itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docs_rag.core.documents import DocPath, Problem
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.status import Status


@dataclass(frozen=True, slots=True)
class Record:
    """A note, or one decision of a note that holds several, as the others know it."""

    path: DocPath
    """`log.md#D-013` for a decision of a log."""
    title: str
    aliases: tuple[str, ...]
    lifecycle: Lifecycle
    links: tuple[str, ...] = ()
    """Where its text links to, as written: of two candidates for a reference the one that links back is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A record's state once every note of the vault has been heard."""

    status: Status
    superseded_by: tuple[DocPath, ...] = ()
    """The direct successors."""
    current_end: tuple[DocPath, ...] = ()
    """The records that are in force now, or still drafts, at the end of the chain; empty when it leads to none."""
    superseded_on: str | None = None
    """ISO. By the record's own word, else the day on which a direct successor that is in force was decided."""
    supersedes: tuple[DocPath, ...] = ()
    """The records that name this one their successor, or that it replaced by its own claim."""
    partial: str | None = None
    """A sentence: what replaced parts of a record that stays in force."""
    partial_by: tuple[DocPath, ...] = ()
    """The records that replaced parts of it, by its own word or by theirs."""
    partly_supersedes: tuple[DocPath, ...] = ()
    """The records that it replaced parts of."""
    template: bool = False
    problems: tuple[Problem, ...] = ()


def resolve(records: Iterable[Record]) -> dict[DocPath, Standing]:
    """The standing of every record that others, or its own references, have something to say about.

    A record that is missing from the result stands as its lifecycle says: same status, same `superseded_on`, nothing
    else to tell. The result depends on the records alone, not on their order.
    """
    # The look-up tables and patterns cost more to import than a search that only reads standings may take.
    from docs_rag.core.descent import Descent  # noqa: PLC0415

    return Descent(records).standings()
