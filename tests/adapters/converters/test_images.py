"""The size of a picture is known before anything decodes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.images import convert
from docs_rag.adapters.converters.picturesize import picture_size


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")


JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc4\0\x03c\xff\xc2\0\x0b\x08\0\x30\0\x40"
TIFF = b"II*\0\x08\0\0\0\x02\0" + b"\0\x01\x03\0\x01\0\0\0\x40\0\0\0" + b"\x01\x01\x04\0\x01\0\0\0\x30\0\0\0"
TIFF_BIG = b"MM\0*\0\0\0\x08\0\x02" + b"\x01\0\0\x03\0\0\0\x01\0\x40\0\0" + b"\x01\x01\0\x04\0\0\0\x01\0\0\0\x30"
BMP = b"BM" + bytes(16) + (64).to_bytes(4, "little") + (-48).to_bytes(4, "little", signed=True)


@pytest.mark.parametrize(
    "data",
    [
        png(64, 48),
        JPEG,
        b"GIF89a\x40\0\x30\0",
        BMP,
        b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x3f\0\0\x2f\0\0",
        b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (63 | 47 << 14).to_bytes(4, "little"),
        b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\0\x30\0",
        TIFF,
        TIFF_BIG,
    ],
)
def test_size_from_the_header(data: bytes) -> None:
    assert picture_size(data) == (64, 48)
    assert picture_size(data[:-1]) is None


@given(st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"BM", b"RIFF", b"II*\0", b"MM\0*", b""]),
       st.binary(max_size=80))  # fmt: skip
def test_nothing_breaks_it(magic: bytes, rest: bytes) -> None:
    size = picture_size(magic + rest)
    assert size is None or len(size) == 2


@pytest.mark.parametrize(
    ("data", "code"),
    [(png(60_000, 60_000), "too-large"), (b"no picture", "damaged"), (b"", "damaged"), (png(9, 9)[:20], "damaged")],
)
def test_what_cannot_be_read_is_a_reason(data: bytes, code: str) -> None:
    with pytest.raises(Unconvertible) as failure:
        convert(data, "a.png")
    assert failure.value.code == code
