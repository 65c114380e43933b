"""A folder of notes that answers the `Vault` port."""

# Paths are plain text here: a Path object for each file costs more than its status.
# ruff: noqa: PTH100, PTH118

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from docs_rag.adapters.vault import entries, opening
from docs_rag.adapters.vault.ignores import Ignores, ignores_above
from docs_rag.adapters.vault.prints import Fingerprints
from docs_rag.adapters.vault.walking import Walk
from docs_rag.core.cleaning import shown_path
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.globs import Globs, GlobsBelow
from docs_rag.core.ports import Unreadable
from docs_rag.core.sidecars import joined, sidecar_of
from docs_rag.core.walked import KnownFolder, Listing
from docs_rag.errors import VaultError

_T = TypeVar("_T")

NONE_LARGER: Mapping[str, int] = {}
_ATTEMPTS = 3
"""How often a file is read that changes while it is read."""


class FolderVault:
    """A vault on disk.

    Identities are NFC; the spelling on disk is kept for opening. Nothing outside the folder is ever opened
    but the ignore files above it.
    """

    def __init__(
        self,
        root: str,
        *,
        include: Sequence[str],
        exclude: Sequence[str],
        gitignore: bool,
        max_bytes: int,
        larger: Mapping[str, int] = NONE_LARGER,
        below: str = "",
    ) -> None:
        """Prepare without touching the disk; raises `ConfigError` for a glob that cannot be meant.

        `max_bytes` is the size of the largest file that is read, `larger` the same for files with some suffixes, in
        lower case; `gitignore`: honour the ignore files. `below`: the name of the root that this folder is, which
        globs see before each path; empty for the vault itself.
        """
        self._root = os.path.abspath(root)
        self._below = below
        self._include = GlobsBelow(include, below) if below else Globs(include)
        self._exclude = GlobsBelow(exclude, below, key="exclude") if below else Globs(exclude, key="exclude")
        self._gitignore = gitignore
        self._max_bytes = max_bytes
        self._larger = larger
        judges = ([*include], [*exclude], gitignore, max_bytes, sorted(larger.items()), below)
        self._prints = Fingerprints(judges, self._include.suffixes)
        self._walk = self._new_walk()

    def scan(self) -> Iterator[FileStamp | Skipped]:
        """Every file that is asked for, in no order, and every one that cannot be had.

        A folder that cannot be listed is told as one `Skipped` with the folder's path: what is below it is
        unknown. Raises `VaultError` at once when the vault is missing or cannot be listed.
        """
        return chain.from_iterable(listing.found for listing in self._walk_through(self._new_walk()))

    def survey(self, known: Mapping[str, KnownFolder]) -> Iterator[Listing]:
        """The same folder by folder, with fingerprints; those that are known by the same one are not judged again."""
        return self._walk_through(self._new_walk(self._prints, known))

    def look_at(self, path: DocPath) -> list[Listing] | None:
        """What a scan finds at a path and below it; None where that depends on the whole vault.

        Raises `VaultError` when the vault is missing or cannot be listed.
        """
        self._walk = walk = self._new_walk()
        if not _is_inside(path):
            return None
        try:
            return walk.at(self._ignores_above(), path)
        except OSError as error:
            raise self._unusable(error) from error

    def _walk_through(self, walk: Walk) -> Iterator[Listing]:
        self._walk = walk
        try:
            top = walk.start(self._ignores_above())
        except OSError as error:
            raise self._unusable(error) from error
        return chain(top, walk.rest())

    def _ignores_above(self) -> Ignores | None:
        return ignores_above(os.path.realpath(self._root)) if self._gitignore else None

    def ignored(self) -> dict[str, int]:
        """How many entries the last `scan` left out, by reason: `gitignore`, `exclude`, `hidden`, `vendor`.

        Counted is what `include` asks for, or might; a folder counts as one, whatever is in it.
        """
        return {reason: count for reason, count in sorted(self._walk.left_out.items()) if count}

    def stamp(self, path: DocPath) -> FileStamp | None:
        """The file's stamp now, or None when it is gone, no regular file, or leads outside the vault."""
        try:
            status = self._reach(path, opening.status_of)
        except Unreadable:
            return None
        if not stat.S_ISREG(status.st_mode):
            return None
        return joined(entries.stamp_of(path, status), self._sidecar_stamp(path))

    def read(self, path: DocPath) -> tuple[FileStamp, bytes]:
        """The file's bytes and the stamp they were read under; raises `Unreadable`, never waits."""
        sidecar = self._sidecar_stamp(path)
        stamp, data = self._read(path)
        return joined(stamp, sidecar), data

    def place(self, path: str) -> str:
        """Where a note lies, absolute, as its name is spelt on disk; links are not followed.

        `path` may be as an answer shows it, with U+FFFD for what is not safe to show.
        """
        found = os.path.join(self._root, *self._on_disk(path).split("/"))
        if "\ufffd" not in path or os.path.lexists(found):
            return found
        found = self._root
        for segment in path.split("/"):
            found = _shown_as(os.path.join(found, segment))
        return found

    def sidecar(self, path: DocPath) -> bytes | None:
        """The bytes of the metadata file beside a note, read as safely as a note is; None where there is none.

        `exclude` holds for it too; ignore files do not. Raises `Unreadable` for one that is there but cannot be had.
        """
        place = self._sidecar_path(path)
        try:
            return None if place is None else self._read(place)[1]
        except Unreadable as error:
            if _is_missing(error):
                return None
            raise

    def _sidecar_path(self, path: DocPath) -> DocPath | None:
        place = sidecar_of(path)
        return None if place is None or self._exclude.matches(place) else place

    def _sidecar_stamp(self, path: DocPath) -> FileStamp | None:
        """The stamp of the metadata file beside a note: of a sort for one that cannot be had, None for none at all."""
        place = self._sidecar_path(path)
        try:
            return None if place is None else entries.stamp_of(place, self._reach(place, opening.status_of))
        except Unreadable as error:
            return None if _is_missing(error) else FileStamp(DocPath(path), 0, 0, 0)

    def _new_walk(self, prints: Fingerprints | None = None, known: Mapping[str, KnownFolder] | None = None) -> Walk:
        return Walk(
            self._root,
            include=self._include,
            exclude=self._exclude,
            max_bytes=self._most_bytes,
            sidecar_stamp=self._sidecar_stamp,
            prints=prints,
            known=known,
        )

    def _most_bytes(self, path: str) -> int:
        """The size of the largest file that is read at this path."""
        _, dot, suffix = path.rpartition(".")
        return self._larger.get(dot + suffix.lower(), self._max_bytes) if self._larger else self._max_bytes

    def _unusable(self, error: OSError) -> VaultError:
        vault = f"the folder {self._root} of root {self._below}" if self._below else f"the vault {self._root}"
        key = f"roots.{self._below}" if self._below else "vaultPath"
        if isinstance(error, FileNotFoundError):
            return VaultError(f"{vault} is not there", f"check {key}, or mount the disk it is on")
        if isinstance(error, NotADirectoryError):
            return VaultError(f"{vault} is not a folder", f"set {key} to the folder of notes")
        return VaultError(f"{vault} cannot be listed: {entries.fault(error)[1]}", "check its permissions")

    def _read(self, path: DocPath) -> tuple[FileStamp, bytes]:
        """One file's bytes and its own stamp."""
        for _ in range(_ATTEMPTS):
            whole = self._read_once(path)
            if whole is not None:
                return whole
        raise Unreadable("unreadable", "it changes while it is read")

    def _read_once(self, path: DocPath) -> tuple[FileStamp, bytes] | None:
        """The stamp and the bytes, or None when the file changed meanwhile."""
        descriptor = self._reach(path, opening.open_file)
        try:
            before = os.fstat(descriptor)
            refusal = entries.why_not_read(before, self._most_bytes(path))
            if refusal:
                raise Unreadable(*refusal)
            data = opening.read_all(descriptor, before.st_size)
            after = os.fstat(descriptor)
        except OSError as error:
            raise Unreadable(*entries.fault(error)) from error
        finally:
            os.close(descriptor)
        stamp = entries.stamp_of(path, before)
        return (stamp, data) if stamp == entries.stamp_of(path, after) and len(data) == stamp.size else None

    def _reach(self, path: DocPath, action: Callable[[str, Sequence[str]], _T]) -> _T:
        """Does something with a file, given a folder and the way from there to the file, which holds no link.

        `action` raises `OSError` at a link. Raises `Unreadable` when there is no such file, or a link leads to where
        nothing is read.
        """
        if not _is_inside(path):
            raise Unreadable("outside-vault", "it leads outside the vault, or to where nothing is read")
        segments = self._on_disk(path).split("/")
        try:
            return action(self._root, segments)
        except OSError as error:
            if error.errno not in opening.LINK_ERRNOS:
                raise Unreadable(*entries.fault(error)) from error
        try:
            return action(os.path.realpath(self._root), self._resolved(segments))
        except OSError as error:
            raise Unreadable(*entries.fault(error)) from error

    def _resolved(self, segments: Sequence[str]) -> Sequence[str]:
        """The same file by its real path in the vault; raises `OSError` for a dead link."""
        try:
            target = opening.resolve(self._root, os.path.join(self._root, *segments))
        except opening.LeadsOutside:
            raise Unreadable("outside-vault", "a link that leads outside the vault") from None
        if not _is_inside(target):
            raise Unreadable("outside-vault", "a link into a folder that is never read")
        return target.split("/")

    def _on_disk(self, path: str) -> str:
        """The path as it is spelt on disk, from the last scan, else from the listings on the way."""
        spelt = self._walk.spellings.get(path, path)
        if path.isascii() or os.path.lexists(os.path.join(self._root, *spelt.split("/"))):
            return spelt
        return "/".join(self._spell_out(path.split("/")))

    def _spell_out(self, segments: Sequence[str]) -> Iterator[str]:
        folder = self._root
        for segment in segments:
            name = segment if segment.isascii() else _spelling_in(folder, segment)
            folder = os.path.join(folder, name)
            yield name


def _is_missing(error: Unreadable) -> bool:
    return isinstance(error.__cause__, FileNotFoundError)


def _is_inside(path: str) -> bool:
    """Whether a path stays below the vault by its letters, and off what is never read."""
    segments = path.split("/")
    odd = "" in segments or "\0" in path or not entries.is_utf8(path)
    foreign = os.sep != "/" and (os.sep in path or ":" in path)
    return not (odd or foreign) and entries.never_entered(segments) is None


def _shown_as(place: str) -> str:
    """The entry of a folder that is shown under the name with which `place` ends; `place` where there is none."""
    folder, name = os.path.split(place)
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return place
    fitting = (each for each in names if shown_path(unicodedata.normalize("NFC", each)) == name)
    return os.path.join(folder, next(fitting, name))


def _spelling_in(folder: str, name: str) -> str:
    """How an NFC name is spelt in a folder; the name itself when nothing there has it."""
    try:
        with os.scandir(folder) as listing:
            spellings = entries.chosen_spellings(entry.name for entry in listing)
    except OSError:
        return name
    return spellings.get(unicodedata.normalize("NFC", name), name)
