"""One walk through a vault."""

# Paths are plain text here: a Path object for each file costs more than its status.
# ruff: noqa: PTH116, PTH118

from __future__ import annotations

import os
import stat
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from docs_rag.adapters.vault import entries as kinds
from docs_rag.adapters.vault.ignores import Ignores
from docs_rag.adapters.vault.opening import FOLDER, LeadsOutside, resolve
from docs_rag.adapters.vault.prints import Fingerprints
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.globs import Globs
from docs_rag.core.sidecars import joined, sidecar_name
from docs_rag.core.walked import KnownFolder, Listing

Found = FileStamp | Skipped

_CAN_LIST_OPEN = os.scandir in os.supports_fd
_MAY_FOLD_CASE = sys.platform in ("darwin", "win32")
"""Where a file may answer to a name that the listing spells otherwise."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder on the way."""

    disk: str
    prefix: str
    """What comes before its entries' names in their paths: `""` for the vault, else its own path and `/`."""
    ignores: Ignores | None
    """The ignore files that speak of the folder itself; None when none are to be honoured."""
    is_linked: bool = False
    """A link is on the way: whether the folder is entered under this name depends on all others."""

    @property
    def path(self) -> str:
        """Its identity."""
        return self.prefix.removesuffix("/")


class Walk:
    """Goes through a vault once, folder by folder, without recursion.

    A linked folder is entered after all real ones, and no folder twice: a note that can be reached by its own
    path is found under that one, and a loop ends.
    """

    def __init__(
        self,
        root: str,
        *,
        include: Globs,
        exclude: Globs,
        max_bytes: Callable[[str], int],
        sidecar_stamp: Callable[[DocPath], FileStamp | None],
        prints: Fingerprints | None = None,
        known: Mapping[str, KnownFolder] | None = None,
    ) -> None:
        """Prepare; `max_bytes` tells for a path how large a file may be to be read.

        `sidecar_stamp` tells of the metadata file beside a note; it is asked where the folder holds one. With `prints`
        folders get fingerprints, and those that are `known` by the same one are not judged again.
        """
        self._prints = prints
        self._known = known or {}
        self._sidecar_stamp = sidecar_stamp
        self._root = root
        self._include = include
        self._exclude = exclude
        self._max_bytes = max_bytes
        self._pending: list[Folder] = []
        self._linked: list[Folder] = []
        self._visited: set[tuple[int, int]] = set()
        self.left_out: Counter[str] = Counter()
        """How many entries were left out on purpose, by reason; a folder that is not entered counts once."""
        self._left_out: Counter[str] = Counter()
        """The same of the folder that is being judged."""
        self._below: list[str] = []
        """Names on disk of the folders in it that are to be entered."""
        self.spellings: dict[str, str] = {}
        """Identity to place on disk below the root, `/` separated, for files where the two differ."""

    def start(self, ignores: Ignores | None) -> list[Listing]:
        """The top of the vault; raises `OSError` when it cannot be listed."""
        return self._enter(Folder(self._root, "", ignores))

    def rest(self) -> Iterator[Listing]:
        """All other folders."""
        while self._pending or self._linked:
            yield from self._entered(self._pending.pop() if self._pending else self._next_linked())

    def at(self, ignores: Ignores | None, path: str) -> list[Listing] | None:
        """What a walk finds at one path and below it; None where only a whole walk can tell: a link to a folder.

        Raises `OSError` when the vault cannot be listed.
        """
        way: list[Folder] = [Folder(self._root, "", ignores)]
        found: list[Listing] = []
        for segment in path.split("/"):
            if not way:
                return None if self._linked else []
            folder = way.pop()
            try:
                found = [self._named(folder, segment)]
            except OSError as error:
                if folder.prefix:
                    return _unlisted(folder, error)
                raise
            way, self._pending = self._pending, []
        self._pending = way
        while self._pending:
            found.extend(self._entered(self._pending.pop()))
        return None if self._linked else found

    def _named(self, folder: Folder, name: str) -> Listing:
        """A folder of which only the entries with one identity are judged."""
        with _listed(folder.disk) as (_, entries):
            names = {entry.name for entry in entries}
            called = [entry for entry in entries if entry.name == name or _is_spelling(entry.name, name)]
            return self._judged(_inside(folder, names), called, names, b"")

    def _next_linked(self) -> Folder:
        """Of several links to one folder the first in order gives it its name, whatever order the disk has."""
        self._linked.sort(key=lambda folder: folder.prefix, reverse=True)
        return self._linked.pop()

    def _entered(self, folder: Folder) -> list[Listing]:
        try:
            return self._enter(folder)
        except OSError as error:
            return _unlisted(folder, error)

    def _enter(self, folder: Folder) -> list[Listing]:
        """The folder's listing; none where it was entered before under another name."""
        with _listed(folder.disk) as (status, entries):
            place = (status.st_dev, status.st_ino)
            if place in self._visited:
                return []
            self._visited.add(place)
            return [self._listing(folder, entries)]

    def _listing(self, folder: Folder, entries: list[os.DirEntry[str]]) -> Listing:
        names = {entry.name for entry in entries}
        inside = _inside(folder, names)
        fingerprint = b""
        if self._prints is not None and not folder.is_linked:
            fingerprint = self._prints.of(entries, inside.ignores.mark if inside.ignores else b"")
        known = self._known.get(folder.path)
        if fingerprint and known is not None and known.fingerprint == fingerprint:
            self._recognise(inside, known)
            return Listing(folder.path, fingerprint, known)
        return self._judged(inside, entries, names, fingerprint)

    def _recognise(self, folder: Folder, known: KnownFolder) -> None:
        self.left_out.update(known.left_out)
        for name in known.below:
            identity = name if name.isascii() else unicodedata.normalize("NFC", name)
            disk = os.path.join(folder.disk, name)
            self._pending.append(Folder(disk, f"{folder.prefix}{identity}/", folder.ignores))

    def _judged(
        self, folder: Folder, entries: list[os.DirEntry[str]], names: Collection[str], fingerprint: bytes
    ) -> Listing:
        """What is in a folder; its `ignores` are those that speak of its entries."""
        self._left_out, self._below = Counter(), []
        found = list(self._judge_all(folder, entries, names))
        self.left_out.update(self._left_out)
        skipped = [each for each in found if isinstance(each, Skipped)]
        return Listing(
            folder.path,
            b"" if skipped else fingerprint,
            stamps=[each for each in found if isinstance(each, FileStamp)],
            skipped=skipped,
            left_out=self._left_out,
            below=self._below,
        )

    def _judge_all(self, inside: Folder, entries: list[os.DirEntry[str]], names: Collection[str]) -> Iterator[Found]:
        spellings = kinds.chosen_spellings(names)
        for entry in entries:
            name = entry.name
            if not name.isascii():
                name = unicodedata.normalize("NFC", name)
                if not kinds.is_utf8(name) or spellings[name] != entry.name:
                    yield from self._misnamed(inside, entry)
                    continue
            try:
                found = self._judge(inside, entry, name)
            except OSError as error:
                found = self._faulty(inside.prefix + name, error)
            sidecar = sidecar_name(name) if isinstance(found, FileStamp) else None
            if sidecar is not None and isinstance(found, FileStamp) and _may_be_among(names, sidecar):
                found = joined(found, self._sidecar_stamp(found.path))
            if found is not None:
                yield found

    def _judge(self, folder: Folder, entry: os.DirEntry[str], name: str) -> Found | None:
        path = folder.prefix + name
        if name[0] == ".":
            return self._hidden(entry, folder, name)
        if entry.is_file(follow_symlinks=False):
            return self._file(entry, folder, path, name) if self._include.matches(path) else None
        if kinds.is_link(entry):
            return self._link(entry, folder, path, name)
        if entry.is_dir():
            return self._folder(entry, folder, path, name)
        return self._file(entry, folder, path, name) if self._include.matches(path) else None

    def _file(self, entry: os.DirEntry[str], folder: Folder, path: str, name: str) -> Found | None:
        """A file that is asked for: what is not left out is told, whatever it turns out to be."""
        if self._leaves_out(folder, path, name):
            return None
        return self._stamped(entry, folder, path, entry.stat(follow_symlinks=False))

    def _stamped(self, entry: os.DirEntry[str], folder: Folder, path: str, status: os.stat_result) -> Found:
        refusal = kinds.why_not_read(status, self._max_bytes(path))
        if refusal:
            return _skipped(path, *refusal)
        if not path.isascii():
            self._note_spelling(os.path.join(folder.disk, entry.name), path)
        return kinds.stamp_of(path, status)

    def _note_spelling(self, disk: str, path: str) -> None:
        below = disk[len(self._root) :].strip(os.sep).replace(os.sep, "/")
        if below != path:
            self.spellings[path] = below

    def _folder(self, entry: os.DirEntry[str], folder: Folder, path: str, name: str) -> Found | None:
        """A folder to enter later, unless it is left out or nothing in it is asked for."""
        if not self._is_open(folder, path, name):
            return None
        disk = os.path.join(folder.disk, entry.name)
        self._pending.append(Folder(disk, f"{path}/", folder.ignores, folder.is_linked))
        self._below.append(entry.name)
        if self._include.matches_by_suffix(path):
            return _skipped(path, "not-a-file", "a folder with the name of a note")
        return None

    def _is_open(self, folder: Folder, path: str, name: str) -> bool:
        """Whether a folder is to be entered; counts it if it would be, but for a rule."""
        if not self._include.could_match_below(path):
            return False
        if name in kinds.VENDOR_FOLDERS:
            self._left_out["vendor"] += 1
            return False
        return not self._leaves_out(folder, path, name, is_folder=True)

    def _link(self, entry: os.DirEntry[str], folder: Folder, path: str, name: str) -> Found | None:
        """A link is as good as what it leads to, if that is in the vault and would be read there."""
        try:
            status = entry.stat()
        except OSError as error:
            return self._dead_link(folder, path, name, error)
        is_folder = stat.S_ISDIR(status.st_mode)
        if is_folder:
            asked_for = self._is_open(folder, path, name)
        else:
            asked_for = self._include.matches(path) and not self._leaves_out(folder, path, name)
        if not asked_for:
            return None
        disk = os.path.join(folder.disk, entry.name)
        if barred := self._leads_outside(disk):
            return _skipped(path, "outside-vault", barred)
        if not is_folder:
            return self._stamped(entry, folder, path, status)
        self._linked.append(Folder(disk, f"{path}/", folder.ignores, is_linked=True))
        return None

    def _dead_link(self, folder: Folder, path: str, name: str, error: OSError) -> Skipped | None:
        if not self._include.matches(path) or self._leaves_out(folder, path, name):
            return None
        if isinstance(error, FileNotFoundError):
            return _skipped(path, "not-a-file", "a link that leads to nothing")
        return _skipped(path, *kinds.fault(error))

    def _leads_outside(self, disk: str) -> str | None:
        """In what way a link leads to a place that is not read; None if it does not."""
        try:
            target = resolve(self._root, disk)
        except LeadsOutside:
            return "a link that leads outside the vault"
        barred = kinds.never_entered(target.split("/")) if target else None
        return f"a link into {barred}, which is never read" if barred else None

    def _hidden(self, entry: os.DirEntry[str], folder: Folder, name: str) -> Skipped | None:
        """Counts a hidden entry that would have mattered; one that stands for a file in the cloud is told."""
        online = kinds.online_only_name(name)
        if online is not None and self._include.matches(folder.prefix + online):
            message = "only a placeholder of it is on this machine"
            return _skipped(folder.prefix + online, "not-downloaded", message)
        path = folder.prefix + name
        if entry.is_dir(follow_symlinks=False):
            matters = name not in kinds.OWN_FOLDERS and self._include.could_match_below(path)
        else:
            matters = self._include.matches(path)
        self._left_out["hidden"] += matters
        return None

    def _leaves_out(self, folder: Folder, path: str, name: str, *, is_folder: bool = False) -> bool:
        """Whether `exclude` or an ignore file says so; counts it."""
        if self._exclude and (self._exclude.covers(path) if is_folder else self._exclude.matches(path)):
            self._left_out["exclude"] += 1
            return True
        if folder.ignores and folder.ignores.ignores(path, name, is_folder=is_folder):
            self._left_out["gitignore"] += 1
            return True
        return False

    def _misnamed(self, folder: Folder, entry: os.DirEntry[str]) -> Iterator[Skipped]:
        """An entry without an identity of its own: its name is no UTF-8, or another entry has its identity."""
        path = folder.prefix + kinds.printable(entry.name)
        name = unicodedata.normalize("NFC", kinds.printable(entry.name))
        is_folder = entry.is_dir(follow_symlinks=False)
        asked_for = self._include.could_match_below if is_folder else self._include.matches
        if name.startswith(".") or not asked_for(folder.prefix + name):
            return
        if self._leaves_out(folder, folder.prefix + name, name, is_folder=is_folder):
            return
        if kinds.is_utf8(entry.name):
            message = "another name here differs from this one in Unicode form alone; rename one of them"
        else:
            message = "the name is not valid UTF-8; rename it"
        yield _skipped(path, "encoding", message)

    def _faulty(self, path: str, error: OSError) -> Skipped | None:
        """An entry whose status cannot be had; one that vanished meanwhile was deleted, which is no fault."""
        if isinstance(error, FileNotFoundError) or not self._include.matches(path):
            return None
        return _skipped(path, *kinds.fault(error))


@contextmanager
def _listed(disk: str) -> Iterator[tuple[os.stat_result, list[os.DirEntry[str]]]]:
    """A folder's status and its entries, which may be asked within the block.

    They are asked relative to the open folder where the system can do that: it takes less time than by their paths.
    """
    if not _CAN_LIST_OPEN:
        status = os.stat(disk)
        with os.scandir(disk) as listing:
            entries = list(listing)
        yield status, entries
        return
    descriptor = os.open(disk, FOLDER)
    try:
        with os.scandir(descriptor) as listing:
            yield os.fstat(descriptor), list(listing)
    finally:
        os.close(descriptor)


def _inside(folder: Folder, names: Collection[str]) -> Folder:
    """The folder with the ignore files that speak of its entries, which are called `names`."""
    if folder.ignores is None:
        return folder
    ignores = folder.ignores.entering(folder.disk, folder.path, names)
    return folder if ignores is folder.ignores else replace(folder, ignores=ignores)


def _is_spelling(spelt: str, name: str) -> bool:
    return not spelt.isascii() and unicodedata.normalize("NFC", spelt) == name


def _unlisted(folder: Folder, error: OSError) -> list[Listing]:
    """A folder that cannot be listed; none for one that vanished meanwhile, as deleted."""
    if isinstance(error, FileNotFoundError):
        return []
    skipped = _skipped(folder.path, "unreadable", f"the folder cannot be listed: {kinds.fault(error)[1]}")
    return [Listing(folder.path, skipped=[skipped])]


def _may_be_among(names: Container[str], sidecar: str) -> bool:
    """Whether a folder may hold a file of this name, NFC; False only where it does not."""
    return _MAY_FOLD_CASE or not sidecar.isascii() or sidecar in names


def _skipped(path: str, code: str, message: str) -> Skipped:
    return Skipped(DocPath(path), code, message)
