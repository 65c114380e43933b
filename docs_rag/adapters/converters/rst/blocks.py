"""The blocks of reStructuredText in order, as markdown.

Format: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from docs_rag.adapters.converters.rst import tables
from docs_rag.adapters.converters.rst.directives import Directive, write
from docs_rag.adapters.converters.rst.inline import Inline
from docs_rag.core.mddraft import Block, Heading, fenced
from docs_rag.core.mdwriting import paragraph

_RULE: Final = re.compile(r"([!-/:-@\[-`{-~])\1+\s*$")
_BULLET: Final = re.compile(r"[-*+•‣⁃](?: +|$)")
_NUMBER: Final = re.compile(r"\(?(?P<number>\d{1,4}|#|[a-zA-Z]|[ivxlIVXL]{1,6})[.)](?: +|$)")
_FIELD: Final = re.compile(r":(?P<name>(?:\\.|[^:\\\n`])(?:\\.|[^:\\\n])*):(?:\s+(?P<value>.*)|$)")
_OPTION: Final = re.compile(r"(?:-\w|--[\w-]+|/\w)(?:(?:, |[ =])\S+)*?(?:\s{2,}\S|$)")
_DIRECTIVE: Final = re.compile(r"\.\. (?P<name>[\w:.+-]+) ?::(?:\s+(?P<argument>.*)|$)")
_NOTE: Final = re.compile(r"\.\. \[(?P<label>\d+|#[\w.-]*|\*|[A-Za-z][\w.-]*)\](?:\s+(?P<text>.*)|$)")
_DEEPEST: Final = 30
"""Levels of indentation; what lies deeper is plain text."""


class Reader:
    """Reads one document."""

    def __init__(self, inline: Inline) -> None:
        """`inline` writes what stands within lines."""
        self._inline = inline
        self._styles: list[tuple[str, bool]] = []
        """How headings are underlined, and whether overlined, in the order of their levels."""
        self._depth = 0

    def blocks(self, lines: Sequence[str]) -> Iterator[Block]:
        """The blocks of lines that have no common indentation."""
        at = 0
        while at < len(lines):
            if not lines[at].strip():
                at += 1
                continue
            for rule in _RULES:
                end, found = rule(self, lines, at)
                if end > at:
                    yield from found
                    at = end
                    break

    def inner(self, lines: Sequence[str]) -> list[str]:
        """Indented lines as the lines of one block; a heading in them is a line like any other."""
        dedented = _dedented(lines)
        self._depth += 1
        try:
            if self._depth > _DEEPEST:
                return [line for line in paragraph(self._inline.text(dedented)).split("\n") if line]
            found = [[each.text] if isinstance(each, Heading) else each for each in self.blocks(dedented)]
        finally:
            self._depth -= 1
        return [line for number, block in enumerate(found) for line in (*([""] if number else []), *block)]

    def text(self, lines: Sequence[str]) -> str:
        """Lines of running text as markdown."""
        return self._inline.text(lines)

    def _heading(self, lines: Sequence[str], at: int) -> _Read:
        """A line of text with a rule below it, and perhaps one above."""
        if self._depth:
            return at, []
        if _is_rule(lines[at]) and at + 2 < len(lines) and lines[at + 1].strip() and _is_rule(lines[at + 2]):
            signs = {lines[at].strip()[0], lines[at + 2].strip()[0]}
            return (at + 3, [self._titled(lines[at + 1], (signs.pop(), True))]) if len(signs) == 1 else (at, [])
        if at + 1 < len(lines) and not lines[at][0].isspace() and _underlines(lines[at + 1], lines[at]):
            return at + 2, [self._titled(lines[at], (lines[at + 1].strip()[0], False))]
        return at, []

    def _titled(self, line: str, style: tuple[str, bool]) -> Heading:
        if style not in self._styles:
            self._styles.append(style)
        return Heading(min(6, 1 + self._styles.index(style)), self.text([line]))

    def _transition(self, lines: Sequence[str], at: int) -> _Read:
        is_rule = _is_rule(lines[at]) and len(lines[at].strip()) >= 4
        return (at + 1, [["* * *"]]) if is_rule and (at + 1 >= len(lines) or not lines[at + 1].strip()) else (at, [])

    def _table(self, lines: Sequence[str], at: int) -> _Read:
        if tables.GRID.match(lines[at]):
            end = tables.grid_end(lines, at)
            written = tables.grid(lines[at:end], self._cell)
            return end, [written or fenced("\n".join(lines[at:end]))]
        if tables.SIMPLE.match(lines[at]):
            end = tables.simple_end(lines, at)
            return end, [tables.simple(lines[at:end], self._cell)] if end > at else []
        return at, []

    def _cell(self, lines: Sequence[str]) -> str:
        return "\n".join(line for line in self.inner(lines) if line)

    def _explicit(self, lines: Sequence[str], at: int) -> _Read:
        """What begins with two dots: directives and notes; targets, substitutions and comments show nothing."""
        line = lines[at]
        if not (line.startswith((".. ", "__ ")) or line.rstrip() == ".."):
            return at, []
        end = _indented_end(lines, at + 1)
        body = lines[at + 1 : end]
        if (note := _NOTE.match(line)) is not None:
            inner = self.inner([f"   {note['text'] or ''}", *body])
            label = f"[^{note['label'].lstrip('#') or 'auto'}]: {inner[0] if inner else ''}".rstrip()
            return end, [[label, *(f"    {each}".rstrip() for each in inner[1:])]]
        found = _DIRECTIVE.match(line)
        return end, [] if found is None else list(
            write(Directive.of(found["name"], found["argument"] or "", body), self)
        )

    def _quoted_lines(self, lines: Sequence[str], at: int) -> _Read:
        """Lines that keep their ends, and sessions of an interpreter."""
        if lines[at].startswith(("| ", "|\n")) or lines[at].rstrip() == "|":
            end = _while(lines, at, lambda line: line.startswith(("|", " ")))
            return end, [[self.text([line[1:] if line[0] == "|" else line]) for line in lines[at:end]]]
        if lines[at].startswith(">>> "):
            end = _while(lines, at, lambda line: bool(line.strip()))
            return end, [fenced("\n".join(lines[at:end]), "pycon")]
        return at, []

    def _list(self, lines: Sequence[str], at: int) -> _Read:
        """Bullets or numbers; one block with all the items."""
        mark = _mark(lines, at)
        if mark is None:
            return at, []
        written: list[str] = []
        while at < len(lines) and (found := _mark(lines, at)) is not None and found.is_bullet == mark.is_bullet:
            end = _indented_end(lines, at + 1)
            body = [" " * found.width + lines[at][found.width :], *lines[at + 1 : end]]
            inner = self.inner(body)
            lead = "- " if found.is_bullet else f"{found.number}. "
            written.append(lead + (inner[0] if inner else ""))
            written += [f"{' ' * len(lead)}{line}".rstrip() for line in inner[1:]]
            at = end
        return at, [written]

    def _fields(self, lines: Sequence[str], at: int) -> _Read:
        """Fields and options, as items."""
        written: list[str] = []
        while at < len(lines) and (found := _FIELD.match(lines[at])) is not None:
            end = _indented_end(lines, at + 1)
            inner = self.inner([f"  {found['value'] or ''}", *lines[at + 1 : end]])
            written += _said(self.text([found["name"]]), inner)
            at = end
        return at, [written] if written else []

    def _options(self, lines: Sequence[str], at: int) -> _Read:
        written: list[str] = []
        while at < len(lines) and _OPTION.match(lines[at]):
            end = _indented_end(lines, at + 1)
            name, _, text = re.sub(r"\s{2,}", "\0", lines[at].rstrip(), count=1).partition("\0")
            written += _said(f"`{name}`", self.inner([f"  {text}", *lines[at + 1 : end]]))
            at = end
        return at, [written] if written else []

    def _quote(self, lines: Sequence[str], at: int) -> _Read:
        """Indented lines; people indent lists for their looks."""
        if not lines[at][0].isspace():
            return at, []
        end = _indented_end(lines, at)
        inner = self.inner(lines[at:end])
        is_list = bool(inner) and inner[0].startswith(("- ", "1. "))
        return end, [inner if is_list else [f"> {line}".rstrip() for line in inner]]

    def _terms(self, lines: Sequence[str], at: int) -> _Read:
        """Terms, each with an indented definition right below."""
        written: list[str] = []
        while at + 1 < len(lines) and lines[at].strip() and not lines[at][0].isspace() and _is_indented(lines[at + 1]):
            if lines[at].rstrip().endswith("::") or _mark(lines, at) is not None:
                break
            end = _indented_end(lines, at + 1)
            written += _said(self.text([lines[at]]), self.inner(lines[at + 1 : end]))
            at = end
        return at, [written] if written else []

    def _paragraph(self, lines: Sequence[str], at: int) -> _Read:
        """All lines up to a blank one; `::` at the end says that what follows is literal."""
        end = _while(lines, at, lambda line: bool(line.strip()))
        text = paragraph(self.text(lines[at:end]))
        if not lines[end - 1].rstrip().endswith("::"):
            return end, [text.split("\n")] if text else []
        text = re.sub(r"\s*(?<!:)::$", "" if re.search(r"(?:^|\s)::$", text) else ":", text)
        after, literal = _literal(lines, end)
        return after, [*([text.split("\n")] if text else []), *([fenced("\n".join(literal))] if literal else [])]


_Read = tuple[int, Sequence[Block]]
"""The line after what was read, and its blocks; the line where it began when a rule does not fit."""
_RULES: Final[tuple[Callable[[Reader, Sequence[str], int], _Read], ...]] = (
    Reader._heading,
    Reader._table,
    Reader._transition,
    Reader._explicit,
    Reader._quoted_lines,
    Reader._list,
    Reader._fields,
    Reader._options,
    Reader._quote,
    Reader._terms,
    Reader._paragraph,
)
"""In the order in which they are tried; the last one always fits."""


class _Mark(NamedTuple):
    """What begins an item."""

    width: int
    is_bullet: bool
    number: str


def _mark(lines: Sequence[str], at: int) -> _Mark | None:
    """The mark of an item; a number is one only if the next line could belong to the item."""
    line = lines[at]
    if (bullet := _BULLET.match(line)) is not None:
        return _Mark(max(2, len(bullet[0])), True, "")
    found = _NUMBER.match(line)
    if found is None or (at + 1 < len(lines) and lines[at + 1].strip() and not _continues(lines[at + 1])):
        return None
    number = found["number"]
    return _Mark(len(found[0]), False, number if number.isdigit() else "1")


def _continues(line: str) -> bool:
    return line[:1].isspace() or _NUMBER.match(line) is not None


def _said(name: str, inner: Sequence[str]) -> list[str]:
    """An item that says something of a name."""
    if len(inner) == 1:
        return [f"- {name}: {inner[0]}"]
    return [f"- {name}" + (":" if inner else ""), *(f"  {line}".rstrip() for line in inner)]


def _is_rule(line: str) -> bool:
    return _RULE.match(line) is not None


def _underlines(rule: str, text: str) -> bool:
    """Whether a rule is long enough to underline a text; people often forget a sign or two."""
    return _is_rule(rule) and len(rule.strip()) >= min(len(text.strip()), 4) and not _is_rule(text)


def _is_indented(line: str) -> bool:
    return line[:1].isspace() and bool(line.strip())


def _while(lines: Sequence[str], at: int, holds: Callable[[str], bool]) -> int:
    while at < len(lines) and holds(lines[at]):
        at += 1
    return at


def _indented_end(lines: Sequence[str], at: int) -> int:
    """The line after the indented ones, blank lines between them included."""
    end = _while(lines, at, lambda line: not line.strip() or line[0].isspace())
    while end > at and not lines[end - 1].strip():
        end -= 1
    return end


def _dedented(lines: Sequence[str]) -> list[str]:
    """Lines without their common indentation; the first line has its own when it stands behind a mark."""
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=None)
    first = lines[0].strip() if lines else ""
    if not first or margin is None:
        margin = margin or 0
        return [first, *(line[margin:].rstrip() for line in lines[1:])]
    own = len(lines[0]) - len(lines[0].lstrip())
    return [
        lines[0][min(own, margin) :].rstrip() if own > margin else first,
        *(line[margin:].rstrip() for line in lines[1:]),
    ]


def _literal(lines: Sequence[str], at: int) -> tuple[int, list[str]]:
    """An indented or quoted block of literal text behind a paragraph that announces one."""
    start = _while(lines, at, lambda line: not line.strip())
    if start < len(lines) and lines[start][0].isspace():
        end = _indented_end(lines, start)
        margin = min(len(line) - len(line.lstrip()) for line in lines[start:end] if line.strip())
        return end, [line[margin:].rstrip() for line in lines[start:end]]
    if start < len(lines) and lines[start][0] in ">|#$%":
        sign = lines[start][0]
        end = _while(lines, start, lambda line: line.startswith(sign))
        return end, list(lines[start:end])
    return at, []
