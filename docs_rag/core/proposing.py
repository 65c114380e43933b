"""Whose statuses are states of records: a proposal for `lifecycleIn` from what a sample of the notes says.

In a vault of notes and decisions `status: reading` is no state of a record. Where words that we know speak of decisions
in some folders, and words that we do not know stand in the others, the former are proposed, and with them every log of
decisions, wherever it lies: outside, its dead decisions would count as current.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple

from docs_rag.core.cleaning import one_line
from docs_rag.core.globs import Globs
from docs_rag.core.wording import read_status

LEAST_FOREIGN: Final = 3
"""Notes with words that we do not know, under which there is nothing to keep apart."""
MOST_PLACES: Final = 8
"""More globs than that are no proposal but a list of the vault's folders."""
_MOSTLY: Final = 2
"""A folder is one of decisions when so many notes of it speak of them for each that says something foreign."""
_MOST_WORDS: Final = 4
_LONGEST_WORD: Final = 24

_NEUTRAL: Final = re.compile(
    r"\W*(?:draft|drafting|open|active|current|live|living|done|complete|completed|finished|published|pending|planned"
    r"|wip|idea|concept|review|reviewing|in review|in progress|work in progress|todo|not started|on hold|exploring"
    r"|undecided|closed|stable|mature|enabled|released|merged|shipped)(?!\w)",
    re.IGNORECASE,
)
"""Words that we know and that notes of any kind may carry."""
_SPECIAL: Final = re.compile(r"[*?\[\]{},!\\]|^\s|\s$")


class Said(NamedTuple):
    """What a sample of notes says."""

    statuses: Mapping[str, str]
    """Of each note by its path, as written; empty where it has none."""
    logs: frozenset[str] = frozenset()
    """Those of the notes in which sections have states of their own."""


class _Kind(Enum):
    DECISION = auto()
    NEUTRAL = auto()
    FOREIGN = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Where statuses should count, and what was seen."""

    within: tuple[str, ...]
    """Globs for `lifecycleIn`."""
    decisions: int
    """Notes of the sample with words of decisions."""
    others: int
    """Notes of the sample elsewhere with other words."""
    words: tuple[str, ...]
    """The commonest of those, for people."""


def propose(said: Said) -> Proposal | None:
    """What a sample comes to; None where every status should count."""
    kinds = {path: _kind(text) for path, text in said.statuses.items() if text.strip()}
    kinds |= dict.fromkeys(said.logs, _Kind.DECISION)
    within = _within(kinds, said.logs)
    if not within or len(within) > MOST_PLACES:
        return None
    globs = Globs(within, key="lifecycleIn")
    outside = [path for path in kinds if not globs.matches(path)]
    foreign = [path for path in outside if kinds[path] is _Kind.FOREIGN]
    if len(foreign) < LEAST_FOREIGN or len(foreign) * 2 < len(outside):
        return None
    return Proposal(
        within=within,
        decisions=sum(kind is _Kind.DECISION for kind in kinds.values()),
        others=len(outside),
        words=_commonest(said.statuses[path] for path in outside),
    )


def _within(kinds: Mapping[str, _Kind], logs: Iterable[str]) -> tuple[str, ...]:
    """The globs of the folders of decisions, and of the logs that lie elsewhere."""
    folders = tuple(_places(kinds, ""))
    known = Globs(folders, key="lifecycleIn")
    return (*folders, *(_glob(path) for path in sorted(logs) if folders and not known.matches(path)))


def _kind(text: str) -> _Kind:
    if not read_status(text).known:
        return _Kind.FOREIGN
    return _Kind.NEUTRAL if _NEUTRAL.match(text) is not None else _Kind.DECISION


def _places(kinds: Mapping[str, _Kind], prefix: str) -> Iterator[str]:
    """The globs of the folders below `prefix`, empty or ending in `/`, that hold decisions for the most part."""
    direct: list[_Kind] = []
    below: dict[str, dict[str, _Kind]] = {}
    for path, kind in kinds.items():
        name, slash, _ = path[len(prefix) :].partition("/")
        if slash:
            below.setdefault(name, {})[path] = kind
        else:
            direct.append(kind)
    if _is_of_decisions(direct):
        yield f"{_glob(prefix)}*"
    for name, inside in sorted(below.items()):
        if _is_of_decisions(inside.values()):
            yield f"{_glob(prefix + name)}/**"
        elif _Kind.DECISION in inside.values():
            yield from _places(inside, f"{prefix}{name}/")


def _is_of_decisions(kinds: Iterable[_Kind]) -> bool:
    counts = Counter(kinds)
    return counts[_Kind.DECISION] > 0 and counts[_Kind.DECISION] >= _MOSTLY * counts[_Kind.FOREIGN]


def _glob(path: str) -> str:
    """A path as a glob: what has a meaning there becomes any one sign."""
    return "/".join(_SPECIAL.sub("?", segment) for segment in path.split("/"))


def _commonest(texts: Iterable[str]) -> tuple[str, ...]:
    words = Counter(one_line(text) for text in texts)
    return tuple(
        word if len(word) <= _LONGEST_WORD else f"{word[: _LONGEST_WORD - 1]}…"
        for word, _ in words.most_common(_MOST_WORDS)
    )
