"""Which part of a section a hit shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_CHARS = 2_400
"""The most that the first hit shows, in characters."""
OTHER_CHARS = 1_200


def passage(text: str, words: Sequence[str], limit: int) -> tuple[str, bool]:
    """At most `limit` characters of `text`, around the first of `words` that it holds; and whether it was cut.

    The cut falls on line ends or spaces where one is near.
    """
    if len(text) <= limit:
        return text, False
    start = _start(text, words, limit)
    end = min(len(text), start + limit)
    if start:
        start = _after_break(text, start, min(end, start + limit // 8))
    if end < len(text):
        end = _before_break(text, end, max(start + 1, end - limit // 8))
    return text[start:end], True


def _start(text: str, words: Sequence[str], limit: int) -> int:
    folded = text.casefold()
    if len(folded) != len(text):  # some characters fold to two: places would be off
        folded = text.lower() if len(text.lower()) == len(text) else text
    places = [place for place in (folded.find(word.casefold()) for word in words if word) if place >= 0]
    if not places:
        return 0
    return max(0, min(min(places) - limit // 3, len(text) - limit))


def _after_break(text: str, start: int, latest: int) -> int:
    for mark in ("\n", " "):
        place = text.find(mark, start, latest)
        if place >= 0:
            return place + 1
    return start


def _before_break(text: str, end: int, earliest: int) -> int:
    for mark in ("\n", " "):
        place = text.rfind(mark, earliest, end)
        if place >= 0:
            return place
    return end
