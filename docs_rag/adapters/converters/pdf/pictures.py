"""Images on PDF pages, kept as they are in the file where that is a JPEG, else written as PNG."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from hashlib import sha256
from struct import pack
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as raw

from docs_rag.core.converted import Picture

_SMALLEST: Final = 64
"""Pixels; smaller ones are bullets, rules and icons."""
_LARGEST: Final = 40_000_000
_MOST: Final = 500
_MOST_BYTES: Final = 100_000_000
_JPEG: Final = {"DCTDecode": "jpg", "JPXDecode": "jp2"}
_PNG_COLOURS: Final = {raw.FPDFBitmap_Gray: (0, 1), raw.FPDFBitmap_BGR: (2, 3)}
"""Kind of bitmap -> PNG's colour type, and bytes of a pixel."""


class Pictures:
    """Collects the images of a document, each once: a logo on every page is one picture."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._seen: set[bytes] = set()
        self._bytes = 0

    def of(self, page: Any, number: int) -> Iterator[Picture]:
        """The images of a page that were on none before it."""
        count = 0
        for image in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
            if len(self._seen) >= _MOST or self._bytes >= _MOST_BYTES:
                return
            if (found := _image(image)) is None:
                continue
            data, suffix = found
            digest = sha256(data).digest()
            if digest not in self._seen:
                self._seen.add(digest)
                self._bytes += len(data)
                count += 1
                yield Picture(f"p{number}-{count}.{suffix}", data)


def _image(image: Any) -> tuple[bytes, str] | None:
    """The bytes of an image file and its suffix; None for what is too small, too large or cannot be read."""
    try:
        width, height = image.get_px_size()
        if min(width, height) < _SMALLEST or width * height > _LARGEST:
            return None
        filters = image.get_filters()
        if filters and (suffix := _JPEG.get(filters[-1])):
            return bytes(image.get_data(decode_simple=True)), suffix
        return (found, "png") if (found := _png(image.get_bitmap())) else None
    except pypdfium2.PdfiumError:
        return None


def _png(bitmap: Any) -> bytes | None:
    """A bitmap as PNG (ISO 15948): each row led by a zero, which says that it is not filtered."""
    if bitmap.format not in _PNG_COLOURS:
        return None
    colour, size = _PNG_COLOURS[bitmap.format]
    pixels, width = memoryview(bitmap.buffer).cast("B"), bitmap.width * size
    rows = (_row(bytes(pixels[at : at + width]), size) for at in range(0, bitmap.height * bitmap.stride, bitmap.stride))
    header = pack(">IIBBBBB", bitmap.width, bitmap.height, 8, colour, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _row(pixels: bytes, size: int) -> bytes:
    """A row with red first: PDFium puts blue there."""
    if size == 1:
        return pixels
    turned = bytearray(pixels)
    turned[0::3], turned[2::3] = pixels[2::3], pixels[0::3]
    return bytes(turned)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
