"""Bring the standings of an index up to date, no further than a change reaches.

A change of one note can bear on the records that refer to it or to what shares a key with it, before or after the
change, and on the line of descent of each of them. That part of the graph is worked out by `Descent` like a whole
vault; the other standings stay. The result is the same as that of `succession.resolve` over all records.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Protocol

from docs_rag.core.descent import Descent
from docs_rag.core.documents import DocPath
from docs_rag.core.handles import NamedNote, handles, keys_wanted
from docs_rag.core.succession import Record, Standing
from docs_rag.core.utterance import references_of


class Graph(Protocol):
    """What the succession graph is made of: records by path and by the keys of `handles.py`, changes, standings."""

    def is_unresolved(self) -> bool:
        """True while the standings may not agree with the notes."""
        ...

    def records(self) -> Iterator[Record]:
        """Every note, and every part of one, as the succession graph needs it."""
        ...

    def touched(self) -> set[DocPath] | None:
        """The records that changed since the standings were set, and those that one that is gone stood beside.

        None when any may have.
        """
        ...

    def wanting_touched(self) -> set[DocPath]:
        """The records with a reference that asks for a key which a changed record has or had."""
        ...

    def speaking(self) -> set[DocPath]:
        """The records that have something to say, and those that stand otherwise than by their own word."""
        ...

    def records_at(self, paths: Collection[DocPath]) -> dict[DocPath, Record]:
        """The records at these paths; unknown ones are left out."""
        ...

    def called(self, keys: Collection[str]) -> dict[DocPath, Record]:
        """The records that have one of these keys, perhaps others too."""
        ...

    def wanting(self, keys: Collection[str]) -> set[DocPath]:
        """The records with a reference that asks for one of these keys, perhaps others too."""
        ...

    def related(self, paths: Collection[DocPath]) -> set[DocPath]:
        """The records that the standings of these name."""
        ...

    def set_standings(self, standings: Mapping[DocPath, Standing], heard: Collection[DocPath] | None = None) -> None:
        """Let the records that were heard stand as `standings` says, or else by their own word; None: all of them."""
        ...


def recompute(graph: Graph) -> None:
    """Work out again whatever changed since the last time."""
    touched = graph.touched()
    scope = graph.speaking() if touched is None else _connected(graph, _asked_again(graph, touched))
    while True:
        records = graph.records_at(scope)
        descent = Descent({**_candidates(graph, records), **records}.values(), scope)
        standings = descent.standings()
        if descent.reached <= scope:
            break
        scope = _connected(graph, scope | descent.reached)
    graph.set_standings(standings, scope)


def _asked_again(graph: Graph, touched: set[DocPath]) -> set[DocPath]:
    """The changed records and all whose references may mean others now.

    What a record claims, or says of its parts, also decides what the references of others to it mean.
    """
    found = touched | graph.wanting_touched()
    lives = [(record, record.lifecycle) for record in graph.records_at(found).values()]
    telling = [record for record, life in lives if life.claims or life.partial or life.partial_claims]
    keys = {key for record in telling for key in handles(_named(record))}
    return found | graph.wanting(keys)


def _connected(graph: Graph, scope: set[DocPath]) -> set[DocPath]:
    """These records and all that their former standings lead to, over any number of steps."""
    found, frontier = set(scope), set(scope)
    while frontier:
        frontier = graph.related(frontier) - found
        found |= frontier
    return found


def _candidates(graph: Graph, records: Mapping[DocPath, Record]) -> dict[DocPath, Record]:
    """All that the references of some records can mean, and all that the claims of those can mean in turn."""
    found = graph.called(_wanted(records.values(), claims_only=False))
    others = [record for path, record in found.items() if path not in records]
    return {**graph.called(_wanted(others, claims_only=True)), **found}


def _wanted(records: Iterable[Record], *, claims_only: bool) -> set[str]:
    return {
        key
        for record in records
        for reference in (record.lifecycle.claims if claims_only else references_of(record.lifecycle))
        for key in keys_wanted(reference, record.path)
    }


def _named(record: Record) -> NamedNote:
    return NamedNote(record.path, record.title, record.aliases, record.lifecycle.ids)
