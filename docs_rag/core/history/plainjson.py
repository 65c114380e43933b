"""A line of descent as `history --json` prints it."""

from __future__ import annotations

from collections.abc import Sequence

from docs_rag.core.documents import DocPath
from docs_rag.core.history.tree import Entry, History, Mention, Relative


def as_json(history: History) -> dict[str, object]:
    """The document; every key is present."""
    return {
        "record": _record(history.record),
        "predecessors": _entries(history.predecessors.entries, "predecessors"),
        "successors": _entries(history.successors.entries, "successors"),
        "currentEnd": list(history.record.current_end),
        "leftOut": {"predecessors": history.predecessors.left_out, "successors": history.successors.left_out},
    }


def _record(record: Relative) -> dict[str, object]:
    return {
        "path": record.path,
        "title": record.title,
        "status": str(record.status),
        "date": record.date,
        "dateSource": record.date_source,
        "supersededOn": record.superseded_on,
        "inForceUntil": record.in_force_until,
        "partial": record.partial,
    }


_NOBODY: dict[str, object] = dict.fromkeys(_record(Relative(path=DocPath(""), title="")))


def _entries(entries: Sequence[Entry], following: str) -> list[dict[str, object]]:
    """The entries with theirs below the key `following`; the furthest are made last, without a call for each step."""
    roots: list[dict[str, object]] = []
    waiting = [(roots, entries)]
    for made, group in waiting:
        for entry in group:
            below: list[dict[str, object]] = []
            made.append({**_entry(entry), following: below})
            waiting.append((below, entry.following))
    return roots


def _entry(entry: Entry) -> dict[str, object]:
    """`again` says why an entry with a path is no more than a mention: `round` or `elsewhere`."""
    is_lost = entry.mention is Mention.LOST
    return {
        **(_NOBODY if entry.record is None else _record(entry.record)),
        "reference": (entry.text or None) if is_lost else None,
        "again": None if is_lost or entry.mention is Mention.NONE else str(entry.mention),
    }
