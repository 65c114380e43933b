"""Findings as values, and which of them a run is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from docs_rag.core.digests import text_digest
from docs_rag.core.documents import DocPath
from docs_rag.core.linting.codes import BY_ID, CODES, Code, Level, find_codes, nearest_code


class BackLink(NamedTuple):
    """A mend: let the older record name the newer one."""

    older: DocPath
    """A note's, or a part's."""
    newer: DocPath


class Respelling(NamedTuple):
    """A mend: write a status word as it is spelt."""

    line: int
    """1-based."""
    word: str
    """As it stands there."""
    right: str


Mend = BackLink | Respelling


class Found(NamedTuple):
    """What a rule saw."""

    code: str
    """A code's id."""
    path: DocPath
    """A note's, or a part's."""
    line: int | None
    """1-based line of the note's file, where one can be named."""
    message: str
    mend: Mend | None = None
    """What would put it right beyond doubt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fault as it is reported."""

    path: DocPath
    """The note's."""
    line: int | None
    code: Code
    level: Level
    message: str
    mend: Mend | None = None

    @property
    def fingerprint(self) -> str:
        """The same for the same fault after lines were moved, other for another fault."""
        message = " ".join(_PLACE.sub("", self.message).split())
        return text_digest("\0".join((self.code.id, self.path, message))).hex()[:_FINGERPRINT]


_PLACE: Final = re.compile(r"\b(?:in|on|at) line \d+")
_FINGERPRINT: Final = 24
"""Hexadecimal digits: 96 bits, far more than a vault has faults."""


class UnknownCode(Exception):
    """Something that is no code; the text says so, and names the nearest one."""

    def __init__(self, written: str) -> None:
        """Look for what may have been meant."""
        near = nearest_code(written)
        super().__init__(f"there is no code {written}" + (f", did you mean {near}?" if near else ""))


@dataclass(frozen=True, slots=True)
class Selection:
    """The codes that a run looks for, with the level that each has."""

    levels: Mapping[str, Level]
    """By code id; codes that are missing are not looked for."""

    def wants(self, *ids: str) -> bool:
        """True when one of these codes is looked for."""
        return not self.levels.keys().isdisjoint(ids)

    def judge(self, found: Iterable[Found], notes: Mapping[DocPath, DocPath]) -> list[Finding]:
        """Those of the faults that are looked for, in the order of notes and lines; `notes` maps parts to notes."""
        findings = {
            Finding(
                path=notes.get(each.path, each.path),
                line=each.line,
                code=BY_ID[each.code],
                level=self.levels[each.code],
                message=each.message,
                mend=each.mend,
            ): None
            for each in found
            if each.code in self.levels
        }
        return sorted(findings, key=lambda each: (each.path, each.line or 0, each.code.id, each.message))


def choose(
    select: Sequence[str] = (), ignore: Sequence[str] = (), levels: Mapping[str, str] | None = None
) -> Selection:
    """The codes of `select` (none: all) without those of `ignore`; `levels` by id, name or beginning of ids.

    Raises `UnknownCode`.
    """
    wanted = [code for each in select for code in known_codes(each)] or list(CODES)
    unwanted = {code for each in ignore for code in known_codes(each)}
    given = {code.id: Level(level) for each, level in (levels or {}).items() for code in known_codes(each)}
    return Selection({code.id: given.get(code.id, code.level) for code in wanted if code not in unwanted})


def known_codes(written: str) -> tuple[Code, ...]:
    """The codes that are meant; raises `UnknownCode` for none."""
    codes = find_codes(written)
    if not codes:
        raise UnknownCode(written)
    return codes
