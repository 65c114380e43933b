"""Records that share a number: a reference to it cannot be followed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from docs_rag.core.companions import owner_of
from docs_rag.core.documents import DocPath
from docs_rag.core.linting.corpus import Corpus, Subject
from docs_rag.core.linting.findings import Found

_NUMBERED: Final = re.compile(
    r"#?(?P<letters>[^\W\d_]{0,10})[-_ .#]?(?P<number>\d{1,6})(?!\d)(?P<more>(?:[-.]\d{1,4}(?![^\W_]))*)(?P<rest>.*)",
    re.DOTALL,
)
_DATED: Final = re.compile(r"(?:19|20)\d\d[-_.]?(?:0[1-9]|1[0-2])(?!\d)")
_FOLDER_NOTES: Final = frozenset(("readme", "index"))
_LANGUAGE: Final = re.compile(
    r"[-_.](?:[a-z]{2}|zh[-_](?:cn|tw|hans|hant)|pt[-_]br|ko[-_]kr|ja[-_]jp|en[-_](?:us|gb))$"
)
_SERIES: Final = re.compile(
    r"(?:^|/)(?:\d+[-_. ]*)?[^/]*\b(?:adrs?|decisions?|rfcs?|proposals?|records?)\b[^/]*$", re.IGNORECASE
)


class _Number(NamedTuple):
    folder: str
    letters: str
    number: int
    more: str


def duplicate_numbers(corpus: Corpus) -> Iterator[Found]:
    """The records of one folder and one series that have the same number; told at each but the oldest.

    A note that speaks for a document is no record of its own.
    """
    groups: dict[_Number, dict[str, Subject]] = {}
    for subject in corpus.subjects.values():
        number = _number_of(subject)
        if number is not None and owner_of(subject.path) not in corpus.subjects:
            groups.setdefault(number, {}).setdefault(_edition(subject), subject)
    for number, members in groups.items():
        first, *others = sorted(members.values(), key=lambda each: (each.lifecycle.date or "", each.path))
        for other in others:
            said = f"{number.letters.upper()}{'-' if number.letters else ''}{number.number}{number.more}"
            yield Found("DR020", other.path, None, f"it has the number of {_beside(first.path)}: {said} means either")


def _number_of(subject: Subject) -> _Number | None:
    """A record's number within its folder; None for what is no record, or has none."""
    if subject.part is not None or subject.lifecycle.template:
        return None
    folder, name = _named(subject)
    found = _NUMBERED.match(name)
    if found is None or _DATED.match(name):
        return None
    if not (subject.lifecycle.status_text or _SERIES.search(folder)):
        return None
    return _Number(folder, found["letters"].casefold(), int(found["number"]), found["more"])


def _named(subject: Subject) -> tuple[str, str]:
    """Folder and name that carry the number: a README has its folder's."""
    if subject.name.casefold() in _FOLDER_NOTES:
        folder, _, name = subject.folder.rpartition("/")
        return folder, name
    return subject.folder, subject.name


def _edition(subject: Subject) -> str:
    """A record's name without its language: a translation shares its original's number by right."""
    folder, name = _named(subject)
    return _LANGUAGE.sub("", name.casefold()) if folder == subject.folder else name


def _beside(path: DocPath) -> str:
    return path.rpartition("/")[2]
