"""The file of HWP 5: an OLE compound file with packed streams."""

from __future__ import annotations

import io
import re
import struct
import zlib
from typing import Final

import olefile

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp.records import number

MOST_BYTES: Final = 200_000_000
"""Of text, unpacked, all sections together."""
_MOST_PICTURE: Final = 60_000_000
"""Of one picture, unpacked."""

_SIGNATURE: Final = b"HWP Document File"
_PACKED, _PASSWORD, _DISTRIBUTION, _DRM, _CERTIFICATE = 1 << 0, 1 << 1, 1 << 2, 1 << 4, 1 << 8
_DAMAGE: Final = (
    OSError,
    ValueError,
    LookupError,
    ArithmeticError,
    AttributeError,
    TypeError,
    RecursionError,
    struct.error,
)
"""What olefile raises on broken files besides its own errors, which are OSErrors."""


class Storage:
    """The streams of one document."""

    def __init__(self, data: bytes) -> None:
        """Raises `Unconvertible`: `damaged`, `unsupported` for another kind of document, `encrypted`."""
        try:
            self._ole = olefile.OleFileIO(io.BytesIO(data))
            self.names = {"/".join(path): path for path in self._ole.listdir()}
        except _DAMAGE:
            raise Unconvertible("damaged", "the file is damaged or not complete") from None
        self._left = MOST_BYTES
        header = self._raw("FileHeader") if "FileHeader" in self.names else b""
        if not header.startswith(_SIGNATURE):
            raise Unconvertible("unsupported", "not a Hancom document, whatever its name says")
        self.flags = number(header, 36, 4)
        _refuse_locked(self.flags)

    @property
    def is_distribution(self) -> bool:
        """True when the text lies encoded in `ViewText` and the rest is a placeholder."""
        return bool(self.flags & _DISTRIBUTION)

    def numbered(self, folder: str) -> list[str]:
        """The sections in a folder, by their numbers."""
        found = [name for name in self.names if re.fullmatch(rf"{folder}/Section\d+", name)]
        return sorted(found, key=lambda name: int(name.rpartition("Section")[2]))

    def stored(self, name: str) -> bytes:
        """A stream as it lies in the file; raises `Unconvertible` when it cannot be read."""
        return self._raw(name)

    def read(self, name: str) -> bytes:
        """A stream, unpacked when the document is packed."""
        data = self._raw(name)
        return self.unpack(data) if self.flags & _PACKED else data

    def unpack(self, data: bytes) -> bytes:
        """The text that was packed; raises `Unconvertible` when there is none or, with all before it, too much."""
        made = _inflated(data, self._left)
        self._left -= len(made)
        return made

    def picture(self, name: str, *, is_packed: bool | None) -> bytes:
        """A picture's bytes, which do not count as text; `is_packed`: None when it is as the document is."""
        data = self._raw(name)
        packed = bool(self.flags & _PACKED) if is_packed is None else is_packed
        return _inflated(data, _MOST_PICTURE) if packed else data

    def _raw(self, name: str) -> bytes:
        path = self.names.get(name)
        if path is None:
            raise Unconvertible("damaged", f"the file is damaged: its part {name} is missing")
        try:
            with self._ole.openstream(path) as stream:
                return bytes(stream.read())
        except _DAMAGE:
            raise Unconvertible("damaged", f"the file is damaged: its part {name} cannot be read") from None


def _inflated(data: bytes, most: int) -> bytes:
    """Undo raw deflate; bytes after its end are none of ours, and data that is cut off gives what there is of it."""
    try:
        made = zlib.decompressobj(-15).decompress(data, most + 1)
    except zlib.error:
        made = b""
    if len(made) > most:
        raise Unconvertible("too-large", "the file unpacks to far more than a document holds; it was not read")
    if data and not made:
        raise Unconvertible("damaged", "the file is damaged: its text cannot be unpacked")
    return made


def _refuse_locked(flags: int) -> None:
    if flags & _PASSWORD:
        raise Unconvertible("encrypted", "the file is protected by a password; save a copy without one")
    if flags & (_DRM | _CERTIFICATE):
        raise Unconvertible(
            "encrypted", "the file is protected by its publisher's rights management; it cannot be read"
        )
