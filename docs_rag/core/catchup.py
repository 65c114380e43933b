"""What `refresh` took in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from docs_rag.core.cleaning import one_line, shown_path
from docs_rag.core.counting import counted
from docs_rag.core.documents import Skipped

MOST_NAMED: Final = 40
"""Notes of each kind that are named; the others are counted."""
INDENT: Final = "    "


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtUp:
    """How an index was brought on."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: tuple[Skipped, ...] = ()
    """Files that are asked for and could not be read."""
    unchanged: int = 0
    left: int = 0
    """Changed notes that there was no time for."""
    notices: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the index holds anything else than before."""
        return bool(self.added or self.modified or self.removed)


def as_json(found: CaughtUp) -> dict[str, object]:
    """The object with every key; lists name at most `MOST_NAMED` notes, `counts` counts them all."""
    lists = {"added": found.added, "modified": found.modified, "removed": found.removed}
    failed = found.failed[:MOST_NAMED]
    return {
        "message": summary(found),
        "notices": list(map(one_line, found.notices)),
        "counts": {
            **{name: len(paths) for name, paths in lists.items()},
            "failed": len(found.failed),
            "unchanged": found.unchanged,
            "left": found.left,
        },
        **{name: [shown_path(path) for path in paths[:MOST_NAMED]] for name, paths in lists.items()},
        "failed": [{"path": shown_path(each.path), "code": each.code, "message": short(each)} for each in failed],
    }


def short(skipped: Skipped) -> str:
    """Why a file could not be read, in a line of bounded length."""
    return one_line(skipped.message)[:200]


def lines(found: CaughtUp) -> Iterator[str]:
    """The same as text; what comes from the vault is indented."""
    yield summary(found)
    for name, paths in (("added", found.added), ("modified", found.modified), ("removed", found.removed)):
        yield from _listed(name, [shown_path(path) for path in paths])
    yield from _listed("not read", [f"{shown_path(each.path)}  {each.code}: {short(each)}" for each in found.failed])


def summary(found: CaughtUp) -> str:
    """One sentence."""
    parts = (
        f"{len(found.added)} added, {len(found.modified)} modified, {len(found.removed)} removed,"
        f" {found.unchanged} unchanged"
    )
    left = f"; {counted(found.left, 'changed note')} left: call refresh again" if found.left else ""
    return f"{parts}{left}"


def _listed(name: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield f"{name}:"
        yield from (INDENT + each for each in entries[:MOST_NAMED])
    if len(entries) > MOST_NAMED:
        yield f"and {len(entries) - MOST_NAMED} more"
