"""Records as they stood on the day that a question names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag.core import asof
from docs_rag.core.documents import DocPath

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.asof import Life
    from docs_rag.core.sections import Place, RecordView, Section
    from docs_rag.core.storage import LookupStore


class Past:
    """The part of an index that speaks of states, for one day; see `core.asof` for the rule."""

    def __init__(self, lookup: LookupStore, day: str) -> None:
        """`day` is ISO."""
        self._lookup = lookup
        self._day = day
        self._lives: dict[str, Life | None] = {}

    def sections(self, ids: Sequence[int]) -> dict[int, Section]:
        """Whole sections by id, with their records' standing on that day."""
        found = self._lookup.sections(ids)
        self._look_up([path for each in found.values() for path in (*each.superseded_by, *each.partial_by)])
        whole = {key: asof.whole_then(section, self._day, self._life) for key, section in found.items()}
        return {key: asof.seen(section, self._day, self._life) for key, section in whole.items()}

    def records(self, places: Sequence[Place]) -> dict[Place, RecordView]:
        """Records by their places, as they stood on that day."""
        found = self._lookup.records(places)
        return {place: asof.seen(record, self._day, self._life) for place, record in found.items()}

    def successors(self, path: str) -> tuple[DocPath, ...]:
        """What had replaced a record by that day."""
        return tuple(map(DocPath, asof.successors(path, self._day, self._life)))

    def _life(self, path: str) -> Life | None:
        if path not in self._lives:
            self._look_up([path])
        return self._lives[path]

    def _look_up(self, paths: Sequence[str]) -> None:
        unknown = [path for path in paths if path not in self._lives]
        if unknown:
            found = self._lookup.lives(unknown)
            self._lives |= {path: found.get(DocPath(path)) for path in unknown}
