"""Current notes whose names tell them apart by a version, a year or a word like `final` alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from docs_rag.core.linting.corpus import Corpus, Subject
from docs_rag.core.linting.findings import Found

_WORDS: Final = (
    "final|latest|newest|new|old|older|previous|prev|copy|backup|bak|orig|original|draft|revised|updated|revision|rev"
    "|obsolete|deprecated|superseded|temp|tmp"
)
_CJK_WORDS: Final = (
    "최종본|최종|진짜최종|수정본|수정|개정판|개정안|개정|신규|사본|복사본|백업|구버전|신버전|이전|구|신|旧版|新版|旧|新|最終版|最終|最新版|最新"
    "|改訂版|改訂|修正版|修订版|修订|副本|最终版|最终|舊版|舊"
)
_SEPARATOR: Final = r"[-_ .]"
_NUMBER: Final = r"\d{1,3}(?:[._]\d{1,3}){0,2}"
_REVISION: Final = "개정판|개정안|개정|改訂版|改訂|修订|revision|revised|edition"
_MARKS: Final = (
    ("version", rf"{_SEPARATOR}*(?:v|ver|version)[-_. ]?{_NUMBER}"),
    ("version", rf"{_SEPARATOR}+(?:r\d{{1,2}}|rev[-_. ]?\d{{1,3}})"),
    ("word", rf"(?:{_SEPARATOR}+(?:{_WORDS})|{_SEPARATOR}*(?:{_CJK_WORDS})본?)"),
    ("word", rf"{_SEPARATOR}*[(（\[](?:{_WORDS}|{_CJK_WORDS}|v?\d{{1,3}})[)）\]]"),
    ("revision", rf"{_SEPARATOR}+(?:19|20)\d\d년?{_SEPARATOR}*(?:{_REVISION})"),
    ("year", rf"{_SEPARATOR}+[(（]?(?:19|20)\d\d[)）]?년?"),
    ("count", rf"{_SEPARATOR}\d"),
)
"""What may end a name, the kind of mark it is, and how it is written (folded)."""
_ENDING: Final = tuple((kind, re.compile(rf"(?:{form})$")) for kind, form in _MARKS)
_SHORTEST: Final = 3
"""Letters that must be left of a name for it to mean anything."""
_PERIODIC: Final = re.compile(
    r"retro|report|review|minutes|meeting|weekly|monthly|quarterly|annual|daily|log\b|journal|diary|roadmap|budget|okr|goals?\b"
    r"|plan\b|planning|notes?\b|release|changelog|summary|update|newsletter|survey|calendar|schedule|holiday|conference"
    r"|회고|보고|회의|일지|결산|주간|월간|연간|계획|예산|일정|議事|報告|週報|月報|日報|会議|报告|周报|会议|总结|计划",
)
"""Names of notes that a year tells apart by right."""


class _Name(NamedTuple):
    base: str
    kinds: frozenset[str]


def other_versions(corpus: Corpus) -> Iterator[Found]:
    """Groups of current notes in one folder with one name but for such marks; told at each but the first."""
    groups: dict[tuple[str, str, str], list[tuple[Subject, _Name]]] = {}
    for subject in corpus.in_force():
        if subject.part is None:
            name = _take_apart(subject.name)
            groups.setdefault((subject.folder, name.base, _suffix(subject)), []).append((subject, name))
    for members in groups.values():
        if len(members) > 1 and _are_versions([name for _, name in members]):
            yield from _tell(corpus, [subject for subject, _ in members])


def _tell(corpus: Corpus, members: Sequence[Subject]) -> Iterator[Found]:
    first, *others = members
    for other in others:
        if not corpus.related(first.path, other.path):
            beside = first.note.path.rpartition("/")[2]
            told = f"it may be another version of {beside}: their names differ by a mark alone, and both are current"
            yield Found("DR030", other.path, None, told)


def _are_versions(names: Sequence[_Name]) -> bool:
    """Whether the marks of notes with one base name make versions of them, and not parts or years of a series."""
    kinds = frozenset(kind for name in names for kind in name.kinds)
    if kinds & {"version", "word", "revision"}:
        return True
    if kinds == {"year"}:
        return not _PERIODIC.search(names[0].base) and len(names) == 2
    return kinds == {"count"} and len(names) == 2 and any(not name.kinds for name in names)


def _take_apart(name: str) -> _Name:
    """A name without the marks that end it, and their kinds; marks that would leave nothing are part of it."""
    base = unicodedata.normalize("NFKC", name).casefold().strip()
    kinds: set[str] = set()
    while (found := _mark(base)) is not None and sum(map(str.isalpha, base[: found[1]])) >= _least(base):
        kinds.add(found[0])
        base = base[: found[1]]
    return _Name(re.sub(r"[-_ .]+", " ", base).strip(), frozenset(kinds))


def _mark(name: str) -> tuple[str, int] | None:
    """The longest mark that ends a name, and where it begins."""
    found = [(match.start(), kind) for kind, ending in _ENDING if (match := ending.search(name)) is not None]
    return min(found)[::-1] if found else None


def _least(base: str) -> int:
    return _SHORTEST if base.isascii() else 2


def _suffix(subject: Subject) -> str:
    return subject.note.path.rpartition(".")[2].casefold()
