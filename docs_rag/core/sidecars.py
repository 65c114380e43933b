"""Metadata files beside a note: which note has which, and how the two count as one file.

A note with a sidecar changes when either of the two does, or when the sidecar comes or goes.
"""

from __future__ import annotations

import zlib
from typing import Final

from docs_rag.core.companions import companion_of, owner_of
from docs_rag.core.documents import DocPath, FileStamp

LAST_DIGITS: Final = 0xFFFFF
"""Those of a change time in nanoseconds that make up a millisecond, in which much may be written."""
SIDECARS: Final[dict[str, str]] = {
    "README.md": "kep.yaml",
    "readme.md": "kep.yaml",
}
"""A note's file name -> the file beside it that holds its metadata; one row a form.

`kep.yaml`: https://github.com/kubernetes/enhancements, where the README alone says nothing of its state.
"""


def sidecar_of(path: str) -> DocPath | None:
    """Where the metadata file of a note, or the note that speaks for a document, would lie; None for most notes."""
    folder, slash, name = path.rpartition("/")
    sidecar = SIDECARS.get(name)
    return companion_of(path) if sidecar is None else DocPath(f"{folder}{slash}{sidecar}")


def sidecar_name(name: str) -> str | None:
    """The same for a file's name alone."""
    return SIDECARS.get(name) or companion_of(name)


def notes_of(path: str) -> tuple[DocPath, ...]:
    """The notes that a file may belong to: itself, and those that it would be the metadata file of."""
    folder, slash, name = path.rpartition("/")
    owners = [DocPath(f"{folder}{slash}{note}") for note, sidecar in SIDECARS.items() if sidecar == name]
    document = owner_of(path)
    return (DocPath(path), *owners) if document is None else (DocPath(path), document)


def joined(note: FileStamp, sidecar: FileStamp | None) -> FileStamp:
    """The stamp of a note together with that of its metadata file, or with None where there is none."""
    if sidecar is None:
        return note
    each = zlib.crc32(repr((note[1:], sidecar[1:])).encode("ascii")) & LAST_DIGITS  # also of the one that is older
    return FileStamp(
        note.path,
        max(note.mtime_ns, sidecar.mtime_ns),
        (max(note.ctime_ns, sidecar.ctime_ns) | LAST_DIGITS) + 1 + each,
        note.size + sidecar.size + 1,
    )
