"""How values become columns: lists as JSON, text as SQLite takes it, and the columns that notes and parts share."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from docs_rag.core.documents import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docs_rag.core.lifecycle import Lifecycle

OWN: Final = (
    "title", "own_status", "status_text", "known", "own_date", "decided", "own_since", "successors", "claims",
    "partial_refs", "partial_claims", "ids", "template", "speaks", "problems",
)  # fmt: skip
"""What a record says of itself, in notes and parts alike."""


def own(title: str, life: Lifecycle, problems: Sequence[Problem]) -> tuple[object, ...]:
    """The values of the columns `OWN`."""
    from docs_rag.core.utterance import speaks  # noqa: PLC0415  # only for changed notes

    return (
        clean(title),
        life.status.value,
        clean(life.status_text),
        life.known,
        life.date,
        life.decided,
        life.superseded_on,
        dump(life.successors),
        dump(life.claims),
        dump(life.partial),
        dump(life.partial_claims),
        dump(life.ids),
        life.template,
        speaks(life),
        dump_problems(problems),
    )


def upsert(table: str, place: Sequence[str]) -> str:
    """SQL that writes the row of a note or a part, known by its path, and returns its id.

    Its parameters are the values of `place` and of `OWN`, in this order. An edit that leaves the record's own word as
    it was keeps its standing until the graph is resolved again: a record that only its successor retires must not
    come back for a moment.
    """
    columns = (*place, *OWN)
    status, since = (f"?{columns.index(each) + 1}" for each in ("own_status", "own_since"))
    changes = ", ".join(f"{each} = excluded.{each}" for each in columns if each != "path")
    return (
        f"INSERT INTO {table} ({', '.join(columns)}, status, superseded_by, current_end, superseded_on, supersedes,"
        " partial, partial_by, partly_supersedes, link_problems)"
        f" VALUES ({', '.join(f'?{n + 1}' for n in range(len(columns)))}, {status}, '[]', '[]', {since}, '[]', NULL,"
        f" '[]', '[]', '[]') ON CONFLICT (path) DO UPDATE SET {changes},"
        " status = CASE WHEN own_status = excluded.own_status THEN status ELSE excluded.own_status END RETURNING id"
    )


def hashed(key: str) -> int:
    """A key as the index keeps it: 48 bits. Two that fall together cost a look at a record too many."""
    return int.from_bytes(_blake2b()(key.encode("utf-8", "surrogatepass"), digest_size=6).digest())


@cache
def _blake2b() -> Callable[..., Any]:
    from hashlib import blake2b  # noqa: PLC0415  # a search hashes no keys

    return blake2b


def clean(text: str) -> str:
    """Text that SQLite takes: lone surrogates have no UTF-8 form, and FTS stops at NUL."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def dump(values: Sequence[str]) -> str:
    """A list of texts as JSON."""
    if not values:
        return "[]"
    return f"[{', '.join([_text(clean(value)) for value in values])}]"


_text: Final = json.encoder.encode_basestring
"""A text as `json.dumps` writes it without escaping what is not ASCII; to call that for each list takes long."""


def load(text: str) -> tuple[str, ...]:
    """A list of texts from JSON."""
    return () if text == "[]" else tuple(json.loads(text))


def dump_problems(problems: Sequence[Problem]) -> str:
    """Problems as JSON: `[[code, message, line]]`."""
    if not problems:
        return "[]"
    return json.dumps([[each.code, clean(each.message), each.line] for each in problems], ensure_ascii=False)


def load_problems(text: str) -> tuple[Problem, ...]:
    """Problems from JSON."""
    return () if text == "[]" else tuple(Problem(code, message, line) for code, message, line in json.loads(text))
