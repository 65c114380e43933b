"""Decision logs: notes that hold several decisions, a section each, each with a state of its own.

A section is a decision when its heading is called like one (`D-013`, `ADR 7`, `Decision 3`, a date) and says something
of its state, below it or in the heading itself (`→ Superseded by D-026`). One such section makes the note a log; where
headings begin with plain numbers, two must. All sections of the same kind on that level are then decisions, those
that say nothing too: others refer to them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from docs_rag.core.banners import without_state
from docs_rag.core.body import Body
from docs_rag.core.documents import Part, Problem
from docs_rag.core.forms import Statement
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.outline import Heading
from docs_rag.core.plaintext import plain
from docs_rag.core.spellings import NO_RECORD_WORDS, RECORD_WORDS, Role

_ID: Final = re.compile(
    rf"\W*(?P<id>(?i:(?:{RECORD_WORDS})[-_ .#]*\d{{1,6}})"
    r"|(?P<series>[A-Z][A-Za-z]{0,7})[-_]?\d{1,6}(?:[-.]\d{1,4})*|#\d{1,6})(?!\w)"
)
_DATED: Final = re.compile(r"\W*(?P<id>(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2})(?!\d)")
_NUMBER: Final = re.compile(r"\W*(?P<id>\d{1,6})(?=[.):]?\s)")
_HAS_NUMBER: Final = re.compile(r"\d")
_UNFIT: Final = re.compile(r"[/#\\|\[\]^]+")
_SPEAKING: Final = (Role.STATUS, Role.SUCCESSOR, Role.CLAIM, Role.PARTIAL, Role.FLAG, Role.SINCE)
_MOST: Final = 2_000
"""Decisions that one note may hold."""

Judge = Callable[[Body, Heading], tuple[Sequence[Statement], Lifecycle, tuple[Problem, ...]]]
"""Reads one section: its statements, and what they amount to."""


def parts_of(body: Body, judge: Judge) -> tuple[Part, ...]:
    """The decisions of a log, in order; empty for any other note. `body` is the whole note."""
    numbered = [each for each in body.headings if _HAS_NUMBER.search(each.raw, 0, 60) is not None]
    for level in sorted({each.level for each in numbered}):
        headings = [each for each in numbered if each.level == level]
        for kind, least in ((_ID, 1), (_DATED, 1), (_NUMBER, 2)):
            named = [each for each in headings if _name(each, kind)]
            if len(named) >= least and not _is_whole(named, body):
                read = [judge(section, heading) for heading, section in _stretches(body, named[:_MOST])]
                if sum(_speaks(statements) for statements, _, _ in read) >= least:
                    return _parts(body, named[:_MOST], kind, read)
    return ()


def _is_whole(named: Sequence[Heading], body: Body) -> bool:
    """True when the only such heading is the note's own title."""
    return len(named) == 1 and named[0] is body.title


def _name(heading: Heading, kind: re.Pattern[str]) -> str:
    """What a heading of this kind begins with, without the state in front of it: `D-013`; empty for any other."""
    raw = heading.raw
    found = kind.match(raw if raw[:1].isalnum() else without_state(raw))
    if found is None or (kind is _ID and (found["series"] or "").casefold() in NO_RECORD_WORDS):
        return ""
    return found["id"]


def _stretches(body: Body, named: Sequence[Heading]) -> Iterable[tuple[Heading, Body]]:
    """Each heading with its section: down to the next heading of its level or above."""
    level = named[0].level
    bounds = [each.line for each in body.headings if each.level <= level]
    for heading in named:
        place = bisect_right(bounds, heading.line)
        end = bounds[place] if place < len(bounds) else body.end
        yield heading, Body(body.text, body.lines, body.outline, heading.line, end)


def _speaks(statements: Sequence[Statement]) -> bool:
    return any(each.role in _SPEAKING for each in statements)


def _parts(
    body: Body,
    named: Sequence[Heading],
    kind: re.Pattern[str],
    read: Sequence[tuple[Sequence[Statement], Lifecycle, tuple[Problem, ...]]],
) -> tuple[Part, ...]:
    parts: list[Part] = []
    taken: set[str] = set()
    for (heading, section), (_, lifecycle, problems) in zip(_stretches(body, named), read, strict=True):
        title = " ".join(plain(without_state(heading.raw)).split()) or heading.words
        anchor = _anchor(_name(heading, kind), title, taken)
        taken.add(anchor.casefold())
        lines = (section.first + 1, section.end)
        parts.append(Part(anchor=anchor, title=title, lines=lines, lifecycle=lifecycle, problems=problems))
    return tuple(parts)


def _anchor(name: str, title: str, taken: set[str]) -> str:
    """The id where it is unique in the note, else the whole heading, else with a number behind it."""
    whole = " ".join(_UNFIT.sub(" ", title).split())[:120] or "section"
    short = " ".join(_UNFIT.sub(" ", name).split())
    choices = [short, whole] if short and not name[:1].isdigit() else [whole]
    for choice in choices:
        if choice.casefold() not in taken:
            return choice
    return next(f"{whole} {n}" for n in range(2, len(taken) + 3) if f"{whole} {n}".casefold() not in taken)
