"""Numbers as Office writes them before a paragraph (`ST_NumberFormat`, ECMA-376 part 1, 17.18.59)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_GANADA: Final = "가나다라마바사아자차카타파하"
_CHOSUNG: Final = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
_HAN: Final = "〇一二三四五六七八九"
_SINO: Final = "영일이삼사오육칠팔구"
_AIUEO: Final = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_STEMS: Final = "甲乙丙丁戊己庚辛壬癸"


def numeral(count: int, form: str) -> str:
    """A number in a form that Office names; digits for what is not known here or lies outside its range."""
    make = _FORMS.get(form)
    return (make(count) if make and 0 < count < 4000 else "") or str(count)


def _letters(count: int) -> str:
    """a … z, aa, bb …: the letter is repeated."""
    return chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)


def _roman(count: int) -> str:
    text = ""
    for size, letters in _ROMAN:
        text += letters * (count // size)
        count %= size
    return text


def _of(signs: str) -> Callable[[int], str]:
    return lambda count: signs[count - 1] if count <= len(signs) else ""


def _tens(digits: str, ten: str) -> Callable[[int], str]:
    """Numbers below a hundred in words made of digits: 二十三."""

    def make(count: int) -> str:
        tens, ones = divmod(count, 10)
        if count > 99:
            return ""
        return (digits[tens] if tens > 1 else "") + (ten if tens else "") + (digits[ones] if ones else "")

    return make


def _circled(count: int) -> str:
    return chr(0x2460 + count - 1) if count <= 20 else ""


_FORMS: Final[dict[str, Callable[[int], str]]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda count: _letters(count).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda count: _roman(count).upper(),
    "decimalZero": lambda count: f"{count:02}",
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "decimalEnclosedParen": lambda count: f"({count})",
    "ganada": _of(_GANADA),
    "chosung": _of(_CHOSUNG),
    "koreanDigital": _tens(_SINO, "십"),
    "koreanDigital2": _tens(_HAN, "十"),
    "koreanCounting": _tens(_SINO, "십"),
    "ideographDigital": _tens(_HAN, "十"),
    "chineseCounting": _tens(_HAN, "十"),
    "chineseCountingThousand": _tens(_HAN, "十"),
    "japaneseCounting": _tens(_HAN, "十"),
    "taiwaneseCountingThousand": _tens(_HAN, "十"),
    "ideographTraditional": _of(_STEMS),
    "aiueoFullWidth": _of(_AIUEO),
    "aiueo": _of(_AIUEO),
    "numberInDash": lambda count: f"- {count} -",
}
