"""What a sample of a vault's notes says of itself, before there is an index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from docs_rag.core.ports import Unreadable, Vault
from docs_rag.core.statusrules import StatusRules

if TYPE_CHECKING:
    from docs_rag.core.documents import DocPath

_T = TypeVar("_T")

MOST_READ: Final = 600
"""Notes that are read at most; that takes about a second."""
MOST_OF_A_FOLDER: Final = 25


def survey_statuses(vault: Vault, paths: Iterable[DocPath]) -> dict[str, str]:
    """The status of each note of a sample, as written; empty where a note has none. Folders give no state here."""
    from docs_rag.core.parsing import decode, parse_document  # noqa: PLC0415

    said: dict[str, str] = {}
    for path in sample(paths):
        try:
            text = decode(vault.read(path)[1])
            beside = vault.sidecar(path)
            metadata = None if beside is None else decode(beside)
        except Unreadable:
            continue
        life = parse_document(path, text, StatusRules(folders={}), metadata).lifecycle
        said[path] = "" if life.template else life.status_text
    return said


def sample(paths: Iterable[DocPath], most: int = MOST_READ) -> list[DocPath]:
    """At most so many notes, some of each folder, evenly over its names; the same ones for the same vault."""
    folders: dict[str, list[DocPath]] = {}
    for path in sorted(paths):
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    chosen = list(_spread(list(folders.values()), most))
    each = max(1, min(MOST_OF_A_FOLDER, most // max(1, len(chosen))))
    return [path for notes in chosen for path in _spread(notes, each)]


def _spread(items: Sequence[_T], most: int) -> Iterator[_T]:
    """Items at even distances, the first among them, at most so many."""
    count = min(most, len(items))
    return (items[place * len(items) // count] for place in range(count))
