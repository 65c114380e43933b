"""Pairs of current records so close in meaning that one may overturn the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_rag.core.documents import DocPath
from docs_rag.core.linting.corpus import Corpus, Subject
from docs_rag.core.linting.findings import Found

MOST: Final = 10
"""Pairs that are told of in one run, the closest first: more than a person looks at helps nobody."""
_INDEXES: Final = re.compile(
    r"(?:_?index|read-?me|summary|toc|changelog|history|log|journal|template)(?:[-_. ].*)?", re.IGNORECASE
)


def close_in_meaning(corpus: Corpus) -> Iterator[Found]:
    """The closest pairs of two notes that are in force, are records and do not speak of one another."""
    records = {subject.path: subject for subject in corpus.in_force() if _is_record(subject)}
    told = 0
    for close in corpus.close(list(records)):
        first, second = records.get(close.first), records.get(close.second)
        if first is None or second is None or _know(corpus, first, second):
            continue
        older, newer = sorted((first, second), key=lambda each: (each.lifecycle.date or "", each.path))
        said = (
            f"it is close in meaning to {older.path} ({close.score:.2f}); if one overturned the other, neither says so"
        )
        yield Found("DR031", newer.path, None, said)
        told += 1
        if told == MOST:
            return


def _is_record(subject: Subject) -> bool:
    return subject.part is None and not _INDEXES.fullmatch(subject.name)


def _know(corpus: Corpus, first: Subject, second: Subject) -> bool:
    """True when one of two records descends from the other, or its text names the other."""
    if corpus.related(first.path, second.path):
        return True
    return _names(first, second) or _names(second, first)


def _names(one: Subject, other: Subject) -> bool:
    return re.search(rf"(?<!\w){re.escape(_name(other.path))}(?!\w)", one.note.text) is not None


def _name(path: DocPath) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]
