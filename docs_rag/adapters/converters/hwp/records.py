"""The records of HWP 5: a stream of tagged pieces with levels, read into trees.

Source: Hancom, "한글 문서 파일 형식 5.0", section 4.1. A record starts with 32 bits: 10 of tag, 10 of level, 12 of
size; a size of 0xFFF says that the real one follows in 32 bits.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Final

_FOLLOWS: Final = 0xFFF
_MOST: Final = 3_000_000
"""Records of one stream; real documents of a thousand pages stay below a million."""


@dataclass(slots=True)
class Record:
    """A record and those below it."""

    tag: int
    level: int
    data: bytes
    children: list[Record] = field(default_factory=list)

    def u16(self, at: int) -> int:
        """The 16 bits at a place; 0 where the record is too short, as old versions write it."""
        return number(self.data, at, 2)

    def u32(self, at: int) -> int:
        """The 32 bits at a place; 0 where the record is too short."""
        return number(self.data, at, 4)

    def text(self, at: int) -> tuple[str, int]:
        """A counted text and the place after it."""
        start, length = at + 2, self.u16(at)
        end = min(start + 2 * length, len(self.data))
        return utf16(self.data[start:end]), end

    @property
    def name(self) -> str:
        """The four letters that name the kind of a control."""
        return self.data[3::-1].decode("latin-1") if len(self.data) >= 4 else ""


def number(data: bytes, at: int, size: int) -> int:
    """Little-endian and unsigned; 0 beyond the end."""
    return int.from_bytes(data[at : at + size], "little") if 0 <= at <= len(data) - size else 0


def utf16(data: bytes) -> str:
    """Text of HWP 5; halves of pairs become U+FFFD."""
    return data.decode("utf-16-le", "replace")


def read_records(data: bytes) -> tuple[list[Record], bool]:
    """The records without a parent, and whether the stream was whole: what comes after damage is not read."""
    top: list[Record] = []
    open_: list[Record] = []
    at = count = 0
    while at + 4 <= len(data):
        (head,) = struct.unpack_from("<I", data, at)
        at, size = at + 4, head >> 20
        if size == _FOLLOWS:
            size, at = number(data, at, 4), at + 4
        count += 1
        if size > len(data) - at or count > _MOST:
            return top, False
        record = Record(head & 0x3FF, head >> 10 & 0x3FF, data[at : at + size])
        at += size
        while open_ and open_[-1].level >= record.level:
            open_.pop()
        (open_[-1].children if open_ else top).append(record)
        open_.append(record)
    return top, True
