"""Banners and titles: prose that says of the record it heads that it is no longer in force.

`> [!warning] SUPERSEDED by [[x]]`, `This RFC has mostly been superseded`, `# Sessions (superseded)`. They are the
loosest of all forms, so they count only where the record itself is the subject: the state opens the banner and
stands alone, or the sentence is about "this decision". A callout on an older design (`Superseded decision: this
replaces ...`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_rag.core import spellings
from docs_rag.core.citations import cited, take_apart
from docs_rag.core.status import Status
from docs_rag.core.wording import Reading, read_status

_CALLOUT: Final = re.compile(r"\s*\[![\w-]{1,30}\][+-]?[ \t]*")
_LABEL: Final = re.compile(rf"(?:\W*\b(?:{spellings.BANNER_LABELS})\b\W*?(?=[\s:*_`]))+[\s:*_.!-]*", re.IGNORECASE)
_STRONG: Final = re.compile(r"\*\*|__(?=\w)|(?<=\w)__(?!\w)")
_TAG: Final = re.compile(r"^\W*`[\w -]{1,30}`\s*[:–—-]\s*")
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+|\n{2,}|(?<=[^.,;:\w])\n(?=[A-Z])")
_ENDED: Final = re.compile(rf"(?:{spellings.PARTLY_WORDS}\s+)?(?:{spellings.BANNER_WORDS})(?![\w-])", re.IGNORECASE)
_SUBJECT: Final = re.compile(spellings.BANNER_SUBJECT, re.IGNORECASE)
_SUBJECT_CJK: Final = re.compile(spellings.BANNER_SUBJECT_CJK)
_NOUN: Final = re.compile(rf"\s+(?:{spellings.BANNER_NOUNS})\b", re.IGNORECASE)
_ALONE: Final = re.compile(
    r"[*_~`\])]*(?:\s*$|\s*[.:;,!–—(\[|/→=-]"
    r"|\s+(?:by|on|in (?:favou?r|places|part)|since \d|as of|with|and|but|see|use|→)\b)",
    re.IGNORECASE,
)
_REVERSE: Final = re.compile(
    r"\b(?:this|it|which|that|and)\W+(?:\w+\W+){0,4}?(?:supers?c?ee?de?s|replaces|obsoletes)\b", re.IGNORECASE
)
_TITLE: Final = re.compile(
    rf"(?P<front>^\W*[\[(](?P<a>(?:{spellings.BANNER_WORDS}|{spellings.DRAFT_WORDS})\b[^\[\]()]{{0,80}})[\])])"
    rf"|[\[(](?P<b>(?:{spellings.PARTLY_WORDS}\s+)?(?:{spellings.BANNER_WORDS}|{spellings.DRAFT_WORDS})(?:\b|(?<=[^\x00-\x7f]))"
    r"(?:[^\[\]()]|\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()]*\)|\([^()]*\)){0,300})[\])]\W*$",
    re.IGNORECASE,
)
_SHOUTED: Final = re.compile(
    rf"^\W*(?P<a>{spellings.SHOUTED_WORDS})\s*[:–—-]\s|\s[–—-]\s*(?P<b>(?:{spellings.SHOUTED_WORDS})(?:\s.*)?)$"
    rf"|(?:→|->|=>)\s*(?P<c>(?i:{spellings.BANNER_WORDS})\b.*)$"
)
_STRUCK: Final = re.compile(r"^\W*~~.+~~(?P<rest>.*)$")

_LONGEST: Final = 1_000
"""How much of a banner is read, in characters."""
_ENDS: Final = (Status.SUPERSEDED, Status.ARCHIVED, Status.REJECTED)


def banner(text: str, *, is_quote: bool) -> str:
    """What a block of a head says of its record's end, from the status word on; empty when it says nothing.

    A plain paragraph must name what came instead, shout, or have the record for its subject.
    """
    text = text[:_LONGEST]
    if _ENDED.search(text) is None and text.isascii():
        return ""
    callout = _CALLOUT.match(text)
    is_loud = text.lstrip().startswith(("**", "__"))
    told = _STRONG.sub("", text[callout.end() :] if callout else text)
    below = told.partition("\n")[2] if callout else ""
    return _told(told, is_quote=is_quote, is_loud=is_loud) or _told(below, is_quote=is_quote, is_loud=is_loud)


def _told(text: str, *, is_quote: bool, is_loud: bool) -> str:
    """What a text says of its record's end, after the words that only call for attention."""
    told = _TAG.sub("", _without_label(text))
    for place, sentence in enumerate(_sentences(told)):
        found = _about_subject(sentence)
        if not found and place == 0:
            found = _opening(sentence, told, is_quote=is_quote, is_loud=is_loud)
        if found:
            return without_stray_marks(found)
    return ""


def without_stray_marks(text: str) -> str:
    """A piece of a line without the emphasis that ends in it and began before it."""
    text = text.strip()
    for mark in ("*", "_"):
        if text.endswith(mark) and text.count(mark) % 2:
            text = text.rstrip(mark).rstrip()
    return text


def titled(raw: str) -> str:
    """What a title says of its record: in brackets at either end, shouted, after an arrow, or struck through."""
    found = _TITLE.search(raw) or _SHOUTED.search(raw)
    if found is not None:
        said = next(value for key, value in found.groupdict().items() if value and key != "front")
        return said.strip()
    struck = _STRUCK.match(raw)
    if struck is not None:
        rest = struck["rest"].strip(" :–—→>-")
        return rest if read_status(rest).status is Status.SUPERSEDED and rest else "superseded" if not rest else ""
    return ""


def without_state(raw: str) -> str:
    """A title without what it says of its state."""
    for pattern in (_TITLE, _SHOUTED):
        found = pattern.search(raw)
        if found is not None:
            raw = raw[: found.start()] + raw[found.end() :] if found.start() else raw[found.end() :]
    return raw.replace("~~", "").strip(" :–—-→>")


def _without_label(text: str) -> str:
    found = _LABEL.match(text)
    return text[found.end() :] if found is not None else text


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text)[:4]:
        yield sentence.strip()


def _opening(sentence: str, whole: str, *, is_quote: bool, is_loud: bool) -> str:
    """A banner that begins with the state: `SUPERSEDED by [[x]]`, `Deprecated.`, `Superseded in places`."""
    start = re.search(r"[^\W_]", sentence)
    if start is None:
        return ""
    rest = sentence[start.start() :]
    if not rest[0].isascii():
        return rest if is_quote and _ended(rest) is not None else ""
    found = _ENDED.match(rest)
    if found is None:
        return ""
    noun = _NOUN.match(rest, found.end())
    if noun is not None and (_REVERSE.search(whole) or not is_quote):
        return ""
    if _ALONE.match(rest, noun.end() if noun else found.end()) is None:
        return ""
    reading = _ended(whole[whole.find(rest) :] if is_quote else rest)
    if reading is None:
        return ""
    if is_quote or is_loud or found[0].isupper() or reading.successors:
        return whole[whole.find(rest) :] if is_quote else rest
    return ""


def _about_subject(sentence: str) -> str:
    """`This decision has been superseded by [x](x.md)`: what stands from the state on."""
    found = _SUBJECT.match(sentence)
    if found is not None:
        rest = f"{found['partly'] or ''} {sentence[found.start('state') :]}".strip()
        return rest if _ended(rest) is not None else ""
    if _SUBJECT_CJK.match(sentence) is not None and cited(sentence):
        return sentence if _ended_cjk(sentence) else ""
    return ""


def _ended(text: str) -> Reading | None:
    reading = read_status(text)
    return reading if reading.known and (reading.partial or reading.status in _ENDS) else None


def _ended_cjk(sentence: str) -> bool:
    return read_status(sentence).status is Status.SUPERSEDED and any(take_apart(each).path for each in cited(sentence))
