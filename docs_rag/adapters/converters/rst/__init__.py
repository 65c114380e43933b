"""reStructuredText as markdown; what stands at its head about the document becomes a block of metadata."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docs_rag.adapters.converters.rst.blocks import Reader
from docs_rag.adapters.converters.rst.inline import Inline
from docs_rag.adapters.converters.textfiles import decoded, doubts
from docs_rag.core.converted import Converted
from docs_rag.core.mddraft import Draft, metadata

_FIELD: Final = re.compile(r":(?P<key>[\w][\w .-]{0,40}):(?:\s+(?P<value>.*)|\s*$)")
_HEADER: Final = re.compile(r"(?P<key>[A-Z][\w-]{0,40}):(?:\s+(?P<value>.*)|\s*$)")
"""As letters and proposals have it: `Status: Final`."""


def convert(data: bytes, name: str) -> Converted:
    """The whole document; `name` plays no part. Raises `Unconvertible` for a binary file."""
    found = decoded(data)
    lines = found.text.expandtabs(8).split("\n")
    values, rest = _told(lines)
    inline = Inline(lines)
    draft = Draft()
    draft.block(metadata({key: inline.text([value]) for key, value in values.items()}))
    draft.at("beginning")
    draft.sections(Reader(inline).blocks(rest))
    return draft.finished(warnings=doubts(found))


def _told(lines: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """What the head says of the document, and the other lines."""
    start = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    values, end = _fields(lines, start, _HEADER)
    if len(values) >= 2 and (end >= len(lines) or not lines[end].strip()):
        return values, list(lines[end:])
    start = _behind_title(lines, start)
    values, end = _fields(lines, start, _FIELD)
    return (values, [*lines[:start], *lines[end:]]) if values else ({}, list(lines))


def _behind_title(lines: Sequence[str], at: int) -> int:
    """The first line after the title, comments and targets that may precede the fields."""
    while at < len(lines):
        line = lines[at].strip()
        if not line or line.startswith(".. ") or (lines[at][:1].isspace() and at > 0):
            at += 1
        elif at + 1 < len(lines) and _RULE.fullmatch(lines[at + 1].strip()) and not _RULE.fullmatch(line):
            at += 2
        elif _RULE.fullmatch(line) and at + 2 < len(lines) and _RULE.fullmatch(lines[at + 2].strip()):
            at += 3
        else:
            break
    return at


_RULE: Final = re.compile(r"([!-/:-@\[-`{-~])\1{2,}")


def _fields(lines: Sequence[str], at: int, pattern: re.Pattern[str]) -> tuple[dict[str, str], int]:
    """Fields from a line on, each with its further lines, and the line after them."""
    values: dict[str, str] = {}
    last = ""
    while at < len(lines) and lines[at].strip():
        found = pattern.match(lines[at])
        if found is not None:
            last = found["key"]
            values[last] = ", ".join(filter(None, (values.get(last, ""), (found["value"] or "").strip())))
        elif last and lines[at][0].isspace():
            values[last] = f"{values[last]} {lines[at].strip()}".strip()
        else:
            break
        at += 1
    return values, at
