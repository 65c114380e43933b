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

from docs_rag.core import phrases
from docs_rag.core.citations import cited, take_apart
from docs_rag.core.status import Status
from docs_rag.core.wording import Reading, read_status, speaks_of_another

_CALLOUT: Final = re.compile(r"\s*\[!(?P<kind>[\w-]{1,30})\][+-]?[ \t]*")
_TITLE_ATTRIBUTE: Final = r"(?:[^\n>%]{0,200}?\btitle=[\"'](?P<title>[^\"'\n]{0,200})[\"'])?[^\n>%]{0,200}"
_CONTAINERS: Final = (
    (":::", re.compile(r":{3,}[ \t]*\{?\.?(?P<kind>[\w-]{1,30})\}?[ \t]*(?P<title>[^\n]*)")),
    ("!!!", re.compile(r"!{3}\+?[ \t]+(?P<kind>[\w-]{1,30})[ \t]*(?:\"(?P<title>[^\"\n]*)\")?")),
    ("???", re.compile(r"\?{3}\+?[ \t]+(?P<kind>[\w-]{1,30})[ \t]*(?:\"(?P<title>[^\"\n]*)\")?")),
    ("{%", re.compile(rf"\{{%-?[ \t]*(?P<kind>[\w-]{{1,30}})\b{_TITLE_ATTRIBUTE}%\}}")),
    ("{{", re.compile(rf"\{{\{{[<%][ \t]*(?P<kind>[\w-]{{1,30}})\b{_TITLE_ATTRIBUTE}[>%]\}}\}}")),
    ("<", re.compile(rf"<(?P<kind>[a-zA-Z][\w-]{{0,30}})\b{_TITLE_ATTRIBUTE}>")),
)
"""How generators of sites open a box: what it begins with, and how its kind and its title are written."""
_CLOSER: Final = re.compile(
    r"^[ \t]*:{3,}[ \t]*$|\{%-?[ \t]*(?:end|/)\w+[ \t]*-?%\}|\{\{[<%][ \t]*/[^\n}]*\}\}|</\w+>", re.MULTILINE
)
_KIND: Final = re.compile(phrases.BANNER_WORDS, re.IGNORECASE)
_DATED: Final = re.compile(r"[\W_]*(?P<day>\d{4}[-/.]\d{1,2}[-/.]\d{1,2})(?![\w-])[\W_]*")
_LABEL: Final = re.compile(rf"(?:\W*\b(?:{phrases.BANNER_LABELS})\b\W*?(?=[\s:*_`]))+[\s:*_.!-]*", re.IGNORECASE)
_STRONG: Final = re.compile(r"\*\*|__(?=\w)|(?<=\w)__(?!\w)")
_TAG: Final = re.compile(r"^\W*`[\w -]{1,30}`\s*[:–—-]\s*")
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+|\n{2,}|(?<=[^.,;:\w])\n(?=[A-Z])")
_ENDED: Final = re.compile(rf"(?:{phrases.PARTLY_WORDS}\s+)?(?:{phrases.BANNER_WORDS})(?![\w-])", re.IGNORECASE)
_SUBJECT: Final = re.compile(phrases.BANNER_SUBJECT, re.IGNORECASE)
_SUBJECT_CJK: Final = re.compile(phrases.BANNER_SUBJECT_CJK)
_ENDED_CJK: Final = re.compile(phrases.ENDED_CJK)
_NOUN: Final = re.compile(rf"\s+(?:{phrases.BANNER_NOUNS})\b", re.IGNORECASE)
_ALONE: Final = re.compile(
    r"[*_~`\])]*(?:\s*$|\s*[.:;,!–—(|/→=-]|\s*\[(?![^\[\]\n]*\](?:\([^()\n]*\))?\s+(?:by|with)\b)"
    r"|\s+(?:by|on|in (?:favou?r|places|part)|since|as of|to|\d{4}-\d\d-\d\d|with"
    r"|and|but|see|use|because|due to|after|as (?:we|it))\b"
    r"|\s+[^\w\s`\"'\[*_])",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(r"\s+(?:as of|since|on|in)\s+(?:\w{3,9}\s+)?(?:\d{1,2},?\s+)?(?:19|20)\d\d(?!\d)")
_BY_HAND: Final = re.compile(r"replaced[*_~`]*\s+(?:by|with)\b", re.IGNORECASE)
_SURE: Final = re.compile(r"[\[`/\d]|\.md")
_EXPLAINED: Final = re.compile(r"[*_~`\])]*\s*[:–—-](?=\s|\*)[*_~`]*")
_NAMED_THING: Final = re.compile(r"\s*the\s", re.IGNORECASE)
_ATTRIBUTE_CJK: Final = re.compile(phrases.ATTRIBUTE_CJK)
_REVERSE: Final = re.compile(
    r"\b(?:this|it|which|that|and)\W+(?:\w+\W+){0,4}?(?:supers?c?ee?de?s|replaces|obsoletes)\b", re.IGNORECASE
)
_TITLE: Final = re.compile(
    rf"(?P<front>^\W*[\[(](?P<a>(?:{phrases.BANNER_WORDS}|{phrases.DRAFT_WORDS})\b[^\[\]()]{{0,80}})[\])])"
    rf"|[\[(](?P<b>(?:{phrases.PARTLY_WORDS}\s+)?(?:{phrases.BANNER_WORDS}|{phrases.DRAFT_WORDS})(?:\b|(?<=[^\x00-\x7f]))"
    r"(?:[^\[\]()]|\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()]*\)|\([^()]*\)){0,300})[\])]\W*$",
    re.IGNORECASE,
)
_SHOUTED: Final = re.compile(
    rf"^\W*(?P<a>{phrases.SHOUTED_WORDS})\s*[:–—-]\s|\s(?:[–—-]|[\u2190-\u2bff\U0001f300-\U0001faff]\ufe0f?)\s*(?P<b>(?:{phrases.SHOUTED_WORDS})(?:\s.*)?)$"
    rf"|(?:→|->|=>)\s*(?P<c>(?i:{phrases.BANNER_WORDS})\b.*)$"
)
_STRUCK: Final = re.compile(r"^\W*~~.+~~(?P<rest>.*)$")

_HINTS: Final = (
    *("rsed", "rced", "sced", "rceed", "rseed", "replaced", "eprecated", "bsolete", "rchived", "retired", "abandoned"),
    *("withdrawn", "rejected", "discontinued", "historic", "no longer", "moved to", "merged", "folded"),
)
"""Pieces of the words of `phrases.BANNER_WORDS`: looked for before any expression is tried."""
_LONGEST: Final = 1_000
"""How much of a banner is read, in characters."""
_ENDS: Final = (Status.SUPERSEDED, Status.ARCHIVED, Status.REJECTED)


def banner(text: str, *, is_quote: bool) -> str:
    """What a block of a head says of its record's end, from the status word on; empty when it says nothing.

    A plain paragraph must name what came instead, shout, or have the record for its subject.
    """
    text = text[:_LONGEST]
    lower = text.lower()
    if text.isascii() and not any(hint in lower for hint in _HINTS):
        return ""
    is_loud = text.lstrip().startswith(("**", "__"))
    told, is_boxed = _unboxed(text)
    told, is_quote = _STRONG.sub("", told), is_quote or is_boxed
    below = told.partition("\n")[2] if is_boxed else ""
    return _told(told, is_quote=is_quote, is_loud=is_loud) or _told(below, is_quote=is_quote, is_loud=is_loud)


def _unboxed(text: str) -> tuple[str, bool]:
    """A callout, or another generator's box, as its title over its text, and whether it is one."""
    start = text.lstrip()
    openers = [_CALLOUT, *(pattern for mark, pattern in _CONTAINERS if start.startswith(mark))]
    found = next((found for pattern in openers if (found := pattern.match(start)) is not None), None)
    if found is None:
        return text, False
    title = (found.groupdict().get("title") or "").strip(" []{}")
    rest = _CLOSER.sub("", start[found.end() :])
    if _KIND.fullmatch(found["kind"]) is not None:
        opening = f"{found['kind']} {title}{rest}" if title or rest[:1] != "\n" else f"{found['kind']}:{rest}"
        return opening, True
    return f"{title}{rest}", True


def _told(text: str, *, is_quote: bool, is_loud: bool) -> str:
    """What a text says of its record's end, after the words that only call for attention."""
    told = _TAG.sub("", _without_label(text))
    dated = _DATED.match(told)
    told = told[dated.end() :] if dated else told
    for place, sentence in enumerate(_sentences(told)):
        found = _about_subject(sentence)
        if not found and place == 0:
            found = _opening(sentence, told, is_quote=is_quote, is_loud=is_loud)
        if found:
            day = f" ({dated['day']})" if dated else ""
            return without_stray_marks(found) + day
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
        yield "" if sentence.rstrip().endswith(("?", "？")) else sentence.strip()


def _opening(sentence: str, whole: str, *, is_quote: bool, is_loud: bool) -> str:
    """A banner that begins with the state: `SUPERSEDED by [[x]]`, `Deprecated.`, `Superseded in places`."""
    start = re.search(r"[^\W_]", sentence)
    if start is None:
        return ""
    rest = sentence[start.start() :]
    if not rest[0].isascii():
        return rest if is_quote and _ATTRIBUTE_CJK.match(rest) is None and _ended(rest) is not None else ""
    found = _ENDED.match(rest)
    if found is None or not _stands_alone(rest, found.end(), whole, is_quote=is_quote):
        return ""
    shown = whole[whole.find(rest) :] if is_quote else rest
    reading = _ended(shown)
    if reading is None or (_BY_HAND.match(rest) and not any(map(_SURE.search, reading.successors))):
        return ""
    is_clear = is_quote or is_loud or found[0].isupper() or _SINCE.match(rest, found.end()) is not None
    return shown if is_clear or reading.successors else ""


def _stands_alone(sentence: str, end: int, whole: str, *, is_quote: bool) -> bool:
    """Whether the state that ends at `end` is the record's: it describes no other noun and is not explained."""
    noun = _NOUN.match(sentence, end)
    if noun is not None and (_REVERSE.search(whole) or not is_quote):
        return False
    explained = _EXPLAINED.match(sentence, end)
    if explained is not None:
        rest = sentence[explained.end() :]
        if speaks_of_another(rest) or (not is_quote and _NAMED_THING.match(rest) and not cited(rest)):
            return False
    return _ALONE.match(sentence, noun.end() if noun else end) is not None


def _about_subject(sentence: str) -> str:
    """`This decision has been superseded by [x](x.md)`: what stands from the state on."""
    found = _SUBJECT.match(sentence)
    if found is not None:
        rest = f"{found['partly'] or ''} {sentence[found.start('state') :]}".strip()
        reading = _ended(rest) if _ALONE.match(sentence, found.end()) else None
        return rest if reading is not None and (reading.successors or not found["weak"]) else ""
    subject = _SUBJECT_CJK.match(sentence)
    if subject is None:
        return ""
    if cited(sentence) and _ended_cjk(sentence):
        return sentence
    ended = _ENDED_CJK.match(sentence, subject.end())
    if ended is not None and ended["state"]:
        return sentence[ended.start("state") :]
    return ""


def _ended(text: str) -> Reading | None:
    reading = read_status(text)
    return reading if reading.known and (reading.partial or reading.status in _ENDS) else None


def _ended_cjk(sentence: str) -> bool:
    return read_status(sentence).status is Status.SUPERSEDED and any(take_apart(each).path for each in cited(sentence))
