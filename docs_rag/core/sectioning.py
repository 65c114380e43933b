"""How a note is cut: at its headings, weak sections joined to a neighbour, long ones split."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from docs_rag.core.comments import Visible, visible
from docs_rag.core.documents import Document
from docs_rag.core.markdown import Block
from docs_rag.core.plaintext import plain, says_something
from docs_rag.core.splitting import Span, split
from docs_rag.core.structure import Structure


class Passage(NamedTuple):
    """A section or a part of one."""

    headings: tuple[str, ...]
    first: int
    """First line in the file, 1-based."""
    last: int
    """Last line in the file, itself included."""
    text: str


def passages(document: Document) -> list[Passage]:
    """The note in reading order, without blank stretches; empty when nothing in it is visible."""
    note = visible(document.text.split("\n")[document.body_start :], document.body_start + 1)
    found = Structure(note.structure)
    runs = _runs(_sections(note.lines, found.headings), note, {each.lines[0] for each in document.parts})
    return [part for run in runs for group in _groups(run) for part in _parts(note, found, group)]


class _Section(NamedTuple):
    """Lines from one heading to the next, as indices of the visible lines; `end` is the line after the last."""

    start: int
    end: int
    level: int
    """1-6; 0 for what stands before the first heading."""
    path: tuple[str, ...]
    is_weak: bool
    """True when it has no words of its own, so that it cannot be an answer."""


def _sections(lines: Sequence[str], headings: Sequence[Block]) -> list[_Section]:
    """The note cut at its headings; headings inside lists and quotes cut nothing."""
    starts = [heading.start for heading in headings] + [len(lines)]
    sections: list[_Section] = []
    if any(map(str.strip, lines[: starts[0]])):
        sections.append(_Section(0, starts[0], 0, (), _is_weak(lines[: starts[0]], "", 0)))
    path: list[tuple[int, str]] = []
    for heading, end in zip(headings, starts[1:], strict=True):
        name = heading_name(heading.text)
        path = [*(entry for entry in path if entry[0] < heading.level), (heading.level, name)]
        names = tuple(name for _, name in path if name)
        weak = _is_weak(lines[heading.end : end], name, heading.level)
        sections.append(_Section(heading.start, end, heading.level, names, weak))
    return sections


def _runs(sections: Sequence[_Section], note: Visible, starts: Collection[int]) -> Iterator[Sequence[_Section]]:
    """The sections cut where a decision of a log begins: what has a state of its own shares no passage.

    A decision that is followed by a heading above its own level ends with the section before that heading.
    """
    begin, level = 0, 7
    for place, section in enumerate(sections if starts else ()):
        is_start = note.numbers[section.start] in starts
        if place > begin and (is_start or section.level <= level < 7):
            yield sections[begin:place]
            begin = place
        if is_start:
            level = section.level
        elif section.level <= level:
            level = 7
    yield sections[begin:]


def heading_name(text: str) -> str:
    """A heading without markup and on one line, cut where it is longer than any heading should be."""
    return " ".join(plain(text[: 10 * _LONGEST_HEADING]).split())[:_LONGEST_HEADING]


def _is_weak(lines: Sequence[str], heading: str, level: int) -> bool:
    """Whether the lines below a heading are no answer: at most two words, or what the note says of itself."""
    text = "\n".join(lines)[:_LOOKED_AT]
    if any(mark in text for mark in _SAYS_ENOUGH):
        return False
    if level <= 1 and len(text) <= _LONGEST_HEAD and all(map(_KEY_VALUE.match, filter(str.strip, lines))):
        return True
    if heading.rstrip(":").casefold() in _METADATA and len(plain(text).strip()) <= _LONGEST_METADATA:
        return True
    return not says_something(text)


def _groups(sections: Sequence[_Section]) -> list[_Section]:
    """Weak sections joined to a neighbour: to the following one, or backwards rather than out of their parent.

    The path of a group is that of its section with words; of weak ones alone, what they have in common.
    """
    groups: list[_Section] = []
    waiting: list[_Section] = []
    for section, following in zip_longest(sections, sections[1:]):
        waiting.append(section)
        if not section.is_weak:
            groups.append(section._replace(start=waiting[0].start))
        elif groups and (following is None or _is_last_of_parent(section, following, groups[-1])):
            groups[-1] = groups[-1]._replace(end=section.end)
        elif following is None or section.end - waiting[0].start >= _LONGEST_WAIT:
            groups.append(_joined(waiting))
        else:
            continue
        waiting = []
    return groups


def _is_last_of_parent(weak: _Section, following: _Section, before: _Section) -> bool:
    """Whether a weak section ends its parent, of which something with words has come `before`."""
    parent = weak.path[:-1]
    return following.level < weak.level and before.path[: len(parent)] == parent


def _joined(weak: Sequence[_Section]) -> _Section:
    """Weak sections as one: each alone says nothing, together they may."""
    shared = [names[0] for names in zip(*(section.path for section in weak), strict=False) if len(set(names)) == 1]
    return weak[0]._replace(end=weak[-1].end, path=tuple(shared) or weak[0].path)


def _parts(note: Visible, found: Structure, group: _Section) -> Iterator[Passage]:
    """The parts of a group; one without a visible character is left out."""
    lines = note.lines[group.start : group.end]
    text = "\n".join(lines)
    line, counted = group.start, 0
    for span in split(text, lambda: found.within(group.start, group.end), group.start):
        start, end = _trimmed(text, *span)
        if start < end:
            line, counted = line + text.count("\n", counted, start), start
            final = line + text.count("\n", start, end)
            yield Passage(group.path, note.numbers[line], note.numbers[final], text[start:end])


def _trimmed(text: str, start: int, end: int) -> Span:
    """The range without white space around it; the first line keeps its indent."""
    part = text[start:end].rstrip()
    lead = len(part) - len(part.lstrip())
    if start == 0 or text[start - 1] == "\n":
        lead = part.rfind("\n", 0, lead) + 1
    return start + lead, start + len(part)


def further_names(document: Document, text: str) -> str:
    """What else the note is called, a line each: title if `text` lacks it, words of the file name, aliases."""
    folder, _, file = f"/{document.path}".rpartition("/")
    stem = file.rpartition(".")[0] or file
    if stem.casefold() in _NAMELESS:
        stem = f"{folder.rpartition('/')[2]} {stem}"
    words = " ".join(_SEPARATORS.sub(" ", stem).split())
    names = [document.title, words, _HUMP.sub(" ", words), *document.aliases]
    return "\n".join(name for name in dict.fromkeys(names) if name and not (name == document.title and name in text))


_LONGEST_HEADING: Final = 200
_SAYS_ENOUGH: Final = ("```", "~~~", "$$")
"""Code and formulas are something to answer with, however short."""
_LOOKED_AT: Final = 4000
"""Characters of a section that tell whether it says something."""
_LONGEST_WAIT: Final = 24
"""Lines of weak sections that may gather before one with words; more of them are a section themselves."""
_LONGEST_HEAD: Final = 400
_KEY_VALUE: Final = re.compile(r"[ \t]*(?:[-*+>][ \t]+)?[*_]{0,2}\w[\w ./-]{0,40}[*_]{0,2}[:：].{0,80}$")
"""A short line such as `Date: 2026-01-14` or `- **Owner**: Ann`, as they stand below a note's title."""
_LONGEST_METADATA: Final = 80
_METADATA: Final = frozenset(
    {"status", "state", "date", "author", "authors", "deciders", "decision makers", "decision-makers", "tags"}
    | {"상태", "날짜", "작성자", "状态", "狀態", "日期", "作者", "ステータス", "状態", "状況", "日付"}
)
"""Headings over what a note says of itself; short sections under them go with a neighbour."""
_NAMELESS: Final = frozenset({"readme", "index", "_index"})
"""Files that are called after their folder."""
_SEPARATORS: Final = re.compile(r"[\s_.-]+")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Between the words of a camelCase name."""
