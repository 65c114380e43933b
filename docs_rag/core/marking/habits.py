"""How the records of a vault say what replaced what, so that a new mark looks like those that are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from docs_rag.core.declared import Statement
from docs_rag.core.marking.links import Style, usual
from docs_rag.core.spellings import Role
from docs_rag.core.wording import read_status

_NAMING: Final = (Role.SUCCESSOR, Role.CLAIM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """What most of the records do."""

    labels: Mapping[Role, str] = field(default_factory=dict)
    """The keys for a successor, a claim and the day, as most frontmatters spell them."""
    reference: Style | None = None
    """How most frontmatters name another record."""
    in_status: bool = False
    """True where the status itself names the successor: `status: superseded by [ADR-7](0007-x.md)`."""
    form: str = "frontmatter"
    """Where most records have their status: the name of a form."""


PLAIN: Final = Habits()
"""Of a vault that has none yet."""


def habits_of(notes: Iterable[Iterable[Statement]]) -> Habits:
    """The habits of the records that make these statements, each note's apart."""
    labels: dict[Role, dict[str, int]] = {}
    references: list[str] = []
    forms: dict[str, int] = {}
    strings = 0
    for statements in notes:
        for each in statements:
            if each.role is Role.STATUS:
                forms[each.form] = forms.get(each.form, 0) + 1
                strings += each.form == "frontmatter" and bool(read_status(each.text).successors)
            elif each.form == "frontmatter" and each.role in (*_NAMING, Role.SINCE):
                counts = labels.setdefault(each.role, {})
                counts[each.label] = counts.get(each.label, 0) + 1
                references.extend(each.values if each.role in _NAMING else ())
    return Habits(
        labels={role: _most(counts) for role, counts in labels.items()},
        reference=usual(references),
        in_status=strings > sum(labels.get(Role.SUCCESSOR, {}).values()),
        form=_most(forms) or "frontmatter",
    )


def _most(counts: Mapping[str, int]) -> str:
    return max(counts, key=counts.__getitem__) if counts else ""
