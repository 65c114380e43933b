"""The line of descent from a record to the one that is in force now. Light to import: every search may need it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.core.documents import DocPath


def lineage(
    path: DocPath, successors: Callable[[DocPath], tuple[DocPath, ...]], end: DocPath | None = None
) -> tuple[DocPath, ...]:
    """The chain from a record, itself included, to the end of its line.

    Of several successors the first is followed, or with `end` the shortest way to that record; a record that is not
    reached gives the first way after all. Loops end where they would come round.
    """
    if end is not None and (found := _shortest(path, successors, end)):
        return found
    chain = {path: None}
    step: DocPath | None = path
    while step is not None:
        step = next((each for each in successors(step) if each not in chain), None)
        if step is not None:
            chain[step] = None
    return tuple(chain)


def _shortest(path: DocPath, successors: Callable[[DocPath], tuple[DocPath, ...]], end: DocPath) -> tuple[DocPath, ...]:
    came_from: dict[DocPath, DocPath | None] = {path: None}
    for place in (queue := [path]):
        if place == end:
            break
        for following in successors(place):
            if following not in came_from:
                came_from[following] = place
                queue.append(following)
    chain: list[DocPath] = []
    step: DocPath | None = end if end in came_from else None
    while step is not None:
        chain.append(step)
        step = came_from[step]
    return tuple(reversed(chain))
