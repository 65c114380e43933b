"""Small lines of descent for tests: records by letters, edges as `old>new`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from docs_rag.core.documents import DocPath
from docs_rag.core.history.tree import Entry, History, LookUp, Mention, Relative, trace
from docs_rag.core.status import Status


def records(edges: str, **changed: dict[str, object]) -> dict[DocPath, Relative]:
    """`a>b b>c`: what each letter's record says; those that lead on are superseded. `changed` by letter."""
    pairs = [tuple(edge.split(">")) for edge in edges.split()]
    names = dict.fromkeys([name for pair in pairs for name in pair] + list(changed))
    found = {}
    for name in names:
        by = tuple(DocPath(new) for old, new in pairs if old == name)
        record = Relative(
            path=DocPath(name),
            title=name.upper(),
            status=Status.SUPERSEDED if by else Status.CURRENT,
            superseded_by=by,
            supersedes=tuple(DocPath(old) for old, new in pairs if new == name),
        )
        found[DocPath(name)] = replace(record, **changed.get(name, {}))  # type: ignore[arg-type]
    return found


def line(edges: str, start: str, *, most: int = 100, **changed: dict[str, object]) -> History:
    """The line of one record."""
    known = records(edges, **changed)
    return trace(known[DocPath(start)], looking_up(known), most=most)


def looking_up(known: Mapping[DocPath, Relative]) -> LookUp:
    """Those of the records that are asked for."""

    def look_up(paths: Sequence[DocPath]) -> dict[DocPath, Relative]:
        return {path: known[path] for path in paths if path in known}

    return look_up


def outline(entries: Iterable[Entry]) -> str:
    """`b(c d)`: what follows what; `~b` comes round, `=b` stands elsewhere, `?x` is lost."""
    signs = {Mention.NONE: "", Mention.ROUND: "~", Mention.ELSEWHERE: "=", Mention.LOST: "?"}
    said = []
    for entry in entries:
        name = entry.text if entry.record is None else entry.record.path
        below = f"({outline(entry.following)})" if entry.following else ""
        said.append(f"{signs[entry.mention]}{name}{below}")
    return " ".join(said)
