"""On which line of a note a problem stands that was found between notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from docs_rag.core.declared import Statement, statements_in
from docs_rag.core.documents import Problem
from docs_rag.core.linting.corpus import Subject
from docs_rag.core.spellings import Role
from docs_rag.core.statusrules import StatusRules

_NAMING: Final = (Role.SUCCESSOR, Role.CLAIM, Role.PARTIAL, Role.PARTIAL_CLAIM, Role.STATUS)
_ROLES: Final[Mapping[str, tuple[Role, ...]]] = {
    "dangling": _NAMING,
    "ambiguous": _NAMING,
    "renamed": _NAMING,
    "one-sided": (Role.STATUS,),
    "cycle": (Role.SUCCESSOR, Role.STATUS),
    "dead-end": (Role.SUCCESSOR, Role.STATUS),
    "conflict": (Role.SUCCESSOR, Role.STATUS),
    "no-successor": (Role.STATUS, Role.FLAG),
}
"""Problem code -> what kind of statement it is about, the likeliest first."""
_ELSEWHERE: Final = frozenset({"sidecar", "folder"})
"""Forms whose statements do not stand in the note's own file."""
_QUOTED: Final = re.compile(r"'(?P<reference>.+?)' \(", re.DOTALL)


def line_of(subject: Subject, problem: Problem, rules: StatusRules) -> int | None:
    """The 1-based line that a problem is about: of the reference that it quotes, else of the statement, else the top.

    None when the statement stands in another file, beside the note.
    """
    if problem.line is not None:
        return problem.line
    spoken = list(_statements(subject, rules))
    quoted = _QUOTED.match(problem.message)
    if quoted is not None and (found := _line_with(subject, quoted["reference"], spoken)) is not None:
        return found
    for role in _ROLES.get(problem.code, ()):
        for statement in spoken:
            if statement.role is role:
                return None if statement.form in _ELSEWHERE else statement.line
    return subject.line


def status_statement(subject: Subject, rules: StatusRules) -> Statement | None:
    """The statement that holds a record's status, if it has one in its own file."""
    spoken = _statements(subject, rules)
    return next((each for each in spoken if each.role is Role.STATUS and each.form not in _ELSEWHERE), None)


def _statements(subject: Subject, rules: StatusRules) -> Iterator[Statement]:
    """What the record says of its state; of a part, what stands within its lines."""
    note = subject.note
    for statement in statements_in(note.path, note.text, rules):
        if subject.part is None or subject.part.lines[0] <= statement.line <= subject.part.lines[1]:
            yield statement


def _line_with(subject: Subject, reference: str, spoken: Sequence[Statement]) -> int | None:
    """The first line at or below a statement that holds a reference as it is written."""
    lines = subject.note.text.split("\n")
    last = len(lines) if subject.part is None else subject.part.lines[1]
    starts = [each.line for each in spoken if reference in each.text] or [subject.line]
    return next(
        (number for start in starts for number in range(start, last + 1) if reference in lines[number - 1]), None
    )
