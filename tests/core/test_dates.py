"""Dates as people write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.dates import date_in_name, find_date, parse_date

READ = (
    ("2024-01-05", "2024-01-05"),
    ("2024-1-5", "2024-01-05"),
    ("2018-02-1", "2018-02-01"),
    ("2024/1/5", "2024-01-05"),
    ("2024.01.05", "2024-01-05"),
    ("20240105", "2024-01-05"),
    ("<2022-12-05>", "2022-12-05"),
    ("[[2024-01-05]]", "2024-01-05"),
    ("2026‑02‑09", "2026-02-09"),
    ("2024-10-31 :ghost:", "2024-10-31"),
    ("2019-05-13, updated 2023-02-05", "2019-05-13"),
    ("2017-12-03 15:01:36 +0900", "2017-12-03"),
    ("2021-11-01T01:00:00[Europe/Paris]", "2021-11-01"),
    ("10 feb 2023", "2023-02-10"),
    ("12-Jan-2019", "2019-01-12"),
    ("3rd March 2024", "2024-03-03"),
    ("Mon, 3 January 2024", "2024-01-03"),
    ("Sept. 5, 2024", "2024-09-05"),
    ("5.3.2024", "2024-03-05"),
    ("2024. 1. 5.", "2024-01-05"),
    ("2024년 1월 5일", "2024-01-05"),
    ("2024年1月5日", "2024-01-05"),
    ("25/01/24", "2024-01-25"),
    ("01/25/2024", "2024-01-25"),
    ("03-03-2024", "2024-03-03"),
    ("decided on 2024-01-05", "2024-01-05"),
    ("2099-12-31", "2099-12-31"),
)


@pytest.mark.parametrize(("text", "day"), READ)
def test_case_59_one_reading_each(text: str, day: str) -> None:
    assert parse_date(text) == (day, False)


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-30",
        "2021-26-02",
        "2022-14-11",
        "2022-0218",
        "99991399",
        "0000-01-01",
        "31 Feb 2024",
        "2023-02-29",
        "01/02/2026",
        "08/01/24",
        "v1.30",
        "soon",
        "1st of May",
        "20240105123000",
    ],
)
def test_case_59_no_date_and_a_warning(text: str) -> None:
    assert parse_date(text) == (None, True)


@pytest.mark.parametrize(
    "text", ["", "~", "null", "-", "TBD", "{{date}}", "<date>", "YYYY-MM-DD", "<% tp.date.now() %>"]
)
def test_nothing_said_warns_of_nothing(text: str) -> None:
    assert parse_date(text) == (None, False)


@pytest.mark.parametrize(
    "text", ["2024", "2022-04", "[[2022-04]]", "September 2025", "2024년 3월", "Q3 2025", "2024-W05"]
)
def test_coarser_than_a_day_is_no_date_and_no_fault(text: str) -> None:
    assert parse_date(text) == (None, False)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Superseded on 2026-08-13 by ADR 0063", "2026-08-13"),
        ("(2026-06-15).", "2026-06-15"),
        ("since 2026-06-15T10:00", "2026-06-15"),
        ("by 2026-08-24-tours.md", None),
        ("docs/2026-01-01/x", None),
        ("x-2026-01-01", None),
        ("2026-13-01, then 2026-02-01", "2026-02-01"),
        ("never", None),
    ],
)
def test_find_date_takes_dates_that_stand_alone(text: str, day: str | None) -> None:
    assert find_date(text) == day


@pytest.mark.parametrize(
    ("stem", "day"),
    [
        ("2026-01-14-cache", "2026-01-14"),
        ("20260114_cache", "2026-01-14"),
        ("2026-01-14", "2026-01-14"),
        ("2026-01-session", None),
        ("20261399-x", None),
        ("x-2026-01-14", None),
        ("0005-12-11", None),
    ],
)
def test_date_in_name(stem: str, day: str | None) -> None:
    assert date_in_name(stem) == day


@given(st.dates(min_value=date(1000, 1, 1)))
def test_iso_reads_as_itself(day: date) -> None:
    assert parse_date(day.isoformat()) == (day.isoformat(), False)


@given(st.text(max_size=60))
def test_nothing_is_raised(text: str) -> None:
    found, warn = parse_date(text)
    assert not (found and warn)
    assert found is None or date.fromisoformat(found)
    find_date(text)
    date_in_name(text)
