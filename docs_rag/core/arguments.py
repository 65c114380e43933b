"""The arguments of `search_notes`: agents and their hosts write one thing in many forms.

A form that leaves no doubt is read, and every departure from what was asked becomes a notice. Only what would
make the answer one to another question is refused: a query that says nothing, a scope or a day that cannot be read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from docs_rag.core.cleaning import one_line, shown
from docs_rag.core.jsontext import shown as quoted
from docs_rag.core.queries import Query
from docs_rag.errors import UsageError

MOST_HITS: Final = 50
MOST_CHARS: Final = 2_000
"""Longest query, in characters; embedding models read about a quarter of that many tokens."""
MOST_ENTRIES: Final = 50
"""Longest list."""
MOST_ENTRY_CHARS: Final = 300
MOST_UNKNOWN: Final = 5
"""Unknown arguments that a notice names."""

_ADVICE: Final = 'ask in a sentence, or name an identifier, for example "how long does a session last"'
_ABSENT: Final = frozenset({"", "null"})
_WORDS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a call of the tool asks for."""

    text: str
    limit: int | None = None
    within: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    search_all: bool = False
    as_of: str | None = None
    """ISO day."""
    notices: tuple[str, ...] = ()
    """What was not taken as it was written."""

    def query(self, limit: int) -> Query:
        """The query; `limit` counts where the caller named none."""
        return Query(
            text=self.text,
            limit=limit if self.limit is None else self.limit,
            within=self.within,
            exclude=self.exclude,
            tags=self.tags,
            search_all=self.search_all,
            as_of=self.as_of,
        )


class Ignored(Exception):
    """An argument that is left out of account; `str()` is the notice."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of the tool."""

    attribute: str
    """As `Asked` spells it."""
    read: Callable[[str, object, list[str]], object]
    """From its name, its value and the notices so far, to which it may add, to the value in `Asked`."""
    schema: Mapping[str, object]
    """JSON Schema: every form that is read, so that no host refuses one before we see it."""


def read(arguments: Mapping[str, object] | None) -> Asked:
    """Read the arguments of one call.

    Raises `UsageError` for a query that is missing, blank or no text, for a list that cannot be read as one, and for
    a day that does not exist or may mean two.
    """
    values, notices = gather(arguments, ARGUMENTS)
    if "text" not in values:
        raise UsageError("; ".join(("the query is empty", *notices)), _ADVICE)
    return Asked(**values, notices=tuple(notices))


def gather(arguments: Mapping[str, object] | None, table: Mapping[str, Argument]) -> tuple[dict[str, Any], list[str]]:
    """The values of a call by attribute, those that are absent left out, and what was not taken as it was written."""
    given = {name: value for name, value in (arguments or {}).items() if not _is_absent(name, value)}
    notices = _unknown([name for name in given if name not in table], table)
    values: dict[str, Any] = {}
    for name, argument in table.items():
        if name in given:
            try:
                values[argument.attribute] = argument.read(name, given[name], notices)
            except Ignored as ignored:
                notices.append(str(ignored))
    return values, notices


def input_schema() -> dict[str, object]:
    """JSON Schema of the arguments of `search_notes`."""
    return schema_of(ARGUMENTS, "query")


def schema_of(table: Mapping[str, Argument], *required: str) -> dict[str, object]:
    """JSON Schema of a table. Unknown arguments are not forbidden: they are named in a notice instead."""
    properties = {name: dict(argument.schema) for name, argument in table.items()}
    return {"type": "object", "properties": properties, "required": list(required)}


def _is_absent(name: str, value: object) -> bool:
    """True for null, and for a blank text and null as a text, which some hosts make of it."""
    if name == "query" and isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, str) and value.strip().lower() in _ABSENT)


def _query(_: str, value: object, notices: list[str]) -> str:
    if not isinstance(value, str):
        raise UsageError(f"the query is {quoted(value)}, expected a text", _ADVICE)
    text = shown(value.strip())
    if len(text) > MOST_CHARS:
        notices.append(f"the query was cut to its first {MOST_CHARS} of {len(text)} characters")
        text = text[:MOST_CHARS].rstrip()
    if not text.replace("\ufffd", "").strip():
        raise UsageError("the query holds nothing that can be searched for", _ADVICE)
    return text


def _limit(name: str, value: object, notices: list[str]) -> int:
    return clamped(name, value, notices, bounds=(1, MOST_HITS), what="hits")


def clamped(name: str, value: object, notices: list[str], *, bounds: tuple[int, int], what: str) -> int:
    """The whole number that is asked for, brought within bounds with a notice. Raises `Ignored` for no number."""
    least, most = bounds
    number = number_of(value)
    if number is None:
        raise Ignored(f"{name} {quoted(value)} was ignored: expected a whole number from {least} to {most}")
    found = int(max(least, min(most, number)))
    if found != number:
        notices.append(f"{name} {quoted(value)} was set to {found}: from {least} to {most} {what} can be had")
    return found


def number_of(value: object) -> float | None:
    """The number that a value or its text stands for; `true` stands for none."""
    if isinstance(value, str):
        try:
            value = float(value) if len(value) <= MOST_ENTRY_CHARS else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return None if isinstance(value, float) and math.isnan(value) else value


def switch(name: str, value: object, notices: list[str]) -> bool:
    """True or false, or a word for it; raises `Ignored` for anything else."""
    word = str(value).strip().lower() if isinstance(value, bool | int | str) else ""
    if word not in _WORDS:
        raise Ignored(f"{name} {quoted(value)} was ignored: expected true or false")
    return _WORDS[word]


def _day(name: str, value: object, notices: list[str]) -> str:
    from docs_rag.core.asof import ADVICE, read_day  # noqa: PLC0415  # few questions name a day

    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UsageError(f"{name} is {quoted(value)}, expected a day", ADVICE)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return read_day(str(value)[:MOST_ENTRY_CHARS])


def _texts(name: str, value: object, notices: list[str]) -> tuple[str, ...]:
    """A list of texts, a JSON list in a text, or a comma-separated text."""
    entries = _split(value) if isinstance(value, str) else value
    if not isinstance(entries, list) or not all(isinstance(each, str | int | None) for each in entries):
        raise UsageError(f"{name} is {quoted(value)}, expected a list of texts", f'for example {name}: ["auth"]')
    texts = [one_line(str(each)) for each in entries if each is not None]
    texts = list(dict.fromkeys(each for each in texts if each))
    if len(texts) > MOST_ENTRIES or any(len(each) > MOST_ENTRY_CHARS for each in texts):
        raise UsageError(f"{name} is too long", f"give at most {MOST_ENTRIES} entries of {MOST_ENTRY_CHARS} characters")
    return tuple(texts)


def _split(text: str) -> object:
    """A text that reads as JSON list or JSON text is that; any other is cut at its commas."""
    if text.lstrip()[:1] in ("[", '"'):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return text.split(",")
        return [found] if isinstance(found, str) else found
    return text.split(",")


def _unknown(names: list[str], table: Mapping[str, Argument]) -> list[str]:
    """One notice for all unknown arguments, with the right name where one is near."""
    if not names:
        return []
    listed = ", ".join(_with_nearest(name, table) for name in names[:MOST_UNKNOWN])
    more = f" and {len(names) - MOST_UNKNOWN} more" if len(names) > MOST_UNKNOWN else ""
    there = f"there are {', '.join(table)}" if table else "it takes none"
    return [f"ignored unknown arguments: {listed}{more}; {there}"]


def _with_nearest(name: str, table: Mapping[str, Argument]) -> str:
    import difflib  # noqa: PLC0415  (7 ms that only a mistake should cost)

    spelt = {known.lower(): known for known in table}
    near = difflib.get_close_matches(name.replace("_", "").lower(), spelt, n=1)
    return quoted(name) + (f" (did you mean {spelt[near[0]]}?)" if near else "")


def _list_schema(description: str) -> dict[str, object]:
    forms = [{"type": "array", "items": {"type": "string"}}, {"type": "string"}, {"type": "null"}]
    return {"anyOf": forms, "description": description}


ARGUMENTS: Final[Mapping[str, Argument]] = {
    "query": Argument(
        "text",
        _query,
        {"type": "string", "description": "a question or topic in a sentence, or an identifier"},
    ),
    "limit": Argument(
        "limit",
        _limit,
        {
            "anyOf": [{"type": "number"}, {"type": "string"}, {"type": "null"}],
            "description": f"most hits, 1 to {MOST_HITS}",
        },
    ),
    "within": Argument("within", _texts, _list_schema("only these folders or notes")),
    "exclude": Argument("exclude", _texts, _list_schema("not these folders or notes")),
    "tags": Argument("tags", _texts, _list_schema("only notes with one of these tags")),
    "searchAll": Argument(
        "search_all",
        switch,
        {
            "anyOf": [{"type": "boolean"}, {"type": "string"}, {"type": "null"}],
            "description": "also superseded, archived and excluded notes, labelled",
        },
    ),
    "asOf": Argument(
        "as_of",
        _day,
        {
            "anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}],
            "description": "what was in force on that day: 2025-06-30, 2025-06 or 2025",
        },
    ),
}
"""The arguments in the order in which agents read them; a new one is a row here and a line in `Asked`."""
