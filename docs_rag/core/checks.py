"""Checks of single settings: each turns a JSON value into the value that the program works with.

A check raises `Wrong`, whose text goes on after the value: `limit is true, expected a whole number from 1 to
50`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TypeGuard

from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.globs import Globs
from docs_rag.core.hosts import DEFAULT_HOST, parse_host
from docs_rag.core.jsontext import shown
from docs_rag.core.status import Status
from docs_rag.errors import ConfigError

Check = Callable[[object], object]
"""From a JSON value to the value of a setting."""

_MOST_ROOT_CHARS = 64
_ROOT_NAME = re.compile(r"(?![.\s!~])[^/\\:#*?\[\]{}]+(?<![.\s])")
"""Such as may stand first in a path and in a glob, and be the name of a folder on every system."""
_LEAST_FACTOR = 0.001
_MOST_FACTOR = 1000.0

_UNPLAIN = (
    ("\x00", "\x1f"),
    ("\x7f", "\x9f"),
    ("\u2028", "\u202e"),  # line and paragraph separators, bidi embeddings and overrides
    ("\u2066", "\u2069"),  # bidi isolates
    ("\ud800", "\udfff"),  # surrogates: no system call takes them
    ("\U000e0000", "\U000e007f"),  # tags, which no screen shows
)


class Wrong(Exception):
    """A value that a setting cannot have; the text says what it could have."""


def switch(value: object) -> bool:
    """True or false, nothing that merely resembles them."""
    if isinstance(value, bool):
        return value
    raise Wrong("expected true or false")


def number(low: float, high: float) -> Check:
    """A finite number within both bounds."""

    def check(value: object) -> float:
        if _is_number(value, low, high):
            return float(value)
        raise Wrong(f"expected a number from {low:g} to {high:g}")

    return check


def whole(low: int, high: int) -> Check:
    """A whole number within both bounds, perhaps written as `8.0`."""

    def check(value: object) -> int:
        if _is_number(value, low, high) and int(value) == value:
            return int(value)
        raise Wrong(f"expected a whole number from {low} to {high}")

    return check


def or_null(check: Check, *, null: object) -> Check:
    """What `check` takes, or `null`, which comes out as the value given here."""

    def checked(value: object) -> object:
        if value is None:
            return null
        try:
            return check(value)
        except Wrong as wrong:
            raise Wrong(f"{wrong}, or null") from None

    return checked


def text(longest: int) -> Check:
    """A text that is not blank, as one line: runs of white space become one space."""

    def check(value: object) -> str:
        line = " ".join(value.split()) if isinstance(value, str) else ""
        if line and len(line) <= longest and is_plain(line):
            return line
        raise Wrong(f"expected a text of 1 to {longest} characters without control characters")

    return check


def one_of(*words: str) -> Check:
    """One of these words, in either case."""

    def check(value: object) -> str:
        word = value.strip().casefold() if isinstance(value, str) else ""
        if word in words:
            return word
        raise Wrong(f"expected {' or '.join(words)}")

    return check


def model(value: object) -> str:
    """The name of an embedding model; `builtin` alone is a slip, not a model of Ollama's."""
    name = str(text(200)(value))
    if name.partition(":")[0] == "builtin" and name != BUILTIN_E5:
        raise Wrong(f"expected {BUILTIN_E5} for the builtin model")
    return name


def path(value: object) -> str:
    """A path as written; `~` and relative parts are left to whoever knows the folders."""
    if not isinstance(value, str) or not value.strip():
        raise Wrong("expected a path")
    if not is_plain(value):
        raise Wrong("expected a path without control characters (write / or a double backslash)")
    return value


def globs(key: str, *, least: int = 0) -> Check:
    """A list of at least so many globs; the check raises `ConfigError`, naming `key`, for a malformed one."""

    def check(value: object) -> tuple[str, ...]:
        patterns = _texts(value, 'globs, such as ["**/*.md"]')
        if len(patterns) < least:
            raise Wrong('expected at least one glob, such as "**/*.md"')
        Globs(patterns, key=key)
        return patterns

    return check


def folders(value: object) -> tuple[str, ...]:
    """A list of folder names or paths, perhaps empty."""
    return _texts(value, 'folder names, such as ["archive"]')


def factors(value: object) -> tuple[tuple[str, float], ...]:
    """Folder names or paths with a positive factor each."""
    if not isinstance(value, dict) or not all(_names_something(key) for key in value):
        raise Wrong('expected folder names with factors, such as {"decisions": 1.2}')
    if not all(_is_number(factor, _LEAST_FACTOR, _MOST_FACTOR) for factor in value.values()):
        raise Wrong(f"expected factors from {_LEAST_FACTOR:g} to {_MOST_FACTOR:g}")
    return tuple((key, float(factor)) for key, factor in value.items())


def states(example: str) -> Check:
    """An object of texts, each with a state of a record; `example` is a member of such an object."""

    def check(value: object) -> tuple[tuple[str, Status], ...]:
        if not isinstance(value, dict) or not all(_names_something(key) for key in value):
            raise Wrong(f"expected an object such as {{{example}}}")
        return tuple((key, _state(key, state)) for key, state in value.items())

    return check


def roots(value: object) -> tuple[tuple[str, str], ...]:
    """An object from names to folders; the names in NFC, none of them a path, hidden, or like another one."""
    if not isinstance(value, dict):
        raise Wrong('expected names with folders, such as {"papers": "~/Documents/papers"}')
    found = tuple((_root_name(key), _root_folder(key, folder)) for key, folder in value.items())
    names = [name.casefold() for name, _ in found]
    if (twice := next((name for name in names if names.count(name) > 1), None)) is not None:
        raise Wrong(f"where {shown(twice)} stands there twice")
    return found


def _root_name(key: str) -> str:
    """The name as paths begin with it."""
    name = unicodedata.normalize("NFC", key)
    if len(key) <= _MOST_ROOT_CHARS and is_plain(key) and _ROOT_NAME.fullmatch(name):
        return name
    raise Wrong(f"where {shown(key)} is no name: expected one without / \\ : # * ? [ ] {{ }} and no dot in front")


def _root_folder(key: str, folder: object) -> str:
    try:
        return path(folder)
    except Wrong as wrong:
        raise Wrong(f"where {shown(key)} has {shown(folder)}: {wrong}") from None


def _state(key: str, value: object) -> Status:
    """The state, in either case; one that is none names the nearest."""
    try:
        return Status(value.casefold() if isinstance(value, str) else "")
    except ValueError:
        import difflib  # noqa: PLC0415  (7 ms that only a mistake should cost)

    near = difflib.get_close_matches(str(value).casefold(), list(Status), n=1, cutoff=0.5)
    wanted = f"expected {', '.join(Status)}" + (f"; did you mean {near[0]}?" if near else "")
    raise Wrong(f"where {shown(key)} has {shown(value)}: {wanted}")


def host(value: object) -> str:
    """The base URL of an Ollama host, which is written as in `OLLAMA_HOST`."""
    wrong = Wrong(f'expected a host, such as "{DEFAULT_HOST}"')
    if not isinstance(value, str) or not value.strip():
        raise wrong
    try:
        return parse_host(value)
    except ConfigError:
        raise wrong from None


def is_plain(value: str) -> bool:
    """True when a text is what it looks like: no control characters, bidi overrides or lone surrogates."""
    return not any(low <= char <= high for char in value for low, high in _UNPLAIN)


def _is_number(value: object, low: float, high: float) -> TypeGuard[int | float]:
    """`True` is an int to Python, but not to the person who wrote it; NaN fails both comparisons."""
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def _texts(value: object, of: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(_names_something(each) for each in value):
        return tuple(value)
    raise Wrong(f"expected a list of {of}")


def _names_something(entry: object) -> bool:
    return isinstance(entry, str) and bool(entry.strip(" /")) and is_plain(entry)
