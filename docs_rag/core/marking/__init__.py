"""Marking the two ends of a supersession in the words and the form that a note already uses.

A mark is believed only when it reads back: the marked text is parsed again, and unless it says what it was meant to
say, of the note that was meant, the next way of saying it is tried. Where none holds, nothing is written.
"""

from __future__ import annotations

from docs_rag.core.documents import DocPath
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.marking.attempts import claimings, endings
from docs_rag.core.marking.habits import PLAIN as NO_HABITS
from docs_rag.core.marking.habits import Habits
from docs_rag.core.marking.page import Page
from docs_rag.core.marking.record import End, Said
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

    `path` may be a decision's of a log: `log.md#D-013`; `text` is the whole file, exact: byte order mark, line ends,
    all. `day` is ISO, or None when it is not known. `names` are the
    names of the whole vault. Raises `DocsRagError` when no form of saying it reads back.
    """
    end = End(path=path, text=text, other=successor, names=names, habits=habits, rules=rules)
    before = end.read(text)
    if _is_superseded(end, before, before, None) and (day is None or before.lifecycle.superseded_on):
        return text
    right = [each for each in endings(end, before, day) if _is_superseded(end, end.read(each), before, day)]
    if right:
        return min(right, key=lambda each: end.read(each).contradictions())
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
    before = end.read(text)
    if _claims(end, before, before):
        return text
    for attempt in claimings(end, before):
        if _claims(end, end.read(attempt), before):
            return attempt
    raise _unmarkable(end, "supersedes")


def replace_word(text: str, line: int, old: str, new: str) -> str:
    """The text with the first `old` in a line (1-based) replaced; raises `ValueError` when it is not there."""
    page = Page(text)
    if not 1 <= line <= len(page) or old not in page[line]:
        raise ValueError(f"line {line} does not hold {old!r}")
    page.replace(line, page[line].replace(old, new, 1))
    return page.text()


def _is_superseded(end: End, marked: Said, before: Said, day: str | None) -> bool:
    life = marked.lifecycle
    said = life.status is Status.SUPERSEDED and (day is None or life.superseded_on == day)
    kept = _targets(end, before.lifecycle.successors) <= _targets(end, life.successors)
    return said and kept and _leads(end, life.successors) and _is_same(marked, before)


def _claims(end: End, marked: Said, before: Said) -> bool:
    life = marked.lifecycle
    kept = _targets(end, before.lifecycle.claims) <= _targets(end, life.claims)
    return kept and _state(life) == _state(before.lifecycle) and _leads(end, life.claims) and _is_same(marked, before)


def _state(life: Lifecycle) -> tuple[object, ...]:
    return life.status, life.successors, life.partial, life.date, life.superseded_on


def _targets(end: End, references: tuple[str, ...]) -> set[object]:
    """What references lead to; one that leads nowhere stands for itself."""
    return {end.names.resolve(each, end.path).paths or each for each in references}


def _leads(end: End, references: tuple[str, ...]) -> bool:
    return any(map(end.names_other, references))


def _is_same(marked: Said, before: Said) -> bool:
    """Whether a mark left alone what else the file says, and made no fault."""
    return marked.apart() == before.apart() and marked.faults() <= before.faults()


def _unmarkable(end: End, what: str) -> DocsRagError:
    return DocsRagError(
        f"{end.path} cannot be marked so that it reads '{what} {end.other.path}'",
        f"write it by hand, then look at it with: docs-rag list --problems; {end.path} was not changed",
    )
