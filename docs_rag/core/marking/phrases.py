"""What is written of a supersession in a note's own text, in the language that the note's status is in."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from docs_rag.core.statusrules import StatusRules
from docs_rag.core.wording import read_status

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
    ended_then: str
    """The same with the day before the reference, whose words may hide it from readers."""
    was: str
    """Before what the status was until now."""
    claim: str
    """The key of what a record replaced."""
    claiming: str
    """The same as a paragraph."""


ENGLISH: Final = Tongue(
    word="Superseded",
    ended="Superseded by {by}",
    ended_on="Superseded by {by} ({day})",
    ended_then="Superseded on {day} by {by}",
    was="; was: ",
    claim="Supersedes",
    claiming="Supersedes {by}",
)
KOREAN: Final = Tongue(
    word="대체됨",
    ended="대체됨 ({by}로 대체)",
    ended_on="대체됨 ({by}로 대체, {day})",
    ended_then="대체됨 ({day}, {by}로 대체)",
    was="; 이전: ",
    claim="대체 대상",
    claiming="대체 대상: {by}",
)
JAPANESE: Final = Tongue(
    word="置換",
    ended="廃止（{by} により置換）",
    ended_on="廃止（{by} により置換、{day}）",
    ended_then="廃止（{day}、{by} により置換）",
    was="; 以前: ",
    claim="Supersedes",
    claiming="Supersedes {by}",
)
CHINESE: Final = Tongue(
    word="已取代",
    ended="已被 {by} 取代",
    ended_on="已被 {by} 取代（{day}）",
    ended_then="{day} 已被 {by} 取代",
    was="; 原: ",
    claim="取代",
    claiming="取代: {by}",
)


def tongue_of(said: str, text: str) -> Tongue:
    """The language of a status: of its key and value, and where Han alone does not tell, of the whole text."""
    if _HANGUL.search(said):
        return KOREAN
    if _KANA.search(said):
        return JAPANESE
    if _HAN.search(said):
        return JAPANESE if _KANA.search(text) and not _TRADITIONAL.search(said) else CHINESE
    return ENGLISH


def sentence(tongue: Tongue, reference: str, day: str | None, *, bracketed: bool = False) -> str:
    """The status of a record that another one replaced; `bracketed`: it stands in brackets, and has none of its own."""
    if day is None:
        return tongue.ended.format(by=reference)
    said = tongue.ended_on.format(by=reference, day=day)
    is_read = not bracketed and read_status(said).since == day
    return said if is_read else tongue.ended_then.format(by=reference, day=day)


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
