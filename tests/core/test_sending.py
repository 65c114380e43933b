"""Texts made ready for a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.sending import GROUP_CHARS, GROUP_TEXTS, SHORTEST, groups, plain, sendable, shorter

any_text = st.text(st.characters(), max_size=200)


@given(any_text)
def test_every_text_can_be_sent(text: str) -> None:
    sent = sendable(text)
    assert "\0" not in sent
    assert sent.encode("utf-8").decode("utf-8") == sent
    assert len(sent) == len(text)


@given(any_text)
def test_plain_text_is_one_printable_line(text: str) -> None:
    assert plain(text).isprintable()
    assert plain(plain(text)) == plain(text)
    assert "  " not in plain(text)


def test_plain_text_keeps_words_of_every_script() -> None:
    assert plain("토큰\u200b 队列\n\x07café 🌱") == "토큰 队列 café 🌱"


@given(st.lists(st.integers(0, 9000).map("x".__mul__), max_size=40), st.sampled_from([100, 2000, 10**6]))
def test_groups_lose_nothing_and_stay_small(texts: list[str], limit: int) -> None:
    found = list(groups(texts, limit))
    assert [text for group in found for text in group] == texts
    for group in found:
        assert 1 <= len(group) <= GROUP_TEXTS
        assert len(group) == 1 or sum(map(len, group)) <= GROUP_CHARS
        assert len(group) == 1 or all(len(text) // 3 < limit for text in group)


@given(any_text, st.integers(1, 50))
def test_shorter_forms_are_beginnings_and_shrink(text: str, limit: int) -> None:
    forms = list(shorter(text * 3, limit))
    assert all((text * 3).startswith(form) for form in forms)
    sizes = [len(text * 3), *map(len, forms)]
    assert sizes == sorted(sizes, reverse=True)
    assert all(size >= SHORTEST for size in sizes[1:])


def test_shorter_forms_start_near_the_limit_and_end_with_a_word() -> None:
    text = "words " * 1000
    first = next(shorter(text, 100))
    assert 380 < len(first) <= 400
    assert first.endswith("words")


@pytest.mark.parametrize("text", ["", "short", "x" * SHORTEST])
def test_a_short_text_has_no_shorter_form(text: str) -> None:
    assert list(shorter(text, 512)) == []
