"""A status as written, read: `Withdrawn in favour of [EIP-7](eip-7.md)` is superseded, and by what.

The value is cut into segments at line, sentence end, `;` and brackets, not at ` - `. Each segment is judged by the
words that it begins with, and the most final state wins: `Accepted - to be superseded by 42` is current. Links and
file names are no words: what a note is called says nothing of its state.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from docs_rag.core import phrases, spellings
from docs_rag.core.citations import cited, clause, split_references, without_references
from docs_rag.core.dates import find_date
from docs_rag.core.status import FINALITY, Status

_SEGMENT: Final = re.compile(r"[\n;()\[\]{}|「」『』【】→]|[-=]>|[.!。](?=\s|$)")
_EMPHASIS: Final = re.compile(r"\*+|~~|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])")
_WORDS: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PARTIAL: Final = re.compile(phrases.PARTIAL, re.IGNORECASE)
_BRACKETED_PARTS: Final = re.compile(phrases.BRACKETED_PARTS)
_PARTS_ONLY: Final = re.compile(phrases.PARTS_ONLY, re.IGNORECASE)
_LATER: Final = re.compile(phrases.LATER_STEMS)
_BY: Final = re.compile(phrases.BY, re.IGNORECASE)
_TOWARDS: Final = re.compile(phrases.TOWARDS, re.IGNORECASE)
_INSTEAD: Final = re.compile(phrases.INSTEAD, re.IGNORECASE)
_GLUED: Final = re.compile(phrases.GLUED)
_UNDECIDED: Final = re.compile(phrases.UNDECIDED, re.IGNORECASE)
_CANDIDATE: Final = re.compile(phrases.CANDIDATE, re.IGNORECASE)
_OTHER_SUBJECT: Final = re.compile(phrases.OTHER_SUBJECT, re.IGNORECASE)
_FLAGGED: Final = re.compile(r"\W*(?:(?:on|since|as of|in)\s+)?(?:19|20)\d\d(?!\d)", re.IGNORECASE)
_POINTING: Final = re.compile(r"\W*(?:by|with|see|use|in favou?r of)\b", re.IGNORECASE)
_COUNT: Final = re.compile(r"\W*\d{1,2}(?!\d)")
_CLAIMING: Final = re.compile(phrases.CLAIMING, re.IGNORECASE)
_MENTION: Final = re.compile(phrases.MENTION)
_ENDING: Final = re.compile(phrases.DATED_END, re.IGNORECASE)
_STANDING: Final = re.compile(phrases.STANDING)
_SUBJECT_OF: Final = re.compile(phrases.SUBJECT_OF)
_LIVE: Final = (Status.CURRENT, Status.DRAFT)
_DECIDING: Final = re.compile(phrases.DECIDING, re.IGNORECASE)
_LEAD: Final = re.compile(phrases.LEAD)
_VOID: Final = re.compile(phrases.VOID, re.IGNORECASE)
_MERGED: Final = re.compile(phrases.MERGED, re.IGNORECASE)
_SHORTCODE: Final = re.compile(r":[a-z][a-z0-9_+-]{0,30}:(?!`)")
_PARTICLE: Final = re.compile(
    r"((?<![\w/\[|-])[A-Z]{2,10}[- ]?\d{1,9}|[)\]`])(?=으로|[로에을를은는이가과와にをはへとが]|取代|替代)"
)
"""A reference with what Korean and Japanese hang on it."""
_UNDONE: Final = re.compile(phrases.UNDONE)
_TURN: Final = re.compile(phrases.TURN, re.IGNORECASE)
_TURNED_BARE: Final = re.compile(r"\w+\s*(?:$|[.;(\n]|(?:on|in|since)\s+\d)")
_ARROW: Final = re.compile(r"→|[-=]+>")
_CODED: Final = re.compile(r"^(\W*?)`([^\W\d_]+(?: [^\W\d_]+){0,3})`(?!`)", re.MULTILINE)
"""Words in a code span that begin a line: `` `Superseded` by ADR-7``."""
_DAY: Final = re.compile(r"(?<![\w./-])\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?![\w/-]|\.\w)")
_OTHER: Final = "·"
"""Stands where a reference stood: what follows it is said of another record."""
_PREFERENCE: Final = re.compile(phrases.PREFERENCE, re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+|[;\n]+")
_STRUCK: Final = re.compile(r"~~[^~\n]{1,500}~~")
_CHOICES: Final = re.compile(r"\s*[|/,;]\s*(?:or\s+)?|\s+or\s+")
_NAMED: Final = re.compile(r"\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\([^()\n]*\)|`[^`\n]*`")
"""Links and code, whose words belong to what they name."""
_PROSE_CLAIM: Final = re.compile(phrases.PROSE_CLAIM, re.IGNORECASE)
_PROSE_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+|\n[ \t]*\n|\n(?=[ \t]*(?:[-*+>]|\d+[.)]) )")

_LONGEST: Final = 2_000
"""Longest status read, in characters: real ones have a few words."""
_LOOK_BACK: Final = 40
_LONGEST_PROSE: Final = 8_000
"""How much of a first section is searched for claims, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a status text says."""

    status: Status = Status.CURRENT
    known: bool = True
    """False when no segment begins with a word that stands in a table."""
    successors: tuple[str, ...] = ()
    partial: bool = False
    """True when only parts are said to be superseded; `successors` then says by what."""
    claims: tuple[str, ...] = ()
    since: str | None = None
    """The date in the text of a superseded record."""
    mentions: str = ""
    """A word of the end that stands in the text of a record which is nonetheless in force."""


@dataclass(frozen=True, slots=True)
class _Judgement:
    status: Status
    partial: bool = False


@lru_cache(maxsize=1024)
def read_status(text: str) -> Reading:
    """Read a status value; the text may have several lines. Never raises."""
    text = _MERGED.sub("superseded by ", _VOID.sub("", text[:_LONGEST]))
    if not text.isascii():
        text = _PARTICLE.sub(r"\1 ", text)
    words = _BRACKETED_PARTS.sub(r"\1", _folded(_prose(_unmarked(text))))
    segments = filter(str.strip, _SEGMENT.split(words))
    judged = [each for place, one in enumerate(segments) if (each := _judge(one, is_first=place == 0)) is not None]
    claims = _claims(text)
    if not judged:
        return Reading(known=bool(claims), claims=claims, mentions=_mention(words))
    status = max((each.status for each in judged), key=FINALITY.__getitem__)
    since = _since(text)
    if status is Status.SUPERSEDED:
        return Reading(status=status, successors=_successors(text, loose=True), claims=claims, since=since)
    if status in (Status.REJECTED, Status.ARCHIVED) and (found := _successors(text, loose=False)):
        return Reading(status=Status.SUPERSEDED, successors=found, claims=claims, since=since)
    if any(each.partial for each in judged):
        named = _successors(text, loose=True)
        return Reading(status=status, successors=named, partial=True, claims=claims, since=since)
    mentions = "" if status in (Status.REJECTED, Status.ARCHIVED) else _mention(words)
    return Reading(status=status, claims=claims, mentions=mentions)


def read_reason(text: str) -> tuple[str, ...]:
    """What a sentence on why a record was given up names in its place; empty when it names nothing."""
    found: list[str] = []
    for sentence in _SENTENCE.split(text[:_LONGEST]):
        cue = _PREFERENCE.search(sentence)
        if cue is not None and not _UNDECIDED.search(sentence[: cue.start()]):
            found.extend(_certain(cited(sentence), sentence))
    return tuple(dict.fromkeys(found)) or _successors(text[:_LONGEST], loose=True)


def is_partial(text: str) -> bool:
    """True when a value says that it speaks of parts only: `ADR-021 (the converter only)`."""
    return _PARTS_ONLY.search(without_references(text)) is not None


def speaks_of_another(text: str) -> bool:
    """True for what follows a state and a colon when it has a subject of its own: ``: `getFoo` is deprecated``."""
    return _OTHER_SUBJECT.match(text) is not None


def raises_flag(text: str, *, needs_pointer: bool) -> bool:
    """Whether the value of a state's own key in running text is a day or a successor: `Superseded: by ADR-7`.

    Without a pointer such as `by`, `Replaced: ADR-3` may just as well name what the record replaced.
    """
    if _FLAGGED.match(text) is not None:
        return True
    pointer = _POINTING.match(text)
    if needs_pointer and pointer is None:
        return False
    rest = text[pointer.end() :] if pointer else text
    return _COUNT.match(rest) is None and not speaks_of_another(text) and bool(split_references(rest, titles=False))


def known_words(text: str) -> int:
    """How many of the choices in `a | b | c` are status words: two or more make a form to be filled in."""
    return sum(_judge(_folded(choice)) is not None for choice in text[:_LONGEST].split("|"))


def is_enumeration(text: str) -> bool:
    """True for a line that lists the statuses there are, or is a form to choose from, and is itself none.

    `proposed | accepted | superseded by ADR-7`, `{accepted, rejected}`; two words joined by `or` are somebody's answer.
    """
    plain = re.sub(r"^[\W_]+|(?<![\W_])[\W_]+$", "", text[:_LONGEST])
    choices = _CHOICES.split(plain)
    if len(_DAY.findall(plain)) > 1:
        return False
    known = [choice for choice in choices if len(choice) < 60 and _judge(_folded(_unmarked(choice))) is not None]
    least = 2 if "|" in plain else spellings.ENUMERATION
    return len(known) >= least and len(known) * 2 > len(choices)


def prose_claims(text: str) -> tuple[str, ...]:
    """What running text says that its own record replaced, by a link right after the verb: `It supersedes [x](x.md)`.

    A sentence with another subject (`[[B]] replaces [[A]]`), of parts, or on what may come is no claim; an address on
    the web is none either.
    """
    found: list[str] = []
    for sentence in _PROSE_SENTENCE.split(text[:_LONGEST_PROSE]):
        for claim in _PROSE_CLAIM.finditer(_unmarked(sentence)):
            if _UNDECIDED.search(claim["before"]) or is_partial(claim["before"]):
                continue
            found.append(claim["link"])
            more = re.compile(r"\s*(?:,|and|&|,\s*and)\s*(?P<link>" + phrases.NOTE_LINK + ")")
            place = claim.end()
            while (further := more.match(claim.string, place)) is not None:
                found.append(further["link"])
                place = further.end()
    return tuple(dict.fromkeys(found))


def _prose(text: str) -> str:
    """The prose of a status, cut where it turns to the record's end; of a line of arrows what it leads to."""
    text = _TURN.sub(_turn, _DAY.sub(" ", text))
    lines = without_references(text, keep_first=True).split("\n")
    return "\n".join(_outcome(line) for line in lines)


def _turn(found: re.Match[str]) -> str:
    """A cut, where a successor is named, or nothing else is said, and it is no guess: `, superseded by ADR-7`."""
    text, place = found.string, found.end()
    if _UNDECIDED.search(text[max(0, found.start() - _LOOK_BACK) : found.start()]):
        return found[0]
    by = _BY.match(text, place)
    if by is None:
        return "; " if "," in found[0] and _TURNED_BARE.match(text, place) else found[0]
    return "; " if split_references(clause(text, by.end()), titles=False) else found[0]


def _outcome(line: str) -> str:
    """`Proposed → Accepted` is accepted; an arrow that leads to a successor is left."""
    last = _ARROW.split(line)[-1]
    return line if last is line or _judge(_folded(last)) is None else last


def _since(text: str) -> str | None:
    """The date beside the words that end a record, else one beside no other word: a status may list its history."""
    lines = _NAMED.sub(" ", text).split("\n")
    ended = (_since_in(line, found) for line in lines for found in _ENDING.finditer(line))
    day = next((day for day in ended if day is not None), None)
    return day or next((day for line in lines if not _DECIDING.search(line) and (day := find_date(line))), None)


def _since_in(line: str, ended: re.Match[str]) -> str | None:
    """The date after the word of the end, else the one before it, as far as no other word claims it."""
    after = _DECIDING.split(line[ended.end() :], maxsplit=1)[0]
    before = line[: ended.start()]
    if _DECIDING.search(before) is not None:
        clause_before = re.split(r"[,;(]", before)[-1]
        before = clause_before if _DAY.match(clause_before.lstrip()) else ""
    return find_date(after) or find_date(before)


def _unmarked(text: str) -> str:
    """Without emphasis and code about a first word, and without what is struck through unless that is all there is."""
    if "`" in text:
        text = _CODED.sub(r"\1\2", text)
    if "~~" in text and any(map(str.isalnum, rest := _STRUCK.sub(" ", text))):
        text = rest
    return _EMPHASIS.sub("", _SHORTCODE.sub("", text) if ":" in text else text)


def _folded(text: str) -> str:
    """The text without case, width and curly apostrophes; `-` and `_` within words are spaces."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text).replace("’", "'")
    return re.sub(r"(?<=\w)[-_](?=\w)", " ", plain.casefold())


def _judge(segment: str, *, is_first: bool = True) -> _Judgement | None:
    """The state that a folded segment begins with, or None when it begins with no known word.

    In a later segment a word for an end must not describe what follows it: `Accepted (closed issue 12)`.
    """
    start = re.search(r"[^\W\d_]", segment)
    if start is None:
        return None
    if _OTHER in segment[: start.start()]:
        return _Judgement(Status.SUPERSEDED) if not segment.isascii() and _LATER.search(segment) else None
    lead = _LEAD.match(segment, start.start())
    segment = segment[lead.end() if lead else start.start() :]
    words = _opening_words(segment)
    partly = bool(words) and words[0][0] in spellings.PARTLY
    status = _look_up(segment, words[1:] if partly else words, is_first=is_first)
    partial = _PARTIAL.search(segment)
    if partial is not None and not _UNDECIDED.search(segment[: partial.start()]):
        return _Judgement(Status.DRAFT if status is Status.DRAFT else Status.CURRENT, partial=True)
    if status is None and not segment.isascii():
        status = _look_up_stem(segment)
    return None if status is None else _Judgement(status)


def _opening_words(segment: str) -> list[tuple[str, int]]:
    """The first words of a segment and where each ends, without adverbs that change nothing."""
    found = [(each[0], each.end()) for each in _WORDS.finditer(segment[:120])]
    while found and found[0][0] in spellings.ADVERBS:
        found = found[1:]
    return found


def _look_up(segment: str, words: list[tuple[str, int]], *, is_first: bool) -> Status | None:
    """The status of the longest phrase that the words begin with; a question is no statement."""
    for count in range(min(spellings.WORDS_LONGEST, len(words)), 0, -1):
        phrase = " ".join(word for word, _ in words[:count])
        status = spellings.WORDS.get(phrase)
        if status is not None:
            end = words[count - 1][1]
            is_asked = segment[end:].lstrip()[:1] == "?"
            return status if not is_asked and (status in _LIVE or _ends(segment, end, is_first)) else None
    return None


def _ends(segment: str, end: int, is_first: bool) -> bool:
    """Whether a word for an end, which goes up to `end`, is said of the record and not of what follows it."""
    if _SUBJECT_OF.match(segment, end) is not None:
        return False
    if is_first or segment[:end].endswith(" by"):
        return True
    is_active = segment[:end].endswith("replaced") and segment[end:].lstrip().startswith(_OTHER)
    return not is_active and _STANDING.match(segment, end) is not None


def _look_up_stem(segment: str) -> Status | None:
    """The same for Chinese, Japanese and Korean, whose words take endings and may say the state last."""
    if _LATER.search(segment) is not None:
        return Status.SUPERSEDED
    stem, status = next((row for row in spellings.STEMS if segment.startswith(row[0])), ("", None))
    return None if _UNDONE.match(segment, len(stem)) else status


def _mention(words: str) -> str:
    found = _MENTION.search(words)
    return found[0] if found is not None else ""


def _successors(text: str, *, loose: bool) -> tuple[str, ...]:
    """The references after each phrase that says what came instead; the loose forms need a superseded record."""
    text = _unmarked(text)
    found = list(_after(_BY, text, titles=True))
    if not found and loose:
        found = list(_after(_TOWARDS, text, titles=False))
    if not found:
        found = list(_after(_INSTEAD, text, titles=False))
    if not found and not text.isascii():
        found = list(_glued(text)) or (list(cited(text)) if loose else [])
    return tuple(dict.fromkeys(found))


def _after(phrases: re.Pattern[str], text: str, *, titles: bool) -> Iterator[str]:
    for phrase in phrases.finditer(text):
        if _UNDECIDED.search(text[max(0, phrase.start() - _LOOK_BACK) : phrase.start()]):
            continue
        rest = clause(text, phrase.end())
        if not _CANDIDATE.match(rest):
            yield from split_references(rest, titles=titles)


def _glued(text: str) -> Iterator[str]:
    """The references before a verb that ends its clause, as Chinese, Japanese and Korean have it."""
    for verb in _GLUED.finditer(text):
        yield from cited(re.split(r"[;。\n]", text[: verb.start()])[-1])


def _certain(references: tuple[str, ...], sentence: str) -> Iterator[str]:
    """The references that the sentence does not call candidates."""
    for reference in references:
        before = sentence[: sentence.find(reference)].split()
        if not before or not _CANDIDATE.match(before[-1]):
            yield reference


def _claims(text: str) -> tuple[str, ...]:
    """What a status says that the record replaced: `accepted; supersedes ADR-45`."""
    text = _unmarked(text)
    found: list[str] = []
    for claim in _CLAIMING.finditer(text):
        rest = clause(text, claim.end())
        if not is_partial(rest):
            found.extend(split_references(rest, titles=False))
    return tuple(dict.fromkeys(found))
