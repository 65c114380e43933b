from __future__ import annotations

import math
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.arguments import ARGUMENTS, MOST_CHARS, MOST_ENTRIES, Asked, input_schema, read
from docs_rag.errors import UsageError

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def asked(**arguments: object) -> Asked:
    return read({"query": "session expiry", **arguments})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("archive", ("archive",)),
        ("a,b", ("a", "b")),
        (" a , b ,", ("a", "b")),
        ('["a"]', ("a",)),
        ('["a", "b, c"]', ("a", "b, c")),
        ('"archive"', ("archive",)),
        ("[draft] notes", ("[draft] notes",)),
        (["a", "b"], ("a", "b")),
        (["a", None, "", "a"], ("a",)),
        ([2026], ("2026",)),
        (["a,b"], ("a,b",)),
        ([], ()),
        ("[]", ()),
        ("", ()),
        (" ", ()),
        ("null", ()),
        (None, ()),
    ],
)
@pytest.mark.parametrize("name", ["within", "exclude", "tags"])
def test_case_50_forms_of_a_list(name: str, written: object, meant: tuple[str, ...]) -> None:
    found = asked(**{name: written})
    assert getattr(found, name) == meant
    assert found.notices == ()


@pytest.mark.parametrize("written", [5, 1.5, True, {"a": 1}, [["a"]], [{}], [1.5], '[["a"]]', "[1.5]"])
def test_case_50_a_scope_that_cannot_be_read_is_not_left_out(written: object) -> None:
    with pytest.raises(UsageError, match=r"exclude is .*, expected a list of texts; for example"):
        asked(exclude=written)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("3", 3), (" 3 ", 3), (2.0, 2), ("2.0", 2), (1, 1), (50, 50), (None, None), ("", None), ("null", None)],
)
def test_case_50_forms_of_a_limit(written: object, meant: int | None) -> None:
    found = asked(limit=written)
    assert (found.limit, found.notices) == (meant, ())


@pytest.mark.parametrize(
    ("written", "meant"),
    [(0, 1), (-1, 1), (10_000, 50), ("500", 50), (2.7, 2), (math.inf, 50), (-math.inf, 1), (10**30, 50)],
)
def test_case_50_a_limit_out_of_range_is_clamped_and_said(written: object, meant: int) -> None:
    found = asked(limit=written)
    assert found.limit == meant
    assert [f"was set to {meant}" in notice for notice in found.notices] == [True]


@pytest.mark.parametrize("written", ["many", True, [], {}, math.nan, "nan", "9" * 1000])
def test_case_50_a_limit_that_is_no_number_is_ignored_and_said(written: object) -> None:
    found = asked(limit=written)
    assert found.limit is None
    assert [notice.startswith("limit ") and "was ignored" in notice for notice in found.notices] == [True]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *[(yes, True) for yes in (True, "true", "True", 1, "yes")],
        *[(no, False) for no in (False, "false", 0, "no", None, "null")],
    ],
)
def test_case_50_forms_of_a_switch(written: object, meant: bool) -> None:
    found = asked(searchAll=written)
    assert (found.search_all, found.notices) == (meant, ())


def test_case_50_a_switch_that_is_neither_is_ignored_and_said() -> None:
    found = asked(searchAll="archive")
    assert not found.search_all
    assert found.notices == ('searchAll "archive" was ignored: expected true or false',)


def test_case_50_unknown_arguments_are_named_with_the_nearest_right_one() -> None:
    [notice] = asked(search_all=True, top_k=3).notices
    assert '"search_all" (did you mean searchAll?)' in notice
    assert '"top_k"' in notice
    assert ", ".join(ARGUMENTS) in notice


def test_case_50_many_unknown_arguments_make_one_short_notice() -> None:
    [notice] = asked(**{f"\u202eunknown\n{number}" + "x" * 500: number for number in range(40)}).notices
    assert "and 35 more" in notice
    assert len(notice) < 600
    assert notice.isprintable()


@pytest.mark.parametrize("written", [None, "", "  ", "\n\t", "\x00\u202e", 7, ["a"], {"text": "a"}, True])
def test_case_50_a_query_that_says_nothing_is_refused_with_advice(written: object) -> None:
    with pytest.raises(UsageError, match=r"query .*; ask in a sentence") as caught:
        read({"query": written})
    assert "pydantic" not in str(caught.value)


@pytest.mark.parametrize("arguments", [None, {}])
def test_case_50_a_query_that_is_missing_is_refused_with_advice(arguments: dict[str, object] | None) -> None:
    with pytest.raises(UsageError, match="the query is empty; ask in a sentence"):
        read(arguments)


def test_case_50_a_query_under_another_name_is_told() -> None:
    with pytest.raises(UsageError, match='the query is empty; ignored unknown arguments: "question"; there are query,'):
        read({"question": "session expiry"})


def test_case_50_a_query_of_100_kb_is_cut_and_said() -> None:
    found = read({"query": "session " * 12_500})
    assert len(found.text) <= MOST_CHARS
    assert found.notices == (f"the query was cut to its first {MOST_CHARS} of 99999 characters",)


def test_the_word_null_is_a_query() -> None:
    assert read({"query": "null"}).text == "null"


def test_no_query_reaches_the_index_with_signs_that_have_no_utf_8() -> None:
    read({"query": "a\ud800b"}).text.encode("utf-8")


def test_a_list_that_is_too_long_is_refused() -> None:
    with pytest.raises(UsageError, match="tags is too long"):
        asked(tags=[str(number) for number in range(MOST_ENTRIES + 1)])
    with pytest.raises(UsageError, match="within is too long"):
        asked(within="x" * 10_000)


def test_the_configured_limit_counts_where_none_is_named() -> None:
    assert asked().query(8).limit == 8
    assert asked(limit=3).query(8).limit == 3


def test_everything_asked_reaches_the_query() -> None:
    query = asked(within="a", exclude="b", tags="c", searchAll=True).query(8)
    assert (query.text, query.within, query.exclude, query.tags) == ("session expiry", ("a",), ("b",), ("c",))
    assert query.search_all


@pytest.mark.parametrize(
    ("written", "day"),
    [("2025-06-30", "2025-06-30"), ("2025-06", "2025-06-30"), ("2025", "2025-12-31"), (2025, "2025-12-31"),
     (2025.0, "2025-12-31"), (20250630, "2025-06-30"), ("", None), (None, None), ("null", None)],
)  # fmt: skip
def test_forms_of_a_day(written: object, day: str | None) -> None:
    assert asked(asOf=written).query(8).as_of == day


@pytest.mark.parametrize("written", ["01/02/2025", "2025-02-30", "soon", True, [2025], {}, 1.5, math.inf, "9" * 5000])
def test_a_day_that_cannot_be_read_is_refused_with_advice(written: object) -> None:
    with pytest.raises(UsageError, match=r"write the day as 2026-01-14"):
        asked(asOf=written)


def test_the_table_has_a_row_for_every_field() -> None:
    assert {each.attribute for each in ARGUMENTS.values()} == {each.name for each in fields(Asked)} - {"notices"}


def test_the_schema_requires_the_query_alone_and_forbids_nothing() -> None:
    schema = input_schema()
    assert schema["required"] == ["query"]
    assert "additionalProperties" not in schema


@given(st.dictionaries(st.sampled_from([*ARGUMENTS, "other"]), json_values))
def test_any_arguments_are_read_or_refused_in_words(arguments: dict[str, object]) -> None:
    try:
        found = read(arguments)
    except UsageError as error:
        assert error.hint
        return
    assert found.text.strip()
    assert found.limit is None or 1 <= found.limit <= 50
    assert all(notice.isprintable() and len(notice) < 700 for notice in found.notices)
