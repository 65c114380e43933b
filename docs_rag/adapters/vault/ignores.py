"""Which files `.gitignore`, `.ignore` and `.ragignore` leave out, as git and ripgrep read them.

Within one file the last line that matches decides; of two files of one name, the one in the deeper folder; of
the kinds, `.ragignore` before `.ignore` before `.gitignore` before `.git/info/exclude`. A line is compared with
a path itself, not with what lies below it: the walk never enters a folder that is ignored, which is why, as in
git, no line can bring back a file from such a folder. A `.gitignore` counts whether or not there is a repository;
the user's global ignore file does not count.

Format: https://git-scm.com/docs/gitignore; order of the kinds: ripgrep's guide. `pathspec` is not used: it judges
files alone, and about the folders of a list that names what to keep (`*`, `!*/`, `!*.md`) it is wrong; loading it
takes as long as walking through 3,000 notes.
"""

# Paths are plain text here: a Path object for each file costs more than its status.
# ruff: noqa: PTH116, PTH118, PTH120

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from docs_rag.adapters.vault.opening import open_file, read_all
from docs_rag.core.wildcards import ANY_DEPTH, path_regex

_KINDS: tuple[tuple[str, ...], ...] = (
    (".ragignore",),
    (".ignore",),
    (".gitignore",),
    (".git", "info", "exclude"),
)
"""Where a folder's ignore files lie, the strongest kind first."""
_REPOSITORY = ".git"
_OF_REPOSITORY = frozenset(kind for kind, place in enumerate(_KINDS) if place[0].startswith(_REPOSITORY))

_LARGEST = 256 * 1024
"""Bytes of an ignore file that are read; what comes after them is no list of patterns that a person wrote."""

_SPECIAL = re.compile(r"[*?\[\\]")

_PROBE = "\x01"
"""Stands for any file: no pattern matches this name without matching every other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line of an ignore file."""

    text: str
    """The pattern without its marks: `!`, the `/` at its ends."""
    regex: str
    on_name: bool
    """Compared with the last segment of a path instead of the whole."""
    folders_only: bool
    keeps: bool
    """A line with `!`: what it matches is not ignored after all."""


def parse_rule(line: str) -> Rule | None:
    """Reads one line; None for a blank one, a comment and a pattern that can match nothing."""
    text = unicodedata.normalize("NFC", _without_trailing_spaces(line.rstrip("\r\n")))
    if not text or text.startswith("#"):
        return None
    keeps = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    on_name = "/" not in text
    text = text.removeprefix("/")
    segments = ["*"] if on_name and text == ANY_DEPTH else text.split("/")
    regex = path_regex(segments, git=True)
    if not regex:
        return None
    return Rule(text=text, regex=regex, on_name=on_name, folders_only=folders_only, keeps=keeps)


def _without_trailing_spaces(text: str) -> str:
    """A space at the end counts only after a backslash."""
    bare = text.rstrip(" ")
    escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return bare + " " if escaped and bare != text else bare


class IgnoreFile:
    """The rules of one file, compiled; they speak of paths relative to its folder.

    Most paths match no rule. That is found out first, in few steps however long the file is.
    """

    __slots__ = ("_any_name", "_any_path", "_cut", "_endings", "_names", "_prefix", "_rules", "mark")

    def __init__(self, rules: Iterable[Rule], *, base: str = "", prefix: str = "") -> None:
        """Compile the rules of the file in the vault's folder `base`, or in one above the vault.

        `prefix` is then the way from that folder down to the vault, with a `/` at its end.
        """
        self._cut = len(base) + 1 if base else 0
        self._prefix = prefix
        backwards = list(rules)[::-1]
        self._rules = backwards
        self.mark = repr(
            (base, prefix, [(each.text, each.folders_only, each.keeps, each.on_name) for each in backwards])
        )
        """All that decides on a verdict."""
        on_name = [rule for rule in backwards if rule.on_name]
        self._names = frozenset(rule.text for rule in on_name if _is_literal(rule.text))
        self._endings = tuple({rule.text[1:] for rule in on_name if _is_ending(rule.text)})
        others = (rule for rule in on_name if not (_is_literal(rule.text) or _is_ending(rule.text)))
        self._any_name = _any_of(rule.regex for rule in others)
        self._any_path = _any_of(rule.regex for rule in backwards if not rule.on_name)

    def verdict(self, path: str, name: str, is_folder: bool) -> bool | None:
        """True: ignored; False: expressly kept; None: the file says nothing of this path of the vault."""
        path = self._prefix + path[self._cut :]
        if not (self._may_match_name(name) or (self._any_path and self._any_path.fullmatch(path))):
            return None
        for rule in self._rules:
            target = name if rule.on_name else path
            if (is_folder or not rule.folders_only) and _compiled(rule.regex).fullmatch(target):
                return not rule.keeps
        return None

    def _may_match_name(self, name: str) -> bool:
        if name in self._names or name.endswith(self._endings):
            return True
        return self._any_name is not None and self._any_name.fullmatch(name) is not None


def _is_literal(text: str) -> bool:
    return _SPECIAL.search(text) is None


def _is_ending(text: str) -> bool:
    return text.startswith("*") and _is_literal(text[1:])


# A server scans again and again, and compiling is most of the work of reading an ignore file.
@lru_cache(maxsize=2048)
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.DOTALL)


def _any_of(expressions: Iterable[str]) -> re.Pattern[str] | None:
    joined = "|".join(f"(?:{expression})" for expression in expressions)
    return _compiled(joined) if joined else None


@dataclass(frozen=True, slots=True)
class Ignores:
    """All ignore files that speak of one folder, with their kinds, the one that decides first in front."""

    files: tuple[tuple[int, IgnoreFile], ...] = ()
    mark: bytes = b""
    """Other for files that may judge otherwise."""

    def __bool__(self) -> bool:
        """False when no file speaks of the folder; the walk asks first, for speed."""
        return bool(self.files)

    def ignores(self, path: str, name: str, *, is_folder: bool) -> bool:
        """Whether an entry of the folder is left out; `path` is relative to the vault, `name` its end."""
        for _, file in self.files:
            verdict = file.verdict(path, name, is_folder)
            if verdict is not None:
                return verdict
        return False

    def entering(self, disk: str, path: str, names: Collection[str]) -> Ignores:
        """What speaks of the vault's folder `path`, which lies at `disk` and holds `names`.

        A repository inside another begins anew: the outer one's `.gitignore` does not reach into it.
        """
        kept = self.files
        if path and _REPOSITORY in names:
            kept = tuple((kind, file) for kind, file in kept if kind not in _OF_REPOSITORY)
        own = [(kind, IgnoreFile(rules, base=path)) for kind, rules in _rules_in(disk, names)]
        return _ordered(own, kept) if own or kept is not self.files else self


def ignores_above(root: str) -> Ignores:
    """The ignore files in the folders above a vault, up to the root of the repository that holds it.

    A line that ignores the vault as a whole, by its name, by `*` or by `vault/*`, is passed over: who indexes
    a folder means what is in it. `root` is a real path.
    """
    found: list[tuple[int, IgnoreFile]] = []
    for folder in _folders_up_to_repository(root):
        prefix = os.path.relpath(root, folder).replace(os.sep, "/") + "/"
        for kind, rules in _rules_in(folder, [kind[0] for kind in _KINDS]):
            partial = [rule for rule in rules if rule.keeps or not _takes_all(rule, prefix)]
            found.append((kind, IgnoreFile(partial, prefix=prefix)))
    return _ordered(found)


def _ordered(*nearest_first: Sequence[tuple[int, IgnoreFile]]) -> Ignores:
    files = tuple(sorted((pair for pairs in nearest_first for pair in pairs), key=lambda pair: pair[0]))
    said = repr([(kind, file.mark) for kind, file in files]).encode("utf-8", "surrogatepass")
    return Ignores(files, blake2b(said, digest_size=16).digest())


def _takes_all(rule: Rule, prefix: str) -> bool:
    """Whether a rule matches the vault, a folder that holds it, or everything directly in it."""
    segments = prefix.rstrip("/").split("/")
    paths = ["/".join(segments[: end + 1]) for end in range(len(segments))]
    if not rule.folders_only:
        paths.append(prefix + _PROBE)
    targets = (path.rpartition("/")[2] if rule.on_name else path for path in paths)
    return any(map(_compiled(rule.regex).fullmatch, targets))


def _folders_up_to_repository(root: str) -> list[str]:
    """The folders above `root`, nearest first, up to a repository's; none when `root` is one or in none.

    As git does, stops at the edge of the file system, and before a folder of another user, who could hide
    notes.
    """
    folders: list[str] = []
    below = root
    try:
        vault = os.stat(root)
        owners = {0, vault.st_uid, os.geteuid() if hasattr(os, "geteuid") else 0}
        while not os.path.lexists(os.path.join(below, _REPOSITORY)):
            above = os.path.dirname(below)
            status = os.stat(above)
            if above == below or status.st_dev != vault.st_dev or status.st_uid not in owners:
                return []
            folders.append(above)
            below = above
    except OSError:
        return []
    return folders


def _rules_in(folder: str, names: Collection[str]) -> Iterator[tuple[int, list[Rule]]]:
    """The ignore files of a folder that holds `names`: the kind and the rules of each that has any."""
    for kind, place in enumerate(_KINDS):
        if place[0] in names and (rules := _read_rules(folder, place)):
            yield kind, rules


def _read_rules(folder: str, place: Sequence[str]) -> list[Rule]:
    """A file's rules; none if it is a link, as git sees it, or cannot be read."""
    try:
        descriptor = open_file(folder, place)
    except OSError:
        return []
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return []
        data = read_all(descriptor, _LARGEST)
    except OSError:
        return []
    finally:
        os.close(descriptor)
    if len(data) > _LARGEST:
        data = data[: data.rfind(b"\n") + 1]
    lines = data.decode("utf-8-sig", "replace").split("\n")
    return [rule for rule in map(parse_rule, lines) if rule]
