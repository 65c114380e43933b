"""Text of a document written as markdown, so that nothing of it is taken for structure that the document lacks."""

from __future__ import annotations

import re
from typing import Final

_STRUCTURE: Final = re.compile(r"(?=#{1,6}(?:\s|$)|```|~~~|=+\s*$|-+\s*$|\+{3}\s*$|>)")
"""What at the beginning of a line would be a heading, a fence, an underline of a heading, frontmatter, a quotation."""
_INDENT: Final = re.compile(r"^[ \t]+", re.MULTILINE)
_HIDING: Final = re.compile(r"<!--|%%")
"""Readers would hide what follows as a comment."""


def paragraph(text: str) -> str:
    """Plain text as lines of one paragraph: not indented, no blank line, no line of structure."""
    lines = "\n".join(line for line in _INDENT.sub("", text).split("\n") if line.strip())
    return safe(_at_line_starts(lines)).rstrip()


def safe(text: str) -> str:
    """The text with what would begin a comment taken apart: it would hide the rest from readers."""
    return _HIDING.sub(lambda found: f"{found[0][0]}\\{found[0][1:]}", text)


def heading(level: int, text: str) -> str:
    """A heading line; levels beyond six are six. Empty for a text without words."""
    words = " ".join(text.split())
    return safe(f"{'#' * max(1, min(level, 6))} {words}") if words else ""


def _at_line_starts(text: str) -> str:
    return "\n".join("\\" + line if _STRUCTURE.match(line) else line for line in text.split("\n"))
