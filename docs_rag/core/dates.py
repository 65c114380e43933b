"""Dates as people write them, read one way only; what can mean two days is no date."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from docs_rag.core.values import is_empty

_HYPHENS: Final = str.maketrans(dict.fromkeys("‐‑‒–—−－", "-"))
_LEADING: Final = re.compile(r"[\s<\[(\"'*_`~]*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?", re.IGNORECASE)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ISO: Final = r"(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![\d])"

FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        _ISO,
        r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)(?!\d)",
        r"(?P<y>\d{4})\.\s+(?P<m>\d{1,2})\.\s+(?P<d>\d{1,2})(?!\d)",
        r"(?P<y>\d{4})\s*[年년]\s*(?P<m>\d{1,2})\s*[月월]\s*(?P<d>\d{1,2})\s*[日일]?",
        r"(?P<d>\d{1,2})(?:st|nd|rd|th)?[-\s.]\s*" + _MONTH + r",?[-\s]\s*(?P<y>\d{4})(?!\d)",
        _MONTH + r"\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>\d{4})(?!\d)",
        r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
        r"(?P<a>\d{1,2})(?P<sep>[-/])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d\d)(?!\d)",
    )
)
"""One row a spelling, tried in order at the beginning of the value. `a` and `b` are day and month in either order."""

_COARSE: Final = re.compile(
    r"(?:\d{4}(?:[-/.](?:0?[1-9]|1[0-2]))?|\d{4}\s*[年년](?:\s*\d{1,2}\s*[月월])?"
    r"|" + _MONTH + r",?\s*\d{4}|(?:\d{4}[-\s]?)?Q[1-4](?:[-\s]?\d{4})?|\d{4}-?W\d\d)[\s>\])\"'*_`]*",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(rf"(?<![\w/.-]){_ISO}(?=T\d\d:|(?![\w/-]|\.\w))")
_IN_NAME: Final = re.compile(r"(?P<y>(?:19|20)\d\d)(?P<sep>[-_.]?)(?P<m>\d\d)(?P=sep)(?P<d>\d\d)(?!\d)")


def parse_date(text: str) -> tuple[str | None, bool]:
    """The date that a value begins with, as ISO `YYYY-MM-DD`, and whether its author should be warned.

    Time and zone are dropped: the day counts as written. A value that says nothing gives no date and no warning, and
    neither does a month or a year alone. A date that does not exist (`2026-02-30`), one that can mean two days
    (`01/02/2026`) or a text that is no date gives no date and a warning.
    """
    if (found := FORMS[0].match(text)) is not None:
        day = _day(found)
        return day, day is None
    if is_empty(text):
        return None, False
    plain = text.translate(_HYPHENS)
    start = _LEADING.match(plain)
    begin = start.end() if start else 0
    for form in FORMS:
        if (found := form.match(plain, begin)) is not None:
            day = _day(found)
            return day, day is None
    if _COARSE.fullmatch(plain, begin):
        return None, False
    elsewhere = find_date(plain)
    return elsewhere, elsewhere is None


def find_date(text: str) -> str | None:
    """The first ISO date that stands alone in a text: not a part of a file name, a path or an identifier."""
    for found in _ALONE.finditer(text.translate(_HYPHENS)):
        if (day := _day(found)) is not None:
            return day
    return None


def date_in_name(stem: str) -> str | None:
    """The date at the beginning of a file name: `2026-01-14-cache`, `20260114_cache`."""
    found = _IN_NAME.match(stem)
    return None if found is None else _day(found)


def _day(found: re.Match[str]) -> str | None:
    parts = found.groupdict()
    year, month, day = parts["y"], parts.get("m"), parts.get("d")
    if "a" in parts:
        month, day = _order(parts["a"], parts["b"])
    elif "month" in parts:
        month = str(_MONTHS.index(parts["month"][:3].lower()) + 1)
    if month is None or day is None:
        return None
    try:
        return date(int(year if len(year) == 4 else "20" + year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def _order(first: str, second: str) -> tuple[str | None, str | None]:
    """Month and day, where only one order gives a date."""
    if int(first) > 12 or first == second:
        return second, first
    return (first, second) if int(second) > 12 else (None, None)
