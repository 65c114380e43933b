"""What has to be done so that the index agrees with the vault: a pure comparison of stamps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Iterable, Mapping

    from docs_rag.core.documents import DocPath, FileStamp, Skipped

RACY_NS = 2_000_000_000
"""A file that changed within this time before it was read may have changed again under the same stamp: file
systems count time in steps of up to 2 s (FAT), and editors write twice. Such a note's content is compared."""


class StoredStamp(NamedTuple):
    """What the index remembers of a file."""

    stamp: FileStamp
    racy: bool
    """True when it was read so soon after its change that the stamp alone proves nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The work of one run; a path stands in one of the lists at most."""

    added: tuple[FileStamp, ...]
    modified: tuple[FileStamp, ...]
    removed: tuple[DocPath, ...]
    unchanged: int

    @property
    def any(self) -> bool:
        """True when there is something to do."""
        return bool(self.added or self.modified or self.removed)


def diff(
    in_vault: Iterable[FileStamp],
    in_index: Mapping[DocPath, StoredStamp],
    *,
    reread: bool = False,
    outdated: Collection[DocPath] = (),
) -> Changes:
    """Compare both sides by path; `reread` treats every note that is there as modified, `outdated` some.

    A racy stamp counts as modified: whether the content really differs is found out by reading it.
    """
    added: list[FileStamp] = []
    modified: list[FileStamp] = []
    seen: set[DocPath] = set()
    for stamp in in_vault:
        seen.add(stamp.path)
        known = in_index.get(stamp.path)
        if known is None:
            added.append(stamp)
        elif reread or known.racy or known.stamp != stamp or stamp.path in outdated:
            modified.append(stamp)
    removed = tuple(path for path in in_index if path not in seen)
    unchanged = len(seen) - len(added) - len(modified)
    return Changes(added=tuple(added), modified=tuple(modified), removed=removed, unchanged=unchanged)


def moved(changes: Changes, in_index: Mapping[DocPath, StoredStamp]) -> list[tuple[DocPath, DocPath]]:
    """Old and new path of the files that seem to have moved: same suffix, size and time of change.

    Only their bytes can prove it.
    """

    def looks(path: str, stamp: FileStamp) -> tuple[str, int, int]:
        return path.rpartition(".")[2], stamp.mtime_ns, stamp.size

    gone = {looks(path, in_index[path].stamp): path for path in changes.removed}
    pairs = ((gone.pop(looks(each.path, each), None), each.path) for each in changes.added) if gone else ()
    return [(old, new) for old, new in pairs if old is not None]


def is_racy(stamp: FileStamp, read_at_ns: int) -> bool:
    """True when a file read at `read_at_ns` could change again without getting another stamp."""
    return max(stamp.mtime_ns, stamp.ctime_ns) > read_at_ns - RACY_NS


def vanished_roots(indexed: Counter[str], removed: Counter[str], found: Counter[str]) -> frozenset[str]:
    """The roots, `""` for the vault, that look unmounted; each is judged by its own notes (`count_by_root`)."""
    return frozenset(name for name in removed if vanished(indexed[name], removed[name], found[name]))


def vanished(indexed: int, removed: int, found: int) -> bool:
    """True when the vault looks unmounted rather than tidied: nothing is there, or more than half is gone."""
    return removed > 0 and (found == 0 or removed * 2 > indexed)


MISSING_ROOT = "missing-root"
"""Problem code of a root whose folder is not there, or cannot be listed."""
KEPT_WHEN = frozenset(
    {MISSING_ROOT, "unreadable", "encoding", "too-large", "not-downloaded"}
    | {"encrypted", "damaged", "needs-ocr", "missing-extra", "unsupported", "timeout"}
)
"""Reasons after which a note's former text is kept, marked stale: the note is still there, only not to be had now."""


def kept_reasons(skipped: Iterable[Skipped]) -> dict[str, Skipped]:
    """The files and folders that are there but could not be read, by path."""
    return {each.path: each for each in skipped if each.code in KEPT_WHEN}


def reason_to_keep(path: DocPath, kept: Mapping[str, Skipped]) -> Skipped | None:
    """Why a note that was not listed is not gone: it, or a folder above it, could not be read."""
    place = str(path)
    while place:
        if place in kept:
            return kept[place]
        place = place.rpartition("/")[0]
    return None
