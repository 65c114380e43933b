"""Rules that name places in a vault as people speak of them: `archive` is also the folder `4 Archives`.

`defaultExclude`, `pathBoosts` and a query's `within` and `exclude` use the same matching:

- An entry without `/` matches one whole segment of the path; with `/`, segments that follow each other.
- Case, Unicode form and one `s` at the end make no difference.
- Digits, signs and spaces before the name make none either, unless the entry has digits of its own:
  `4 archives` is that folder alone.
- A file is matched by its name with the suffix: `plans` is a folder, `plans.md` a note.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import dropwhile, takewhile


class PathRules:
    """A list of entries, ready to judge many paths; what was found for a folder is kept."""

    __slots__ = ("_endings", "_folders", "_rules")

    def __init__(self, entries: Sequence[str]) -> None:
        """Prepare the entries; one that names nothing, such as `/`, never matches."""
        rules = [(entry, _entry_keys(entry)) for entry in entries]
        self._rules = [(entry, keys) for entry, keys in rules if keys]
        self._endings = tuple({end for _, keys in self._rules for end in (keys[-1], f"{keys[-1]}s")})
        self._folders: dict[str, str | None] = {"": None}

    def __bool__(self) -> bool:
        """False when nothing can match."""
        return bool(self._rules)

    def matches(self, path: str) -> str | None:
        """The entry that a file's path matches, as it was written, or None; an outer folder's comes first."""
        folder, _, name = path.rpartition("/")
        return self.matches_folder(folder) or self._ending_with(path, name)

    def matches_folder(self, folder: str) -> str | None:
        """The entry that a folder's path matches, or None; the vault's root is `""`."""
        unknown: list[str] = []
        while folder not in self._folders:
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        found = self._folders[folder]
        for below in reversed(unknown):
            found = found or self._ending_with(below, below.rpartition("/")[2])
            self._folders[below] = found
        return found

    def _ending_with(self, path: str, name: str) -> str | None:
        """The first entry whose segments are the last ones of the path."""
        # Stripping takes from the front alone, so a match needs the same end; nearly every file has another.
        if not _folded(name).endswith(self._endings):
            return None
        segments = [_segment_keys(segment) for segment in path.split("/")]
        for entry, keys in self._rules:
            tail = segments[-len(keys) :]
            if len(tail) == len(keys) and all(map(frozenset.__contains__, tail, keys)):
                return entry
        return None


class Boosts:
    """Entries with factors, matched as `PathRules` does."""

    __slots__ = ("_factors",)

    def __init__(self, mapping: Mapping[str, float]) -> None:
        """Prepare the entries; that factors are positive is the caller's business."""
        self._factors = [(PathRules([entry]), factor) for entry, factor in mapping.items()]

    def factor(self, path: str) -> float:
        """The product of the factors of all entries that match a file's path; 1.0 when none does."""
        return math.prod((factor for rules, factor in self._factors if rules.matches(path)), start=1.0)


def _entry_keys(entry: str) -> tuple[str, ...]:
    """What an entry asks of each segment; wildcards at its ends say nothing that is not so anyway."""
    segments = [segment.strip() for segment in entry.replace("\\", "/").split("/")]
    segments = [segment for segment in segments if segment not in ("", ".")]
    while segments and not segments[-1].strip("*"):
        segments.pop()
    named = dropwhile(lambda segment: not segment.strip("*"), segments)
    return tuple(_singular(_entry_form(segment)) for segment in named)


def _entry_form(segment: str) -> str:
    """The folded segment, without signs in front; digits in front are part of what the user asked for."""
    folded = _folded(segment)
    stripped = _without_lead(folded)
    lead = folded[: len(folded) - len(stripped)]
    return folded if any(map(str.isnumeric, lead)) else stripped


def _segment_keys(segment: str) -> frozenset[str]:
    """The keys that a path's segment answers to: as it is, and without what stands before the name."""
    folded = _folded(segment)
    return frozenset((_singular(folded), _singular(_without_lead(folded))))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _without_lead(folded: str) -> str:
    """Without all that comes before the first letter; a name that has no letter stays whole."""
    lead = sum(1 for _ in takewhile(lambda char: not char.isalpha(), folded))
    return folded[lead:] or folded


def _singular(folded: str) -> str:
    return folded[:-1] if len(folded) > 1 and folded.endswith("s") else folded
