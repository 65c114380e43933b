"""Values under keys, as JSON and YAML hold them, written so that they can be read and found.

Large groups become sections under headings, a list of records a table, the rest nested items `- key: value`. A group's
plain values come before its groups: below a heading they would seem to belong to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from docs_rag.core.mddraft import Draft, fenced
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import paragraph, safe

_DEEPEST_HEADING: Final = 5
_DEEPEST_ITEM: Final = 8
"""Levels of items in items; what lies deeper is named by the whole way to it."""
_SMALL: Final = 6
"""Values of a group that needs no heading."""
_WIDEST: Final = 12
"""Columns of a table."""
_LONGEST_CELL: Final = 300
_LONGEST_KEY: Final = 200
_NAMES: Final = ("name", "title", "label", "id", "key", "이름", "제목", "名前", "名称")
"""Keys under which the items of a list say what they are called, the best first."""


@dataclass(slots=True)
class Entry:
    """A value with its key; an item of a list has the key ""."""

    key: str
    value: str | Group
    comment: str = ""


@dataclass(slots=True)
class Group:
    """What stands between brackets or is indented alike."""

    entries: list[Entry] = field(default_factory=list)
    is_list: bool = False


def write(draft: Draft, root: str | Group, *, level: int = 2, path: str = "") -> None:
    """Write a value and all below it, beginning with headings of `level`; `path` is where it stands."""
    if isinstance(root, str):
        draft.at(_location(path))
        draft.block(_prose(root, ""))
        return
    rows = _records(root)
    if rows:
        draft.at(_location(path))
        draft.block(table(rows))
        return
    _write_group(draft, root, level, path)


def _write_group(draft: Draft, group: Group, level: int, path: str) -> None:
    """The small entries as one list of items, then each large one under its heading."""
    numbered = list(enumerate(group.entries))
    large = [(at, each) for at, each in numbered if level <= _DEEPEST_HEADING and _is_large(each.value)]
    apart = {at for at, _ in large}
    is_first = True
    for at, each in numbered:
        if at not in apart:
            draft.at(_location(_way(path, each, at, is_list=True) if group.is_list else path))
            (draft.block if is_first else draft.lines)(list(_item(each, "")))
            is_first = False
    for at, each in large:
        below = _way(path, each, at, is_list=group.is_list)
        draft.at(_location(below))
        draft.heading(level, each.key or _name(each.value) or f"{at + 1}")
        draft.block([paragraph(each.comment)] if each.comment else [])
        write(draft, each.value, level=level + 1, path=below)


def _location(path: str) -> str:
    return f"key {path}" if path else "top level"


def _way(path: str, entry: Entry, at: int, *, is_list: bool) -> str:
    if is_list:
        return f"{path}[{at}]"
    return f"{path}.{_shortened(entry.key)}" if path else _shortened(entry.key)


def _shortened(key: str) -> str:
    return " ".join(key.split())[:_LONGEST_KEY]


def _is_large(value: str | Group) -> bool:
    if isinstance(value, str):
        return value.count("\n") > 20
    return _count(value, _SMALL + 1) > _SMALL or bool(_records(value))


def _count(group: Group, enough: int) -> int:
    """How many values lie below, counted up to `enough`."""
    total = 0
    waiting = [group]
    while waiting and total < enough:
        for each in waiting.pop().entries:
            if isinstance(each.value, str):
                total += 1
            else:
                waiting.append(each.value)
    return total


def _name(value: str | Group) -> str:
    """What an item of a list is called."""
    if isinstance(value, str):
        return ""
    named = {each.key.casefold(): each.value for each in reversed(value.entries) if isinstance(each.value, str)}
    return next((" ".join(named[key].split())[:_LONGEST_KEY] for key in _NAMES if named.get(key, "").strip()), "")


def _records(group: Group) -> list[list[Cell]]:
    """The rows of a table, its head first, when this is a list of flat records alike; else nothing."""
    if not group.is_list or len(group.entries) < 2:
        return []
    rows = [dict(_flat(each.value)) for each in group.entries]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns or len(columns) > _WIDEST or not all(rows) or any(each.comment for each in group.entries):
        return []
    if sum(map(len, rows)) * 2 < len(rows) * len(columns) or any(
        value is None or len(value) > _LONGEST_CELL for row in rows for value in row.values()
    ):
        return []
    return [
        [Cell(safe(key)) for key in columns],
        *([Cell(safe(row.get(key) or "")) for key in columns] for row in rows),
    ]


def _flat(value: str | Group) -> Iterator[tuple[str, str | None]]:
    """A record's values; None for what is no plain value, or stands twice, or is commented."""
    if isinstance(value, str) or value.is_list:
        return
    seen = set()
    for each in value.entries:
        plain = isinstance(each.value, str) and "\n" not in each.value and not each.comment and each.key not in seen
        seen.add(each.key)
        yield each.key, str(each.value) if plain else None


def _item(entry: Entry, indent: str, way: str = "") -> Iterator[str]:
    """The lines of an entry and all below it."""
    key = _label(way + entry.key)
    comment = f" ({safe(' '.join(entry.comment.split()))})" if entry.comment else ""
    if isinstance(entry.value, str):
        yield from _leaf(key, entry.value, comment, indent)
    elif len(indent) >= 2 * _DEEPEST_ITEM:
        for each in entry.value.entries:
            yield from _item(each, indent, f"{way}{entry.key}." if entry.key else way)
    else:
        yield from _nested(key, entry.value, comment, indent)


def _label(key: str) -> str:
    """A key on one line."""
    return safe(" ".join(key.split()))


def _leaf(key: str, value: str, comment: str, indent: str) -> Iterator[str]:
    lead = f"{indent}- {key}: " if key else f"{indent}- "
    if "\n" not in value.strip():
        yield (lead + safe(" ".join(value.split())) + comment).rstrip()
        return
    yield lead.rstrip() + comment
    yield from _prose(value, indent + "  ")


def _nested(key: str, group: Group, comment: str, indent: str) -> Iterator[str]:
    """A group inside an item; one without a key begins with the first of its plain values."""
    entries = group.entries
    plain = [each.value for each in entries if isinstance(each.value, str) and not each.comment]
    if group.is_list and len(plain) == len(entries) and not key:
        yield f"{indent}- {safe(', '.join(' '.join(each.split()) for each in plain))}{comment}"
        return
    if key or not entries or entries[0].comment or not isinstance(entries[0].value, str) or "\n" in entries[0].value:
        yield f"{indent}- {key}:{comment}" if key else f"{indent}-{comment or ' …'}"
    else:
        first, *entries = entries
        yield next(_leaf(_label(first.key), str(first.value), comment, indent))
    for each in entries:
        yield from _item(each, indent + "  ")


def _prose(text: str, indent: str) -> list[str]:
    """A text of several lines: as paragraphs, or fenced where its indentation says something."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.rstrip().split("\n")
    if any(line[:1] in (" ", "\t") for line in lines):
        return [f"{indent}{line}".rstrip() for line in fenced(text)]
    return [f"{indent}{line}".rstrip() for part in _paragraphs(lines) for line in (*part.split("\n"), "")][:-1]


def _paragraphs(lines: Sequence[str]) -> list[str]:
    return [each for part in "\n".join(lines).split("\n\n") if (each := paragraph(part))]
