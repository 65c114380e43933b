"""Fingerprints of folders: where one is the same as before, a walk would find the same again.

It covers the names and kinds of all entries, the stamps of the files that may be asked for or may stand beside one, the
ignore files in force, and the config. Where it cannot cover everything there is none: a link may lead to anything.
"""

from __future__ import annotations

import marshal
import os
import unicodedata
from functools import partial
from hashlib import blake2b
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.vault.entries import is_link
from docs_rag.core.sidecars import SIDECARS

if TYPE_CHECKING:
    from collections.abc import Sequence

WALK_VERSION: Final = 3
"""To be raised when a walk makes something else of the same folder."""
_SIZE: Final = 16
_SIDECARS: Final = (".md", *(name.lower() for name in SIDECARS.values()))
"""Ends of the names that files beside a note or a document may have."""
_STABLE_MARSHAL: Final = 2
"""The last version of the format in which equal values are equal bytes: later ones tell of shared objects."""

_status = partial(os.DirEntry.stat, follow_symlinks=False)
_SEEN: Final = ("st_file_attributes", "st_flags")
"""What may say that a file's content is not on this machine."""
_STAMP: Final = ("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")
_stamp = attrgetter(*_STAMP, *(name for name in _SEEN if hasattr(os.stat_result, name)))


class Fingerprints:
    """Makes the fingerprints of one vault."""

    def __init__(self, judges: object, suffixes: tuple[str, ...] | None) -> None:
        """`judges`: all of the config that judges entries; its `repr` counts.

        `suffixes`: how every name ends that may be asked for, in lower case; None where it may be any.
        """
        self._judges = blake2b(
            repr((WALK_VERSION, judges)).encode("utf-8", "surrogatepass"), digest_size=_SIZE
        ).digest()
        self._suffixes = None if suffixes is None else (*suffixes, *_SIDECARS)

    def of(self, entries: Sequence[os.DirEntry[str]], ignores: bytes) -> bytes:
        """The fingerprint of a folder, empty where there is none; `ignores`: the mark of the ignore files in force.

        The status of each file that may be asked for is had from the system, and kept with its entry.
        """
        names: list[str] = []
        folders: list[str] = []
        asked: list[os.DirEntry[str]] = []
        suffixes = self._suffixes
        try:
            for entry in entries:
                name = entry.name
                if entry.is_file(follow_symlinks=False):
                    names.append(name)
                    if suffixes is None or _folded(name).endswith(suffixes):
                        asked.append(entry)
                elif entry.is_dir(follow_symlinks=False) and not (os.name == "nt" and is_link(entry)):
                    folders.append(name)
                elif name.startswith("."):
                    names.append(f"{name}/")  # left out whatever it is
                else:
                    return b""
            found = (self._judges, ignores, names, folders, list(map(_stamp, map(_status, asked))))
        except OSError:  # it vanished, or cannot be asked
            return b""
        return blake2b(marshal.dumps(found, _STABLE_MARSHAL), digest_size=_SIZE).digest()


def _folded(name: str) -> str:
    """A name on disk as the globs see it."""
    return (name if name.isascii() else unicodedata.normalize("NFC", name)).lower()
