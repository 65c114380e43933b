"""The line of descent as two trees that begin at one record: back to what it replaced, on to what replaced it.

Lines meet, part and may even come round. Each record that can be reached stands in full just once on each side, at its
shortest distance from the record that was asked for; where a line comes to it again stands a mere mention. Nothing here
calls itself: lines may be longer than Python's stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from docs_rag.core.documents import DocPath
from docs_rag.core.status import Status

MOST_SHOWN: Final = 100
"""Entries of one side; what lies beyond is counted."""
MOST_COUNTED: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """A record as its line needs it."""

    path: DocPath
    """`log.md#D-013` for a decision of a log."""
    title: str
    status: Status = Status.CURRENT
    date: str | None = None
    date_source: str | None = None
    superseded_on: str | None = None
    in_force_until: str | None = None
    """The first day on which it was not in force any more: `superseded_on`, else the day of its successor."""
    superseded_by: tuple[DocPath, ...] = ()
    supersedes: tuple[DocPath, ...] = ()
    current_end: tuple[DocPath, ...] = ()
    partial: str | None = None
    """What replaced parts of it, as a sentence."""
    lost: tuple[str, ...] = ()
    """References to successors, as written, that lead to no record, or to no one in particular."""


class Mention(StrEnum):
    """Why an entry is no more than a mention."""

    NONE = ""
    ROUND = "round"
    """The line has come round to a record that it came from."""
    ELSEWHERE = "elsewhere"
    """Another line leads to the same record, and it stands there."""
    LOST = "lost"
    """There is no such record; `text` is what was written, empty where nothing was."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a side."""

    record: Relative | None
    """None for a reference that is lost."""
    mention: Mention = Mention.NONE
    text: str = ""
    following: tuple[Entry, ...] = ()
    """The entries one step further from the record that was asked for; at most `MOST_SHOWN` deep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Everything on one side of the record that was asked for."""

    entries: tuple[Entry, ...] = ()
    left_out: int = 0
    """Records beyond those that are shown; counting ends at `MOST_COUNTED`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A record with both sides of its line."""

    record: Relative
    predecessors: Side
    successors: Side

    @property
    def is_alone(self) -> bool:
        """True for a record that replaced nothing and was replaced by nothing."""
        return not self.predecessors.entries and not self.successors.entries


LookUp = Callable[[Sequence[DocPath]], Mapping[DocPath, Relative]]
"""The records at some paths; those that are not there are left out."""


def trace(record: Relative, look_up: LookUp, *, most: int = MOST_SHOWN) -> History:
    """Follow a record's line both ways."""
    return History(
        record=record,
        predecessors=_Walk(record, look_up, lambda each: each.supersedes, lambda each: (), most).side(),
        successors=_Walk(record, look_up, lambda each: each.superseded_by, _lost, most).side(),
    )


def _lost(record: Relative) -> tuple[str, ...]:
    """What a superseded record names as its successors in vain; nothing at all is a reference too."""
    nothing = record.status is Status.SUPERSEDED and not record.superseded_by and not record.lost
    return ("",) if nothing else record.lost


class _Walk:
    """One side, breadth first."""

    def __init__(
        self,
        root: Relative,
        look_up: LookUp,
        step: Callable[[Relative], Sequence[DocPath]],
        lost: Callable[[Relative], Sequence[str]],
        most: int,
    ) -> None:
        self._look_up = look_up
        self._step = step
        self._lost = lost
        self._most = most
        self._root = root
        self._known: dict[DocPath, Relative] = {root.path: root}
        self._came_from: dict[DocPath, DocPath] = {}
        self._children: dict[DocPath, list[Entry]] = {root.path: []}
        """Of the records that are shown in full, in the order in which they were met."""
        self._entries = 0

    def side(self) -> Side:
        frontier = [self._root]
        while frontier and len(self._known) <= MOST_COUNTED:
            frontier = self._next(frontier)
        return Side(entries=self._planted(), left_out=len(self._known) - len(self._children))

    def _next(self, frontier: Sequence[Relative]) -> list[Relative]:
        """The records one step further that were not met before."""
        new = {path for record in frontier for path in self._step(record)} - self._known.keys()
        self._known |= self._look_up(sorted(new))
        following: dict[DocPath, Relative] = {}
        for record in frontier:
            for path in self._step(record):
                if path in new and path in self._known and path not in following:
                    following[path] = self._known[path]
                    self._show(record, Entry(self._known[path]))
                elif path in self._known:
                    self._show(record, Entry(self._known[path], self._how(record.path, path)))
            for text in self._lost(record):
                self._show(record, Entry(None, Mention.LOST, text))
        return list(following.values())

    def _show(self, parent: Relative, entry: Entry) -> None:
        """Keep an entry below its parent, if there is room and the parent itself is shown."""
        if self._entries >= self._most or parent.path not in self._children:
            return
        self._entries += 1
        self._children[parent.path].append(entry)
        if entry.record is not None and entry.mention is Mention.NONE:
            self._came_from[entry.record.path] = parent.path
            self._children[entry.record.path] = []

    def _how(self, path: DocPath, again: DocPath) -> Mention:
        return Mention.ROUND if again in self._line(path) else Mention.ELSEWHERE

    def _line(self, path: DocPath) -> Iterator[DocPath]:
        """The records from this one back to the root, both included."""
        step: DocPath | None = path
        while step is not None:
            yield step
            step = self._came_from.get(step)

    def _planted(self) -> tuple[Entry, ...]:
        """The entries with what follows them: the furthest records first, so that nothing has to call itself."""
        whole: dict[DocPath, tuple[Entry, ...]] = {}
        for path in reversed(self._children):
            whole[path] = tuple(self._grown(entry, whole) for entry in self._children[path])
        return whole[self._root.path]

    @staticmethod
    def _grown(entry: Entry, whole: Mapping[DocPath, tuple[Entry, ...]]) -> Entry:
        if entry.record is None or entry.mention is not Mention.NONE:
            return entry
        return Entry(entry.record, following=whole[entry.record.path])
