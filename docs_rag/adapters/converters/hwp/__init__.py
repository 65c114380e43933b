"""Documents of Hancom Office: HWP 5 and HWPX; by what they are, not by what they are called.

HWP 5 is read on `olefile`, HWPX with the standard library. Distribution documents need the extra `documents` for their
cipher. HWP 3.0 and HWPML are recognised and refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp import hwp5, hwpx, writing
from docs_rag.adapters.converters.hwp.model import Document
from docs_rag.core.converted import Converted

_READERS: Final[tuple[tuple[bytes, Callable[[bytes], Document]], ...]] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", hwp5.read),
    (b"PK\x03\x04", hwpx.read),
)
"""How a file begins, and what reads it."""

_REFUSED: Final = (
    (b"HWP Document File V3.00", "HWP 3.0, a format of the 1990s; open it in Hancom Office and save it as HWPX"),
    (b"HWP Document File V2", "HWP 2, a format of the 1990s; open it in Hancom Office and save it as HWPX"),
)


def convert(data: bytes, name: str) -> Converted:
    """The document as markdown; raises `Unconvertible`. What `name` says of the format is not believed."""
    for magic, read in _READERS:
        if data.startswith(magic):
            document = read(data)
            return writing.converted(document) if any(document.sections) else writing.preview(document)
    for magic, what in _REFUSED:
        if data.startswith(magic):
            raise Unconvertible("unsupported", what)
    if b"<HWPML" in data[:4096] or "<HWPML".encode("utf-16-le") in data[:4096]:
        raise Unconvertible("unsupported", "HWPML; open it in Hancom Office and save it as HWPX")
    raise Unconvertible(
        "damaged", f"{name} is not a Hancom document, whatever its name says, or its beginning is damaged"
    )
