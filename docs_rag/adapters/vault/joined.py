"""Several folders as one vault: the folder of notes, and others whose notes are called `name/rest`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

from docs_rag.adapters.vault.folder import FolderVault
from docs_rag.core.changes import MISSING_ROOT
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.rootpaths import join_root, split_root
from docs_rag.core.walked import KnownFolder, Listing
from docs_rag.errors import VaultError


class JoinedVault:
    """Answers the `Vault` port for a vault and the folders of `roots`.

    Each folder is contained on its own: no link leads from one into another. One that is missing is told as a file
    that cannot be read, so that its notes stay in the index; only a vault that is missing is an error.
    """

    def __init__(self, vault: FolderVault, roots: Mapping[str, FolderVault]) -> None:
        """`roots`: each folder under its name, made with `below` set to that."""
        self._vault = vault
        self._roots = roots

    def scan(self) -> Iterator[FileStamp | Skipped]:
        """Everything in the vault, then in each root; raises `VaultError` as the vault does."""
        own = self._vault.scan()
        return chain(filter(self._is_of_vault, own), *(self._below(name, root) for name, root in self._roots.items()))

    def survey(self, known: Mapping[str, KnownFolder]) -> Iterator[Listing]:
        """The same folder by folder; see `FolderVault.survey`."""
        own = self._vault.survey({path: each for path, each in known.items() if not self._is_root(path)})
        below = (self._surveyed(name, root, known) for name, root in self._roots.items())
        return chain(filter(None, map(self._without_roots, own)), *below)

    def look_at(self, path: DocPath) -> list[Listing] | None:
        """What a scan finds at a path and below it; None where that depends on all folders, or one is missing."""
        if path in self._roots:
            return None
        name, folder, rest = self._find(path)
        try:
            found = folder.look_at(rest)
        except VaultError:
            if name:
                return None
            raise
        return found if found is None or not name else [_below(name, each) for each in found]

    def ignored(self) -> dict[str, int]:
        """How many entries the last `scan` left out of all folders, by reason."""
        counts = Counter(self._vault.ignored())
        for root in self._roots.values():
            counts.update(root.ignored())
        return dict(sorted(counts.items()))

    def stamp(self, path: DocPath) -> FileStamp | None:
        """The file's stamp now, or None when it is gone, no regular file, or leads out of its folder."""
        name, folder, rest = self._find(path)
        stamp = folder.stamp(rest)
        return None if stamp is None else _renamed(stamp, name)

    def read(self, path: DocPath) -> tuple[FileStamp, bytes]:
        """The file's bytes and the stamp they were read under; raises `Unreadable`."""
        name, folder, rest = self._find(path)
        stamp, data = folder.read(rest)
        return _renamed(stamp, name), data

    def sidecar(self, path: DocPath) -> bytes | None:
        """The bytes of the metadata file beside a note, None where there is none; raises `Unreadable`."""
        _, folder, rest = self._find(path)
        return folder.sidecar(rest)

    def place(self, path: str) -> str:
        """Where a note lies, absolute, as its name is spelt on disk; links are not followed."""
        _, folder, rest = self._find(path)
        return folder.place(rest)

    def _find(self, path: str) -> tuple[str, FolderVault, DocPath]:
        name, rest = split_root(path, self._roots)
        return name, self._roots[name] if name else self._vault, rest

    def _is_of_vault(self, found: FileStamp | Skipped) -> bool:
        """False for what lies in a folder of the vault that is called as a root: it came after the config was read."""
        return found.path not in self._roots and not split_root(found.path, self._roots)[0]

    def _is_root(self, path: str) -> bool:
        return path in self._roots or bool(split_root(path, self._roots)[0])

    def _without_roots(self, own: Listing) -> Listing | None:
        """What a folder of the vault holds but for what is called as a root; None for a folder that is."""
        if self._is_root(own.path):
            return None
        if own.path:
            return own
        stamps = [each for each in own.stamps if each.path not in self._roots]
        skipped = [each for each in own.skipped if each.path not in self._roots]
        is_whole = len(stamps) + len(skipped) == len(own.stamps) + len(own.skipped)
        return own._replace(stamps=stamps, skipped=skipped, fingerprint=own.fingerprint if is_whole else b"")

    def _surveyed(self, name: str, root: FolderVault, known: Mapping[str, KnownFolder]) -> Iterator[Listing]:
        own = {path: each for path, each in known.items() if path == name or path.startswith(f"{name}/")}
        try:
            found = root.survey({path[len(name) + 1 :]: each for path, each in own.items()})
        except VaultError as error:
            yield Listing(name, skipped=[Skipped(DocPath(name), MISSING_ROOT, error.message)])
            return
        for each in found:
            yield _below(name, each)

    def _below(self, name: str, root: FolderVault) -> Iterator[FileStamp | Skipped]:
        try:
            found = root.scan()
        except VaultError as error:
            yield Skipped(DocPath(name), MISSING_ROOT, error.message)
            return
        for each in found:
            yield each._replace(path=join_root(name, each.path))


def _below(name: str, found: Listing) -> Listing:
    """A folder of a root as it counts among all."""
    return found._replace(
        path=f"{name}/{found.path}" if found.path else name,
        stamps=[each._replace(path=join_root(name, each.path)) for each in found.stamps],
        skipped=[each._replace(path=join_root(name, each.path)) for each in found.skipped],
    )


def _renamed(stamp: FileStamp, name: str) -> FileStamp:
    return stamp._replace(path=join_root(name, stamp.path)) if name else stamp
