"""The text that is embedded for a section: its note's title, its headings, and its prose without markup.

The index stores the section as written; this is worked out from it, so that both can never disagree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docs_rag.core.comments import FENCE, after_fence, visible
from docs_rag.core.plaintext import plain


def embed_text(title: str, headings: Sequence[str], text: str) -> str:
    """Title, heading path and prose of a section, for the embedding model.

    A section of nothing but code or pictures is embedded by its title and headings, but only if its own heading
    stands in `text`: of the later parts of a long section nothing would be left, and they get "".
    """
    own = {title, *headings}
    lines = [line for line in map(str.strip, _prose(text).split("\n")) if line]
    body = [line for line in lines if line not in own]
    if not lines and text.strip() and headings:
        return ""
    path = " > ".join(heading for heading in headings if heading != title)
    return "\n".join(part for part in (title.strip(), path, *body) if part)


def _prose(text: str) -> str:
    """The text's words in their lines: no code blocks, comments, block marks, table rules or inline markup."""
    # A single character is found many times faster than several.
    if ("<" in text and "<!--" in text) or ("%" in text and "%%" in text):
        text = "\n".join(visible(text.split("\n"), 1).lines)
    if ("`" in text and "```" in text) or ("~" in text and "~~~" in text):
        text = _without_fences(text)
    text = _PREFIX.sub("\n", _RULE_LINE.sub("\n", f"\n{text}"))
    text = plain(text[1:])
    if "|" in text:
        text = _TABLE_ROW.sub(_cells, text)
    if "  " in text or "\t" in text:
        text = _SPACES.sub(" ", text)
    return text.replace("$$", "") if "$" in text else text


def _without_fences(text: str) -> str:
    """The text between the fenced blocks; a lone closing fence ends a block that began in an earlier part."""
    kept: list[str] = []
    position = 0
    while fence := FENCE.search(text, position):
        if not kept and not text[fence.end() :].strip():
            return ""
        kept.append(text[position : fence.start()])
        position = after_fence(text, fence)
    kept.append(text[position:])
    return "\n".join(kept)


def _cells(row: re.Match[str]) -> str:
    """A table row as a list of what its cells hold."""
    return ", ".join(cell for cell in map(str.strip, row[1].split("|")) if cell)


_RULE_LINE: Final = re.compile(r"\n[-=*_|:+ \t]{2,}(?=\n|\Z)")
"""As below with the line end before it: an expression that begins with a fixed character is found faster."""
_PREFIX: Final = re.compile(
    r"\n(?=[ \t>*+#\[\d-])[ \t]*(?:>[ \t]*)*"
    r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[^\]\n]\][ \t]+)?|#{1,6}(?:[ \t]+|$))?"
    r"(?:\[![\w-]+\][+-]?[ \t]*)?",
    re.MULTILINE,
)
_TABLE_ROW: Final = re.compile(r"^[ \t]*\|(.*)$", re.MULTILINE)
_SPACES: Final = re.compile(r"[ \t]{2,}|\t")
