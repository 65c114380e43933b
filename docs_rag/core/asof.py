"""What was in force on a day, as far as the notes tell. Only a question that names a day loads this.

The rule, for a record and a day D; `until` is the day on which the record says that it was superseded, else the first
day on which one of its successors was decided (a draft's or a rejected one's day dates nothing):

- Dated after D: it was not there yet, and is hidden.
- In force, a draft or rejected today: as today. When its draft was accepted, no note tells.
- Superseded or archived with `until` on D or before: hidden. Its line is followed as of D, to the record that held.
- Superseded or archived with `until` after D: it held on D, so it answers as a current record does.
- Superseded on an unknown day: it held on D if every successor is dated after D, whatever kind of date that is.
  Else it may have held: it answers, below all that is sure, and says so. The same for one archived on an unknown day.
- Replaced in part: said unless all that replaced parts of it is dated after D.
- Without a date of its own it may not have been there yet: it answers, with `?` for the day, and is counted.

The decisions of a log are records like others, each with its own date; the date of the log says nothing of them.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from docs_rag.core.dates import parse_date
from docs_rag.core.jsontext import shown as quoted
from docs_rag.core.labels import dated
from docs_rag.core.status import Status
from docs_rag.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from docs_rag.core.documents import DocPath
    from docs_rag.core.queries import Hidden
    from docs_rag.core.sections import RecordView, Section

    Lives = Callable[[str], "Life | None"]
    """From a record's path to what is known of it; None for one that is not there."""

_View = TypeVar("_View", "Section", "RecordView")

ADVICE: Final = "write the day as 2026-01-14, or a whole month or year: 2026-01, 2026"
_NEVER: Final = (Status.DRAFT, Status.REJECTED)
"""States of records that were never in force."""
_WHOLE: Final = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{1,2}))?")
_EITHER_ORDER: Final = re.compile(r"(\d{1,2})([-/])(\d{1,2})\2(?:\d{4}|\d\d)(?!\d)")


class Life(NamedTuple):
    """When a record was made and what became of it, as the index knows it today."""

    status: Status
    date: str | None = None
    decided: bool = True
    """False when `date` only says when the note was made or touched."""
    superseded_on: str | None = None
    superseded_by: tuple[str, ...] = ()


class Span(NamedTuple):
    """From when to when a record was in force; ISO days, None where that is not known."""

    since: str | None = None
    until: str | None = None
    """The first day on which it was not in force any more."""
    not_before: str | None = None
    """Where `until` is not known: the day before which it cannot have ended."""


class Reading(StrEnum):
    """What a record was on a day."""

    LATER = "later"
    HELD = "held"
    """In force; for a draft or a rejected record: what it is today."""
    ENDED = "ended"
    DOUBTFUL = "doubtful"
    """It is dead today, and nothing tells since when."""


class Force(NamedTuple):
    """What a record was on the day that a question names."""

    day: str
    reading: Reading
    status: Status
    """Its state today."""
    since: str | None
    """Its date."""
    until: str | None
    source: str | None = None
    """Where `since` comes from: `git` for its first commit."""

    @property
    def was_in_force(self) -> bool:
        """False for a draft and a rejected record, which never were."""
        return self.status not in _NEVER

    @property
    def is_later(self) -> bool:
        """True when it was not there yet."""
        return self.reading is Reading.LATER

    @property
    def is_doubtful(self) -> bool:
        """True when it is dead today and may have been so on the day."""
        return self.reading is Reading.DOUBTFUL

    def standing(self, by: Sequence[str]) -> str:
        """What a reader must know first, where the state on the day does not tell it; `by` is what replaced it."""
        replaced = f"superseded by {', '.join(by)}" if by else str(self.status)
        if self.is_later:
            return f"LATER {dated(self.since, self.source)}: was not there on {self.day}"
        if self.is_doubtful:
            word, _, rest = replaced.partition(" ")
            what = f"{word.upper()} {rest}".rstrip()
            return f"{what}, on what day is not known: may not have been in force on {self.day}"
        if self.reading is Reading.HELD and self.status.is_hidden:
            until = f"until {self.until}" if self.until else f"on {self.day}"
            return f"IN FORCE {until}, since {replaced}"
        return ""

    def bracket(self) -> str:
        """`[in force 2024-01-14 – 2026-03-01]`, `[in force since 2024-01-14]`; `?` for a day that is not known."""
        since = dated(self.since, self.source) or "?"
        if self.status.is_hidden:
            return f"[in force {since} – {self.until or '?'}]"
        return f"[in force since {since}]"


def read_day(text: str) -> str:
    """The day that a user means, ISO; of a month or a year the last one. Raises `UsageError`."""
    text = text.strip()
    if (whole := _WHOLE.fullmatch(text)) is not None:
        day = _last_day(int(whole["year"]), int(whole["month"] or 12))
    else:
        day = parse_date(text)[0]
    if day is None:
        raise UsageError(f"{quoted(text)} {_why_not(text)}", ADVICE)
    return day


def _last_day(year: int, month: int) -> str | None:
    try:
        return date(year, month, calendar.monthrange(year, month)[1]).isoformat()
    except ValueError:
        return None


def _why_not(text: str) -> str:
    either = _EITHER_ORDER.match(text)
    if either is not None and max(int(either[1]), int(either[3])) <= 12:
        return "may mean two days"
    return "is no day"


def span(life: Life, successors: Iterable[Life]) -> Span:
    """From when to when a record was in force; `successors` are its direct ones."""
    if not life.status.is_hidden:
        return Span(life.date)
    if life.superseded_on is not None:
        return Span(life.date, life.superseded_on)
    following = list(successors)
    decided = [each.date for each in following if each.date and each.decided and _counts(each)]
    if decided:
        return Span(life.date, min(decided))
    days = [each.date for each in following]
    known = [day for day in days if day is not None]
    return Span(life.date, None, min(known) if known and len(known) == len(days) else None)


def _counts(successor: Life) -> bool:
    """Whether a successor was ever in force."""
    return successor.status not in _NEVER


def reading(status: Status, known: Span, day: str) -> Reading:
    """What a record was on a day, by its state today."""
    if known.since is not None and known.since > day:
        return Reading.LATER
    if not status.is_hidden:
        return Reading.HELD
    if known.until is not None:
        return Reading.ENDED if known.until <= day else Reading.HELD
    return Reading.HELD if known.not_before is not None and known.not_before > day else Reading.DOUBTFUL


def hides(status: Status, known: Span, day: str) -> Hidden | None:
    """Why a record's state on a day keeps it out of an answer, or None when it may answer."""
    from docs_rag.core.queries import Hidden  # noqa: PLC0415  # it is there whose question brings us here

    match reading(status, known, day):
        case Reading.LATER:
            return Hidden.LATER
        case Reading.ENDED:
            return Hidden.SUPERSEDED if status is Status.SUPERSEDED else Hidden.ARCHIVED
        case _:
            return None


def ends(successors: Iterable[str], day: str, lives: Lives) -> tuple[str, ...]:
    """The records at the end of a line that were, or may have been, in force on a day; loops end."""
    found: dict[str, None] = {}
    queue = list(successors)
    seen: set[str] = set()
    for path in queue:
        life = lives(path)
        if path in seen or life is None:
            continue
        seen.add(path)
        how = reading(life.status, _span_of(life, lives), day)
        if how is Reading.ENDED:
            queue.extend(life.superseded_by)
        elif how is not Reading.LATER and life.status is not Status.REJECTED:
            found[path] = None
    return tuple(found)


def successors(path: str, day: str, lives: Lives) -> tuple[str, ...]:
    """What had replaced a record by a day; nothing while it was in force."""
    life = lives(path)
    if life is None or reading(life.status, _span_of(life, lives), day) is Reading.HELD:
        return ()
    return life.superseded_by


def _span_of(life: Life, lives: Lives) -> Span:
    return span(life, [each for each in map(lives, life.superseded_by) if each is not None])


def seen(record: _View, day: str, lives: Lives) -> _View:
    """A record as it stood on a day. What came after is still named where it held: by what it was replaced, and when.

    `status` is that of the day; one that is dead today and held then is current.
    """
    life = Life(record.status, record.date, True, record.superseded_on, tuple(record.superseded_by))
    known = _span_of(life, lives)
    how = reading(record.status, known, day)
    force = Force(day, how, record.status, known.since, known.until, record.date_source)
    if how is Reading.HELD:
        status = Status.CURRENT if record.status.is_hidden else record.status
        return replace(record, status=status, superseded_on=known.until, force=force)
    if how is Reading.LATER or not record.superseded_by:
        return replace(record, force=force)
    last = tuple(map(_path, ends(record.superseded_by, day, lives)))
    return replace(record, current_end=last, superseded_on=known.until, force=force)


def whole_then(section: Section, day: str, lives: Lives) -> Section:
    """A section without the word that parts of its record were replaced, where all that replaced them came later."""
    if not section.partial_by:
        return section
    newer = [life for path in section.partial_by if (life := lives(path)) is not None]
    later = [reading(life.status, _span_of(life, lives), day) is Reading.LATER for life in newer]
    return replace(section, partial=None) if later and all(later) else section


def _path(path: str) -> DocPath:
    from docs_rag.core.documents import DocPath  # noqa: PLC0415

    return DocPath(path)


def notices(hits: Sequence[Section], day: str, today: str) -> list[str]:
    """What a reader of the whole answer must know: a day that is still to come, days that are not known."""
    said = [f"{day} is still to come: this is what holds as far as the notes tell today"] if day > today else []
    undated = sum(each.date is None for each in hits)
    doubtful = sum(each.force is not None and each.force.is_doubtful for each in hits)
    if undated:
        said.append(f"{undated} of {len(hits)} hits have no date: they may not have been there on {day}")
    by_commit = sum(each.date_source == "git" for each in hits)
    if by_commit:
        said.append(f"{by_commit} of {len(hits)} hits are dated by their first commit (git): they may be older")
    if doubtful:
        said.append(f"{doubtful} of {len(hits)} hits ended on a day that is not known, perhaps before {day}")
    return said
