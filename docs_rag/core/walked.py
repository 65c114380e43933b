"""What a walk finds in single folders, and what is remembered of them from one walk to the next.

A folder's fingerprint covers its entries' names, kinds and stamps and all that judges them. As long as it is the same,
so is what a walk finds: the notes need not be judged, nor compared with the index, one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from docs_rag.core.changes import StoredStamp
    from docs_rag.core.documents import DocPath, FileStamp, Skipped


class KnownFolder(NamedTuple):
    """A folder of which the index holds every note as it was when the folder had this fingerprint."""

    fingerprint: bytes
    notes: int
    """How many notes lie directly in it."""
    left_out: Mapping[str, int]
    """How many of its entries were left out on purpose, by reason."""
    below: tuple[str, ...]
    """The folders in it that are to be entered, as they are spelt on disk."""


class Listing(NamedTuple):
    """One folder as a walk found it; of a recognised one nothing but that."""

    path: str
    """Relative to the vault; empty for the vault itself."""
    fingerprint: bytes = b""
    """Empty where what was found must not be remembered, or nobody asked for it."""
    recognised: KnownFolder | None = None
    """What was known of it, where that still holds; the rest is then empty."""
    stamps: Sequence[FileStamp] = ()
    skipped: Sequence[Skipped] = ()
    left_out: Mapping[str, int] = {}
    below: Sequence[str] = ()

    @property
    def found(self) -> tuple[FileStamp | Skipped, ...]:
        """Every file that is asked for, and every one that cannot be had."""
        return (*self.stamps, *self.skipped)

    def known(self) -> KnownFolder:
        """What is to be remembered of it."""
        return KnownFolder(self.fingerprint, len(self.stamps), self.left_out, tuple(self.below))


class FolderStore(Protocol):
    """Which folders hold what they held, and what the index holds of each."""

    def known(self) -> dict[str, KnownFolder]:
        """Every folder that is remembered; a change of one of its notes in the index lets it be forgotten."""
        ...

    def remember(self, folders: Mapping[str, KnownFolder], gone: Iterable[str] = ()) -> None:
        """Remember these, and forget those that are `gone`."""
        ...

    def holding_notes(self) -> list[str]:
        """Every folder in which a note of the index lies directly."""
        ...

    def counts(self) -> dict[str, int]:
        """How many notes lie directly in each folder that has any."""
        ...

    def stamps_in(self, folders: Sequence[str]) -> dict[DocPath, StoredStamp]:
        """What is known of the files directly in some folders."""
        ...

    def settled_in(self, folders: Sequence[str]) -> dict[str, set[tuple[str, int, int, int]]]:
        """By folder the stamps of the files directly in it, as plain tuples; without those that prove nothing."""
        ...

    def stamps_at(self, paths: Sequence[str]) -> dict[DocPath, StoredStamp]:
        """What is known of the files at some paths and below them."""
        ...
