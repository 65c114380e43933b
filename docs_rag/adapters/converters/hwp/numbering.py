"""Numbers of paragraphs: Hancom stores how they are formed and leaves the counting to the reader."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

LEVELS: Final = 10

_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_SERIES: Final = {
    "HANGUL_SYLLABLE": "가나다라마바사아자차카타파하",
    "CIRCLED_HANGUL_SYLLABLE": "㉮㉯㉰㉱㉲㉳㉴㉵㉶㉷㉸㉹㉺㉻",
    "HANGUL_JAMO": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "CIRCLED_HANGUL_JAMO": "㉠㉡㉢㉣㉤㉥㉦㉧㉨㉩㉪㉫㉬㉭",
    "CIRCLED_DIGIT": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "LATIN_CAPITAL": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "LATIN_SMALL": "abcdefghijklmnopqrstuvwxyz",
    "CIRCLED_LATIN_CAPITAL": "ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏ",
    "CIRCLED_LATIN_SMALL": "ⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩ",
    "DECAGON_CIRCLE": "갑을병정무기경신임계",
    "DECAGON_CIRCLE_HANJA": "甲乙丙丁戊己庚辛壬癸",
}
_SINO: Final = {"HANGUL_PHONETIC": "일이삼사오육칠팔구", "IDEOGRAPH": "一二三四五六七八九"}
_TENS: Final = {"HANGUL_PHONETIC": "십", "IDEOGRAPH": "十"}

FORMATS: Final = (
    "DIGIT", "CIRCLED_DIGIT", "ROMAN_CAPITAL", "ROMAN_SMALL", "LATIN_CAPITAL", "LATIN_SMALL", "CIRCLED_LATIN_CAPITAL",
    "CIRCLED_LATIN_SMALL", "HANGUL_SYLLABLE", "CIRCLED_HANGUL_SYLLABLE", "HANGUL_JAMO", "CIRCLED_HANGUL_JAMO",
    "HANGUL_PHONETIC", "IDEOGRAPH", "CIRCLED_IDEOGRAPH", "DECAGON_CIRCLE", "DECAGON_CIRCLE_HANJA",
)  # fmt: skip
"""By their numbers in HWP 5; HWPX has the names."""

_PLACE: Final = re.compile(r"\^(\d+|n|N)")
_SAYS_MORE: Final = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class LevelNumber:
    """How paragraphs of one level are numbered."""

    pattern: str
    """`제^1조`: `^1` stands for the number of the first level, `^n` for all numbers down to this one."""
    style: str = "DIGIT"
    """One of `FORMATS`."""
    start: int = 1


Numbering = Sequence[LevelNumber]
"""The levels of one numbering, outermost first."""


class Counter:
    """Counts the numbered paragraphs of a document in their order."""

    def __init__(self, numberings: Mapping[int, Numbering]) -> None:
        """`numberings` by the numbers that paragraphs name them by."""
        self._numberings = numberings
        self._counts: dict[int, list[int]] = {}

    def next(self, numbering: int, level: int) -> str:
        """The number of the next paragraph of a level (1 for the outermost); empty when there is none to show."""
        levels = self._numberings.get(numbering, ())
        if not 1 <= level <= len(levels):
            return ""
        counts = self._counts.setdefault(numbering, [0] * LEVELS)
        for above in range(level - 1):  # a level that was left out counts as begun
            counts[above] = counts[above] or levels[above].start
        counts[level - 1] = counts[level - 1] + 1 if counts[level - 1] else levels[level - 1].start
        counts[level:] = [0] * (LEVELS - level)
        return _PLACE.sub(lambda found: _numbers(found[1], levels, counts, level), levels[level - 1].pattern).strip()


def names_its_kind(pattern: str) -> bool:
    """Whether a number is part of the name, as in `제^1조`, and not a mere count as in `^1.`."""
    return bool(_SAYS_MORE.search(_PLACE.sub("", pattern)))


def shown(number: int, style: str) -> str:
    """A number in one of `FORMATS`; digits where the style does not reach so far."""
    if style in _SERIES and 0 < number <= len(_SERIES[style]):
        return _SERIES[style][number - 1]
    if style.startswith("ROMAN") and 0 < number < 4000:
        text = _roman(number)
        return text.upper() if style == "ROMAN_CAPITAL" else text
    if style in _SINO and 0 < number < 100:
        return _sino(number, style)
    return str(number)


def _numbers(which: str, levels: Numbering, counts: list[int], level: int) -> str:
    def one(at: int) -> str:
        return shown(counts[at], levels[at].style) if at < len(levels) else ""

    if which in "nN":
        return ".".join(one(at) for at in range(level)) + ("." if which == "N" else "")
    return one(max(int(which[:4]), 1) - 1)


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text


def _sino(number: int, style: str) -> str:
    tens, ones = divmod(number, 10)
    digits = _SINO[style]
    head = (digits[tens - 1] if tens > 1 else "") + (_TENS[style] if tens else "")
    return head + (digits[ones - 1] if ones else "")
