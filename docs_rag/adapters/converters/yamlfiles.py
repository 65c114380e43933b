"""YAML written as sections and items: comments kept beside what they speak of, anchors and tags as they are written.

The stream of the parser's events is read, never built into objects, so that aliases cannot multiply.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import yaml

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.keyed import Entry, Group, write
from docs_rag.adapters.converters.textfiles import decoded, doubts
from docs_rag.core.converted import Converted
from docs_rag.core.mddraft import Draft
from docs_rag.core.mdwriting import paragraph, safe

_DEEPEST: Final = 100
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#+!?[ \t]*(?P<words>[^\n]*)", re.MULTILINE)


def convert(data: bytes, name: str) -> Converted:
    """Sections named by their keys; what is no YAML (a template of one) is read as text, with a warning.

    `name` plays no part. Raises `Unconvertible` for a binary file and for nesting that no person writes.
    """
    found = decoded(data)
    warnings = list(doubts(found))
    draft = Draft()
    try:
        documents = list(_Reader(found.text).documents())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" (line {mark.line + 1})" if mark is not None else ""
        warnings.append(f"it is no valid YAML{place} and was read as text")
        draft.lines([safe(_COMMENT_MARK.sub(r"\\#", found.text))])
        return draft.finished(warnings=warnings)
    for number, (comment, value) in enumerate(documents, 1):
        if len(documents) > 1:
            draft.at(f"document {number}")
            draft.heading(2, f"document {number}")
        draft.block([paragraph(comment)] if comment.strip() else [])
        write(draft, value, level=3 if len(documents) > 1 else 2)
    return draft.finished(warnings=warnings)


_COMMENT_MARK: Final = re.compile(r"^ {0,3}#", re.MULTILINE)
"""At the beginning of a line it would make a heading of a comment."""


class _Comment(NamedTuple):
    """One comment."""

    start: int
    """Its first character's place in the text."""
    line: int
    """0-based."""
    words: str


class _Reader:
    """Builds the documents of a text from the parser's events."""

    def __init__(self, text: str) -> None:
        """Parse; raises `yaml.YAMLError`."""
        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        events: list[Any] = list(yaml.parse(text, Loader=loader))
        self._text = text
        self._events: Iterator[Any] = iter(events)
        self._comments = list(_comments(text, events))
        self._next = 0
        self._line = -1
        """In which the last scalar ended."""

    def documents(self) -> Iterator[tuple[str, str | Group]]:
        """Each document that says something, with the comment that opens it; raises `Unconvertible` when too deep."""
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                first = next(self._events)
                opening = self._before(self._text.rfind("\n\n", 0, first.start_mark.index))
                value = self._node(first, _DEEPEST)
                end = next(self._events)
                closing = self._before(end.start_mark.index)
                if value or opening or closing:
                    yield "\n".join(filter(None, (opening, closing))), value

    def _node(self, event: Any, depth: int) -> str | Group:
        """The value that an event begins."""
        if depth == 0:
            raise Unconvertible("damaged", "it is nested too deep to be read")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(event, depth)
        self._line = event.end_mark.line - (event.end_mark.column == 0)
        return _words(event)

    def _sequence(self, start: Any, depth: int) -> str | Group:
        group = Group(is_list=True)
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            comment = self._before(event.start_mark.index)
            value = self._node(event, depth - 1)
            group.entries.append(Entry("", value, self._with_inline(comment)))
        return _marked(group, start) if group.entries else "[]"

    def _mapping(self, start: Any, depth: int) -> str | Group:
        group = Group()
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            comment = self._before(event.start_mark.index)
            key = self._node(event, depth - 1)
            value = self._node(next(self._events), depth - 1)
            group.entries.append(Entry(_flattened(key), value, self._with_inline(comment)))
        return _marked(group, start) if group.entries else "{}"

    def _before(self, index: int) -> str:
        """The comments that stand before a place and were not taken yet."""
        first = self._next
        while self._next < len(self._comments) and self._comments[self._next].start < index:
            self._next += 1
        return "\n".join(each.words for each in self._comments[first : self._next])

    def _with_inline(self, comment: str) -> str:
        """A comment and the one behind the value that was read last, if it has one in its line."""
        if self._next < len(self._comments) and self._comments[self._next].line == self._line:
            self._next += 1
            return "\n".join(filter(None, (comment, self._comments[self._next - 1].words)))
        return comment


def _comments(text: str, events: Sequence[Any]) -> Iterator[_Comment]:
    """The comments of a text: what begins with `#` outside of every scalar."""
    scalars = [_span(each) for each in events if isinstance(each, yaml.ScalarEvent)]
    line, counted = 0, 0
    for found in _COMMENT.finditer(text):
        at = bisect_right(scalars, (found.start(), len(text))) - 1
        if at >= 0 and found.start() < scalars[at][1]:
            continue
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        if found["words"].strip("#-=*~ \t"):
            yield _Comment(found.start(), line, found["words"].strip())


def _span(event: Any) -> tuple[int, int]:
    return event.start_mark.index, event.end_mark.index


def _words(event: Any) -> str:
    """A scalar or an alias as it is to be read, its anchor and tag before it."""
    if isinstance(event, yaml.AliasEvent):
        return f"*{event.anchor}"
    marks = (f"&{event.anchor}" if event.anchor else "", event.tag if event.tag and event.tag[:1] == "!" else "")
    return " ".join(filter(None, (*marks, event.value)))


def _marked(group: Group, start: Any) -> Group:
    """A group that has an anchor or a tag of its own says so first."""
    marks = (f"&{start.anchor}" if start.anchor else "", start.tag if start.tag and start.tag[:1] == "!" else "")
    words = " ".join(filter(None, marks))
    return Group([Entry("", words), *group.entries], group.is_list) if words else group


def _flattened(key: str | Group) -> str:
    return key if isinstance(key, str) else ", ".join(_flattened(each.value) for each in key.entries)
