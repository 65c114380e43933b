"""Distribution documents (배포용 문서): their text is encoded with a key that lies beside it.

Source: Hancom, "한글 문서 파일 형식: 배포용 문서". The first record of a section holds 256 bytes that the numbers of a
well-known generator hide, among them a digest whose first 16 bytes are the AES key of the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp.records import number

_TAG: Final = 28
_LENGTH: Final = 256
_BLOCK: Final = 16


def decode(data: bytes) -> bytes:
    """The packed section; raises `Unconvertible`: `missing-extra` without `cryptography`, `damaged`."""
    body = data[4 + _LENGTH :]
    if number(data, 0, 4) & 0x3FF != _TAG or len(body) < _BLOCK:
        raise Unconvertible("damaged", "the file is damaged: its text cannot be decoded")
    decryptor = _cipher(key_of(data[4 : 4 + _LENGTH])).decryptor()
    return bytes(decryptor.update(body[: len(body) // _BLOCK * _BLOCK]) + decryptor.finalize())


def key_of(hidden: bytes) -> bytes:
    """The key in the 256 bytes of a section's first record; the first four are the seed and lie open."""
    seed = number(hidden, 0, 4)
    shown = bytearray(hidden)
    random = _Random(seed)
    mask = left = 0
    for at in range(len(shown)):
        if not left:
            mask = random.next() & 0xFF
            left = (random.next() & 0xF) + 1
        left -= 1
        if at >= 4:
            shown[at] ^= mask
    start = 4 + (seed & 0xF)
    return bytes(shown[start : start + _BLOCK])


class _Random:
    """`rand()` of Microsoft's C library."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def next(self) -> int:
        self._state = (self._state * 214_013 + 2_531_011) & 0xFFFFFFFF
        return self._state >> 16 & 0x7FFF


def _cipher(key: bytes) -> Any:
    try:
        ciphers = import_module("cryptography.hazmat.primitives.ciphers")
    except ImportError:
        raise Unconvertible(
            "missing-extra", "a distribution document (배포용 문서) needs an extra: pip install 'docs-rag[documents]'"
        ) from None
    return ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.ECB())
