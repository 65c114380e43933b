"""Numbers at the beginning of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.numbering import identify, spoken, words_after


@pytest.mark.parametrize(
    ("name", "letters", "numbers"),
    [
        ("ADR-0012-use-x.md", "adr", (12,)),
        ("0012", "", (12,)),
        ("#7", "", (7,)),
        ("D-013", "d", (13,)),
        ("00-032-01-foo.md", "", (0, 32, 1)),
        ("2026-01-14-queue.md", "", (20260114,)),
        ("nep-0056", "nep", (56,)),
    ],
)
def test_identify(name: str, letters: str, numbers: tuple[int, ...]) -> None:
    found = identify(name)
    assert found is not None
    assert (found.letters, found.numbers) == (letters, numbers)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("ADR-12", 12),
        ("ADR 12", 12),
        ("adr 12", 12),
        ("AD045", 45),
        ("FIP-OO35", 35),
        ("5. Title", 5),
        ("eip7702", 7702),
        ("3 ways to cache", None),
        ("s3-storage", None),
        ("utf8", None),
        ("version 2", None),
        ("1.2", None),
        ("Title", None),
        ("", None),
    ],
)
def test_spoken(name: str, number: int | None) -> None:
    found = spoken(name)
    assert (None if found is None else found.numbers[0]) == number


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ADR045-use-forms_api.md", "use forms api"),
        ("0012.md", ""),
        ("2026-01-14-queue.md", "queue"),
        ("FIP-OO35-x", "x"),
        ("no-number.md", ""),
    ],
)
def test_words_after(name: str, words: str) -> None:
    assert words_after(name) == words


@given(st.text(st.sampled_from("aO0 19-_.#/é²"), max_size=30))
def test_any_text(text: str) -> None:
    identify(text)
    spoken(text)
    words_after(text)
