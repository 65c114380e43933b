"""How values become columns: lists as JSON, text as SQLite takes it, and the columns that notes and parts share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from docs_rag.core.documents import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.lifecycle import Lifecycle

OWN: Final = (
    "title", "own_status", "status_text", "known", "own_date", "decided", "own_since", "successors", "claims",
    "partial_refs", "partial_claims", "ids", "template", "speaks", "problems",
)  # fmt: skip
"""What a record says of itself, in notes and parts alike."""


def own(title: str, life: Lifecycle, problems: Sequence[Problem]) -> dict[str, object]:
    """The values of the columns `OWN`."""
    from docs_rag.core.utterance import speaks  # noqa: PLC0415  # only for changed notes

    return {
        "title": clean(title),
        "own_status": life.status,
        "status_text": clean(life.status_text),
        "known": life.known,
        "own_date": life.date,
        "decided": life.decided,
        "own_since": life.superseded_on,
        "successors": dump(life.successors),
        "claims": dump(life.claims),
        "partial_refs": dump(life.partial),
        "partial_claims": dump(life.partial_claims),
        "ids": dump(life.ids),
        "template": life.template,
        "speaks": speaks(life),
        "problems": dump_problems(problems),
    }


def upsert(table: str, place: Sequence[str]) -> str:
    """SQL that writes the row of a note or a part, known by its path, and returns its id.

    An edit that leaves the record's own word as it was keeps its standing until the graph is resolved again: a record
    that only its successor retires must not come back for a moment.
    """
    columns = (*place, *OWN)
    changes = ", ".join(f"{each} = excluded.{each}" for each in columns if each != "path")
    return (
        f"INSERT INTO {table} ({', '.join(columns)}, status, superseded_by, current_end, superseded_on, supersedes,"
        " partial, partial_by, partly_supersedes, link_problems)"
        f" VALUES ({', '.join(f':{each}' for each in columns)}, :own_status, '[]', '[]', :own_since, '[]', NULL, '[]',"
        f" '[]', '[]') ON CONFLICT (path) DO UPDATE SET {changes},"
        " status = CASE WHEN own_status = excluded.own_status THEN status ELSE excluded.own_status END RETURNING id"
    )


def clean(text: str) -> str:
    """Text that SQLite takes: lone surrogates have no UTF-8 form, and FTS stops at NUL."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def dump(values: Sequence[str]) -> str:
    """A list of texts as JSON."""
    return "[]" if not values else json.dumps([clean(value) for value in values], ensure_ascii=False)


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
