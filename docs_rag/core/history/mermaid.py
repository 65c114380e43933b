"""A line of descent as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html), from old to new."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from docs_rag.core.cleaning import one_line
from docs_rag.core.history.drawing import days
from docs_rag.core.history.tree import Entry, History, Side

_LONGEST: Final = 120
"""Characters of a title or a path: a chart may have 50,000 in all."""
_ESCAPED: Final = re.compile(r"[\"#&<>%`\[\]{}()|\\;*_~$]|^(?:\d+(?=[.)])|[-+=](?=\s))")
"""What could end a label or begin markup in it: quotes, entities, comments, directives, code, lists."""
_STYLE: Final = re.compile("style|classDef")
"""Behind these words and a colon Mermaid mends `#34;` as if it were a colour."""
_CLASSES: Final = (
    "classDef asked stroke-width:3px",
    "classDef dead fill:#eee,stroke:#999,color:#666",
    "classDef lost fill:#fff,stroke:#999,color:#666,stroke-dasharray:4",
)


class _Edge(NamedTuple):
    old: str
    new: str
    day: str


def chart(history: History) -> Iterator[str]:
    """The chart, line by line."""
    nodes = _Nodes()
    asked = nodes.of(Entry(history.record))
    edges = [
        *(_Edge(older, newer, day) for newer, older, day in nodes.edges(history, history.predecessors, older=True)),
        *(_Edge(older, newer, day) for older, newer, day in nodes.edges(history, history.successors, older=False)),
    ]
    yield "graph TD"
    yield from (f"    {line}" for line in nodes.lines)
    for old, new, day in dict.fromkeys(edges):
        yield f"    {old} -->|{day}| {new}" if day else f"    {old} --> {new}"
    yield from (f"    {line}" for line in _CLASSES)
    yield f"    class {asked} asked"
    for name, members in (("dead", nodes.dead), ("lost", nodes.lost)):
        if members:
            yield f"    class {','.join(members)} {name}"
    for side, what in ((history.predecessors, "earlier"), (history.successors, "later")):
        if side.left_out:
            yield f"    %% {side.left_out} {what} records are not shown"


class _Nodes:
    """Names of nodes, given when a record is first met."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.dead: list[str] = []
        self.lost: list[str] = []
        self._names: dict[str, str] = {}

    def of(self, entry: Entry) -> str:
        """The node of an entry: one for each record, one for each reference that is lost."""
        record = entry.record
        if record is None:
            return self._new(self.lost, _label(entry.text or "?", "" if not entry.text else "?"))
        if record.path not in self._names:
            title = record.title if record.title != record.path else ""
            label = _label(record.path, title, f"{record.status} {days(record)}".rstrip())
            self._names[record.path] = self._new(self.dead if record.status.is_hidden else [], label)
        return self._names[record.path]

    def _new(self, members: list[str], label: str) -> str:
        name = f"n{len(self.lines) + 1}"
        self.lines.append(f'{name}["{label}"]')
        members.append(name)
        return name

    def edges(self, history: History, side: Side, *, older: bool) -> Iterator[tuple[str, str, str]]:
        """(node, node one step further from the record asked for, the day on which the older one was replaced)."""
        waiting: list[tuple[Entry, Sequence[Entry]]] = [(Entry(history.record), side.entries)]
        for parent, following in waiting:
            for entry in following:
                old = entry if older else parent
                day = "" if old.record is None else old.record.in_force_until or ""
                yield self.of(parent), self.of(entry), day
                waiting.append((entry, entry.following))


def _label(*lines: str) -> str:
    return "<br/>".join(_escaped(line) for line in lines if line)


def _escaped(line: str) -> str:
    text = one_line(line)
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    text = _ESCAPED.sub(_entities, text)
    return text.replace(":", "#58;") if _STYLE.search(text) else text


def _entities(found: re.Match[str]) -> str:
    return "".join(f"#{ord(char)};" for char in found[0])
