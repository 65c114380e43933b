"""Where references lead by what is written alone: the paths that a written path can mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from docs_rag.core.citations import take_apart
from docs_rag.core.documents import DocPath, note_path
from docs_rag.core.handles import FOLDER_NOTES, SUFFIXES, anchored, fold, segments


class Destinations:
    """Where the links of a record lead, by what is written alone: asked of many records, so worked out once."""

    __slots__ = ("_places", "_tails")

    def __init__(self, references: Iterable[str], source: DocPath) -> None:
        """Take the links of the record `source` apart."""
        self._places: set[str] = set()
        self._tails: set[str] = set()
        for target in map(take_apart, references):
            steps = segments(target)
            if target.is_wikilink and len(steps) == 1:
                self._tails.update(tails(steps))
            else:
                self._places.update(each for path in anchored(target, note_path(source)) for each in places(fold(path)))

    def include(self, path: DocPath) -> bool:
        """Whether one of the links leads to the note at `path`, or to a heading of it."""
        key = fold(note_path(path))
        if key in self._places or not self._tails:
            return key in self._places
        folder, _, name = key.rpartition("/")
        return f"/{name}" in self._tails or f"/{folder.rpartition('/')[2]}/{name}" in self._tails


def places(key: str) -> set[str]:
    """Where the note that a folded path means may lie."""
    return {f"{key}{ending}".lstrip("/") for ending in _ENDINGS}


def tails(steps: Sequence[str]) -> tuple[str, ...]:
    """What the path of a note may end in that is named by these segments."""
    tail = "/" + "/".join(steps)
    return tuple(tail + ending for ending in _ENDINGS)


_ENDINGS: Final = (*SUFFIXES, *(f"/{name}{suffix}" for name in FOLDER_NOTES for suffix in SUFFIXES))
