"""Digests that identify texts in the index."""

from __future__ import annotations

import zlib
from typing import NewType

Digest = NewType("Digest", bytes)
"""16 bytes that stand for a text."""


def text_digest(text: str) -> Digest:
    """BLAKE2b-128 of the UTF-8 form; lone surrogates count as themselves."""
    return bytes_digest(text.encode("utf-8", "surrogatepass"))


def bytes_digest(data: bytes) -> Digest:
    """BLAKE2b-128 of raw bytes."""
    from hashlib import blake2b  # noqa: PLC0415  # loads OpenSSL, which a search needs not

    return Digest(blake2b(data, digest_size=16).digest())


def short_digest(text: str) -> str:
    """Six hex digits (of CRC-32), enough to notice that a section is no longer what was found."""
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"[:6]
