"""Block structure of a markdown text: where headings, lists, tables, fences begin and end.

markdown-it-py does the parsing, as CommonMark with GFM tables, and only its block level: inline markup is never
looked at. Four of its rules are replaced by shorter ones that keep line ranges alone (no cells, no paragraph
text), which makes it three times as fast; the tests hold them against the originals.

Two departures from CommonMark, both for notes as people write them: a paragraph above `---` that does not look
like a title is no heading (`Status: draft`, then a rule), and very deep nesting is read as plain paragraphs.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

Kind = Literal[
    "heading", "paragraph", "list", "item", "table", "row", "quote", "fence", "code", "html", "rule"
]


class Block(NamedTuple):
    """One block; a plain tuple, since a vault has hundreds of thousands of them."""

    kind: Kind
    start: int
    """First line, 0-based."""
    end: int
    """The line after the last one; a list takes blank lines behind it along."""
    depth: int
    """0 at the top of the note, more inside lists, quotes and tables."""
    level: int = 0
    """1-6 for a heading, else 0."""
    text: str = ""
    """A heading's text as written, without its marks; else empty."""


_KINDS: Final[dict[str, Kind]] = {
    "heading_open": "heading",
    "setext": "heading",
    "paragraph": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "table": "table",
    "row": "row",
    "blockquote_open": "quote",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "hr": "rule",
}

_MAX_DEPTH: Final = 40
"""Deeper lists and quotes are read as paragraphs: each level costs a pass over its lines."""

_RULES: Final = ("prose", "table", "code", "fence", "blockquote", "hr", "list", "html_block", "heading", "paragraph")


def blocks(text: str) -> list[Block]:
    """All blocks of `text` in the order of their first lines, outer before inner; lines end with `\\n` only."""
    tokens: list[Token] = []
    parser = _parser()
    parser.block.parse(text, parser, {}, tokens)
    found = []
    for index, token in enumerate(tokens):
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None:
            continue
        start, end = token.map
        if kind == "heading":
            content = token.content if token.type == "setext" else tokens[index + 1].content
            found.append(Block(kind, start, end, token.level, int(token.tag[1]), content))
        else:
            found.append(Block(kind, start, end, token.level))
    return found


@cache
def _parser() -> MarkdownIt:
    """The parser, made on first use: importing markdown-it takes longer than most searches."""
    from markdown_it import MarkdownIt  # noqa: PLC0415

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_DEPTH + 10})
    ruler = parser.block.ruler
    ruler.at("table", _table, {"alt": ["paragraph"]})
    ruler.at("hr", _rule, {"alt": ["paragraph", "blockquote", "list"]})
    ruler.at("paragraph", _paragraph)
    ruler.before("table", "prose", _prose)
    ruler.enableOnly(list(_RULES))
    return parser


def _prose(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block that begins with a letter can only be a paragraph, a setext heading or a table: ask no other rule."""
    if state.level < _MAX_DEPTH:
        if not _first(state, start).isalpha() or state.is_code_block(start):
            return False
        if start + 1 < end and _first(state, start + 1) in _DELIMITER_STARTS and _table(state, start, end, True):
            return False
    return _paragraph(state, start, end, silent)


def _paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph or a setext heading: both of markdown-it's rules in one pass over the lines."""
    outer, state.parentType = state.parentType, "paragraph"
    line, level = _paragraph_end(state, start, end)
    state.parentType = outer
    kind = "paragraph"
    content = ""
    if level:
        content = state.getLines(start, line, state.blkIndent, False).strip()
        if _is_title(content, state.src[_span(state, line)].strip(), state):
            kind, line = "setext", line + 1
    token = state.push(kind, f"h{level}", 0)
    token.map, token.content, state.line = [start, line], content, line
    return True


def _paragraph_end(state: StateBlock, start: int, end: int) -> tuple[int, int]:
    """The line after the paragraph at `start`, and the heading level if that line is a setext underline."""
    terminators = state.md.block.ruler.getRules("paragraph")
    margin, last = state.blkIndent, state.lineMax
    for line in range(start + 1, last):
        if state.isEmpty(line):
            return line, 0
        indent = state.sCount[line]
        if indent < 0 or indent - margin > 3:
            continue
        first = _first(state, line)
        if first in _UNDERLINES and indent >= margin and line < end:
            underline = state.src[_span(state, line)].rstrip(" \t")
            if not underline.strip(first):
                return line, _UNDERLINES[first]
        if first.isalpha() and (line + 1 >= last or _first(state, line + 1) not in _DELIMITER_STARTS):
            continue
        if any(rule(state, line, last, True) for rule in terminators):
            return line, 0
    return last, 0


_UNDERLINES: Final = {"=": 1, "-": 2}
_DELIMITER_STARTS: Final = frozenset("|-:")
