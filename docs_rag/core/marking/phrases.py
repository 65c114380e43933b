"""What is written of a supersession in a note's own text, in the language that the note's status is in."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from docs_rag.core.statusrules import StatusRules

_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_TRADITIONAL: Final = re.compile("[狀態廢棄為與]")


class Tongue(NamedTuple):
    """The phrases of one language. `{by}` is a reference, `{day}` an ISO date."""

    word: str
    """A superseded record's status without more."""
    ended: str
    ended_on: str
    was: str
    """Before what the status was until now."""
    claim: str
    """The key of what a record replaced."""
    claiming: str
    """The same as a paragraph."""


ENGLISH: Final = Tongue(
    "Superseded", "Superseded by {by}", "Superseded by {by} ({day})", "; was: ", "Supersedes", "Supersedes {by}"
)
KOREAN: Final = Tongue(
    "대체됨", "대체됨 ({by}로 대체)", "대체됨 ({by}로 대체, {day})", "; 이전: ", "대체 대상", "대체 대상: {by}"
)
JAPANESE: Final = Tongue(
    "置換", "廃止（{by} により置換）", "廃止（{by} により置換、{day}）", "; 以前: ", "Supersedes", "Supersedes {by}"
)
CHINESE: Final = Tongue("已取代", "已被 {by} 取代", "已被 {by} 取代（{day}）", "; 原: ", "取代", "取代: {by}")


def tongue_of(said: str, text: str) -> Tongue:
    """The language of a status: of its key and value, and where Han alone does not tell, of the whole text."""
    if _HANGUL.search(said):
        return KOREAN
    if _KANA.search(said):
        return JAPANESE
    if _HAN.search(said):
        return JAPANESE if _KANA.search(text) and not _TRADITIONAL.search(said) else CHINESE
    return ENGLISH


def sentence(tongue: Tongue, reference: str, day: str | None) -> str:
    """The status of a record that another one replaced."""
    return (tongue.ended_on if day else tongue.ended).format(by=reference, day=day)


ON_A_DAY_BY: Final = "superseded on {day} by {by}"
"""The same where brackets end the value: `[status:: superseded on 2026-08-13 by [[x]]]`."""


def like(word: str, former: str) -> str:
    """A word in the case of the one that it replaces: `superseded` for `accepted`."""
    letters = re.sub(r"[\W\d_]+", "", former)
    first = re.match(r"\w+", word)
    if first is None or not letters[:1].isascii():
        return word
    if len(letters) > 1 and letters.isupper():
        return first[0].upper() + word[first.end() :]
    return word[0].lower() + word[1:] if letters[:1].islower() else word


def own_word(rules: StatusRules) -> str:
    """The project's own word for a superseded record; empty when it has none."""
    return next((word for word, status in rules.words.items() if status.value == "superseded"), "")
