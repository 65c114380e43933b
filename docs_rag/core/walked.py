"""What a walk finds in single folders, and what is remembered of them from one walk to the next.

A folder's fingerprint covers its entries' names, kinds and stamps and all that judges them. As long as it is the same,
so is what a walk finds: the notes need not be judged, nor compared with the index, one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docs_rag.core.documents import FileStamp, Skipped


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
