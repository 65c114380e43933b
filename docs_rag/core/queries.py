"""A question and where it may be answered from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from docs_rag.core.pathrules import PathRules
from docs_rag.core.sections import ORDINAL_BITS, Place, whole
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docs_rag.core.asof import Span


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
    as_of: str | None = None
    """ISO day: what was in force then, instead of what is in force now."""
    explain: bool = False
    """Say why the answer is as it is."""


class Hidden(StrEnum):
    """Why a note, or a part of one, is kept out of an answer although it lies within the question's scope."""

    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    EXCLUDED = "excluded"
    LATER = "later"
    """It was not there yet on the day that the question names."""
    TEMPLATE = "template"
    GONE = "gone"
    """Its file is not there any more, or cannot be compared with what the index holds."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What decides whether a note, or a part of one, may answer."""

    path: str
    """The note's."""
    status: Status
    """Of a part: the one that counts, its own or its note's."""
    tags: tuple[str, ...] = ()
    template: bool = False
    span: Span | None = None
    """From when to when it was in force, for a question that names a day."""


_DEAD = {Status.SUPERSEDED: Hidden.SUPERSEDED, Status.ARCHIVED: Hidden.ARCHIVED}


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
        self.as_of = query.as_of
        self.tags = tuple(tag.lstrip("#").casefold() for tag in query.tags)
        self.is_narrowed = bool(query.within or self.tags)

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for scopes that come to the same."""
        return self.within_entries, self.exclude_entries, self.default_entries, self.search_all, self.as_of, self.tags

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
            reason = self.by_state(facts.status, facts.span)
            if reason is not None:
                return reason
            if facts.template:
                return Hidden.TEMPLATE
        return Hidden.EXCLUDED if self.default.matches(facts.path) is not None else None

    def by_state(self, status: Status, span: Span | None) -> Hidden | None:
        """Why a record's state keeps it out of a search that does not ask for all."""
        if self.as_of is None:
            return _DEAD.get(status)
        from docs_rag.core import asof  # noqa: PLC0415  # few questions name a day

        return asof.hides(status, span or asof.Span(), self.as_of)

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
    """A scope worked out over the index, by id: notes, and parts of notes where those stand otherwise."""

    hidden: Mapping[int, Hidden]
    """Notes in scope that are kept out, with the reason."""
    only: frozenset[int] | None = None
    """The notes in scope, where that is not the whole vault."""
    parts: Mapping[Place, Hidden] = field(default_factory=dict)
    """Parts that are kept out of notes."""
    sections: Mapping[int, Place] = field(init=False)
    """Their sections, by id."""

    def __post_init__(self) -> None:
        """Spread the parts over their sections."""
        sections = {section: place for place in self.parts for section in range(*place)}
        object.__setattr__(self, "sections", sections)

    def admits(self, section: int) -> bool:
        """True when the section may answer."""
        note = section >> ORDINAL_BITS
        return note not in self.hidden and section not in self.sections and (self.only is None or note in self.only)

    def hides(self, section: int) -> Hidden | None:
        """Why the section is kept out, or None when it may answer or was not asked about."""
        note = section >> ORDINAL_BITS
        if self.only is not None and note not in self.only:
            return None
        if note in self.hidden:
            return self.hidden[note]
        return self.parts[self.sections[section]] if section in self.sections else None

    def hides_record(self, place: Place) -> Hidden | None:
        """The same for a whole note, whatever its parts are, or for a part."""
        if self.only is not None and place.note not in self.only:
            return None
        return self.hidden.get(place.note) or self.parts.get(place)

    def admits_record(self, place: Place) -> bool:
        """True when a note, or a part of one, may answer."""
        return self.hides_record(place) is None and (self.only is None or place.note in self.only)

    def hidden_record(self, section: int) -> Place:
        """The record whose being kept out hides the section: a part of its note, or the whole of it."""
        note = section >> ORDINAL_BITS
        return whole(note) if note in self.hidden else self.sections.get(section, whole(note))
