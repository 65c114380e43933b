"""The names that a note may be called by, and the names that a question calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docs_rag.core.terms import Term, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NUMBERED = re.compile(r"([a-z]{0,12})[-_ #]*0*(\d{1,6})(?!\d|\.\d)")
_DATED = re.compile(r"\d{4}[-_.]?\d{2}[-_.]?\d{2}")
_ASKED = re.compile(r"(?<![\w-])([a-z]{2,12})[-_ #]{0,2}0*(\d{1,6})(?![\w.])")
_RECORD_FOLDERS = re.compile(r"(?:^|/)(?:\d+[-_. ]*)?(?:adrs?|decisions?|decision[-_ ]records?|decision[-_ ]log)$")
_RECORD_WORDS = frozenset({"adr", "dr", "dec", "decision", "record", "no", "nr", "rfc"})


def names_of(path: str, title: str, aliases: Sequence[str], ids: Sequence[str]) -> frozenset[str]:
    """Every folded name of a note: path, file name, stem, title, aliases, and its number with its series (`adr12`)."""
    file_name = fold(path.rpartition("/")[2])
    stem = file_name.rpartition(".")[0] or file_name
    names = {fold(path), file_name, stem, fold(title), *map(fold, aliases), *map(fold, ids)}
    folder = fold(path.rpartition("/")[0])
    for text in (stem, fold(title), *map(fold, ids)):
        names.update(_numbers(text, folder))
    return frozenset(name for name in names if name)


def names_of_part(path: str, anchor: str, title: str, ids: Sequence[str]) -> frozenset[str]:
    """The same for one decision of the note at `path`: `log.md#d-013`, `d-013`, `d13`, its title."""
    folder = fold(path.rpartition("/")[0])
    called = (fold(anchor), fold(title), *map(fold, ids))
    numbers = (number for text in called for number in _numbers(text, folder))
    return frozenset(name for name in (fold(f"{path}#{anchor}"), *called, *numbers) if name)


def _numbers(text: str, folder: str) -> list[str]:
    """`adr012-use-x` is `adr12`; `0012-use-x` is `12`, and `adr12` too where its folder holds decisions."""
    found = _NUMBERED.match(text)
    if found is None or _DATED.match(text):
        return []
    series, number = found.groups()
    if series:
        return [series + number]
    return [number, "adr" + number] if _RECORD_FOLDERS.search(folder) else [number]


def names_asked(query: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """The folded names that a question may call notes by: the whole of it, its numbered records, its identifiers."""
    whole = fold(query).strip(" ?!.,;:\"'`“”[]()")
    names = [whole]
    if found := re.fullmatch(r"#?0*(\d{1,6})", whole):
        names.append(found.group(1))
    names.extend(_record_names(_ASKED.findall(fold(query))))
    called = [fold(term.text) for term in terms if term.is_identifier or term.is_quoted]
    names.extend(name for name in called if not name.isdigit())
    return tuple(dict.fromkeys(name for name in names if name))


def names_meant(query: str, term: Term) -> tuple[str, ...]:
    """The folded names that one term of a question may call notes by.

    That is an identifier, what stands in quotes, and the series of a number that is written apart (`ADR 12`).
    """
    called: Iterable[str] = ()
    if (term.is_identifier or term.is_quoted) and not term.text.isdigit():
        called = names_asked(term.text, (term,))
    if term.is_identifier and term.text.isalpha():
        numbered = _ASKED.findall(fold(query))
        called = (*called, *_record_names(each for each in numbered if each[0] == fold(term.text)))
    return tuple(dict.fromkeys(called))


def whole_names(query: str) -> tuple[str, ...]:
    """The folded names that the whole question may be: as it stands, and as a numbered record (`ADR-0034`)."""
    whole = fold(query).strip(" ?!.,;:\"'`“”[]()")
    numbered = re.fullmatch(_ASKED, whole)
    if numbered is None:
        return (whole,) if whole else ()
    return (whole, *_record_names([numbered.groups()]))


def _record_names(numbered: Iterable[Sequence[str]]) -> Iterator[str]:
    """Of series and numbers: `adr12`, and `12` too where the series is a word for any record."""
    for series, number in numbered:
        yield series + number
        if series in _RECORD_WORDS:
            yield number
