"""Org files as markdown; the keywords at their head become a block of metadata, their title the first heading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docs_rag.adapters.converters.org.blocks import blocks
from docs_rag.adapters.converters.org.inline import text
from docs_rag.adapters.converters.textfiles import decoded, doubts
from docs_rag.core.converted import Converted
from docs_rag.core.mddraft import Draft, metadata

_KEYWORD: Final = re.compile(r"#\+(?P<key>[\w-]+):[ \t]*(?P<value>.*)$")
_PROPERTY: Final = re.compile(r":(?P<key>[\w-]+):[ \t]*(?P<value>.*)$")
_SETTINGS: Final = frozenset(
    {"options", "startup", "setupfile", "latex_header", "html_head", "export_file_name", "property", "todo", "seq_todo"}
    | {"bind", "macro", "latex_class", "latex_class_options", "html_link_home", "html_link_up", "exclude_tags", "id"}
)
"""Keywords that speak to the program, not to readers."""
_OF_THE_TEXT: Final = ("begin_", "include", "caption", "attr")
"""How keywords begin that belong to what follows them."""


def convert(data: bytes, name: str) -> Converted:
    """The whole file; `name` plays no part. Raises `Unconvertible` for a binary file."""
    found = decoded(data)
    lines = found.text.expandtabs(8).split("\n")
    values, rest = _told(lines)
    title = text(values.pop("title", ""))
    draft = Draft()
    draft.block(metadata(values))
    draft.at("beginning")
    draft.heading(1, title)
    draft.sections(blocks(rest, shift=1 if title else 0))
    return draft.finished(title=title, warnings=doubts(found))


def _told(lines: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """What the head says of the file (keywords and properties before its first line of text), and the other lines."""
    values: dict[str, str] = {}
    is_drawer = False
    for at, line in enumerate(lines):
        mark = line.strip().lower()
        if mark in (":properties:", ":end:"):
            is_drawer = mark != ":end:"
            continue
        found = (_PROPERTY if is_drawer else _KEYWORD).match(line)
        if found is None:
            if mark and not mark.startswith("# "):
                return values, list(lines[at:])
        elif found["key"].lower().startswith(_OF_THE_TEXT):
            return values, list(lines[at:])
        else:
            _take(values, found["key"], found["value"].strip())
    return values, []


def _take(values: dict[str, str], key: str, value: str) -> None:
    """A keyword may stand more than once; the tags of a file have a name of their own."""
    key = key.lower()
    if not value or key in _SETTINGS:
        return
    if key == "filetags":
        key, value = "tags", ", ".join(filter(None, value.replace(" ", ":").split(":")))
    between = " " if key == "title" else ", "
    values[key] = f"{values[key]}{between}{value}" if key in values else value
