"""What a sample of a vault's notes says of itself, before there is an index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from docs_rag.core.ports import Unreadable, Vault
from docs_rag.core.proposing import Said
from docs_rag.core.status import Status
from docs_rag.core.statusrules import StatusRules

if TYPE_CHECKING:
    from docs_rag.core.documents import DocPath

_T = TypeVar("_T")

MOST_READ: Final = 600
"""Notes that are read at most; that takes about a second."""
MOST_OF_A_FOLDER: Final = 25


def survey_statuses(vault: Vault, paths: Iterable[DocPath]) -> Said:
    """The statuses of a sample of the notes. Folders give no state here."""
    from docs_rag.app.reading import beside_text, read_record  # noqa: PLC0415

    statuses: dict[str, str] = {}
    logs: set[str] = set()
    for path in sample(paths):
        try:
            document = read_record(vault, None, path, StatusRules(folders={}), beside_text(vault, path))[1]
        except Unreadable:
            continue
        life = document.lifecycle
        statuses[path] = "" if life.template else life.status_text
        if any(part.lifecycle.status is not Status.CURRENT for part in document.parts):
            logs.add(path)
    return Said(statuses, frozenset(logs))


def sample(paths: Iterable[DocPath], most: int = MOST_READ) -> list[DocPath]:
    """At most so many notes, some of each folder, evenly over its names; the same ones for the same vault."""
    folders: dict[str, list[DocPath]] = {}
    for path in sorted(paths):
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    chosen = list(spread(list(folders.values()), most))
    each = max(1, min(MOST_OF_A_FOLDER, most // max(1, len(chosen))))
    return [path for notes in chosen for path in spread(notes, each)]


def spread(items: Sequence[_T], most: int) -> Iterator[_T]:
    """Items at even distances, the first among them, at most so many."""
    count = min(most, len(items))
    return (items[place * len(items) // count] for place in range(count))
