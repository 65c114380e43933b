"""Changes to frontmatter in TOML, as Hugo and Zola have it: one key at a time, every other byte kept.

Only values that stand on one line are changed; a longer one is left as it is, and whoever reads the mark back sees that
it is none.
"""

from __future__ import annotations

import re
from typing import Final

from docs_rag.core.marking.metadata import Metadata
from docs_rag.core.metablock import Block, Draft
from docs_rag.core.tomlblock import cut_toml

_VALUE: Final = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'[^']*'|\[(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\[\]"'#])*\]|[^\s"'\[#]\S*)"""
)
_TABLE: Final = re.compile(r"[ \t]*\[")
_BARE: Final = re.compile(r"\d{4}-\d\d-\d\d|true|false")


class TomlMetadata(Metadata):
    """The TOML frontmatter of a page, changed in place."""

    def put(self, label: str, value: str, *, after: str = "") -> None:
        """Let a key hold one value and nothing else; a new key stands above the first table."""
        draft = self._draft(label)
        if draft is None:
            self._page.insert(self._place(after), f"{label} = {_toml(value)}")
        else:
            self._replace(draft, _toml(value))

    def include(self, label: str, value: str, *, after: str = "") -> None:
        """Add a value to those that a key holds; a value becomes a list."""
        draft = self._draft(label)
        held = "" if draft is None else draft.first.strip()
        if draft is None or not held.strip("[]\"' "):
            self.put(label, value, after=after)
        elif held.startswith("["):
            self._replace(draft, f"{held.rstrip(']').rstrip(', ')}, {_toml(value)}]")
        else:
            found = _VALUE.match(held)
            self._replace(draft, f"[{held if found is None else found[0]}, {_toml(value)}]")

    def _block(self) -> Block | None:
        return cut_toml(self._page.plain())

    def _place(self, after: str) -> int:
        """The line before which a new key goes: behind another one, where that is no table's, else above all tables."""
        block = self._block()
        end = 1 if block is None else block.lines
        opening = next(number for number in range(1, end) if self._page[number].strip() == "+++")
        tables = (number for number in range(opening + 1, end) if self._is_table(number))
        end = next(tables, end)
        draft = self._draft(after) if after else None
        if draft is not None and draft.line < end and self._value_at(draft.line) is not None:
            return draft.line + 1
        while end > opening + 1 and not self._page[end - 1].strip():
            end -= 1
        return end

    def _is_table(self, number: int) -> bool:
        line = self._page[number]
        return _TABLE.match(line) is not None and "=" not in line and line.rstrip().endswith("]")

    def _replace(self, draft: Draft, value: str) -> None:
        found = self._value_at(draft.line)
        if found is not None:
            line = self._page[draft.line]
            self._page.replace(draft.line, line[: found.start()] + value + line[found.end() :])

    def _value_at(self, number: int) -> re.Match[str] | None:
        """The value that stands whole on a line."""
        line = self._page[number]
        start = line.index("=") + 1
        found = _VALUE.match(line, start + len(line[start:]) - len(line[start:].lstrip()))
        rest = "" if found is None else line[found.end() :].strip()
        return None if rest and not rest.startswith("#") else found


def _toml(value: str) -> str:
    """A YAML value, as `scalar` gives it, in TOML: a text stands in quotes."""
    if value.startswith('"') or _BARE.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
