"""The config's `include` and `exclude`: globs over paths inside the vault.

A glob is anchored at the vault's root. `**` is any depth, none included, `*` stays within a segment, `dir/`
means `dir/**`. A last segment without wildcards may name a file or a folder, and a folder stands for all below
it: `drafts` and `**/drafts` leave out what lies in such a folder. `{a,b}` is one or the other. Suffixes match in
either case, everything else as written; both sides are NFC.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from docs_rag.core.wildcards import ANY_DEPTH, path_regex
from docs_rag.errors import ConfigError

_MOST_ALTERNATIVES = 500
"""More patterns than this out of one pair of braces or a product of several are refused."""

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_ABSOLUTE = re.compile(r"/|~/|[A-Za-z]:/")
_WILDCARD = re.compile(r"[*?\[]")
_ANY_NAME_WITH_SUFFIX = re.compile(r"\*(\.[^.*?\[\]]+)")
_WILDCARD_WITH_SUFFIX = re.compile(r".*[*?\]].*\.[^*]+", re.DOTALL)


class Globs:
    """A compiled set of globs; a path matches when one of them does."""

    __slots__ = ("_below", "_covering", "_suffixes", "_whole", "_with_suffix")

    def __init__(self, patterns: Sequence[str], *, key: str = "include") -> None:
        """Compile; raises `ConfigError`, which names the pattern and `key`, for one that cannot be meant."""
        split = [segments for pattern in patterns for segments in _parse(pattern, key)]
        self._suffixes = tuple(filter(None, map(_plain_suffix, split)))
        slow = [segments for segments in split if not _plain_suffix(segments)]
        self._whole = _compile(map(_regex, slow))
        self._with_suffix = _compile(map(_regex, filter(_spells_out_a_suffix, slow)))
        self._covering = _compile(map(_covered_regex, split))
        self._below = _compile(map(_ancestors_regex, split))

    def __bool__(self) -> bool:
        """False when there is no pattern at all."""
        return bool(self._suffixes or self._whole)

    @property
    def suffixes(self) -> tuple[str, ...] | None:
        """How all that may match ends, in lower case; None where it may end otherwise."""
        return None if self._whole is not None else self._suffixes

    def matches(self, path: str) -> bool:
        """Whether a glob matches the path: relative, `/` separated, NFC."""
        if self._suffixes and path.lower().endswith(self._suffixes):
            return True
        return self._whole is not None and self._whole.fullmatch(path) is not None

    def matches_by_suffix(self, path: str) -> bool:
        """Whether a glob that spells out a suffix (`*.md`) matches: what is wanted is then surely a file."""
        if self._suffixes and path.lower().endswith(self._suffixes):
            return True
        return self._with_suffix is not None and self._with_suffix.fullmatch(path) is not None

    def covers(self, folder: str) -> bool:
        """Whether everything below the folder matches, however deep; not claimed unless certain."""
        return self._covering is not None and self._covering.fullmatch(folder) is not None

    def could_match_below(self, folder: str) -> bool:
        """Whether something below the folder (`""` is the root) may match; denied only when it cannot."""
        return self._below is not None and self._below.fullmatch(folder) is not None


class GlobsBelow(Globs):
    """Globs for the files of one folder: they are asked about paths that count from there."""

    __slots__ = ("_prefix",)

    def __init__(self, patterns: Sequence[str], folder: str, *, key: str = "include") -> None:
        """`folder`: the path that all others count from, not empty; raises as `Globs` does."""
        super().__init__(patterns, key=key)
        self._prefix = f"{folder}/"

    def matches(self, path: str) -> bool:
        """See `Globs.matches`."""
        return super().matches(self._prefix + path)

    def matches_by_suffix(self, path: str) -> bool:
        """See `Globs.matches_by_suffix`."""
        return super().matches_by_suffix(self._prefix + path)

    def covers(self, folder: str) -> bool:
        """See `Globs.covers`."""
        return super().covers((self._prefix + folder).rstrip("/"))

    def could_match_below(self, folder: str) -> bool:
        """See `Globs.could_match_below`."""
        return super().could_match_below((self._prefix + folder).rstrip("/"))


def _compile(expressions: Iterable[str | None]) -> re.Pattern[str] | None:
    """One expression for all, or None for none."""
    parts = [f"(?:{expression})" for expression in expressions if expression is not None]
    return re.compile("|".join(parts), re.DOTALL) if parts else None


def _plain_suffix(segments: list[str]) -> str | None:
    """The suffix, in lower case, when the glob is `**/*.suffix`: then a comparison of ends will do."""
    if len(segments) != 2 or segments[0] != ANY_DEPTH:
        return None
    found = _ANY_NAME_WITH_SUFFIX.fullmatch(segments[1])
    return found[1].lower() if found else None


def _spells_out_a_suffix(segments: list[str]) -> bool:
    """True for `*.md` and the like; a name without wildcards may as well be a folder's, `v1.2`."""
    return _WILDCARD_WITH_SUFFIX.fullmatch(segments[-1]) is not None


def _regex(segments: list[str]) -> str | None:
    return path_regex(segments, fold_suffix=True)


def _covered_regex(segments: list[str]) -> str | None:
    """Matches the folders of which the glob takes everything; None when there is no such folder."""
    if segments[-1] != ANY_DEPTH:
        return None
    folder = segments[:-1]
    return f"{path_regex(folder)}(?:/.*)?" if folder else ".*"


def _ancestors_regex(segments: list[str]) -> str:
    """Matches the folders on the way to what the glob matches, from the root (the empty path) on."""
    *folders, _ = segments
    fixed = folders[: folders.index(ANY_DEPTH)] if ANY_DEPTH in folders else folders
    open_end = len(fixed) < len(folders) or segments[-1] == ANY_DEPTH
    if not fixed:
        return ".*" if open_end else ""
    expression = "(?:/.*)?" if open_end else ""
    for place, segment in reversed(list(enumerate(fixed))):
        slash = "/" if place else ""
        expression = f"(?:{slash}{path_regex([segment])}{expression})?"
    return expression


def _parse(pattern: str, key: str) -> Iterator[list[str]]:
    """One glob as segments, one list an alternative; what names a file or a folder gives two."""
    _refuse_unmeant(pattern, key)
    for alternative in _expand(unicodedata.normalize("NFC", pattern.strip()), pattern, key):
        segments = _segments(alternative, pattern, key)
        yield segments
        if not _WILDCARD.search(segments[-1]):
            yield [*segments, ANY_DEPTH]


def _refuse_unmeant(pattern: str, key: str) -> None:
    """Raises for what would match nothing in silence: an empty pattern, a negation, a list in one string."""
    if not pattern.strip():
        raise ConfigError(f"{key} holds an empty pattern", "remove it, or write **/*.md")
    if pattern.strip().startswith("!"):
        raise ConfigError(
            f"{key} pattern {pattern!r} begins with '!', which has no meaning here",
            f'leave out what you do not want with "exclude": ["{pattern.strip()[1:]}"]',
        )
    if "," in _without_groups(pattern):
        items = ", ".join(f'"{item.strip()}"' for item in pattern.split(","))
        raise ConfigError(
            f"{key} pattern {pattern!r} is several patterns in one string",
            f'write a list: "{key}": [{items}]; for a comma in a name write [,]',
        )


def _without_groups(pattern: str) -> str:
    """The pattern without its braces and brackets, in which a comma has its place."""
    bare = re.sub(r"\[[^\]]+\]", "", pattern)
    while bare != (shorter := _BRACES.sub("", bare)):
        bare = shorter
    return bare


def _expand(text: str, pattern: str, key: str) -> list[str]:
    """All that `{a,b}` stands for, innermost braces first; braces without a comma stand for themselves."""
    done: list[str] = []
    todo = [text]
    while todo:
        if len(done) + len(todo) > _MOST_ALTERNATIVES:
            raise ConfigError(f"{key} pattern {pattern!r} stands for too many patterns", "use fewer braces")
        current = todo.pop()
        found = _BRACES.search(current)
        if found is None:
            done.append(current)
            continue
        before, after = current[: found.start()], current[found.end() :]
        todo.extend(f"{before}{choice}{after}" for choice in reversed(found[1].split(",")))
    return list(dict.fromkeys(done))


def _segments(text: str, pattern: str, key: str) -> list[str]:
    """Cuts at the separators of either system; raises `ConfigError` for a glob that leaves the vault."""
    text = text.replace("\\", "/")
    segments = [segment for segment in text.split("/") if segment not in ("", ".")]
    if _ABSOLUTE.match(text) or ".." in segments:
        raise ConfigError(
            f"{key} pattern {pattern!r} leads outside the vault",
            "write it relative to vaultPath, such as docs/**/*.md, or set another vaultPath",
        )
    if not segments or text.endswith("/"):
        segments.append(ANY_DEPTH)
    return _normal(segments)


def _normal(segments: list[str]) -> list[str]:
    """One `**` for several in a row, and `**` for a final `**/*`, which means the same."""
    normal: list[str] = []
    for segment in segments:
        if not (segment == ANY_DEPTH and normal and normal[-1] == ANY_DEPTH):
            normal.append(segment)
    return normal[:-1] if normal[-2:] == [ANY_DEPTH, "*"] else normal
