"""Changes one entry of a JSON settings file; every byte outside of it stays: order, indentation, line ends, BOM.

`keys` lead from the outermost object to the entry, `("mcpServers", "docs")`; a number is a position in a list.
Every function raises `Unmergeable` for a file that is not one plain JSON object in UTF-8 (comments and trailing commas
included), that has a key twice, or that holds something else where the keys need an object or a list. Its message goes
on after the file's name. A file that is empty counts as one that is not there.

What is taken out again after it was added leaves the bytes that were there before: members are added behind the last
one and cut together with the comma before them, and the space in an empty object is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from docs_rag.core.jsontext import shown
from docs_rag.core.merging.encoding import Text, decode
from docs_rag.core.merging.jsonspans import Child, Container, Key, check, container, line_at, root
from docs_rag.core.merging.jsonstyle import Style, begins_line, indent_at, inline, style_of
from docs_rag.errors import Unmergeable

Keys = tuple[Key, ...]

_COLON: Final = re.compile(r"[ \t\r\n]*:[ \t\r\n]*\Z")
_LAST_LINE: Final = re.compile(r"(?:\r\n|\r|\n)[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class _Found:
    """How far the keys lead into a text."""

    containers: tuple[Container, ...]
    """The root, and one for each key that was followed into."""
    child: Child | None
    """What the last key names; None when a key on the way is missing."""


def get_entry(data: bytes | None, keys: Keys) -> object | None:
    """What the keys lead to, or None; without keys the whole object, which is empty for a missing file."""
    text = decode(data)
    if text.is_blank:
        return None if keys else {}
    check(text.body)
    if not keys:
        return {child.key: child.value for child in root(text.body).children}
    found = _follow(text.body, keys).child
    return found.value if found else None


def set_entry(data: bytes | None, keys: Keys, value: object) -> bytes:
    """Put a value where the keys lead, in place of what is there; objects on the way are made."""
    text = _opened(data)
    found = _follow(text.body, keys)
    if found.child is None:
        depth = len(found.containers) - 1
        return text.encoded(_added(text, found.containers, keys[depth], _wrapped(keys[depth + 1 :], value)))
    if _same(found.child.value, value):
        return data or b""
    return text.encoded(_replaced(text, found.containers[-1], found.child, value))


def append_item(data: bytes | None, keys: Keys, item: object) -> bytes:
    """Put an item at the end of the list where the keys lead; the list, and objects on the way, are made."""
    text = _opened(data)
    found = _follow(text.body, keys)
    if found.child is None:
        return set_entry(data, keys, [item])
    return text.encoded(_added(text, (*found.containers, _list(text.body, keys, found.child)), None, item))


def remove_entry(data: bytes, keys: Keys, *, prune: bool = True) -> bytes:
    """Take out what the keys lead to; what is not there needs no removing.

    `prune`: objects and lists on the way that hold nothing else go too, but never the outermost object.
    """
    text = decode(data)
    if text.is_blank:
        return data
    check(text.body)
    found = _follow(text.body, keys)
    return data if found.child is None else text.encoded(_cut(text.body, found.containers, keys, prune=prune))


def remove_items(data: bytes, keys: Keys, drop: Callable[[object], bool], *, prune: bool = True) -> bytes:
    """Take the items that `drop` names out of the list where the keys lead; `prune` as for `remove_entry`."""
    text = decode(data)
    if text.is_blank:
        return data
    check(text.body)
    child = _follow(text.body, keys).child
    if child is None:
        return data
    items = _list(text.body, keys, child).children
    for item in reversed([item for item in items if drop(item.value)]):
        data = remove_entry(data, (*keys, item.key), prune=prune)
    return data


def _opened(data: bytes | None) -> Text:
    """The text of a file; an object where there is none yet."""
    text = decode(data)
    if text.is_blank:
        return Text("{}\n", text.bom)
    check(text.body)
    return text


def _follow(text: str, keys: Keys) -> _Found:
    """Raises `Unmergeable` where something that holds nothing stands on the way."""
    held = [root(text)]
    child: Child | None = None
    for depth, key in enumerate(keys):
        if child is not None:
            held.append(_opening(text, keys[:depth], child, key))
        child = held[-1].child(key)
        if child is None:
            break
    return _Found(tuple(held), child)


def _opening(text: str, way: Keys, child: Child, key: Key) -> Container:
    wanted, name = (list, "a list") if isinstance(key, int) else (dict, "an object")
    if not isinstance(child.value, wanted):
        raise _misshapen(text, way, child, name)
    return container(text, child.value_start)


def _list(text: str, keys: Keys, child: Child) -> Container:
    if not isinstance(child.value, list):
        raise _misshapen(text, keys, child, "a list")
    return container(text, child.value_start)


def _misshapen(text: str, way: Keys, child: Child, wanted: str) -> Unmergeable:
    name = ".".join(str(key) for key in way)
    line = line_at(text, child.value_start)
    return Unmergeable(f"has {shown(child.value)} at {name} (line {line}), where {wanted} is needed")


def _wrapped(keys: Keys, value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _same(one: object, other: object) -> bool:
    """Equal as JSON: `1` is not `true`, and a tuple is a list."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _replaced(text: Text, held: Container, child: Child, value: object) -> str:
    body = text.body
    written = inline(value)
    if begins_line(body, child.start, held):
        written = style_of(body, text.newline).block(value, indent_at(body, child.start))
    return body[: child.value_start] + written + body[child.end :]


def _added(text: Text, held: tuple[Container, ...], key: Key | None, value: object) -> str:
    """The text with one more child at the end of the innermost container; `key` is None for an item."""
    body, inner = text.body, held[-1]
    style = style_of(body, text.newline)
    if inner.children:
        last = inner.children[-1]
        added = _behind(body, style, inner, key, value)
        return body[: last.end] + added + body[last.end :]
    added = _inside(body, style, held, key, value)
    return body[: inner.start + 1] + added + body[inner.close :]


def _behind(body: str, style: Style, inner: Container, key: Key | None, value: object) -> str:
    """A child as it goes behind the last one: laid out like that one, its comma first."""
    last = inner.children[-1]
    colon = _colon(body, last) if key is not None else ""
    if begins_line(body, last.start, inner):
        indent = indent_at(body, last.start)
        return f",{style.newline}{indent}{_named(key, colon)}{style.block(value, indent)}"
    comma = body[inner.children[-2].end : last.start] if len(inner.children) > 1 else ", "
    return f"{', ' if _has_line(comma) else comma}{_named(key, colon)}{inline(value)}"


def _inside(body: str, style: Style, held: tuple[Container, ...], key: Key | None, value: object) -> str:
    """What an empty container holds then; the space that was in it stays in front, so that it can come back."""
    inner = held[-1]
    space = body[inner.start + 1 : inner.close]
    if not (_has_line(space) if space else _stands_alone(body, held)):
        return f"{space}{_named(key, ': ')}{inline(value)}{space}"
    indent = indent_at(body, inner.start)
    return space + style.around("", [_named(key, ": ") + style.block(value, indent + style.unit)], "", indent)


def _cut(body: str, held: tuple[Container, ...], keys: Keys, *, prune: bool) -> str:
    """The text without what the keys lead to, which is there."""
    depth = len(keys) - 1
    while prune and depth > 0 and len(held[depth].children) == 1:
        depth -= 1
    inner = held[depth]
    at = next(index for index, child in enumerate(inner.children) if child.key == keys[depth])
    start, end = _cut_span(body, inner, at)
    return body[:start] + body[end:]


def _cut_span(body: str, inner: Container, at: int) -> tuple[int, int]:
    children = inner.children
    if at + 1 < len(children):
        return children[at].start, children[at + 1].start
    if at > 0:
        return children[at - 1].end, children[at].end
    before = body[inner.start + 1 : children[at].start]
    kept = _LAST_LINE.sub("", before) if _has_line(before) else before
    return inner.start + 1 + len(kept), inner.close


def _stands_alone(body: str, held: tuple[Container, ...]) -> bool:
    """True when what is put into the empty innermost container should get lines of its own."""
    if len(held) == 1:
        return True
    outer, inner = held[-2:]
    holder = next(child for child in outer.children if child.value_start == inner.start)
    return begins_line(body, holder.start, outer)


def _named(key: Key | None, colon: str) -> str:
    return "" if key is None else inline(key) + colon


def _colon(body: str, member: Child) -> str:
    """The colon of a member with the space around it."""
    found = _COLON.search(body, member.start, member.value_start)
    return found[0] if found and not _has_line(found[0]) else ": "


def _has_line(space: str) -> bool:
    return "\n" in space or "\r" in space
