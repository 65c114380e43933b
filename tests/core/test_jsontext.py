"""JSON that people write by hand; the wording of its faults is tested with the config."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.jsontext import read_object, shown
from docs_rag.errors import ConfigError


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=8), max_size=5))
def test_an_object_comes_back_as_it_was(content: dict[str, object]) -> None:
    assert read_object(json.dumps(content)) == (content, ())


@given(st.text(max_size=40) | st.text(alphabet='{}[],:"\\/#*1 \n', max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_object(text)
    except ConfigError as error:
        assert error.message


def test_a_key_that_stands_there_often_is_named_once() -> None:
    assert read_object('{"a": 1, "a": 2, "a": 3, "b": {"a": 1}}') == ({"a": 3, "b": {"a": 1}}, ("a",))


def test_the_line_is_the_line_of_the_fault() -> None:
    with pytest.raises(ConfigError, match=r"comments are not allowed \(line 3\)"):
        read_object('{\n  "a": 1,\n  // why\n  "b": 2\n}')


@given(st.text(max_size=200))
def test_what_is_shown_is_one_printable_line_of_bounded_length(value: str) -> None:
    assert len(shown(value)) <= 60
    assert shown(value).isprintable()


def test_a_longer_bound_shows_more() -> None:
    assert shown("x" * 70).endswith("…")
    assert shown("x" * 70, most=100) == '"' + "x" * 70 + '"'
    assert shown({"a": [True, None, "한글"]}) == '{"a": [true, null, "한글"]}'
