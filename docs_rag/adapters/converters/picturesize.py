"""Width and height of a picture from its header, without decoding it: a small file can claim billions of pixels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Size = tuple[int, int]
"""Width and height in pixels."""


def picture_size(data: bytes) -> Size | None:
    """The size of a picture; None for what is none or is cut off."""
    for magic, size in _FORMATS:
        if data.startswith(magic):
            try:
                return size(data)
            except IndexError:
                return None
    return None


def _big(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(_bytes(data, at, count), "big")


def _little(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(_bytes(data, at, count), "little")


def _bytes(data: bytes, at: int, count: int) -> bytes:
    if at + count > len(data):
        raise IndexError("cut off")
    return data[at : at + count]


def _png(data: bytes) -> Size:
    return _big(data, 16, 4), _big(data, 20, 4)


def _gif(data: bytes) -> Size:
    return _little(data, 6, 2), _little(data, 8, 2)


def _bmp(data: bytes) -> Size:
    return _little(data, 18, 4), abs(int.from_bytes(_bytes(data, 22, 4), "little", signed=True))


_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that begin a frame, whatever its coding."""


def _jpeg(data: bytes) -> Size | None:
    at = 2
    while True:
        marker = _big(data, at, 2) & 0xFF
        if marker in _FRAMES:
            return _big(data, at + 7, 2), _big(data, at + 5, 2)
        length = _big(data, at + 2, 2)
        if data[at] != 0xFF or length < 2:
            return None
        at += 2 + length


def _webp(data: bytes) -> Size | None:
    match _bytes(data, 12, 4):
        case b"VP8X":
            return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
        case b"VP8L":
            packed = _little(data, 21, 4)
            return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    return None


_WIDTH_TAG: Final = 256
_HEIGHT_TAG: Final = 257
_SHORT: Final = 3


def _tiff(data: bytes) -> Size | None:
    """Of its first page; a TIFF is a list of tagged values, in the byte order of its first two letters."""
    number = _little if data.startswith(b"II") else _big
    start = number(data, 4, 4)
    found: dict[int, int] = {}
    for entry in range(number(data, start, 2)):
        at = start + 2 + entry * 12
        tag, kind = number(data, at, 2), number(data, at + 2, 2)
        if tag in (_WIDTH_TAG, _HEIGHT_TAG):
            found[tag] = number(data, at + 8, 2 if kind == _SHORT else 4)
    return (found[_WIDTH_TAG], found[_HEIGHT_TAG]) if len(found) == 2 else None


_FORMATS: Final[tuple[tuple[bytes, Callable[[bytes], Size | None]], ...]] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8\xff", _jpeg),
    (b"GIF8", _gif),
    (b"BM", _bmp),
    (b"RIFF", _webp),
    (b"II*\x00", _tiff),
    (b"MM\x00*", _tiff),
)
