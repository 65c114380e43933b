"""The succession graph: an edge from each record to what replaced it, by its own word or by its successor's claim."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from docs_rag.core.citations import display
from docs_rag.core.destinations import Destinations
from docs_rag.core.documents import DocPath, Problem
from docs_rag.core.references import NamedNote, Names
from docs_rag.core.status import Status
from docs_rag.core.succession import Record, Standing
from docs_rag.core.utterance import is_partly_superseded

_IN_FORCE: Final = (Status.CURRENT, Status.SUPERSEDED)
"""Whose claims count. One that was superseded since was in force, and what it replaced does not come back."""
_LIVE: Final = (Status.CURRENT, Status.DRAFT)
_FAR: Final = 500
"""How many records a chain may have for its two ends to be compared; longer ones are still followed to the end."""


class Descent:
    """Builds the graph of one vault, or of a part of it, and reads the standings off it."""

    def __init__(self, records: Iterable[Record], scope: Collection[DocPath] | None = None) -> None:
        """Keep the records; nothing is looked up before it is asked for.

        With `scope` only these records are heard; the others are there to be found by their references. What comes of
        it counts when `reached` lies within the scope.
        """
        self._records = {record.path: record for record in sorted(records, key=lambda each: each.path)}
        self._scope = self._records if scope is None else scope
        self._names = Names(
            NamedNote(each.path, each.title, each.aliases, each.lifecycle.ids) for each in self._records.values()
        )
        self._successors: dict[DocPath, list[DocPath]] = {}
        self._partial: dict[DocPath, list[str]] = {}
        self._partial_by: dict[DocPath, list[DocPath]] = {}
        self._problems: dict[DocPath, list[Problem]] = {}
        self._claimed: dict[DocPath, frozenset[DocPath]] = {}
        self._linked: dict[DocPath, Destinations] = {}
        self._looping: set[DocPath] = set()
        self._last: dict[DocPath, DocPath] = {}
        self.reached: set[DocPath] = set()
        """The records that those of the scope refer to."""

    def standings(self) -> dict[DocPath, Standing]:
        """The standing of every record that differs from what its lifecycle alone says."""
        heard = [self._records[path] for path in self._records if path in self._scope]
        speaking = [each for each in heard if not each.lifecycle.template]
        for record in speaking:
            self._declare(record)
        for status in _IN_FORCE:
            for record in speaking:
                if record.lifecycle.status is status and record.lifecycle.claims:
                    self._claim(record)
        for record in speaking:
            if record.lifecycle.status in _IN_FORCE and record.lifecycle.partial_claims:
                self._claim_parts(record)
        return self._read_off()

    def _declare(self, record: Record) -> None:
        """The record's own word: what replaced it, and what replaced parts of it."""
        life = record.lifecycle
        if life.successors:
            self._successors[record.path] = self._find(record, life.successors, "its successor")
        if life.status in _LIVE and is_partly_superseded(life):
            self._partial_by[record.path] = self._find(record, life.partial, "what replaced parts of it")
            self._partial[record.path] = [*map(display, life.partial)]

    def _find(self, record: Record, references: Sequence[str], what: str) -> list[DocPath]:
        """The records that references mean; those that mean none or several become problems of the one they are of."""
        found: list[DocPath] = []
        for reference in references:
            resolution = self._names.resolve(reference, record.path)
            paths = resolution.paths or self._linking_back(record, resolution.ambiguous)
            found.extend(path for path in paths if path not in found)
            if resolution.ambiguous and not paths:
                candidates = ", ".join(resolution.ambiguous[:5])
                self._report(record.path, "ambiguous", f"'{reference}' ({what}) may be any of {candidates}")
            elif not paths:
                self._report(record.path, "dangling", f"'{reference}' ({what}) is no note of this vault")
            elif resolution.renamed:
                taken = f"{paths[0]} is taken for it by its number"
                self._report(record.path, "renamed", f"'{reference}' ({what}) is no note of this vault; {taken}")
        self.reached.update(found)
        return found

    def _linking_back(self, record: Record, candidates: Sequence[DocPath]) -> tuple[DocPath, ...]:
        """The one candidate that says it replaced the record, else the one that links to it, if there is just one."""
        for says in (self._claims, self._links):
            back = [path for path in candidates if says(self._records[path], record.path)]
            if back:
                return tuple(back) if len(back) == 1 else ()
        return ()

    def _claims(self, newer: Record, older: DocPath) -> bool:
        if not newer.lifecycle.claims:
            return False
        if (claimed := self._claimed.get(newer.path)) is None:
            found = (self._names.resolve(claim, newer.path).paths for claim in newer.lifecycle.claims)
            claimed = self._claimed[newer.path] = frozenset(path for paths in found for path in paths)
        return older in claimed

    def _links(self, record: Record, to: DocPath) -> bool:
        """Whether the text of a record links to another one; by its path, since a number would be as ambiguous."""
        if not record.links:
            return False
        if (linked := self._linked.get(record.path)) is None:
            written = (link if link.startswith("[[") else f"[]({link})" for link in record.links)
            linked = self._linked[record.path] = Destinations(written, record.path)
        return linked.include(to)

    def _claim(self, record: Record) -> None:
        """The word of the newer end. It adds an edge where the older record's own chain does not lead here."""
        for older in self._find(record, record.lifecycle.claims, "what it replaced"):
            known = self._successors.get(older, [])
            if record.path in known or self._is_partly(older, record.path):
                continue
            if self._leads(record.path, older) and record.lifecycle.status is Status.SUPERSEDED:
                continue
            if known and self._leads(older, record.path):
                continue
            self._report_claim(older, record.path, known)
            self._successors.setdefault(older, []).append(record.path)

    def _report_claim(self, older: DocPath, newer: DocPath, known: Sequence[DocPath]) -> None:
        if known:
            names = ", ".join(known)
            self._report(older, "conflict", f"it names {names} as its successor, but {newer} says that it replaced it")
        elif self._records[older].lifecycle.status is not Status.SUPERSEDED:
            self._report(older, "one-sided", f"{newer} says that it replaced this note, which does not say so")

    def _claim_parts(self, record: Record) -> None:
        """What a record says that it replaced parts of stays in force, and says so."""
        for older in self._find(record, record.lifecycle.partial_claims, "what it replaced parts of"):
            known = self._partial_by.get(older, [])
            if self._records[older].lifecycle.status in _LIVE and record.path not in known:
                self._partial_by.setdefault(older, []).append(record.path)
                self._partial.setdefault(older, []).append(record.title)

    def _is_partly(self, older: DocPath, newer: DocPath) -> bool:
        """True when the older record says that the newer one replaced parts of it only."""
        partial = self._records[older].lifecycle.partial
        return any(newer in self._names.resolve(reference, older).paths for reference in partial)

    def _leads(self, start: DocPath, end: DocPath) -> bool:
        """True when the edges known so far lead from one record to another, `_FAR` records at the most."""
        queue, seen = [start], {start}
        for path in queue:
            for following in self._successors.get(path, ()):
                if following == end:
                    return True
                if following not in seen and len(seen) < _FAR:
                    seen.add(following)
                    queue.append(following)
        return False

    def _report(self, path: DocPath, code: str, message: str) -> None:
        problem = Problem(code, message)
        known = self._problems.setdefault(path, [])
        if problem not in known:
            known.append(problem)

    def _status(self, path: DocPath) -> Status:
        return Status.SUPERSEDED if path in self._successors else self._records[path].lifecycle.status

    def _read_off(self) -> dict[DocPath, Standing]:
        ends = self._ends()
        predecessors: dict[DocPath, list[DocPath]] = {}
        for path in sorted(self._successors):
            for newer in self._successors[path]:
                predecessors.setdefault(newer, []).append(path)
        for path in self._records:
            if self._status(path) is Status.SUPERSEDED:
                self._report_end(path, ends.get(path, ()))
        of_parts: dict[DocPath, list[DocPath]] = {}
        for path in sorted(self._partial_by):
            for newer in self._partial_by[path]:
                of_parts.setdefault(newer, []).append(path)
        touched = {*self._successors, *predecessors, *self._partial, *of_parts, *self._problems}
        return {
            path: self._standing(record, ends.get(path, ()), predecessors.get(path, ()), of_parts.get(path, ()))
            for path, record in self._records.items()
            if path in touched or (record.lifecycle.template and path in self._scope)
        }

    def _standing(
        self, record: Record, ends: Sequence[DocPath], predecessors: Sequence[DocPath], of_parts: Sequence[DocPath]
    ) -> Standing:
        path, life = record.path, record.lifecycle
        successors = tuple(self._successors.get(path, ()))
        return Standing(
            status=self._status(path),
            superseded_by=successors,
            current_end=tuple(ends),
            superseded_on=life.superseded_on or self._decided(successors),
            supersedes=tuple(predecessors),
            partial=self._partly(path),
            partial_by=tuple(self._partial_by.get(path, ())),
            partly_supersedes=tuple(of_parts),
            template=life.template,
            problems=tuple(self._problems.get(path, ())),
        )

    def _partly(self, path: DocPath) -> str | None:
        """The sentence on what replaced parts of a record that is still in force."""
        if path not in self._partial or self._status(path) not in _LIVE:
            return None
        by = ", ".join(self._partial[path])
        return f"partly superseded by {by}" if by else "partly superseded"

    def _decided(self, successors: Sequence[DocPath]) -> str | None:
        """The earliest day on which a direct successor that is in force was decided."""
        lives = [self._records[each].lifecycle for each in successors if self._status(each) is Status.CURRENT]
        return min((life.date for life in lives if life.date and life.decided), default=None)

    def _report_end(self, path: DocPath, ends: Sequence[DocPath]) -> None:
        """What a superseded record's line lacks: a successor at all, one in force, one that is decided."""
        successors = self._successors.get(path, ())
        if not successors and not self._records[path].lifecycle.successors:
            self._report(path, "no-successor", "superseded, but nothing says by what")
        elif ends and all(self._status(each) is Status.DRAFT for each in ends):
            self._report(path, "conflict", f"superseded, but {ends[0]} is only a draft")
        elif successors and not ends and path not in self._looping:
            last = self._last[path]
            self._report(path, "dead-end", f"its successors end in {last}, which is {self._status(last)}")

    def _ends(self) -> dict[DocPath, tuple[DocPath, ...]]:
        """The live ends of every superseded record; a loop has those that lead out of it, and is reported."""
        ends: dict[DocPath, tuple[DocPath, ...]] = {}
        for ring in self._rings():
            following = [each for path in ring for each in self._successors.get(path, ()) if each not in ring]
            if len(ring) > 1:
                self._report_loop(ring)
            found = tuple(dict.fromkeys(end for each in following for end in self._end(each, ends)))
            for path in ring:
                ends[path] = found
                self._last[path] = self._last[following[0]] if following else path
        return ends

    def _report_loop(self, ring: Iterable[DocPath]) -> None:
        members = sorted(ring)
        self._looping.update(members)
        for path in members:
            self._report(path, "cycle", f"it is among its own successors: {' → '.join(members[:5])}")

    def _end(self, path: DocPath, ends: dict[DocPath, tuple[DocPath, ...]]) -> tuple[DocPath, ...]:
        life = self._records[path].lifecycle
        if self._status(path) is Status.SUPERSEDED:
            return ends.get(path, ())
        return (path,) if life.status in _LIVE and not life.template else ()

    def _rings(self) -> list[set[DocPath]]:
        """The superseded records, those that lead to each other together, each after the ones it leads to.

        Tarjan's strongly connected components, without recursion: chains may be longer than the stack.
        """
        rings: list[set[DocPath]] = []
        index: dict[DocPath, int] = {}
        low: dict[DocPath, int] = {}
        open_: dict[DocPath, None] = {}
        for root in sorted(self._successors):
            pending = [] if root in index else [(root, iter(self._enter(root, index, low, open_)))]
            while pending:
                path, following = pending[-1]
                step = next((each for each in following if each not in index or each in open_), None)
                if step is None:
                    pending.pop()
                    if pending:
                        low[pending[-1][0]] = min(low[pending[-1][0]], low[path])
                    if low[path] == index[path]:
                        rings.append(_close(path, open_))
                elif step in index:
                    low[path] = min(low[path], index[step])
                else:
                    pending.append((step, iter(self._enter(step, index, low, open_))))
        return rings

    def _enter(
        self, path: DocPath, index: dict[DocPath, int], low: dict[DocPath, int], open_: dict[DocPath, None]
    ) -> list[DocPath]:
        index[path] = low[path] = len(index)
        open_[path] = None
        return self._successors.get(path, [])


def _close(path: DocPath, open_: dict[DocPath, None]) -> set[DocPath]:
    """Take the records off the open path down to this one: they lead to each other."""
    ring: set[DocPath] = set()
    while path not in ring:
        ring.add(open_.popitem()[0])
    return ring
