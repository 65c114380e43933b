"""Which records a reference means.

A reference is looked up by its surest reading first: heading, path, file name, alias or title, number. Several records
that fit equally well are reported, never chosen from. A record is never its own successor, a note is never one of its
own parts nor a part its own note, so these are left out of what a reference can mean.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from docs_rag.core.citations import Target, take_apart
from docs_rag.core.companions import owner_of
from docs_rag.core.destinations import places, tails
from docs_rag.core.documents import DocPath, note_path
from docs_rag.core.handles import (
    FOLDER_NOTES,
    SUFFIXES,
    NamedNote,
    anchored,
    called,
    fold,
    fold_title,
    folder_of,
    handles,
    is_folder_note,
    issue_number,
    keys_of,
    last_name,
    number_name,
    repository,
    segments,
    several,
    stem,
    written_path,
)
from docs_rag.core.numbering import Numbered, identify, spoken, words_after

__all__ = ["NamedNote", "Names", "Resolution"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a reference means: records, or records among which it does not decide, or nothing at all."""

    paths: tuple[DocPath, ...] = ()
    ambiguous: tuple[DocPath, ...] = ()
    renamed: bool = False
    """True when only the number led to the record and the words behind it are others: `ADR045-use-api.md` for
    `ADR045-remove-api.md`."""


_NOTHING: Final = Resolution()


class Names:
    """The names of all records of a vault, or of all that some references can mean; indexed when first asked."""

    def __init__(self, notes: Iterable[NamedNote]) -> None:
        """Keep the records; their paths must be distinct."""
        self._notes = sorted(notes, key=lambda note: note.path)
        self._entries: dict[int, _Entry] = {}

    def resolve(self, reference: str, source: DocPath) -> Resolution:
        """The records that a reference in the record `source` means.

        Usually one; several when the text names several that nothing but their names tells apart (`Caching, Queues`).
        """
        found = self._resolve_one(take_apart(reference), source)
        if found.paths or found.ambiguous:
            return found
        each = [self._resolve_one(take_apart(part), source) for part in several(reference)]
        paths = tuple(dict.fromkeys(path for one in each for path in one.paths))
        return Resolution(paths, tuple(path for one in each for path in one.ambiguous))

    def _resolve_one(self, target: Target, source: DocPath) -> Resolution:
        reader = _Reader(self._sharing(set(keys_of(target, source))), target, source)
        for reading in _READINGS:
            found = {each.path: each for each in reading(reader) if reader.may_mean(each)}
            if found:
                paths, ambiguous = _narrow([found[path] for path in sorted(found)], source)
                return Resolution(paths, ambiguous, reading is _Reader.by_number and reader.is_renamed(paths))
        return _NOTHING

    def _sharing(self, keys: Iterable[str]) -> list[_Entry]:
        found = {place for key in keys for place in self._index.get(key, ())}
        return [self._entry(place) for place in sorted(found)]

    def _entry(self, place: int) -> _Entry:
        if (entry := self._entries.get(place)) is None:
            entry = self._entries[place] = _Entry(self._notes[place])
        return entry

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        """Places of records by their keys."""
        index: dict[str, list[int]] = defaultdict(list)
        for place, note in enumerate(self._notes):
            for key in handles(note):
                index[key].append(place)
        return dict(index)


class _Entry:
    """A record made ready to be compared with references."""

    __slots__ = ("folder", "folders", "home", "key", "names", "note", "numbers", "owner", "path", "series")

    def __init__(self, record: NamedNote) -> None:
        self.path = record.path
        self.note = DocPath(note_path(record.path))
        """Its own path, or that of the note that it is a part of."""
        self.owner = owner_of(record.path)
        self.key = fold(record.path)
        self.folder, self.home = _folder(record.path), _home(record.path)
        self.folders = frozenset(fold(self.folder).split("/"))
        """The names of the folders over it, folded."""
        self.names = tuple(map(fold_title, called(record)))
        found = [identify(name) for name in (number_name(record.path), *record.ids)]
        self.numbers = tuple(each for each in found if each is not None)
        self.series = found[0].letters if found[0] is not None else ""

    @property
    def is_part(self) -> bool:
        """True for a decision of a log."""
        return self.note != self.path

    def has(self, asked: Numbered) -> bool:
        """Whether one of its numbers begins with those that are asked for."""
        return any(each.numbers[: len(asked.numbers)] == asked.numbers for each in self.numbers)


class _Reader:
    """One reference of one record, and the records that share a key with it."""

    def __init__(self, entries: Sequence[_Entry], target: Target, source: DocPath) -> None:
        self._notes = [each for each in entries if not each.is_part]
        self._parts = [each for each in entries if each.is_part]
        self._target = target
        self._source = source
        self._note = note_path(source)
        self._folder, self._home = _folder(source), _home(source)
        own = identify(number_name(source))
        self._series = "" if own is None else own.letters

    def may_mean(self, entry: _Entry) -> bool:
        """Whether a record can be meant at all: not the source, nor its note, nor its own parts."""
        if entry.note != self._note:
            return True
        return entry.path not in (self._source, self._note) and self._source != self._note

    def by_own_heading(self) -> Iterator[_Entry]:
        """A heading of the same note (`#d-026`), or a bare name of another decision of the same log."""
        target = self._target
        if target.anchor and not target.path:
            yield from self._under(self._note)
        if not (target.is_link or target.is_wikilink):
            yield from self.by_own_log()

    def by_own_log(self) -> Iterator[_Entry]:
        """Another decision of the same log, by its id, its title or its number."""
        own = [each for each in self._parts if each.note == self._note]
        for name in filter(None, (self._target.path, "" if self._target.url else self._target.text)) if own else ():
            asked, identity = fold_title(name), spoken(name)
            yield from (each for each in own if asked in each.names)
            if identity is not None:
                yield from (each for each in own if identity.letters in ("", each.series) and each.has(identity))

    def by_path(self) -> Iterator[_Entry]:
        """The path as it stands: from the note's folder, from the vault's root; a folder means its README."""
        for path in anchored(self._target, self._note):
            found = self._at(path)
            if found:
                yield from self._headed(found)
                return

    def _at(self, path: str) -> list[_Entry]:
        key = fold(path)
        for suffix in SUFFIXES:
            if found := [each for each in self._notes if each.key == key + suffix]:
                return [each for each in found if each.path in (path, path + suffix)] or found
        meant = places(key)
        return [each for each in self._notes if each.key in meant]

    def by_tail(self) -> Iterator[_Entry]:
        """A file name anywhere, or a path whose beginning is not the vault's: of another checkout or folder."""
        steps = segments(self._target)
        if not steps or (len(steps) == 1 and stem(steps[0]) in FOLDER_NOTES):
            return
        for start in range(len(steps)):
            endings = tails(steps[start:])
            found = [each for each in self._notes if f"/{each.key}".endswith(endings)]
            if found:
                named = [each for each in found if not is_folder_note(each.path) or stem(steps[-1]) in FOLDER_NOTES]
                yield from self._headed(named or found)
                return

    def _headed(self, notes: Sequence[_Entry]) -> Iterator[_Entry]:
        """The decisions that a heading behind the path means; where it is none of a log, the notes themselves."""
        for note in notes:
            under = list(self._under(note.path)) if self._target.anchor else []
            yield from under or [note]

    def _under(self, note: str) -> Iterator[_Entry]:
        """The decision of a log that a heading or its slug means: the longest that it begins with."""
        asked = _slug(self._target.anchor)
        parts = [each for each in self._parts if each.note == note]
        known = [(max(_agreement(asked, _slug(name)) for name in each.names), each) for each in parts]
        best = max((length for length, _ in known), default=0)
        found = [each for length, each in known if length == best > 0]
        identity = spoken(self._target.anchor)
        if not found and identity is not None:
            found = [each for each in parts if identity in each.numbers]
        yield from found

    def by_title(self) -> Iterator[_Entry]:
        """A title or an alias; of decisions in logs only where no note is called so."""
        texts = (self._target.path, "" if self._target.is_wikilink else self._target.text)
        for entries in (self._notes, self._parts):
            for text in filter(None, texts):
                asked = fold_title(text)
                if found := [each for each in entries if asked in each.names and self.may_mean(each)]:
                    yield from found
                    return

    def by_number(self) -> Iterator[_Entry]:
        """The number in a file name, in the words of a link, in the address of an issue.

        Words that lead out of the vault say a number of it only when the series is the record's too: trackers and
        other repositories have numbers of their own.
        """
        for entries in (self._notes, self._parts):
            found = self._in_path(entries) or self._in_words(entries) or self._in_address(entries)
            if found:
                yield from found
                return

    def _in_path(self, entries: Sequence[_Entry]) -> list[_Entry]:
        path = written_path(self._target).rstrip("/")
        found = self._numbered_like(last_name(path), entries, _SAME_SERIES if self._target.url else _ANY)
        if "/" not in path or not found:
            return found
        near = {self._folder, *(folder_of(each) for each in anchored(self._target, self._note))}
        identity = identify(last_name(path))
        letters = "" if identity is None else identity.letters
        return [each for each in found if each.home in near or letters == each.series != ""]

    def _in_words(self, entries: Sequence[_Entry]) -> list[_Entry]:
        text, issue = self._target.text, issue_number(self._target)
        if not self._target.url:
            return self._numbered_like(text, entries, _ANY)
        if issue and _SHORTHAND.fullmatch(text):
            return []
        identity = spoken(text)
        is_same = identity is not None and identity.letters and issue == str(identity.numbers[0])
        return self._numbered_like(text, entries, _ANY if is_same else _SAME_SERIES)

    def _in_address(self, entries: Sequence[_Entry]) -> list[_Entry]:
        """The number of an issue, where the repository or the words name the record's series or a folder over it."""
        issue = issue_number(self._target)
        if not issue:
            return []
        words = {repository(self._target), *re.findall(r"[^\W\d_]+", fold(self._target.text))}
        said = {form for word in words for form in (word, f"{word}s", word.removesuffix("s")) if form}
        fitting = self._numbered_like(issue, entries, _ANY)
        return [each for each in fitting if said & {each.series, *each.folders}]

    def _numbered_like(self, name: str, entries: Sequence[_Entry], least: int) -> list[_Entry]:
        """The records with the number that a name begins with, of the likeliest series only."""
        identity = spoken(name) if name else None
        if identity is None:
            return []
        ranked = [(self._kinship(identity, each), each) for each in entries if each.has(identity)]
        ranked = [(rank, each) for rank, each in ranked if rank >= least and self.may_mean(each)]
        best = max((rank for rank, _ in ranked), default=0)
        return [each for rank, each in ranked if rank == best]

    def _kinship(self, asked: Numbered, entry: _Entry) -> int:
        """How likely a number means this record, 0 for not at all: the same series first, then the same folder."""
        near = 2 if entry.folder == self._folder else int(entry.home == self._home)
        length = len(asked.numbers)
        return max(
            self._likeness(asked.letters, each.letters, entry, near)
            for each in entry.numbers
            if each.numbers[:length] == asked.numbers
        )

    def _likeness(self, letters: str, found: str, entry: _Entry, near: int) -> int:
        """The rank of a record whose number fits; `near` is 0 to 2."""
        if not letters:
            return 9 * (found == self._series) + 3 * near + 1
        if found == letters:
            return 24 + near
        if not found:
            if {letters, letters + "s"} & entry.folders:
                return _SAME_SERIES + near
            return 6 + near if len(letters) <= _LONGEST_SERIES else 0
        slip = found.startswith(letters) or letters.startswith(found)
        return int(near > 0 and slip and len(letters) > 1)

    def is_renamed(self, paths: Sequence[DocPath]) -> bool:
        """Whether the file that is named says something else behind its number than the one that was found."""
        name = last_name(written_path(self._target))
        if name.isdigit():
            return False
        said = set() if " " in name or spoken(name) is None else set(words_after(name).split())
        found = [set(words_after(number_name(path)).split()) for path in paths]
        return bool(said) and any(words - said and said - words for words in found if words)


_READINGS: Final[tuple[Callable[[_Reader], Iterator[_Entry]], ...]] = (
    _Reader.by_own_heading,
    _Reader.by_path,
    _Reader.by_tail,
    _Reader.by_own_log,
    _Reader.by_title,
    _Reader.by_number,
)
"""How a reference is looked up, the surest reading first; the first that finds a record decides."""

_ANY: Final = 1
_SAME_SERIES: Final = 18
"""Ranks of `_likeness`: any that may be meant, and those whose letters or folder agree."""
_LONGEST_SERIES: Final = 4
"""Letters of a series whose files have bare numbers: `ADR-5` may be `0005-x.md`, `prototype-5` is something else."""
_SHORTHAND: Final = re.compile(r"\W*(?:[\w./-]*#|(?i:pr|pull(?: request)?|issue|mr|gh)[ #!-]*)\d+\W*")
"""How a tracker's numbers are written: `x#66`, `#66`, `PR 66`."""


def _narrow(found: list[_Entry], source: DocPath) -> tuple[tuple[DocPath, ...], tuple[DocPath, ...]]:
    """(The one record, or the only one of the same note or folder; else those among which nothing decides).

    A document goes before the note that speaks for it and is called after it.
    """
    known = {each.path for each in found}
    found = [each for each in found if each.owner not in known]
    if len(found) == 1:
        return (found[0].path,), ()
    folder, home, note = _folder(source), _home(source), note_path(source)
    for near in (
        [each for each in found if each.note == note],
        [each for each in found if each.folder == folder],
        [each for each in found if each.home == home],
    ):
        if near:
            paths = tuple(each.path for each in near)
            return (paths, ()) if len(paths) == 1 else ((), paths)
    return (), tuple(each.path for each in found)


def _folder(path: str) -> str:
    """The folder that a record's note lies in."""
    return folder_of(note_path(path))


def _home(path: str) -> str:
    """The folder that a record is listed in: a README's is the one above its own."""
    return folder_of(_folder(path)) if is_folder_note(note_path(path)) else _folder(path)


def _slug(heading: str) -> str:
    """A heading as GitHub writes it in an address; a slug stays as it is."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", fold(heading.strip())))


def _agreement(asked: str, slug: str) -> int:
    """How much of a heading's slug is the slug of a name: all of it or what it begins with, in characters."""
    return len(slug) if slug and (asked == slug or asked.startswith(f"{slug}-")) else 0
