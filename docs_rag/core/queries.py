"""A question and where it may be answered from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from docs_rag.core.pathrules import PathRules
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question with the caller's limits."""

    text: str
    limit: int
    within: tuple[str, ...] = ()
    """Folders or paths: only notes that one of them matches; empty means the whole vault."""
    exclude: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """Only notes that carry one of them; `a` also stands for `a/b`."""
    search_all: bool = False
    """Bring back hidden states and default-excluded folders, labelled."""


class Hidden(StrEnum):
    """Why a note is kept out of an answer although it lies within the question's scope."""

    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    EXCLUDED = "excluded"
    TEMPLATE = "template"
    GONE = "gone"
    """Its file is not there any more, or cannot be compared with what the index holds."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What decides whether a note may answer."""

    path: str
    status: Status
    tags: tuple[str, ...] = ()
    template: bool = False


class Scope:
    """The notes that a query may draw on.

    `admits` is the reference; a store may work it out over folders and ids, but must come to the same.
    """

    def __init__(self, query: Query, default_exclude: Sequence[str]) -> None:
        """Compile the path rules of one query and of the config."""
        self.within_entries, self.exclude_entries = query.within, query.exclude
        self.default_entries = () if query.search_all else _still_excluded(query.within, default_exclude)
        self.within = PathRules(self.within_entries)
        self.excluded = PathRules(self.exclude_entries)
        self.default = PathRules(self.default_entries)
        self.search_all = query.search_all
        self.tags = tuple(tag.lstrip("#").casefold() for tag in query.tags)
        self.is_narrowed = bool(query.within or self.tags)

    def in_scope(self, facts: Facts) -> bool:
        """True when the note is one of those that were asked about at all."""
        if self.within_entries and self.within.matches(facts.path) is None:
            return False
        return not self.tags or any(has_tag(facts.tags, tag) for tag in self.tags)

    def hides(self, facts: Facts) -> Hidden | None:
        """Why a note in scope is kept out, or None when it may answer."""
        if self.excluded.matches(facts.path) is not None:
            return Hidden.EXCLUDED
        if not self.search_all:
            if facts.status is Status.SUPERSEDED:
                return Hidden.SUPERSEDED
            if facts.status is Status.ARCHIVED:
                return Hidden.ARCHIVED
            if facts.template:
                return Hidden.TEMPLATE
        return Hidden.EXCLUDED if self.default.matches(facts.path) is not None else None

    def admits(self, facts: Facts) -> bool:
        """True when the note may answer."""
        return self.in_scope(facts) and self.hides(facts) is None


def has_tag(tags: Sequence[str], wanted: str) -> bool:
    """Whether one of `tags` is `wanted` or lies below it; `wanted` is case-folded and without `#`."""
    return any(tag == wanted or tag.startswith(wanted + "/") for tag in (each.casefold() for each in tags))


def _still_excluded(within: Sequence[str], default_exclude: Sequence[str]) -> tuple[str, ...]:
    """The default exclusions less those that the caller named: who asks for `archive` wants the archive."""
    return tuple(
        entry
        for entry in default_exclude
        if not any(PathRules([entry]).matches_folder(named.strip("/")) is not None for named in within)
    )


@dataclass(frozen=True, slots=True)
class Admission:
    """A scope worked out over the index's notes, by note id."""

    hidden: dict[int, Hidden]
    """Notes in scope that are kept out, with the reason."""
    only: frozenset[int] | None = None
    """The notes in scope, where that is not the whole vault."""

    def admits(self, note: int) -> bool:
        """True when the note may answer."""
        return note not in self.hidden and (self.only is None or note in self.only)

    def hides(self, note: int) -> Hidden | None:
        """Why the note is kept out, or None when it may answer or was not asked about."""
        return self.hidden.get(note) if self.only is None or note in self.only else None
