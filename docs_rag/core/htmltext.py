"""HTML in a note's head as the markdown that says the same: links, bold words, line breaks, rows of tables.

Only the few elements that people write metadata with are known; all other text, `<placeholders>` included, stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_KNOWN: Final = re.compile(
    r"<(?:/?(?:p|b|strong|em|i|span|font|small|center|tr|td|th|dt|dd|li|summary)\b|br|a\s)", re.IGNORECASE
)
_LINK: Final = re.compile(
    r"<a\s[^<>\n]{0,300}?href=[\"']?(?P<href>[^\"'<>\s]{1,600})[\"']?[^<>\n]{0,300}>(?P<words>[^<>\n]{0,300})</a>",
    re.IGNORECASE,
)
_ROW: Final = re.compile(r"<tr\b[^<>\n]{0,200}>(?P<cells>.*?)</tr>", re.IGNORECASE | re.DOTALL)
_CELL: Final = re.compile(r"<(?:td|th)\b[^<>\n]{0,200}>(?P<cell>.*?)(?=</?(?:td|th)\b|$)", re.IGNORECASE | re.DOTALL)
_TERM: Final = re.compile(
    r"<dt\b[^<>\n]{0,200}>(?P<term>[^<]{0,100})</dt>\s*<dd\b[^<>\n]{0,200}>(?P<text>.*?)</dd>",
    re.IGNORECASE | re.DOTALL,
)
_BREAK: Final = re.compile(r"<br\s*/?>|</(?:p|li)>", re.IGNORECASE)
_ITEM: Final = re.compile(r"<li\b[^<>\n]{0,200}>", re.IGNORECASE)
_BOLD: Final = re.compile(r"</?(?:b|strong)>", re.IGNORECASE)
_DROPPED: Final = re.compile(
    r"</?(?:p|em|i|span|font|small|center|table|thead|tbody|tr|dl|dt|dd|ul|ol|summary|details)\b[^<>\n]{0,300}>",
    re.IGNORECASE,
)
_LONGEST: Final = 8_000
"""How much of a block is looked at, in characters."""


def holds_html(text: str) -> bool:
    """True when an element that this module knows stands in the text."""
    return "<" in text and _KNOWN.search(text) is not None


def as_markdown(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, each with its number, as markdown; a row of a table stands where it begins."""
    text = "\n".join(line for _, line in lines)[:_LONGEST]
    text = _TERM.sub(_definition, _ROW.sub(_row, _LINK.sub(r"[\g<words>](\g<href>)", text)))
    is_table = False
    for (number, _), line in zip(lines, _BOLD.sub("**", text).split("\n"), strict=False):
        for piece in _BREAK.split(_ITEM.sub("- ", line)):
            plain = _DROPPED.sub("", piece)
            if plain.strip():
                yield number, plain
            if plain.startswith("| ") and not is_table:
                is_table = True
                yield number, "|---|---|"


def _row(found: re.Match[str]) -> str:
    """A row between bars; the lines that it took are left empty."""
    cells = [" ".join(cell["cell"].split()) for cell in _CELL.finditer(found["cells"])]
    return f"| {' | '.join(cells)} |" + "\n" * found[0].count("\n")


def _definition(found: re.Match[str]) -> str:
    return f"{found['term'].strip()}: {' '.join(found['text'].split())}" + "\n" * found[0].count("\n")
