"""What `scaffold` wrote, so that `scaffold --remove` takes out that and nothing else.

The record lies in `.rag`, which git does not see: a clone has none. Nobody needs to believe it: it only narrows down
what would be taken out by its looks anyway.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

RECORD_NAME: Final = "scaffold.json"
"""In the state folder."""


@dataclass(frozen=True, slots=True)
class Added:
    """One entry in a client's file, or one item of a list in it."""

    file: str
    keys: tuple[str, ...]
    """Where it stands; for an item, where its list stands."""
    kept: int
    """How many of the keys, from the first on, led to something before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Paths are written as they are shown: below the project, or with `~`."""

    entries: tuple[Added, ...] = ()
    created: tuple[str, ...] = ()
    """Files that were not there."""
    blank: tuple[str, ...] = ()
    """Files that were there, without a byte in them."""
    folders: tuple[str, ...] = ()
    """Folders that were not there, the deepest last."""
    config: str | None = None
    """Hex digest of the config as it was left, while nobody but `scaffold` has written it."""

    def of(self, file: str, keys: tuple[str, ...]) -> Added | None:
        """What was noted of an entry."""
        return next((each for each in self.entries if (each.file, each.keys) == (file, keys)), None)


def written(record: Record) -> bytes:
    """The record as its file holds it."""
    value = {
        "entries": [{"file": each.file, "keys": list(each.keys), "kept": each.kept} for each in record.entries],
        "created": list(record.created),
        "blank": list(record.blank),
        "folders": list(record.folders),
        "config": record.config,
    }
    return (json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def read(data: bytes | None) -> Record | None:
    """The record in a file; None when there is none, or none that this module wrote."""
    try:
        value = json.loads(data or b"")
        return Record(
            entries=tuple(_added(each) for each in value["entries"]),
            created=_texts(value["created"]),
            blank=_texts(value["blank"]),
            folders=_texts(value["folders"]),
            config=value["config"] if isinstance(value["config"], str) else None,
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _added(value: Any) -> Added:
    (file,), kept = _texts([value["file"]]), value["kept"]
    if not isinstance(kept, int):
        raise TypeError("no number")
    return Added(file, _texts(value["keys"]), kept)


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError("no list of texts")
    return tuple(value)
