"""Checks of single settings, over whatever JSON can hold; the wording is tested with the config."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core import checks
from docs_rag.errors import ConfigError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@given(JSON)
def test_a_switch_is_a_boolean_and_nothing_else(value: object) -> None:
    if isinstance(value, bool):
        assert checks.switch(value) is value
    else:
        with pytest.raises(checks.Wrong):
            checks.switch(value)


@given(JSON | st.integers(-5, 60) | st.floats(-5, 60))
def test_a_whole_number_is_one_within_its_bounds(value: object) -> None:
    try:
        found = checks.whole(1, 50)(value)
    except checks.Wrong:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        assert not (is_number and value in range(1, 51))
    else:
        assert type(found) is int
        assert found == value and 1 <= found <= 50


@given(JSON | st.floats(-1, 2))
def test_a_number_is_finite_and_within_its_bounds(value: object) -> None:
    try:
        found = checks.number(0, 1)(value)
    except checks.Wrong:
        assert isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1
    else:
        assert isinstance(found, float)
        assert math.isfinite(found) and 0 <= found <= 1


@given(JSON)
def test_null_is_what_it_stands_for(value: object) -> None:
    check = checks.or_null(checks.number(0, 1), null="off")
    assert check(None) == "off"
    if isinstance(value, str):
        with pytest.raises(checks.Wrong, match="or null"):
            check(value)


@given(JSON)
def test_texts_come_out_as_one_harmless_line(value: object) -> None:
    try:
        found = checks.text(10)(value)
    except checks.Wrong:
        return
    assert isinstance(found, str)
    assert 1 <= len(found) <= 10
    assert found == found.strip() and "\n" not in found
    assert checks.is_plain(found)


@given(JSON)
def test_every_check_gives_a_value_or_says_what_it_expects(value: object) -> None:
    for check in (checks.path, checks.folders, checks.factors, checks.host, checks.globs("include", least=1)):
        try:
            check(value)
        except checks.Wrong as wrong:
            assert str(wrong).startswith("expected")
        except ConfigError as error:
            assert error.message.startswith("include")


@pytest.mark.parametrize("odd", ["\0", "\x1b", "\x7f", "\x9b", "\u2028", "\u202e", "\u2066", "\ud800", "\U000e0041"])
def test_what_hides_in_a_text_is_not_plain(odd: str) -> None:
    assert not checks.is_plain(f"a{odd}b")
    with pytest.raises(checks.Wrong):
        checks.path(f"a{odd}b")


@pytest.mark.parametrize("usual", ["a b", "결정", "café", "\u200d", "👩\u200d💻", "\u200f", "~/x", "C:\\docs"])
def test_what_people_write_is_plain(usual: str) -> None:
    assert checks.is_plain(usual)
    assert checks.path(usual) == usual
