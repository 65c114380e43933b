"""Where a note's own text speaks of its state: the region that every body form reads, defined here and only here.

It is the head (what stands above the second-level headings, the title included), the first section named after
each metadata key (`## Status`, `## 상태`), wherever it stands, and a fenced or `<pre>` preamble of `Key: value` lines
that opens the note or stands under `## Preamble`. The rest of the text is never searched for status words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from docs_rag.core.citations import split_references
from docs_rag.core.frontmatter import fold_key
from docs_rag.core.htmltext import as_markdown, holds_html
from docs_rag.core.outline import Heading, Outline, Stretch
from docs_rag.core.spellings import METADATA_SECTIONS, NAMED_SECTIONS, PREAMBLE_SECTIONS, Role
from docs_rag.core.wording import read_status

_MOST_LINES: Final = 80
"""Lines of a head that are looked at: metadata stands at the top."""
_MOST_SECTION: Final = 40
"""Lines of a named section that are looked at."""
_SEPARATOR: Final = re.compile(r"[:：]|\s[-–—]\s|\s?[(（]")
"""Between a key and its value in a heading."""
_SUCCESSOR_HEADING: Final = re.compile(
    r"[\W\d_]*(?P<label>(?:supers?c?ee?ded|replaced|obsoleted)[ -]by)[*_]*:?[*_]*\s+(?P<value>\S.*)", re.IGNORECASE
)
_QUOTE: Final = re.compile(r"[ \t]{0,3}>[ \t]?")
_MAY_BE_KEY: Final = re.compile(
    r"[\W\d_]*(?:status|current|document|adr|decision|record|super|replac|obsolet|date|[^\x00-\x7f])", re.IGNORECASE
)
"""How the keys of `NAMED_SECTIONS` begin: nearly every heading is told apart by its first letters."""
_INDENT: Final = re.compile(r" {4}|\t")
_OWNS: Final = re.compile(
    r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]|!!!|\?\?\?|[ \t]*[*_]{0,2}[^\n]{1,40}[:：][*_]{0,2}[ \t]*$"
)
"""What an indented block below belongs to: an item, a box, a key."""
_RULE: Final = re.compile(r"[ \t]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*")
_DEFINITION: Final = re.compile(r"^ {0,3}\[([^\[\]\n]{1,200})\]:[ \t]*<?([^\s<>]{1,600})>?", re.MULTILINE)
_BY_LABEL: Final = re.compile(r"(?<!\[)\[(?P<text>[^\[\]\n]{1,200})\](?:\[(?P<label>[^\[\]\n]{0,200})\])?(?![(\[\]:])")


class Line(NamedTuple):
    """One line of the region."""

    number: int
    """1-based line of the file."""
    text: str
    """Without the `>` of a quote."""


class Block(NamedTuple):
    """Lines without a blank one between them."""

    lines: tuple[Line, ...]
    is_quote: bool

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(line.text for line in self.lines)


class Section(NamedTuple):
    """A section that is named after a metadata key."""

    role: Role
    key: str
    """Folded."""
    label: str
    """As written."""
    value: str
    """What follows the key in the heading itself: `## Status: Deprecated`."""
    line: int
    """1-based line of the heading."""
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Body:
    """A stretch of a note that is one record: the whole body, or one decision of a log."""

    text: str
    """The whole file."""
    lines: Sequence[str]
    """Its lines."""
    outline: Outline
    """Of the whole file."""
    first: int
    """0-based line that the stretch begins with."""
    end: int
    """The line after its last one."""

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings of the stretch."""
        every = self.outline.headings
        start = bisect_left(every, self.first, key=_line_of)
        return every[start : bisect_left(every, self.end, start, key=_line_of)]

    @cached_property
    def title(self) -> Heading | None:
        """The heading over the record: its first, unless text other than a heading of the second level precedes it."""
        if not self.headings:
            return None
        first = self.headings[0]
        is_top = first.level == 1 or not any(map(str.strip, self.lines[self.first : first.line]))
        return first if is_top and _key_of(first) is None else None

    @cached_property
    def head(self) -> tuple[Block, ...]:
        """What stands above the first heading below the title, without fences, comments and formulas."""
        below = [each for each in self.headings if each is not self.title]
        if below and (self._is_subtitle(below[0]) or fold_key(below[0].raw) in METADATA_SECTIONS):
            below = below[1:]
        end = below[0].line if below else self.end
        return self._blocks(self.first, min(end, self.first + _MOST_LINES))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The first section for each role that a heading can have."""
        found: dict[Role, Section] = {}
        for heading, end in zip(self.headings, self._ends(), strict=True):
            named = _key_of(heading)
            if named is not None and named[0] not in found and heading is not self.title:
                role, key, label, value = named
                blocks = self._blocks(heading.end, min(end, heading.end + _MOST_SECTION))
                found[role] = Section(role, key, label, value, heading.line + 1, blocks)
        return tuple(found.values())

    @cached_property
    def preambles(self) -> tuple[Stretch, ...]:
        """Fences and `<pre>` that may hold metadata: what opens the record, and what stands under `## Preamble`."""
        title = self.title
        under = [self.first, *([] if title is None else [title.end])]
        stretches = {each.first: each for each in self.outline.stretches if each.kind in ("fence", "pre")}
        if not stretches:
            return ()
        under += [each.end for each in self.headings if fold_key(each.raw) in PREAMBLE_SECTIONS]
        lines = (next((at for at in range(start, self.end) if self.lines[at].strip()), -1) for start in under)
        return tuple(stretches[at] for at in dict.fromkeys(lines) if at in stretches)

    @cached_property
    def opening(self) -> str:
        """The first section of prose: the head and what stands under the first heading that is no metadata key's."""
        below = [each for each in self.headings if each is not self.title and _key_of(each) is None]
        place = self.headings.index(below[0]) if below else None
        end = self._ends()[place] if place is not None else self.end
        return "\n\n".join(block.text for block in self._blocks(self.first, min(end, self.first + 2 * _MOST_LINES)))

    def expanded(self, text: str) -> str:
        """A text with links by label (`[RFC 7][]`, `[x][label]`) written out: `[RFC 7](rfc7.md)`."""
        if "[" not in text or not self._definitions:
            return text
        return _BY_LABEL.sub(self._written_out, text)

    def _written_out(self, found: re.Match[str]) -> str:
        href = self._definitions.get(" ".join((found["label"] or found["text"]).split()).casefold())
        return found[0] if href is None else f"[{found['text']}]({href})"

    @cached_property
    def _definitions(self) -> dict[str, str]:
        if "]:" not in self.text:
            return {}
        return {" ".join(name.split()).casefold(): href for name, href in _DEFINITION.findall(self.text)}

    def _is_subtitle(self, heading: Heading) -> bool:
        """An underlined heading right below the title is its second line."""
        title = self.title
        return title is not None and heading.end == heading.line + 2 and self._is_blank(title.end, heading.line)

    def _ends(self) -> list[int]:
        """For each heading the line after its section, which the next heading ends whatever its level."""
        return [*(each.line for each in self.headings[1:]), self.end][: len(self.headings)]

    def _is_blank(self, start: int, end: int) -> bool:
        return not any(map(str.strip, self.lines[start:end]))

    def _blocks(self, start: int, end: int) -> tuple[Block, ...]:
        return tuple(map(_without_html, _without_code(_cut(self._visible(start, end)))))

    def _visible(self, start: int, end: int) -> Iterator[Line]:
        """The lines of prose; a heading or a stretch that is passed over leaves a blank line."""
        spans = [(each.first, each.last + 1) for each in self.outline.stretches if each.kind != "math"]
        spans += [(each.line, each.end) for each in self.headings]
        is_comment = False
        hidden = {number for first, last in spans for number in range(max(first, start), min(last, end))}
        for number in range(start, min(end, len(self.lines))):
            text = "" if number in hidden else self.lines[number]
            if is_comment or "<!--" in text:
                text, is_comment = _without_comments(text, is_comment)
            yield Line(number + 1, "" if _RULE.fullmatch(text) else text)


def _line_of(heading: Heading) -> int:
    return heading.line


def _cut(lines: Iterator[Line]) -> Iterator[Block]:
    """Blocks of lines; a quote that begins or ends is a boundary like a blank line."""
    pending: list[Line] = []
    quoted = False
    for line in lines:
        mark = _QUOTE.match(line.text)
        text = line.text[mark.end() :] if mark else line.text
        if pending and (not text.strip() or bool(mark) != quoted):
            yield Block(tuple(pending), quoted)
            pending = []
        if text.strip():
            quoted = bool(mark)
            pending.append(Line(line.number, text))
    if pending:
        yield Block(tuple(pending), quoted)


def _without_comments(text: str, is_open: bool) -> tuple[str, bool]:
    """A line without comments that begin within it, and whether one goes on below."""
    if is_open:
        before, end, text = text.partition("-->")
        if not end:
            return "", True
    kept: list[str] = []
    while True:
        before, start, rest = text.partition("<!--")
        kept.append(before)
        _, end, text = rest.partition("-->")
        if not end:
            return "".join(kept), bool(start)


def _without_code(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks without those that are code by their indent: examples, as a rule, unless they open the region."""
    before: Block | None = None
    for block in blocks:
        is_code = before is not None and not block.is_quote and _INDENT.match(block.lines[0].text) is not None
        if not is_code or (before is not None and _OWNS.match(before.lines[0].text)):
            yield block
            before = block


def _without_html(block: Block) -> Block:
    if not holds_html(block.text):
        return block
    lines = tuple(Line(number, text) for number, text in as_markdown(block.lines))
    return block._replace(lines=lines) if lines else block


def _key_of(heading: Heading) -> tuple[Role, str, str, str] | None:
    """Role, folded key, key and value of a heading that is a metadata key; None for any other."""
    if len(heading.raw) > 200 or _MAY_BE_KEY.match(heading.raw) is None:
        return None
    successor = _SUCCESSOR_HEADING.match(heading.raw)
    if successor is not None and split_references(successor["value"], titles=False):
        return Role.SUCCESSOR, fold_key(successor["label"]), successor["label"], successor["value"].strip()
    words = heading.words
    parted = _SEPARATOR.search(words)
    label = words[: parted.start()] if parted else words
    key = fold_key(re.sub(r"^[\W\d_]+", "", label))
    role = NAMED_SECTIONS.get(key)
    if role is None or parted is None:
        return None if role is None else (role, key, label.strip(), "")
    written = _SEPARATOR.search(heading.raw) or parted
    value = heading.raw[written.end() :].strip().rstrip(")）" if written[0].strip() in ("(", "（") else "")
    if written[0].strip() not in (":", "：") and (role is not Role.STATUS or not read_status(value).known):
        return None
    return role, key, label.strip(), value
