"""How a JSON file is laid out, and values written the same way."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from docs_rag.core.merging.jsonspans import Container

_DEFAULT_UNIT: Final = "  "
_WIDEST_LIST: Final = 100
"""Characters of a list of plain values that still stands on one line."""


@dataclass(frozen=True, slots=True)
class Style:
    """What new lines of a file look like."""

    newline: str
    unit: str
    """What a level adds to the indentation."""

    def block(self, value: object, indent: str) -> str:
        """A value over several lines, its first one not indented; lists of plain values stay on one."""
        if isinstance(value, dict) and value:
            lines = [f"{inline(key)}: {self.block(each, indent + self.unit)}" for key, each in value.items()]
            return self.around("{", lines, "}", indent)
        if isinstance(value, (list, tuple)) and value and not _fits(value):
            return self.around("[", [self.block(each, indent + self.unit) for each in value], "]", indent)
        return inline(value)

    def around(self, opening: str, lines: list[str], closing: str, indent: str) -> str:
        """Entries one level deeper than their brackets, each on a line of its own."""
        deeper = f"{self.newline}{indent}{self.unit}"
        return f"{opening}{deeper}{f',{deeper}'.join(lines)}{self.newline}{indent}{closing}"


def inline(value: object) -> str:
    """A value on one line."""
    return json.dumps(value, ensure_ascii=False)


def style_of(text: str, newline: str) -> Style:
    """The style of a text: its first indented line decides."""
    found = re.search(r"^([ \t]+)[^ \t\r\n]", text, re.MULTILINE)
    return Style(newline, found[1] if found else _DEFAULT_UNIT)


def indent_at(text: str, offset: int) -> str:
    """The indentation of the line that `offset` is on."""
    start = _line_start(text, offset)
    found = re.compile(r"[ \t]*").match(text, start, offset)
    return found[0] if found else ""


def begins_line(text: str, offset: int, within: Container) -> bool:
    """True when nothing stands before `offset` on its line, and the line begins inside the container."""
    start = _line_start(text, offset)
    return start > within.start and not text[start:offset].strip()


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _fits(values: list[object] | tuple[object, ...]) -> bool:
    plain = not any(isinstance(each, (dict, list, tuple)) for each in values)
    return plain and len(inline(list(values))) <= _WIDEST_LIST
