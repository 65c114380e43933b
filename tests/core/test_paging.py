from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.paging import LineRange, Numbered, page, read_range


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("41-68", LineRange(41, 68)),
        ("41", LineRange(41, 41)),
        ("41-", LineRange(41)),
        ("L41-L68", LineRange(41, 68)),
        ("41–68", LineRange(41, 68)),
        ("41,68", LineRange(41, 68)),
        ("68-41", LineRange(41, 68)),
        ("12+16000-40", LineRange(12, 40, 16000)),
        ("0", None),
        ("-5", None),
        ("a-b", None),
        ("", None),
        ("1-2-3", None),
    ],
)
def test_ranges_as_they_are_written(written: str, meant: LineRange | None) -> None:
    assert read_range(written) == meant


@given(st.builds(LineRange, st.integers(1, 999), st.none(), st.integers(0, 99)))
def test_a_range_reads_as_it_is_written(lines: LineRange) -> None:
    assert read_range(str(lines)) == lines


def test_a_page_ends_where_the_room_does() -> None:
    lines = [(number, "x" * 80) for number in range(1, 101)]
    found = page(lines, most_chars=1_000)
    assert [each.number for each in found.lines] == list(range(1, 11))
    assert found.rest == LineRange(11, 100)


def test_a_line_that_is_longer_than_a_page_is_read_in_pieces() -> None:
    found = page([(7, "abc" * 100), (8, "end")], most_chars=100)
    [piece] = found.lines
    assert (piece.goes_on, piece.is_rest) == (True, False)
    assert str(piece).endswith("…")
    assert found.rest is not None
    assert str(found.rest) == f"7+{len(piece.text)}-8"
    again = page([(7, "abc" * 100), (8, "end")], found.rest.skip, most_chars=100)
    assert again.lines[0].is_rest
    assert str(again.lines[0]).startswith("    7  …")


def test_without_a_bound_all_of_it_is_one_page() -> None:
    lines = [(number, "x" * 1_000) for number in range(1, 101)]
    assert page(lines, most_chars=None) == (tuple(Numbered(*line) for line in lines), None)


def test_a_blank_line_has_nothing_behind_its_number() -> None:
    assert str(Numbered(3, "  ")) == "    3"


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(20, 120), st.integers(20, 200), st.integers(1, 5))
def test_nothing_is_lost_and_nothing_stands_twice(texts: list[str], chars: int, octets: int, count: int) -> None:
    lines = list(enumerate(texts, 1))
    read: dict[int, str] = {}
    rest: LineRange | None = LineRange(1, len(lines))
    while rest is not None:
        wanted = [line for line in lines if line[0] >= rest.first]
        found = page(wanted, rest.skip, most_chars=chars, most_bytes=octets, most_lines=count)
        for each in found.lines:
            assert each.is_rest == (each.number in read)
            read[each.number] = read.get(each.number, "") + each.text
        assert len(found.lines) <= count
        if len(found.lines) > 1:
            assert sum(len(json.dumps(each.text, ensure_ascii=False)) for each in found.lines) <= chars
        rest = found.rest
    assert read == dict(lines)
