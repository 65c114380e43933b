"""Status words that are not known, or known by a slip of the pen alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from docs_rag.core.citations import without_references
from docs_rag.core.documents import Problem
from docs_rag.core.linting.corpus import Corpus, Subject
from docs_rag.core.linting.findings import Found, Respelling
from docs_rag.core.linting.places import line_of, status_statement
from docs_rag.core.spellings import WORDS
from docs_rag.core.statusrules import StatusRules

MISSPELT: Final = {
    "superceded": "superseded",
    "superceeded": "superseded",
    "superseeded": "superseded",
    "supersceded": "superseded",
    "superceed": "superseded",
    "supercede": "superseded",
    "depreciated": "deprecated",
    "depricated": "deprecated",
    "implimented": "implemented",
    "imlpemented": "implemented",
    "propossed": "proposed",
    "aproved": "approved",
    "acepted": "accepted",
    "accpeted": "accepted",
    "excepted": "accepted",
}
"""Slips that are seen in records, folded, and what is meant."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_UNKNOWN: Final = re.compile(r"unknown status ")
_FEW: Final = 3
"""A word that stands in more notes than this is one of their own, and is told of once."""
_NEAR: Final = 0.84
"""How alike two words are, by difflib's ratio, to be one: a letter more, less or swapped in eight."""
_SHORTEST: Final = 5
"""Letters; shorter words are too easily like others."""


def status_words(corpus: Corpus) -> Iterator[Found]:
    """Words that are unknown, each note that holds one; and misspelt ones that are understood."""
    unknown: dict[str, list[tuple[Subject, Problem]]] = {}
    for subject in corpus.subjects.values():
        for problem in subject.problems:
            if problem.code == "unknown-status":
                unknown.setdefault(problem.message, []).append((subject, problem))
        yield from _misspelt(subject, corpus.rules)
    for message, places in unknown.items():
        yield from _unknown(message, places, corpus.rules)


def _unknown(message: str, places: Sequence[tuple[Subject, Problem]], rules: StatusRules) -> Iterator[Found]:
    if _UNKNOWN.match(message) is None:
        for subject, problem in places:
            yield Found("DR004", subject.path, line_of(subject, problem, rules), message)
        return
    right = _meant(places[0][0].lifecycle.status_text)
    if not right and len(places) > _FEW:
        subject, problem = places[0]
        told = (
            f"{message}, here and in {len(places) - 1} other notes; if it is a word of yours, list it in `statusWords`"
        )
        yield Found("DR004", subject.path, line_of(subject, problem, rules), told)
        return
    for subject, problem in places:
        line = line_of(subject, problem, rules)
        word = _first_word(subject.lifecycle.status_text)
        mend = Respelling(line, word, _in_case(right, word)) if right and line is not None else None
        yield Found("DR004", subject.path, line, f"{message}; did you mean '{right}'?" if right else message, mend)


def _misspelt(subject: Subject, rules: StatusRules) -> Iterator[Found]:
    """The first slip in a status that is understood all the same."""
    life = subject.lifecycle
    if not life.known or not life.status_text or not _slips(life.status_text):
        return
    statement = status_statement(subject, rules)
    if statement is None:
        return
    words = _WORD.findall(without_references(statement.text))
    word = next((each for each in words if each.casefold() in MISSPELT and each.casefold() in WORDS), None)
    if word is not None:
        right = _in_case(MISSPELT[word.casefold()], word)
        line = _line_with(subject, word, statement.line)
        yield Found("DR005", subject.path, line, f"'{word}' is spelt '{right}'", Respelling(line, word, right))


def _slips(text: str) -> bool:
    return any(word in MISSPELT for word in _WORD.findall(text.casefold()))


def _line_with(subject: Subject, word: str, start: int) -> int:
    lines = subject.note.text.split("\n")
    return next((number for number in range(start, len(lines) + 1) if word in lines[number - 1]), start)


def _first_word(text: str) -> str:
    found = _WORD.search(without_references(text, keep_first=True))
    return "" if found is None else found[0]


def _meant(text: str) -> str:
    """The status word that an unknown one is a slip of; empty when none is near, or two that mean different things."""
    word = _first_word(text).casefold()
    return MISSPELT.get(word) or _nearest(word)


@lru_cache(maxsize=256)
def _nearest(word: str) -> str:
    import difflib  # noqa: PLC0415  (7 ms that only a mistake should cost)

    if len(word) < _SHORTEST:
        return ""
    near = difflib.get_close_matches(word, [each for each in WORDS if " " not in each], n=3, cutoff=_NEAR)
    near = [each for each in near if each[0] == word[0] and each not in MISSPELT]
    return near[0] if near and len({WORDS[each] for each in near}) == 1 else ""


def _in_case(right: str, written: str) -> str:
    """A word in the case of another: `Superceded` begins with a capital, and so does what it should be."""
    if written.isupper() and len(written) > 1:
        return right.upper()
    return right.capitalize() if written[:1].isupper() else right
