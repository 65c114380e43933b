"""One look at the vault beside what the index knows, which goes into those folders alone that have changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.rootpaths import count_by_root, split_root

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from docs_rag.core.changes import StoredStamp
    from docs_rag.core.ports import Surveyed
    from docs_rag.core.storage import Store
    from docs_rag.core.walked import KnownFolder, Listing

    _Fresh = tuple[KnownFolder, str, int]
    """A folder that was judged, its path, and the place of its first stamp among all."""

_FOLDERS_AT_ONCE = 200
"""Folders whose stamps are compared in one go, for the sake of memory."""


class Look:
    """What was found in the folders that are not as they were, and what the index holds of them.

    All notes of the others are as the index has them.
    """

    def __init__(self, listings: Iterable[Listing], store: Store, former: Mapping[str, KnownFolder]) -> None:
        """Look through the whole vault; `former` is what was known of its folders."""
        self._store = store
        self._former = former
        self.stamps: list[FileStamp] = []
        self.skipped: list[Skipped] = []
        self._fresh: list[_Fresh] = []
        self._recognised: dict[str, int] = {}
        for each in listings:
            if each.recognised is not None:
                self._recognised[each.path] = each.recognised.notes
                continue
            if each.fingerprint:
                self._fresh.append((each.known(), each.path, len(self.stamps)))
            self.stamps.extend(each.stamps)
            self.skipped.extend(each.skipped)

    @property
    def unchanged(self) -> int:
        """How many notes lie in folders that are as they were."""
        return sum(self._recognised.values())

    def known(self) -> dict[DocPath, StoredStamp]:
        """What the index knows of the notes in all other folders, those that are gone among them."""
        if not self._recognised:
            return self._store.notes.stamps()
        folders = [each for each in self._store.folders.holding_notes() if each not in self._recognised]
        return self._store.folders.stamps_in(folders) if folders else {}

    def found(self, roots: Collection[str]) -> Counter[str]:
        """How many notes there are in each root, under `""` in the vault."""
        counts = count_by_root([each.path for each in self.stamps], roots)
        counts.update(folders_by_root(self._recognised, roots))
        return counts

    def remember(self, is_certain: Callable[[FileStamp], bool] = lambda stamp: True) -> None:
        """Let the next look know the folders of which the index holds every note as it was found here.

        That is found out in the transaction that writes it down: another process may have read a note since.

        `is_certain`: whether its stamp says all that there is to know of a note.
        """
        doubtful = self._former.keys() - self._recognised.keys()
        fresh = [each for each in self._fresh if all(map(is_certain, self._stamps_of(each)))]
        if doubtful or fresh:
            with self._store.batch():
                folders = {path: known for known, path, _ in self._settled(fresh)}
                self._store.folders.remember(folders, doubtful - folders.keys())

    def _settled(self, fresh: Sequence[_Fresh]) -> Iterator[_Fresh]:
        for start in range(0, len(fresh), _FOLDERS_AT_ONCE):
            some = fresh[start : start + _FOLDERS_AT_ONCE]
            held = self._store.folders.settled_in([path for _, path, _ in some])
            yield from (each for each in some if held.get(each[1], set()) == set(self._stamps_of(each)))

    def _stamps_of(self, fresh: _Fresh) -> Sequence[FileStamp]:
        known, _, first = fresh
        return self.stamps[first : first + known.notes]


def look(vault: Surveyed, store: Store, *, trusting: bool = True) -> Look:
    """Look through the whole vault; raises `VaultError`. Unless `trusting` no folder is known from before."""
    former = store.folders.known()
    return Look(vault.survey(former if trusting else {}), store, former)


def folders_by_root(counts: Mapping[str, int], roots: Collection[str]) -> Counter[str]:
    """How many notes lie in each root, given how many lie in each folder."""
    found: Counter[str] = Counter()
    for folder, count in counts.items():
        found[split_root(f"{folder}/", roots)[0] if roots else ""] += count
    return found


def look_at(vault: Surveyed, paths: Sequence[DocPath]) -> tuple[list[FileStamp], list[Skipped]] | None:
    """What is found at some paths and below them; None where only a look through the whole vault can tell."""
    stamps: dict[FileStamp, None] = {}
    skipped: dict[Skipped, None] = {}
    for path in paths:
        listings = vault.look_at(DocPath(path.rstrip("/")))
        if listings is None:
            return None
        stamps.update((each, None) for listing in listings for each in listing.stamps)
        skipped.update((each, None) for listing in listings for each in listing.skipped)
    return [*stamps], [*skipped]
