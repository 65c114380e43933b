"""Where the parts of a JSON text stand, so that one of them can be changed without touching the others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from docs_rag.core.jsontext import read_object, shown
from docs_rag.errors import ConfigError, Unmergeable

Key = str | int
"""Of a member of an object, or the position of an item in a list, from 0."""

_DECODER: Final = json.JSONDecoder()
_SPACE: Final = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A member of an object or an item of a list, by offsets in the text."""

    key: Key
    start: int
    """Where its key begins; of an item: its value."""
    value_start: int
    end: int
    """Just behind its value."""
    value: object


@dataclass(frozen=True, slots=True)
class Container:
    """An object or a list."""

    start: int
    """Of its opening bracket."""
    close: int
    """Of its closing bracket."""
    children: tuple[Child, ...]

    def child(self, key: Key) -> Child | None:
        """The member or item of that key."""
        return next((each for each in self.children if each.key == key), None)


def check(text: str) -> None:
    """Raises `Unmergeable` for a text that is not one JSON object, or that has a key twice in one object."""
    try:
        _, twice = read_object(text)
    except ConfigError as error:
        raise Unmergeable(error.message, error.hint) from error
    if twice:
        line = min(_lines_of_repeats(text), default=1)
        raise Unmergeable(f"has {shown(twice[0])} twice in one object (line {line})", "remove one of them")


def root(text: str) -> Container:
    """The outermost object of a checked text."""
    return container(text, _skip(text, 0))


def container(text: str, start: int) -> Container:
    """The object or list of a checked text that opens at `start`."""
    is_object = text[start] == "{"
    children: list[Child] = []
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        child = _child(text, at, None if is_object else len(children))
        children.append(child)
        at = _skip(text, child.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Container(start, at, tuple(children))


def line_at(text: str, offset: int) -> int:
    """The number of a line, from 1."""
    return len(re.findall(r"\r\n|\r|\n", text[:offset])) + 1


def _child(text: str, start: int, position: int | None) -> Child:
    key: Key
    if position is None:
        key, at = _DECODER.raw_decode(text, start)
        at = _skip(text, _skip(text, at) + 1)
    else:
        key, at = position, start
    value, end = _DECODER.raw_decode(text, at)
    return Child(key=key, start=start, value_start=at, end=end, value=value)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _lines_of_repeats(text: str) -> Iterator[int]:
    waiting = [root(text)]
    while waiting:
        held = waiting.pop()
        seen: set[Key] = set()
        for child in held.children:
            if child.key in seen:
                yield line_at(text, child.start)
            seen.add(child.key)
            if isinstance(child.value, (dict, list)):
                waiting.append(container(text, child.value_start))
