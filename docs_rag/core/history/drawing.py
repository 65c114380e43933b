"""A line of descent as lines of text, the oldest record first, as `git log --graph --reverse` would draw it.

A record's last successor goes on in its column; each other one opens a column of its own beside it. What was replaced
is drawn above in the same way, upside down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from docs_rag.core.cleaning import one_line
from docs_rag.core.history.tree import Entry, History, Mention, Relative
from docs_rag.core.labels import dated
from docs_rag.core.status import Status
from docs_rag.core.width import columns


class Art(NamedTuple):
    """The signs that a tree is drawn with."""

    asked: str
    record: str
    lost: str
    through: str
    """A line that passes by."""
    branch: str
    more: str
    between: str
    """Between the days from and until which a record was in force."""


LINES: Final = Art("●", "○", "?", "│ ", "├─", "…", "–")
PLAIN: Final = Art("*", "o", "?", "| ", "|-", "...", "-")
"""For terminals that know no others."""


class Row(NamedTuple):
    """One line, in columns."""

    art: str
    state: str = ""
    days: str = ""
    path: str = ""
    rest: str = ""
    status: Status | None = None
    is_asked: bool = False


class _Drawn(NamedTuple):
    art: str
    entry: Entry


def rows(history: History, art: Art = LINES) -> list[Row]:
    """The lines of the whole line of descent."""
    before, after = history.predecessors, history.successors
    drawn = [_row(*each, art) for each in reversed(list(_drawn(before.entries, art)))]
    drawn.append(_row(art.asked, Entry(history.record), art, is_asked=True))
    drawn.extend(_row(*each, art) for each in _drawn(after.entries, art))
    if before.left_out:
        drawn.insert(0, Row(art.more, rest=f"{before.left_out} earlier records are not shown"))
    if after.left_out:
        drawn.append(Row(art.more, rest=f"{after.left_out} later records are not shown{_ends(history.record)}"))
    return drawn


def aligned(drawn: Sequence[Row]) -> Iterator[tuple[str, str, Row]]:
    """The lines, each as what stands before its path, the rest of it, and the row it comes from."""
    heads = [(row.art, row.state, row.days) for row in drawn]
    widths = [max((columns(head[place]) for head in heads), default=0) for place in range(3)]
    path = max((columns(row.path) for row in drawn if row.rest), default=0)
    for row, head in zip(drawn, heads, strict=True):
        if not row.path:
            yield f"{row.art} ", row.rest, row
            continue
        lead = "  ".join(_padded(*each) for each in zip(head, widths, strict=True) if each[1])
        yield f"{lead}  ", f"{_padded(row.path, path)}  {row.rest}".rstrip(), row


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def _drawn(entries: Sequence[Entry], art: Art) -> Iterator[_Drawn]:
    """Every entry with what is drawn before it."""
    waiting = list(reversed(list(_side_by_side("", entries, art))))
    while waiting:
        drawn, below = waiting.pop()
        yield drawn
        waiting.extend(reversed(list(_side_by_side(below, drawn.entry.following, art))))


def _side_by_side(prefix: str, entries: Sequence[Entry], art: Art) -> Iterator[tuple[_Drawn, str]]:
    """Entries of one record, each with the prefix of what follows it."""
    for place, entry in enumerate(entries):
        sign = art.lost if entry.record is None else art.record
        if place + 1 < len(entries):
            yield _Drawn(f"{prefix}{art.branch}{sign}", entry), f"{prefix}{art.through}"
        else:
            yield _Drawn(f"{prefix}{sign}", entry), prefix


def _row(drawn: str, entry: Entry, art: Art, *, is_asked: bool = False) -> Row:
    record = entry.record
    if record is None:
        return Row(drawn, path=one_line(entry.text) or "what replaced it is not known", rest=_LOST[bool(entry.text)])
    return Row(
        art=drawn,
        state=str(record.status),
        days=days(record, art.between),
        path=one_line(record.path),
        rest="  ".join(_rest(entry, record)),
        status=record.status,
        is_asked=is_asked,
    )


_LOST: Final = ("", "(no record of this vault)")


def days(record: Relative, between: str = LINES.between) -> str:
    """From when, and for a dead record until when, it was in force; `?` for a day that is not known."""
    since = dated(record.date, record.date_source)
    if not record.status.is_hidden or not (since or record.in_force_until):
        return since
    return f"{since or '?'} {between} {record.in_force_until or '?'}"


def _rest(entry: Entry, record: Relative) -> Iterator[str]:
    """What stands behind a record's path."""
    if entry.mention is not Mention.NONE:
        yield _MENTIONS[entry.mention]
        return
    if record.title:
        yield one_line(record.title)
    if record.partial:
        yield f"[{one_line(record.partial)}]"


_MENTIONS: Final = {
    Mention.ROUND: "(the line comes round)",
    Mention.ELSEWHERE: "(its own line is elsewhere here)",
}


def _ends(record: Relative) -> str:
    ends: Iterable[str] = map(one_line, record.current_end)
    listed = ", ".join(ends)
    return f"; its line ends in {listed}" if listed else ""
