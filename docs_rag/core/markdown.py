"""Block structure of a markdown text: where headings, lists, tables, fences begin and end.

markdown-it-py does the parsing, as CommonMark with GFM tables, and only its block level: inline markup is never
looked at. The rules that take most of its time are replaced by shorter ones that keep line ranges alone (no cells,
no paragraph text), which makes it twice as fast; the tests hold them against the originals.

Two departures from CommonMark, both for notes as people write them: a paragraph above `---` that does not look
like a title is no heading (`Status: draft`, then a rule), and very deep nesting is read as plain paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

    _BlockRule = Callable[[StateBlock, int, int, bool], bool]

Kind = Literal["heading", "paragraph", "list", "item", "table", "row", "quote", "fence", "code", "html", "rule"]


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
    "heading": "heading",
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

_MAX_DEPTH: Final = 20
"""Deeper lists and quotes are read as paragraphs: each level costs a pass over its lines."""

_RULES: Final = ("quick", "table", "code", "fence", "blockquote", "hr", "list", "html_block", "heading", "paragraph")


def blocks(text: str) -> list[Block]:
    """All blocks of `text` in the order of their first lines, outer before inner; lines end with `\\n` only."""
    tokens: list[Token] = []
    parser = _parser()
    # Without a last line end markdown-it 4.3 reads past the text of some quotes ("> - <pre>\n> ").
    parser.block.parse(text if text.endswith("\n") else text + "\n", parser, {}, tokens)
    found = []
    for token in tokens:
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None:
            continue
        start, end = token.map
        if kind == "heading":
            found.append(Block(kind, start, end, token.level, len(token.markup), token.content))
        else:
            found.append(Block(kind, start, end, token.level))
    return found


@cache
def _parser() -> MarkdownIt:
    """The parser, made on first use: importing markdown-it takes longer than most searches."""
    from markdown_it import MarkdownIt  # noqa: PLC0415
    from markdown_it.rules_block import blockquote  # noqa: PLC0415

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_DEPTH + 10})
    ruler = parser.block.ruler
    ruler.at("table", _table, {"alt": ["paragraph"]})
    ruler.at("blockquote", partial(_quote, blockquote), {"alt": ["paragraph", "blockquote", "list"]})
    ruler.at("hr", _rule, {"alt": ["paragraph", "blockquote", "list"]})
    ruler.at("heading", _heading, {"alt": ["paragraph", "blockquote"]})
    ruler.at("paragraph", _paragraph)
    ruler.before("table", "quick", _quick)
    ruler.enableOnly(list(_RULES))
    return parser


def _quick(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """What the first character decides: a letter begins no list, quote, fence ...; most blocks need no other rule."""
    if state.level >= _MAX_DEPTH:
        return _paragraph(state, start, end, silent)
    first = _first(state, start)
    if first == "#":
        rule = _heading
    elif first.isalpha():
        rule = _paragraph
    else:
        return False
    if state.is_code_block(start) or _is_table_head(state, start, end):
        return False
    return rule(state, start, end, silent)


def _heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`# title`, perhaps closed by more `#`."""
    line = state.src[_span(state, start)]
    title = line.lstrip("#")
    level = len(line) - len(title)
    if not 1 <= level <= 6 or title[:1] not in ("", " ", "\t") or state.is_code_block(start):
        return False
    if not silent:
        _push_heading(state, start, start + 1, level, heading_text(title))
    return True


def heading_text(title: str) -> str:
    """What stands behind the opening marks, without closing ones."""
    title = title.strip(" \t")
    closed = title.rstrip("#")
    return closed.rstrip(" \t") if closed[-1:] in ("", " ", "\t") else title


def _push_heading(state: StateBlock, start: int, end: int, level: int, title: str) -> None:
    """Note a heading and go on behind it."""
    token = state.push("heading", f"h{level}", 0)
    token.map, token.markup, token.content = [start, end], "#" * level, title
    state.line = end


def _paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph or a setext heading: both of markdown-it's rules in one pass over the lines."""
    outer, state.parentType = state.parentType, "paragraph"
    line, level = _paragraph_end(state, start, end)
    state.parentType = outer
    if level:
        title = state.getLines(start, line, state.blkIndent, False).strip()
        if _is_title(title, state.src[_span(state, line)].strip(), state):
            _push_heading(state, start, line + 1, level, title)
            return True
    state.push("paragraph", "p", 0).map = [start, line]
    state.line = line
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


def _first(state: StateBlock, line: int) -> str:
    """The first character of a line inside its container; empty for a blank line."""
    start = state.bMarks[line] + state.tShift[line]
    return state.src[start] if start < state.eMarks[line] else ""


def _span(state: StateBlock, line: int) -> slice:
    """Where a line's content stands, without indent and container marks."""
    return slice(state.bMarks[line] + state.tShift[line], state.eMarks[line])


_HEAD: Final = frozenset({"heading", "hr"})
_KEY_VALUE: Final = re.compile(r"[*_]{0,3}\w[\w .-]{0,30}[*_]{0,3}(?::[*_]{0,3}(?:\s|$)|：)")
_NO_TITLE: Final = re.compile(
    r"!\[|\[[^\]]*\]:\s"  # an image, a link definition
    r"|\#[^\s\#]"  # tags
    r"|.{121}"  # a paragraph on one line
    r"|.{40,}[.!?;,。！？；，]$"  # a sentence
)


def _is_title(content: str, underline: str, state: StateBlock) -> bool:
    """Whether the lines above an underline look like a title; `=` is believed, `---` may be meant as a rule."""
    lines = content.split("\n")
    if len(lines) > 3:
        return False
    if underline[0] == "=":
        return True
    if any(_NO_TITLE.match(line.strip()) for line in lines):
        return False
    at_the_head = len(state.tokens) < 8 and all(token.type in _HEAD for token in state.tokens)
    if len(lines) > 1 or (at_the_head and len(underline) == 3):
        return not any(_KEY_VALUE.match(line.strip()) for line in lines)
    return True


def _quote(original: _BlockRule, state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A quote: the lines that begin with `>`, then what continues its last paragraph without a mark.

    markdown-it's own rule, but it is not shown the lines without a mark: it would go through all of them for each
    level and each quote, and the paragraph finds them anyway.
    """
    marked = start + 1
    while not silent and marked < end and _first(state, marked) == ">" and state.sCount[marked] >= state.blkIndent:
        marked += 1
    return original(state, start, marked, silent)


_DASHES: Final = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}")


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A horizontal rule, matched at once and not character by character."""
    span = _span(state, start)
    if state.is_code_block(start) or not _DASHES.fullmatch(state.src, span.start, span.stop):
        return False
    if not silent:
        state.push("hr", "hr", 0).map = [start, start + 1]
        state.line = start + 1
    return True


_DELIMITER: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_PIPE: Final = re.compile(r"(?<!\\)\|")


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A GFM table (https://github.github.com/gfm/#tables-extension-), by rows and not by cells."""
    if not _is_table_head(state, start, end):
        return False
    if silent:
        return True
    outer, state.parentType = state.parentType, "table"
    table = state.push("table", "table", 0)
    line = start + 2
    rows = [start]
    while line < end and _is_row(state, line):
        rows.append(line)
        line += 1
    for row in rows:
        token = state.push("row", "tr", 0)
        token.level += 1
        token.map = [row, row + 1 if row > start else start + 2]
    table.map, state.line, state.parentType = [start, line], line, outer
    return True


def _is_table_head(state: StateBlock, start: int, end: int) -> bool:
    """Whether a header row and its delimiter row, with as many columns, stand at `start`."""
    if start + 2 > end or _first(state, start + 1) not in _DELIMITER_STARTS:
        return False
    if state.sCount[start + 1] < state.blkIndent or state.is_code_block(start + 1) or state.is_code_block(start):
        return False
    delimiter = state.src[_span(state, start + 1)]
    header = state.src[_span(state, start)].strip()
    if "|" not in header or len(delimiter) < 2 or delimiter[:2] in ("- ", "-\t"):
        return False
    return bool(_DELIMITER.fullmatch(delimiter)) and _columns(header) == len(re.findall("-+", delimiter))


def _columns(header: str) -> int:
    """How many cells a header row has; the outer pipes are optional."""
    cells = _PIPE.split(header)
    return len(cells) - (cells[0] == "") - (len(cells) > 1 and cells[-1] == "")


def _is_row(state: StateBlock, line: int) -> bool:
    """Whether the table goes on: any line that is not blank and begins no other block."""
    if state.sCount[line] < state.blkIndent or state.isEmpty(line) or state.is_code_block(line):
        return False
    terminators = state.md.block.ruler.getRules("blockquote")
    return not any(rule(state, line, state.lineMax, True) for rule in terminators)
