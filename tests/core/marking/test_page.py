"""A page gives every byte back that was not changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.marking.page import Page

texts = st.text(st.sampled_from("a \t\r\n\ufeff-"), max_size=40)


@given(texts)
def test_a_page_is_its_text(text: str) -> None:
    page = Page(text)
    assert page.text() == text
    assert page.plain() == text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    assert page.copy().text() == text


@given(texts, st.integers(min_value=1, max_value=10))
def test_an_inserted_line_is_one_line_more(text: str, place: int) -> None:
    page = Page(text)
    number = min(place, len(page) + 1)
    page.insert(number, "new")
    assert page[number] == "new"
    assert [page[n] for n in range(1, len(page) + 1) if n != number] == [
        Page(text)[n] for n in range(1, len(Page(text)) + 1)
    ]


def test_new_lines_end_as_their_neighbours_do() -> None:
    page = Page("a\r\nb\r\n")
    page.insert(2, "x", "y")
    assert page.text() == "a\r\nx\r\ny\r\nb\r\n"


def test_a_last_line_without_an_end_stays_so() -> None:
    page = Page("a\r\nb")
    page.insert(3, "c")
    assert page.text() == "a\r\nb\r\nc"
    page.replace(3, "d")
    page.delete(1, 1)
    assert page.text() == "b\r\nd"
