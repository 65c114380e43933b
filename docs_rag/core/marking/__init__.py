"""Marking the two ends of a supersession in the words and the form that a note already uses.

A mark is believed only when it reads back: the marked text is parsed again, and unless it says what it was meant to
say, of the note that was meant, the next way of saying it is tried. Where none holds, nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_rag.core.documents import DocPath, Document
from docs_rag.core.marking.ends import (
    End,
    names_in_status,
    superseded_in_status,
    superseded_keys,
    superseding_key,
)
from docs_rag.core.marking.habits import PLAIN as NO_HABITS
from docs_rag.core.marking.habits import Habits
from docs_rag.core.marking.page import Page
from docs_rag.core.parsing import parse_document
from docs_rag.core.references import NamedNote, Names
from docs_rag.core.status import Status
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.errors import DocsRagError


def mark_superseded(
    path: DocPath,
    text: str,
    successor: NamedNote,
    day: str | None,
    *,
    names: Names,
    habits: Habits = NO_HABITS,
    rules: StatusRules = PLAIN,
) -> str:
    """The text of a note that says that another one has replaced it; unchanged when it says so already.

    `text` is exact: byte order mark, line ends, all. `day` is ISO, or None when it is not known. `names` are the
    names of the whole vault. Raises `DocsRagError` when no form of saying it reads back.
    """
    end = End(path=path, text=text, other=successor, names=names, habits=habits, rules=rules)
    before = _parse(end, text)
    if _is_superseded(end, before, before, None) and (day is None or before.lifecycle.superseded_on):
        return text
    for attempt in _endings(end, day):
        if _is_superseded(end, _parse(end, attempt), before, day):
            return attempt
    raise _unmarkable(end, "is superseded by")


def mark_superseding(
    path: DocPath,
    text: str,
    predecessor: NamedNote,
    *,
    names: Names,
    habits: Habits = NO_HABITS,
    rules: StatusRules = PLAIN,
) -> str:
    """The text of a note that says that it replaced another one; unchanged when it says so already.

    Arguments and errors are those of `mark_superseded`.
    """
    end = End(path=path, text=text, other=predecessor, names=names, habits=habits, rules=rules)
    before = _parse(end, text)
    if _claims(end, before, before):
        return text
    for attempt in _claimings(end):
        if _claims(end, _parse(end, attempt), before):
            return attempt
    raise _unmarkable(end, "supersedes")


def replace_word(text: str, line: int, old: str, new: str) -> str:
    """The text with the first `old` in a line (1-based) replaced; raises `ValueError` when it is not there."""
    page = Page(text)
    if not 1 <= line <= len(page) or old not in page[line]:
        raise ValueError(f"line {line} does not hold {old!r}")
    page.replace(line, page[line].replace(old, new, 1))
    return page.text()


def _endings(end: End, day: str | None) -> Iterator[str]:
    """Every way of saying that the note is superseded, the likeliest first."""
    if names_in_status(end.text) or end.habits.in_status:
        yield superseded_in_status(end, day)
    yield superseded_keys(end, day)


def _claimings(end: End) -> Iterator[str]:
    """Every way of saying that the note replaced another one, the likeliest first."""
    yield superseding_key(end)


def _parse(end: End, text: str) -> Document:
    return parse_document(end.path, Page(text).plain(), end.rules)


def _is_superseded(end: End, marked: Document, before: Document, day: str | None) -> bool:
    life = marked.lifecycle
    said = life.status is Status.SUPERSEDED and (day is None or life.superseded_on == day)
    kept = set(before.lifecycle.successors) <= set(life.successors)
    return said and kept and _leads(end, life.successors) and _is_same(marked, before)


def _claims(end: End, marked: Document, before: Document) -> bool:
    life = marked.lifecycle
    kept = set(before.lifecycle.claims) <= set(life.claims) and life.status is before.lifecycle.status
    return kept and _leads(end, life.claims) and _is_same(marked, before)


def _leads(end: End, references: tuple[str, ...]) -> bool:
    return any(end.other.path in end.names.resolve(each, end.path).paths for each in references)


def _is_same(marked: Document, before: Document) -> bool:
    """Whether a mark left alone what else the note says of itself, and made no fault."""
    told = [each for each in marked.problems if each.code in ("yaml", "date")]
    faults = [each for each in before.problems if each.code in ("yaml", "date")]
    same = (marked.title, marked.aliases, marked.tags) == (before.title, before.aliases, before.tags)
    return same and len(told) <= len(faults)


def _unmarkable(end: End, what: str) -> DocsRagError:
    return DocsRagError(
        f"{end.path} cannot be marked so that it reads '{what} {end.other.path}'",
        f"write it by hand, then look at it with: docs-rag list --problems; {end.path} was not changed",
    )
