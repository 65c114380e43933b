"""Which words of a question name something: what is named and stands nowhere speaks against any answer.

A capital or a digit alone is no name. People write `30-day`, `100MB`, `the 1990s`, `trial/account` and `may I NOT` for
what a note says in other words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from docs_rag.core.everyday import EVERYDAY_WORDS
from docs_rag.core.stopwords import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS: Final = (
    "ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|yrs?|years?|am|pm"
    "|bits?|bytes?|[kmgtp]i?b|[km]?bit/s|[kmg]?hz|mm|cm|m|km|px|pt|r?em|kg|mg|lbs?|ml|kwh?|x|usd|eur|gbp|krw|jpy|chf"
)
_QUANTITIES: Final = (
    r"\d+(?:st|nd|rd|th)",  # 1st
    r"\d{2,4}s",  # the 1990s
    rf"\d+(?:[.,]\d+)*-?(?:{_UNITS})",  # 100MB, 1.5h
    r"[1-9]\d{0,2}(?:-[a-z]{3,})+",  # 30-day, 2-factor-login
    r"\d{1,2}[:.]\d{2}(?:am|pm)",  # 11:30pm
    r"\d+(?:[/:x]\d+)+",  # 24/7, 16:9, 1920x1080
)
_QUANTITY: Final = re.compile("|".join(_QUANTITIES), re.IGNORECASE)
_EITHER: Final = re.compile(r"[^\W\d_]{2,}(?:/[^\W\d_]{2,})+")
_SENTENCE_END: Final = re.compile(r"[?!。？！]\W*$|[^\W\d_]{4,}\.\W*$")
"""The full stop of `Dr.` and `e.g.` ends no sentence."""


def is_quantity(word: str) -> bool:
    """Whether a word with digits says how many, how long or when: `30-day`, `100MB`, `1990s`, `24/7`."""
    return _QUANTITY.fullmatch(word) is not None


def is_either(word: str) -> bool:
    """Whether a word offers several, as `trial/account` does; a path with a file's name does not."""
    return _EITHER.fullmatch(word) is not None


def is_stressed(word: str) -> bool:
    """Whether capitals stress an ordinary word, as in `may I NOT` and `trial OR account`.

    English alone: `ES` and `DAS` are abbreviations in most questions.
    """
    return word.isupper() and (word.casefold() in words_of("en") or word.casefold() in EVERYDAY_WORDS)


def ask_for_capitals(words: Sequence[str]) -> list[bool]:
    """By word of a question: whether grammar alone would give it a capital, so that one tells nothing."""
    if _is_german(words):
        return [True] * len(words)
    return [place == 0 or _SENTENCE_END.search(words[place - 1]) is not None for place in range(len(words))]


def _is_german(words: Sequence[str]) -> bool:
    """Whether nouns have capitals: more of the small words are only German than only English."""
    small = [word.strip("?!.,;:").casefold() for word in words]
    german, english = words_of("de") - words_of("en"), words_of("en") - words_of("de")
    return sum(word in german for word in small) > sum(word in english for word in small)
