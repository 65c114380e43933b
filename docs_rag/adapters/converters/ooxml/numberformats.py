"""Numbers of cells as people see them: dates, times, percentages (ECMA-376 part 1, 18.8.30)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import cache
from typing import Final

_DATES: Final = frozenset({*range(14, 18), 22, *range(27, 32), 36, *range(50, 55), 57, 58})
"""Built-in formats that show a day; the East Asian ones are 27-36 and 50-58."""
_TIMES: Final = frozenset({*range(18, 22), *range(32, 36), 45, 46, 47, 55, 56})
_PERCENT: Final = {9: 0, 10: 2}
"""Built-in format -> digits after the point."""
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^]]*\]', re.IGNORECASE)
"""What a format shows as it is, and colours, conditions, languages."""
_EPOCH: Final = datetime(1899, 12, 30)
_LATER_EPOCH: Final = datetime(1904, 1, 1)
_FIRST_TRUE_DAY: Final = 60
"""Excel counts a 29 February 1900 that never was: smaller numbers lie one day off."""
_LAST_DAY: Final = 2_958_466


def shown(value: float, number: int, code: str, *, is_1904: bool = False) -> str:
    """A number in the format with this number or, for one of the file's own, this code."""
    kind = _kind(number, code)
    if kind in ("date", "time") and 0 <= value < _LAST_DAY:
        return _date(value, is_time=kind == "time", is_1904=is_1904)
    if kind.startswith("%"):
        return f"{value * 100:.{kind[1:]}f}%"
    return plain(value)


def plain(value: float) -> str:
    """A number with the 15 digits that Excel keeps; whole ones without a point."""
    is_whole = abs(value) < 1e15 and value == int(value)  # neither infinite nor no number
    return str(int(value)) if is_whole else f"{value:.15g}"


@cache
def _kind(number: int, code: str) -> str:
    """`date`, `time`, `%` with the digits after the point, or nothing."""
    if not code:
        known = {**dict.fromkeys(_DATES, "date"), **dict.fromkeys(_TIMES, "time")}
        return known.get(number, f"%{_PERCENT[number]}" if number in _PERCENT else "")
    first = _LITERAL.sub("", code.split(";")[0]).lower()
    if "general" in first or "standard" in first:
        return ""
    if "%" in first:
        return f"%{min(first.partition('.')[2].count('0'), 9)}"
    if re.search(r"[yd]|^[^hs]*m[^hs]*$", first.replace("am/pm", "")):
        return "date"
    return "time" if re.search(r"[hs]", first) else ""


def _date(value: float, *, is_time: bool, is_1904: bool) -> str:
    seconds = round(value * 86_400)
    if is_time or seconds < 86_400:
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    epoch = _LATER_EPOCH if is_1904 else _EPOCH if value >= _FIRST_TRUE_DAY else _EPOCH + timedelta(days=1)
    moment = epoch + timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%d") if seconds % 86_400 == 0 else moment.strftime("%Y-%m-%d %H:%M:%S")
