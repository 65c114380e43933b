"""Which notes a reference means.

A reference is looked up by its surest reading first: path, file name, alias or title, number. Several notes that fit
equally well are reported, never chosen from. A note is never its own successor, so the note that holds the reference
is left out of what it can mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple
from urllib.parse import unquote

from docs_rag.core.citations import Target, split_references, take_apart
from docs_rag.core.documents import DocPath

_SUFFIXES: Final = ("", ".md", ".mdx", ".markdown")
_FOLDER_NOTES: Final = ("readme", "index")
_NUMBERED: Final = re.compile(
    r"#?(?P<letters>[^\W\d_]{0,10})[-_ .#]?#?(?P<number>\d{1,9})(?!\d)(?P<more>(?:[-.]\d{1,9}(?![^\W_]))*)"
)
_SPOKEN: Final = re.compile(
    r"\W*(?:[A-Z]{2,10}[-_ #]{0,2}|[^\W\d_]{1,10}[-_#]|[^\W\d_]{2,10}(?=\d{3}))\d{1,9}(?![^\W_]|\.\d)"
    r"|\W*\d{1,9}(?![^\W_]|\.\d|\s+\w)"
)
_LONGEST_SERIES: Final = 4
"""Letters of a series whose files have bare numbers: `ADR-5` may be `0005-x.md`, `prototype-5` is something else."""
_FIRST_NUMBER: Final = re.compile(r"#?[^\W\d_]{0,10}[-_ .#]?#?0*(\d{1,9})(?!\d)")
_DATED: Final = re.compile(r"(?:19|20)\d\d([-_.])(?:0[1-9]|1[0-2])(?:\1\d\d)?(?!\d)")
_LETTER_O: Final = re.compile(r"(?<=[-_ ])[oO]{1,4}(?=\d)")
_BLOB: Final = re.compile(r"<?https?://[^/]+/[^/]+/[^/]+/(?:-/)?(?:blob|tree|raw|src)/[^/]+/(?P<path>[^?#>]+)")
_ISSUE: Final = re.compile(r"<?https?://[^/]+/[^/]+/[^/]+/(?:-/)?(?:issues|pull|merge_requests)/(?P<number>\d+)")


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a reference means: notes, or notes among which it does not decide, or nothing at all."""

    paths: tuple[DocPath, ...] = ()
    ambiguous: tuple[DocPath, ...] = ()


class NamedNote(NamedTuple):
    """Everything that a note can be called."""

    path: DocPath
    title: str
    aliases: Sequence[str] = ()
    ids: Sequence[str] = ()


class _Numbered(NamedTuple):
    path: DocPath
    letters: str
    numbers: tuple[int, ...]


_NOTHING: Final = Resolution()


class Names:
    """The names of all notes of a vault; each kind is indexed when the first reference asks for it."""

    def __init__(self, notes: Iterable[NamedNote]) -> None:
        """Keep the notes; their paths must be distinct."""
        self._notes = list(notes)

    def resolve(self, reference: str, source: DocPath) -> Resolution:
        """The notes that a reference in the note `source` means.

        Usually one; several when the text names several that nothing but their names tells apart (`Caching, Queues`).
        """
        found = self._resolve_one(take_apart(reference), source)
        if found.paths or found.ambiguous:
            return found
        parts = re.split(r"\s*[,;&+、，；]\s*|\s+and\s+", reference)
        if len(parts) < 2 or split_references(reference) != (reference,):
            return found
        several = [self._resolve_one(take_apart(part), source) for part in parts if part]
        paths = tuple(dict.fromkeys(path for each in several for path in each.paths))
        return Resolution(paths, tuple(path for each in several for path in each.ambiguous))

    def _resolve_one(self, target: Target, source: DocPath) -> Resolution:
        for reading in _READINGS:
            found = [path for path in reading(self, target, source) if path != source]
            if found:
                return _narrow(list(dict.fromkeys(found)), source)
        return _NOTHING

    def _by_path(self, target: Target, source: DocPath) -> Iterator[DocPath]:
        """The path as it stands: from the note's folder, from the vault's root; a folder means its README."""
        for path in _anchored(target, source):
            found = list(self._at(path))
            if found:
                yield from found
                return

    def _at(self, path: str) -> Iterator[DocPath]:
        key = _fold(path)
        for suffix in _SUFFIXES:
            if found := self._paths.get(key + suffix):
                yield from ([each for each in found if each in (path, path + suffix)] or found)
                return
        for name in _FOLDER_NOTES:
            yield from self._paths.get(f"{key}/{name}.md" if key else f"{name}.md")

    def _by_tail(self, target: Target, source: DocPath) -> Iterator[DocPath]:
        """A file name anywhere, or a path whose beginning is not the vault's: of another checkout or folder."""
        segments = _segments(target)
        if not segments:
            return
        stem = _stem(segments[-1])
        if stem in _FOLDER_NOTES:
            candidates = self._folders.get(segments[-2]) if len(segments) > 1 else ()
        else:
            candidates = self._stems.get(stem) or self._folders.get(segments[-1])
        for start in range(len(segments)):
            tail = "/" + "/".join(segments[start:])
            found = [path for path in candidates if _ends(path, tail)]
            if found:
                yield from found
                return

    def _by_title(self, target: Target, source: DocPath) -> Iterator[DocPath]:
        for text in (target.path, target.text):
            if text and (found := self._titles.get(_fold_title(text))):
                yield from found
                return

    def _by_number(self, target: Target, source: DocPath) -> Iterator[DocPath]:
        """The number in a file name, in the words of a link, in the address of an issue."""
        folder, _, name = target.path.rstrip("/").rpartition("/")
        candidates = self._numbered_like(name, source)
        if folder:
            near = {_folder(source), _folder("/".join(_walk(_folder(source), target.path.rstrip("/"))))}
            letters = _letters(name)
            candidates = [each for each in candidates if _folder(each.path) in near or letters == each.letters != ""]
        if not candidates:
            candidates = self._numbered_like(target.text, source)
        if not candidates and (issue := _ISSUE.match(target.url)) is not None:
            candidates = self._numbered_like(issue["number"], source)
        return iter([each.path for each in candidates])

    def _numbered_like(self, name: str, source: DocPath) -> list[_Numbered]:
        """The notes with the number that a name begins with, of the likeliest series only."""
        name = _LETTER_O.sub(lambda found: "0" * len(found[0]), name)
        identity = _identify(name) if _SPOKEN.match(name) else None
        if identity is None:
            return []
        letters, numbers = identity
        fitting = [each for each in self._numbered(numbers[0]) if each.numbers[: len(numbers)] == numbers]
        ranked = [(_kinship(letters, each, source), each) for each in fitting if each.path != source]
        best = max((rank for rank, _ in ranked), default=0)
        return [each for rank, each in ranked if rank == best > 0]

    def _numbered(self, number: int) -> Iterator[_Numbered]:
        for path, name in self._numbers.get(str(number), ()):
            found = _identify(name)
            if found is not None:
                yield _Numbered(path, *found)

    @cached_property
    def _paths(self) -> _Index:
        return _Index((_fold(note.path), note.path) for note in self._notes)

    @cached_property
    def _stems(self) -> _Index:
        return _Index((_stem(_fold(path.rpartition("/")[2])), path) for path, *_ in self._notes)

    @cached_property
    def _folders(self) -> _Index:
        paths = [path for name in _FOLDER_NOTES for path in self._stems.get(name)]
        return _Index((_fold(path).rpartition("/")[0].rpartition("/")[2], path) for path in paths)

    @cached_property
    def _titles(self) -> _Index:
        return _Index((_fold_title(name), note.path) for note in self._notes for name in _called(note))

    @cached_property
    def _numbers(self) -> dict[str, list[tuple[DocPath, str]]]:
        """Notes and the names that carry their numbers, by the first number without its zeros."""
        index: dict[str, list[tuple[DocPath, str]]] = {}
        for path, _, _, ids in self._notes:
            for name in (_name_of(path), *ids):
                found = _FIRST_NUMBER.match(name)
                if found is not None:
                    dated = name[:2] in ("19", "20") and _DATED.match(name)
                    key = str(_date_number(dated[0])) if dated else found[1]
                    index.setdefault(key, []).append((path, name))
        return index


class _Index:
    """Names and the paths they lead to; nearly every name leads to one."""

    def __init__(self, entries: Iterable[tuple[str, DocPath]]) -> None:
        self._first: dict[str, DocPath] = {}
        self._more: dict[str, list[DocPath]] = {}
        for name, path in entries:
            known = self._first.setdefault(name, path)
            if known is not path:
                self._more.setdefault(name, [known]).append(path)

    def get(self, name: str) -> Sequence[DocPath]:
        first = self._first.get(name)
        return () if first is None else self._more.get(name) or (first,)


_READINGS: Final[tuple[Callable[[Names, Target, DocPath], Iterator[DocPath]], ...]] = (
    Names._by_path,
    Names._by_tail,
    Names._by_title,
    Names._by_number,
)
"""How a reference is looked up, the surest reading first; the first that finds a note decides."""


def _called(note: NamedNote) -> Iterator[str]:
    """What a note is called, apart from its file name; a bare number is looked up as a number."""
    yield note.title
    yield from note.aliases
    yield from (each for each in note.ids if not each.isdigit())


def _narrow(found: list[DocPath], source: DocPath) -> Resolution:
    """One note, or the one in the same folder, or no decision."""
    if len(found) > 1:
        near = [path for path in found if _folder(path) == _folder(source)]
        if len(near) != 1:
            return Resolution(ambiguous=tuple(found))
        found = near
    return Resolution(tuple(found))


def _kinship(letters: str, note: _Numbered, source: DocPath) -> int:
    """How likely a number means this note, 0 for not at all: the same series first, then the same folder."""
    near = _folder(note.path) == _folder(source)
    if not letters:
        return 4 * (note.letters == _letters(_name_of(source))) + 2 * near + 1
    if note.letters == letters:
        return 8 + near
    if not note.letters:
        if {letters, letters + "s"} & set(_fold(note.path).split("/")[:-1]):
            return 6 + near
        return 2 + near if len(letters) <= _LONGEST_SERIES else 0
    slip = note.letters.startswith(letters) or letters.startswith(note.letters)
    return int(near and slip and len(letters) > 1)


def _identify(name: str) -> tuple[str, tuple[int, ...]] | None:
    """Series letters and numbers that a name begins with: `ADR-0012` is `adr` 12; a date is one number."""
    if (dated := _DATED.match(name)) is not None:
        return "", (_date_number(dated[0]),)
    found = _NUMBERED.match(name)
    if found is None:
        return None
    more = re.findall(r"\d+", found["more"])
    return found["letters"].casefold(), (int(found["number"]), *map(int, more))


def _date_number(dated: str) -> int:
    return int(re.sub(r"\D", "", dated))


def _letters(name: str) -> str:
    found = _identify(name)
    return found[0] if found else ""


def _anchored(target: Target, source: DocPath) -> Iterator[str]:
    """The paths in the vault that a written path may mean, the likeliest first."""
    if not target.path:
        return
    rooted = "/".join(_walk("", target.path))
    near = "/".join(_walk(_folder(source), target.path))
    if target.path.startswith("/"):
        yield rooted
    elif target.is_wikilink and not target.path.startswith("."):
        yield from (rooted, near)
    else:
        yield from (near, rooted)


def _walk(folder: str, path: str) -> list[str]:
    """The segments of a path walked from a folder; one that climbs out of the vault stays at its root."""
    segments = folder.split("/") if folder else []
    for segment in path.split("/"):
        if segment == "..":
            segments = segments[:-1]
        elif segment not in ("", "."):
            segments.append(segment)
    return segments


def _segments(target: Target) -> list[str]:
    blob = _BLOB.match(target.url)
    path = unquote(blob["path"]) if blob else target.path
    return [each for each in _fold(path).split("/") if each not in ("", ".", "..")]


def _ends(path: DocPath, tail: str) -> bool:
    folded = "/" + _fold(path)
    endings = (*_SUFFIXES, *(f"/{name}.md" for name in _FOLDER_NOTES))
    return folded.endswith(tuple(tail + ending for ending in endings))


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _name_of(path: DocPath) -> str:
    """The name that carries a note's number: its file's, or its folder's for a README."""
    folder, _, name = path.rpartition("/")
    if name[:1] in "rRiI" and _stem(name.lower()) in _FOLDER_NOTES:
        return folder.rpartition("/")[2]
    return name


def _stem(name: str) -> str:
    """A folded file name without its suffix, if that is a note's."""
    stem, dot, suffix = name.rpartition(".")
    return stem if stem and dot + suffix in _SUFFIXES else name


def _fold(path: str) -> str:
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", path).casefold()


def _fold_title(text: str) -> str:
    return _fold(" ".join(text.split()))
