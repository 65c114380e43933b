"""Keys by which records are found: every record has some, every reference asks for some.

A record that a reference can mean shares a key with it. So a reference is looked up among few records instead of all,
in memory or in an index that keeps the keys; and what a change of one note can do to the references of others is known
from the keys alone. The first letter of a key is its kind: `s` file name, `f` folder of a README, `t` title, alias or
id, `n` number, `p` the note that a part lies in. Indexes keep these keys: raise their schema's version with any change.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from docs_rag.core.citations import Target, split_references, take_apart
from docs_rag.core.documents import DocPath, note_path
from docs_rag.core.numbering import identify, spoken

SUFFIXES: Final = ("", ".md", ".mdx", ".markdown")
"""What a reference to a note may leave out."""
FOLDER_NOTES: Final = ("readme", "index")
"""File names, folded and without suffix, of notes that stand for their folder."""


class NamedNote(NamedTuple):
    """Everything that a record can be called; `path` is a part's (`log.md#D-013`) for a decision of a log."""

    path: DocPath
    title: str
    aliases: Sequence[str] = ()
    ids: Sequence[str] = ()


def handles(note: NamedNote) -> frozenset[str]:
    """The keys of a record."""
    return frozenset(_handles(note))


def keys_wanted(reference: str, source: DocPath) -> frozenset[str]:
    """The keys of all records that a reference in the record `source` can mean, however it is read."""
    targets = (take_apart(reference), *map(take_apart, several(reference)))
    return frozenset(key for target in targets for key in keys_of(target, source))


def several(reference: str) -> tuple[str, ...]:
    """The parts of a reference that may be several titles (`Caching, Queues`); empty when it is surely one."""
    parts = _SEPARATOR.split(reference)
    if len(parts) < 2 or split_references(reference) != (reference,):
        return ()
    return tuple(filter(None, parts))


def keys_of(target: Target, source: DocPath) -> Iterator[str]:
    """The keys that one reading of a reference asks for."""
    note = note_path(source)
    paths = [*anchored(target, note), *filter(None, ("/".join(segments(target)),))]
    for folder, name in {_ending(path) for path in paths}:
        yield from _keys_of_path(folder, name)
    if target.anchor:
        yield from (f"p{_part_key(path)}" for path in (paths if target.path else (fold(note),)))
    yield from (f"t{fold_title(text)}" for text in (target.path, target.text) if text)
    for name in (last_name(written_path(target)), target.text, issue_number(target)):
        if name and (found := spoken(name)) is not None:
            yield f"n{found.numbers[0]}"


def written_path(target: Target) -> str:
    """The path of a reference, or the path within the repository of an address that leads to a file of one."""
    blob = _BLOB.match(target.url) if target.url else None
    return unquote(blob["path"]) if blob else target.path


def issue_number(target: Target) -> str:
    """The number at the end of an address of an issue or pull request; empty for any other reference."""
    found = _ISSUE.match(target.url) if target.url else None
    return "" if found is None else found["number"]


def repository(target: Target) -> str:
    """The name of the repository that an address of an issue leads to, folded."""
    found = _ISSUE.match(target.url)
    return "" if found is None else fold(found["repository"])


def anchored(target: Target, source: str) -> Iterator[str]:
    """The paths in the vault that a written path may mean, the likeliest first."""
    if not target.path:
        return
    rooted = "/".join(walk("", target.path))
    near = "/".join(walk(folder_of(source), target.path))
    if target.path.startswith("/"):
        yield rooted
    elif target.is_wikilink and not target.path.startswith("."):
        yield from (rooted, near)
    else:
        yield from (near, rooted)


def walk(folder: str, path: str) -> list[str]:
    """The segments of a path walked from a folder; one that climbs out of the vault stays at its root."""
    steps = folder.split("/") if folder else []
    for step in path.split("/"):
        if step == "..":
            steps = steps[:-1]
        elif step not in ("", "."):
            steps.append(step)
    return steps


def segments(target: Target) -> list[str]:
    """The folded segments of a written path, or of one in an address of a repository."""
    return [each for each in fold(written_path(target)).split("/") if each not in ("", ".", "..")]


def folder_of(path: str) -> str:
    """A path without its last segment."""
    return path.rpartition("/")[0]


def last_name(path: str) -> str:
    """The last segment of a path, of a folder's too."""
    return path.rstrip("/").rpartition("/")[2]


def stem(name: str) -> str:
    """A folded file name without its suffix, if that is a note's."""
    before, dot, suffix = name.rpartition(".")
    return before if before and dot + suffix in SUFFIXES else name


def number_name(path: DocPath) -> str:
    """The name that carries a record's number: an anchor, a file's name, a folder's for a README."""
    note = note_path(path)
    if note != path:
        return path[len(note) + 1 :]
    folder, _, name = path.rpartition("/")
    return folder.rpartition("/")[2] if is_folder_note(path) else name


def is_folder_note(path: str) -> bool:
    """True for a note that stands for its folder."""
    name = path.rpartition("/")[2]
    return name[:1] in "rRiI" and stem(name.lower()) in FOLDER_NOTES


def fold(path: str) -> str:
    """A path whose case does not matter."""
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", path).casefold()


def fold_title(text: str) -> str:
    """A title whose case and spacing do not matter."""
    return fold(" ".join(text.split()))


def called(note: NamedNote) -> Iterator[str]:
    """What a record is called by words; a bare number is looked up as a number."""
    yield note.title
    yield from note.aliases
    yield from (each for each in note.ids if not each.isdigit())
    if (path := note_path(note.path)) != note.path:
        yield note.path[len(path) + 1 :]


_SEPARATOR: Final = re.compile(r"\s*[,;&+、，；]\s*|\s+and\s+")
_BLOB: Final = re.compile(r"<?https?://[^/]+/[^/]+/[^/]+/(?:-/)?(?:blob|tree|raw|src)/[^/]+/(?P<path>[^?#>]+)")
_ISSUE: Final = re.compile(
    r"<?https?://[^/]+/[^/]+/(?P<repository>[^/]+)/(?:-/)?(?:issues|pull|merge_requests)/(?P<number>\d{1,9})(?!\d)"
)


def _handles(note: NamedNote) -> Iterator[str]:
    path = note_path(note.path)
    if path != note.path:
        yield f"p{_part_key(fold(path))}"
    elif is_folder_note(path):
        yield f"f{fold(folder_of(path)).rpartition('/')[2]}"
    else:
        yield f"s{stem(fold(path.rpartition('/')[2]))}"
    for name in called(note):
        yield f"t{fold_title(name)}"
    for name in (number_name(note.path), *note.ids):
        if (found := identify(name)) is not None:
            yield f"n{found.numbers[0]}"


def _ending(path: str) -> tuple[str, str]:
    """The last two segments of a path, folded."""
    folder, _, name = fold(path).rpartition("/")
    return folder.rpartition("/")[2], name


def _keys_of_path(folder: str, name: str) -> Iterator[str]:
    yield f"f{name}"
    short = stem(name)
    if short in FOLDER_NOTES:
        yield f"f{folder}"
    if name:
        yield from (f"s{name}", f"s{short}")


def _part_key(path: str) -> str:
    """What the parts of a note are found by, whether its suffix is written or not."""
    folder, last = _ending(path)
    name = stem(last)
    return folder if name in FOLDER_NOTES else name
