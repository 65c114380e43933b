"""Several folders as one vault: the folder of notes, and others whose notes are called `name/rest`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

from docs_rag.adapters.vault.folder import FolderVault
from docs_rag.core.changes import MISSING_ROOT
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.rootpaths import join_root, split_root
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

    def _below(self, name: str, root: FolderVault) -> Iterator[FileStamp | Skipped]:
        try:
            found = root.scan()
        except VaultError as error:
            yield Skipped(DocPath(name), MISSING_ROOT, error.message)
            return
        for each in found:
            yield each._replace(path=join_root(name, each.path))


def _renamed(stamp: FileStamp, name: str) -> FileStamp:
    return stamp._replace(path=join_root(name, stamp.path)) if name else stamp
