"""Digests that identify texts in the index."""

import hashlib
from typing import NewType

Digest = NewType("Digest", bytes)
"""16 bytes that stand for a text."""


def text_digest(text: str) -> Digest:
    """BLAKE2b-128 of the UTF-8 form; lone surrogates count as themselves."""
    return Digest(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())


def bytes_digest(data: bytes) -> Digest:
    """BLAKE2b-128 of raw bytes."""
    return Digest(hashlib.blake2b(data, digest_size=16).digest())


def short_digest(text: str) -> str:
    """Six hex digits, enough to notice that a section is no longer what was found."""
    return text_digest(text).hex()[:6]
