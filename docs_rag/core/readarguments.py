"""The arguments of the reading tools, read as leniently as those of `search_notes`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from docs_rag.core.arguments import MOST_ENTRY_CHARS, Argument, clamped, gather, number_of, schema_of, switch
from docs_rag.core.cleaning import shown
from docs_rag.core.jsontext import shown as quoted
from docs_rag.core.notelist import Filter
from docs_rag.core.paging import LineRange, read_range
from docs_rag.core.rootpaths import Roots
from docs_rag.core.status import Status
from docs_rag.core.wanted import MOST_AROUND, Wanted, prefix_within, wanted
from docs_rag.errors import UsageError

MOST_PATH_CHARS: Final = 1_000
MOST_HEADINGS: Final = 10

_ADVICE: Final = 'give a path, or the id of a hit, for example "reference/auth.md#7@c41f0a"'


def read_wanted(arguments: Mapping[str, object] | None) -> Wanted:
    """What a call of `read_note` asks for. Raises `UsageError` without a path, and for lines that are none."""
    values, notices = gather(arguments, READ)
    if "path" not in values:
        raise UsageError("the path is missing", _ADVICE)
    asked = wanted(values["path"])
    if "lines" in values:
        asked = replace(asked, lines=values["lines"], is_spot=False, hit=None)
    if "heading" in values:
        asked = replace(asked, heading=values["heading"], hit=None)
    return replace(asked, around=values.get("around"), notices=tuple(notices))


def read_filter(
    arguments: Mapping[str, object] | None, vault: str, roots: Roots = ()
) -> tuple[Filter, tuple[str, ...]]:
    """What a call of `list_notes` asks for, and notices."""
    values, notices = gather(arguments, LIST)
    if "prefix" in values:
        values["prefix"] = prefix_within(values["prefix"], vault, roots)
    return Filter(**values), tuple(notices)


def read_path(arguments: Mapping[str, object] | None) -> tuple[str, tuple[str, ...]]:
    """The path of a call of `refresh`, empty for all, and notices."""
    values, notices = gather(arguments, REFRESH)
    return values.get("path", ""), tuple(notices)


def read_nothing(arguments: Mapping[str, object] | None) -> tuple[str, ...]:
    """Notices on the arguments of a tool that takes none."""
    return tuple(gather(arguments, {})[1])


def _path(name: str, value: object, notices: list[str]) -> str:
    if not isinstance(value, str) or len(value) > MOST_PATH_CHARS:
        raise UsageError(f"{name} is {quoted(value)}, expected a path of at most {MOST_PATH_CHARS} characters", _ADVICE)
    return value.encode("utf-8", "replace").decode("utf-8")


def _headings(name: str, value: object, notices: list[str]) -> tuple[str, ...]:
    """One heading, or the headings from an outer one down."""
    entries = value if isinstance(value, list) else [value]
    headings = [shown(each)[:MOST_ENTRY_CHARS] for each in entries if isinstance(each, str)]
    if not headings or len(headings) < len(entries) or len(entries) > MOST_HEADINGS:
        raise UsageError(f"{name} is {quoted(value)}, expected a heading", 'for example "Tokens" or ["Auth", "Tokens"]')
    return tuple(headings)


def _lines(name: str, value: object, notices: list[str]) -> LineRange:
    ends = value if isinstance(value, list) else [] if isinstance(value, str) else [value]
    numbers = [int(each) for each in map(number_of, ends) if each is not None and 0 < each < 1e9]
    if numbers and len(numbers) == len(ends):
        value = "-".join(map(str, dict.fromkeys((numbers[0], numbers[-1]))))
    found = read_range(value) if isinstance(value, str) else None
    if found is None:
        raise UsageError(f"{name} is {quoted(value)}, expected lines", 'for example "41-68", "41-" or [41, 68]')
    return found


def _around(name: str, value: object, notices: list[str]) -> int:
    return clamped(name, value, notices, bounds=(0, MOST_AROUND), what="sections")


def _state(name: str, value: object, notices: list[str]) -> str:
    word = value.strip().casefold() if isinstance(value, str) else ""
    if word not in list(Status):
        raise UsageError(f"{name} is {quoted(value)}", f"give one of {', '.join(Status)}")
    return word


def _schema(description: str, *kinds: str) -> dict[str, object]:
    forms = [{"type": kind} if kind != "array" else {"type": "array", "items": {}} for kind in kinds]
    return {"anyOf": [*forms, {"type": "null"}], "description": description}


READ: Final[Mapping[str, Argument]] = {
    "path": Argument("path", _path, {"type": "string", "description": "a note's path, a hit's id, or path:line"}),
    "heading": Argument("heading", _headings, _schema("only the section under this heading", "string", "array")),
    "lines": Argument("lines", _lines, _schema('only these lines: "41-68", "41-"', "string", "array", "number")),
    "around": Argument("around", _around, _schema("whole sections, and so many before and after", "number", "string")),
}
"""`read_note`."""
LIST: Final[Mapping[str, Argument]] = {
    "prefix": Argument("prefix", _path, _schema("what the paths begin with, such as decisions/", "string")),
    "status": Argument("status", _state, _schema(f"one of {', '.join(Status)}", "string")),
    "problems": Argument("problems", switch, _schema("only notes with problems", "boolean", "string")),
    "after": Argument("after", _path, _schema("to go on: the last path of the page before", "string")),
}
"""`list_notes`."""
REFRESH: Final[Mapping[str, Argument]] = {
    "path": Argument("path", _path, _schema("a note or a folder; all without it", "string")),
}
"""`refresh`."""
SCHEMAS: Final[Mapping[str, dict[str, object]]] = {
    "read_note": schema_of(READ, "path"),
    "list_notes": schema_of(LIST),
    "index_status": schema_of({}),
    "refresh": schema_of(REFRESH),
}
"""JSON Schema of each tool's arguments."""
