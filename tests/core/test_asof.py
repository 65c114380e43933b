"""What was in force on a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.asof import (
    Force,
    Life,
    Reading,
    Span,
    ends,
    hides,
    notices,
    read_day,
    reading,
    seen,
    span,
    successors,
)
from docs_rag.core.documents import DocPath
from docs_rag.core.queries import Hidden
from docs_rag.core.sections import RecordView, Section
from docs_rag.core.status import Status
from docs_rag.errors import UsageError

SUPERSEDED, ARCHIVED, CURRENT = Status.SUPERSEDED, Status.ARCHIVED, Status.CURRENT


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-01-14", "2026-01-14"),
        (" 2026-1-4 ", "2026-01-04"),
        ("2026/01/14", "2026-01-14"),
        ("2026-01-14T09:12:00Z", "2026-01-14"),
        ("14 Jan 2026", "2026-01-14"),
        ("14/01/2026", "2026-01-14"),
        ("2026년 1월 14일", "2026-01-14"),
        ("2026-02", "2026-02-28"),
        ("2024-2", "2024-02-29"),
        ("2026", "2026-12-31"),
    ],
)
def test_days_as_people_write_them(written: str, day: str) -> None:
    assert read_day(written) == day


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("01/02/2026", "may mean two days"),
        ("1-2-26", "may mean two days"),
        ("2026-02-30", "is no day"),
        ("2026-13", "is no day"),
        ("2026-00", "is no day"),
        ("0000", "is no day"),
        ("31/31/2026", "is no day"),
        ("soon", "is no day"),
        ("", "is no day"),
    ],
)
def test_what_is_no_day_or_two_is_refused_with_advice(written: str, why: str) -> None:
    with pytest.raises(UsageError, match=f'"{written}" {why}') as refused:
        read_day(written)
    assert "2026-01-14" in str(refused.value)


@given(st.text(max_size=40))
def test_a_day_is_read_or_refused_whatever_is_written(text: str) -> None:
    try:
        day = read_day(text)
    except UsageError:
        return
    assert date.fromisoformat(day).isoformat() == day


NEW = Life(CURRENT, "2025-06-01")


@pytest.mark.parametrize(
    ("life", "following", "known"),
    [
        (Life(CURRENT, "2024-01-01", superseded_on="2025-01-01"), [], Span("2024-01-01")),
        (Life(SUPERSEDED, "2024-01-01", superseded_on="2025-03-01"), [NEW], Span("2024-01-01", "2025-03-01")),
        (Life(SUPERSEDED, "2024-01-01"), [NEW], Span("2024-01-01", "2025-06-01")),
        (Life(SUPERSEDED), [NEW, Life(SUPERSEDED, "2025-02-01")], Span(None, "2025-02-01")),
        (Life(SUPERSEDED), [NEW, Life(Status.DRAFT, "2025-02-01")], Span(None, "2025-06-01")),
        (Life(SUPERSEDED), [Life(Status.DRAFT, "2025-02-01")], Span(None, None, "2025-02-01")),
        (Life(SUPERSEDED), [Life(CURRENT, "2025-02-01", decided=False)], Span(None, None, "2025-02-01")),
        (Life(SUPERSEDED), [Life(CURRENT, "2025-02-01", decided=False), Life(CURRENT)], Span()),
        (Life(SUPERSEDED), [], Span()),
        (Life(ARCHIVED, "2024-01-01"), [], Span("2024-01-01")),
    ],
)
def test_from_when_to_when(life: Life, following: list[Life], known: Span) -> None:
    assert span(life, following) == known


@pytest.mark.parametrize(
    ("status", "known", "day", "was", "hidden"),
    [
        (CURRENT, Span("2025-01-02"), "2025-01-01", Reading.LATER, Hidden.LATER),
        (CURRENT, Span("2025-01-02"), "2025-01-02", Reading.HELD, None),
        (CURRENT, Span(), "2025-01-01", Reading.HELD, None),
        (Status.DRAFT, Span("2025-01-02"), "2025-01-01", Reading.LATER, Hidden.LATER),
        (Status.REJECTED, Span("2024-01-02"), "2025-01-01", Reading.HELD, None),
        (SUPERSEDED, Span("2024-01-01", "2025-01-02"), "2025-01-01", Reading.HELD, None),
        (SUPERSEDED, Span("2024-01-01", "2025-01-02"), "2025-01-02", Reading.ENDED, Hidden.SUPERSEDED),
        (SUPERSEDED, Span("2024-01-01", "2025-01-02"), "2023-01-01", Reading.LATER, Hidden.LATER),
        (ARCHIVED, Span(None, "2025-01-02"), "2026-01-01", Reading.ENDED, Hidden.ARCHIVED),
        (ARCHIVED, Span("2024-01-01"), "2025-01-01", Reading.DOUBTFUL, None),
        (SUPERSEDED, Span(None, None, "2025-01-02"), "2025-01-01", Reading.HELD, None),
        (SUPERSEDED, Span(None, None, "2025-01-02"), "2025-01-02", Reading.DOUBTFUL, None),
    ],
)
def test_what_a_record_was_on_a_day(status: Status, known: Span, day: str, was: Reading, hidden: Hidden | None) -> None:
    assert reading(status, known, day) is was
    assert hides(status, known, day) is hidden


CHAIN: Mapping[str, Life] = {
    "a": Life(SUPERSEDED, "2023-01-01", superseded_by=("b",)),
    "b": Life(SUPERSEDED, "2024-01-01", superseded_by=("c",)),
    "c": Life(CURRENT, "2025-01-01"),
}


@pytest.mark.parametrize(
    ("day", "last", "steps"),
    [
        ("2023-06-01", (), ()),
        ("2024-06-01", ("b",), ("b",)),
        ("2025-06-01", ("c",), ("b",)),
    ],
)
def test_a_line_is_followed_to_the_record_that_held(day: str, last: tuple[str, ...], steps: tuple[str, ...]) -> None:
    assert ends(CHAIN["a"].superseded_by, day, CHAIN.get) == last
    assert successors("a", day, CHAIN.get) == steps


def test_a_line_stops_at_a_record_that_may_have_held_and_passes_over_what_was_refused() -> None:
    lives = {
        "a": Life(SUPERSEDED, superseded_on="2023-01-01", superseded_by=("x", "b", "gone")),
        "x": Life(Status.REJECTED, "2022-01-01"),
        "b": Life(SUPERSEDED, "2022-06-01", superseded_by=("c",)),
        "c": Life(CURRENT),
    }
    assert ends(lives["a"].superseded_by, "2024-01-01", lives.get) == ("b",)


def test_a_loop_ends() -> None:
    lives = {
        "a": Life(SUPERSEDED, superseded_on="2023-01-01", superseded_by=("b",)),
        "b": Life(SUPERSEDED, superseded_on="2023-01-01", superseded_by=("a",)),
    }
    assert ends(("b",), "2024-01-01", lives.get) == ()


days = st.dates(date(2020, 1, 1), date(2030, 1, 1)).map(date.isoformat)


@given(st.lists(days, min_size=1, max_size=6, unique=True), days)
def test_of_a_dated_line_just_one_record_held_on_any_day(dates: list[str], day: str) -> None:
    dates.sort()
    lives = {
        str(n): Life(SUPERSEDED if n + 1 < len(dates) else CURRENT, at, superseded_by=(str(n + 1),))
        for n, at in enumerate(dates)
    }
    lives[str(len(dates) - 1)] = Life(CURRENT, dates[-1])
    was = {
        key: reading(life.status, span(life, [lives[each] for each in life.superseded_by]), day)
        for key, life in lives.items()
    }
    held = [key for key, each in was.items() if each is Reading.HELD]
    assert len(held) == (day >= dates[0])
    assert Reading.DOUBTFUL not in was.values()
    for key, each in was.items():
        if each is Reading.ENDED:
            assert list(ends(lives[key].superseded_by, day, lives.get)) == held


def view(**values: object) -> RecordView:
    return RecordView(path=DocPath("a"), title="A", **values)  # type: ignore[arg-type]


def test_a_record_that_held_is_current_and_names_what_came_after() -> None:
    then = seen(
        view(status=SUPERSEDED, date="2023-01-01", superseded_by=("b",), current_end=("c",)), "2023-06-01", CHAIN.get
    )
    assert (then.status, then.superseded_by, then.superseded_on) == (CURRENT, ("b",), "2024-01-01")
    assert then.force == Force("2023-06-01", Reading.HELD, SUPERSEDED, "2023-01-01", "2024-01-01")


def test_a_record_that_had_ended_leads_to_the_end_as_of_the_day() -> None:
    then = seen(
        view(status=SUPERSEDED, date="2023-01-01", superseded_by=("b",), current_end=("c",)), "2024-06-01", CHAIN.get
    )
    assert (then.status, then.current_end, then.superseded_on) == (SUPERSEDED, ("b",), "2024-01-01")


@pytest.mark.parametrize(
    ("status", "was", "since", "until", "by", "said", "label"),
    [
        (CURRENT, Reading.HELD, "2024-01-14", None, (), "", "[in force since 2024-01-14]"),
        (CURRENT, Reading.HELD, None, None, (), "", "[in force since ?]"),
        (
            SUPERSEDED, Reading.HELD, "2024-01-14", "2026-03-01", ("b.md",),
            "IN FORCE until 2026-03-01, since superseded by b.md", "[in force 2024-01-14 – 2026-03-01]",
        ),
        (
            ARCHIVED, Reading.HELD, None, "2026-03-01", (),
            "IN FORCE until 2026-03-01, since archived", "[in force ? – 2026-03-01]",
        ),
        (
            SUPERSEDED, Reading.HELD, None, None, ("b.md", "c.md"),
            "IN FORCE on 2025-01-01, since superseded by b.md, c.md", "[in force ? – ?]",
        ),
        (
            SUPERSEDED, Reading.DOUBTFUL, "2024-01-14", None, ("b.md",),
            "SUPERSEDED by b.md, on what day is not known: may not have been in force on 2025-01-01",
            "[in force 2024-01-14 – ?]",
        ),
        (
            ARCHIVED, Reading.DOUBTFUL, None, None, (),
            "ARCHIVED, on what day is not known: may not have been in force on 2025-01-01", "[in force ? – ?]",
        ),
        (
            CURRENT, Reading.LATER, "2026-01-14", None, (),
            "LATER 2026-01-14: was not there on 2025-01-01", "[in force since 2026-01-14]",
        ),
        (SUPERSEDED, Reading.ENDED, "2023-01-14", "2024-03-01", ("b.md",), "", "[in force 2023-01-14 – 2024-03-01]"),
    ],
)  # fmt: skip
def test_what_is_said_of_it(
    status: Status, was: Reading, since: str | None, until: str | None, by: tuple[str, ...], said: str, label: str
) -> None:
    force = Force("2025-01-01", was, status, since, until)
    assert (force.standing(by), force.bracket()) == (said, label)


def section(day: str | None, was: Reading) -> Section:
    return Section(
        id=1, path=DocPath("a"), title="A", ordinal=0, headings=(), lines=(1, 1), text="", status=CURRENT, date=day,
        force=Force("2025-01-01", was, CURRENT, day, None),
    )  # fmt: skip


def test_days_that_are_not_known_are_counted_and_a_day_to_come_is_told() -> None:
    hits = [section(None, Reading.HELD), section("2024-01-01", Reading.DOUBTFUL), section("2024-01-01", Reading.HELD)]
    assert notices(hits, "2025-01-01", "2026-01-01") == [
        "1 of 3 hits have no date: they may not have been there on 2025-01-01",
        "1 of 3 hits ended on a day that is not known, perhaps before 2025-01-01",
    ]
    (said,) = notices(hits[2:], "2027-01-01", "2026-01-01")
    assert said.startswith("2027-01-01 is still to come")
    assert notices(hits[2:], "2026-01-01", "2026-01-01") == []
