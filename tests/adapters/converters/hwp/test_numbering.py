from __future__ import annotations

import pytest

from docs_rag.adapters.converters.hwp.numbering import FORMATS, Counter, LevelNumber, names_its_kind, shown


@pytest.mark.parametrize(
    ("style", "number", "text"),
    [
        ("DIGIT", 12, "12"),
        ("CIRCLED_DIGIT", 3, "③"),
        ("CIRCLED_DIGIT", 21, "21"),
        ("ROMAN_CAPITAL", 1994, "MCMXCIV"),
        ("ROMAN_SMALL", 4, "iv"),
        ("LATIN_CAPITAL", 3, "C"),
        ("LATIN_SMALL", 27, "27"),
        ("HANGUL_SYLLABLE", 2, "나"),
        ("CIRCLED_HANGUL_SYLLABLE", 1, "㉮"),
        ("HANGUL_JAMO", 14, "ㅎ"),
        ("HANGUL_PHONETIC", 10, "십"),
        ("HANGUL_PHONETIC", 21, "이십일"),
        ("IDEOGRAPH", 15, "十五"),
        ("IDEOGRAPH", 100, "100"),
        ("DECAGON_CIRCLE", 10, "계"),
        ("DECAGON_CIRCLE_HANJA", 1, "甲"),
        ("of another version", 5, "5"),
        ("ROMAN_SMALL", 0, "0"),
    ],
)
def test_numbers_are_written_in_their_style(style: str, number: int, text: str) -> None:
    assert shown(number, style) == text


def test_every_style_shows_something_for_every_number() -> None:
    assert all(shown(number, style) for style in FORMATS for number in (0, 1, 14, 26, 99, 5000))


def test_inner_levels_begin_anew_and_levels_left_out_count_as_begun() -> None:
    levels = [LevelNumber("^1."), LevelNumber("^n"), LevelNumber("^1-^2-^3", "HANGUL_SYLLABLE")]
    counter = Counter({1: levels})
    asked = [1, 2, 2, 1, 3, 2, 3]
    assert [counter.next(1, level) for level in asked] == ["1.", "1.1", "1.2", "2.", "2-1-가", "2.2", "2-2-가"]


def test_numberings_count_apart_and_start_where_they_say() -> None:
    counter = Counter({1: [LevelNumber("제^1조", start=5)], 2: [LevelNumber("^N")]})
    assert [counter.next(1, 1), counter.next(2, 1), counter.next(1, 1)] == ["제5조", "1.", "제6조"]


def test_what_is_in_no_numbering_has_no_number() -> None:
    counter = Counter({1: [LevelNumber("")]})
    assert (counter.next(1, 1), counter.next(1, 2), counter.next(1, 0), counter.next(9, 1)) == ("", "", "", "")


@pytest.mark.parametrize(
    ("pattern", "is_name"), [("제^1조", True), ("Article ^1", True), ("^1.", False), ("(^2)", False)]
)
def test_a_pattern_with_a_word_names_what_it_counts(pattern: str, is_name: bool) -> None:
    assert names_its_kind(pattern) is is_name
