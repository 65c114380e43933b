"""Notes that mean nearly the same, by the vectors of an index; none where there is no index, or none with vectors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

from docs_rag.core.linting.corpus import Close
from docs_rag.core.means import shipped_means
from docs_rag.core.models import lookup
from docs_rag.errors import DocsRagError

if TYPE_CHECKING:
    from docs_rag.core.documents import DocPath, FileStamp
    from docs_rag.core.storage import Store

_MOST_PAIRS: Final = 200
"""Candidates that are handed on: many of them know of one another, and are no suspects."""


class Neighbours:
    """Looks pairs of notes up in an index."""

    def __init__(self, open_store: Callable[[], AbstractContextManager[Store]]) -> None:
        """`open_store` may raise `DocsRagError`: then nothing is close to anything."""
        self._open_store = open_store

    def closest(
        self, stamps: Collection[FileStamp], wanted: Callable[[DocPath], bool], records: Sequence[DocPath]
    ) -> list[Close]:
        """The closest pairs of `records`, one of each wanted; those whose text has changed since are left out."""
        try:
            with self._open_store() as store:
                return _closest(store, stamps, wanted, records)
        except DocsRagError:
            return []


def _closest(
    store: Store, stamps: Collection[FileStamp], wanted: Callable[[DocPath], bool], records: Sequence[DocPath]
) -> list[Close]:
    active = store.vectors.active()
    if active is None:
        return []
    now = {stamp.path: stamp for stamp in stamps}
    known = store.notes.stamps_of(records)
    fresh = [path for path, stored in known.items() if now.get(path) == stored.stamp]
    ids = store.lookup.note_ids(fresh)
    model = lookup(active.name)
    centre = (store.vectors.means(active.id) or shipped_means(model.name)) if model.score == "centred" else None
    pairs = store.matrix(active.id).closest_notes(
        [note for path, note in ids.items() if wanted(path)],
        list(ids.values()),
        None if centre is None else centre[0],
        _MOST_PAIRS,
    )
    paths = {note: path for path, note in ids.items()}
    least = _least(store)
    return [Close(score, paths[first], paths[second]) for score, first, second in pairs if score >= least]


def _least(store: Store) -> float:
    """Half-way from the noise between unrelated sections to sameness.

    On two corpora of decisions with the builtin model, the pairs above it are about one matter each.
    """
    active, calibration = store.vectors.active(), store.vectors.calibration()
    model = lookup("" if active is None else active.name)
    noise = calibration.p99 if calibration is not None else (model.min_score or model.fallback_score)
    return (1 + noise) / 2
