"""JSON, and files of one JSON value a line: written as sections, items and tables; numbers stay as they are written."""

from __future__ import annotations

import json
from typing import Any, Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.keyed import Entry, Group, write
from docs_rag.adapters.converters.textfiles import decoded, doubts
from docs_rag.core.converted import Converted
from docs_rag.core.mddraft import Draft
from docs_rag.core.mdwriting import safe

_LINES: Final = (".jsonl", ".ndjson")


def convert(data: bytes, name: str) -> Converted:
    """Sections named by their keys; what is no JSON is read as text, with a warning.

    Raises `Unconvertible` for a binary file and for nesting that no person writes.
    """
    found = decoded(data)
    warnings = list(doubts(found))
    draft = Draft()
    try:
        if name.lower().endswith(_LINES):
            _write_lines(draft, found.text)
        elif found.text.strip():
            write(draft, _value(_parsed(found.text)))
    except json.JSONDecodeError as error:
        draft = Draft()
        draft.lines([safe(found.text)])
        warnings.append(f"it is no valid JSON (line {error.lineno}: {error.msg}) and was read as text")
    except RecursionError:
        raise Unconvertible("damaged", "it is nested too deep to be read") from None
    return draft.finished(warnings=warnings)


def _write_lines(draft: Draft, text: str) -> None:
    """One value a line, located by it."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = _value(_parsed(line))
        except json.JSONDecodeError as error:
            raise json.JSONDecodeError(
                error.msg, text, sum(map(len, text.split("\n")[: number - 1])) + number
            ) from None
        write(draft, value, path=f"[{number}]")


def _parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_Pairs, parse_int=str, parse_float=str, parse_constant=str, strict=False)


class _Pairs(list[tuple[str, Any]]):
    """An object with its keys in order, repeated ones too."""


def _value(parsed: Any) -> str | Group:
    if isinstance(parsed, _Pairs):
        return Group([Entry(key, _value(value)) for key, value in parsed]) if parsed else "{}"
    if isinstance(parsed, list):
        return Group([Entry("", _value(value)) for value in parsed], is_list=True) if parsed else "[]"
    return str(_WORDS.get(parsed, parsed))


_WORDS: Final[dict[object, str]] = {True: "true", False: "false", None: "null"}
