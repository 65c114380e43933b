"""The tables of an HWP 5 document: paragraph shapes, styles, numberings and embedded files.

Source: Hancom, "한글 문서 파일 형식 5.0", section 4.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from docs_rag.adapters.converters.hwp.numbering import FORMATS, LevelNumber, Numbering
from docs_rag.adapters.converters.hwp.records import Record

_BIN_DATA, _NUMBERING, _PARA_SHAPE, _STYLE = 18, 23, 25, 26
_LEVELS: Final = 7
"""Levels that every numbering has; newer versions write three more, in a form of their own."""
_HEAD_BYTES: Final = 12
_LINK: Final = 0
"""Kind of embedded data that is only a path to a file elsewhere."""
_UNPACKED: Final = 2

_OUTLINE_STYLE: Final = re.compile(r"(?:개요|outline)\s*(\d{1,2})", re.IGNORECASE)


class Head(IntEnum):
    """What stands at the head of a paragraph."""

    NONE = 0
    OUTLINE = 1
    NUMBER = 2
    BULLET = 3


@dataclass(frozen=True, slots=True)
class Shape:
    """Of a paragraph shape, what says what the paragraph is."""

    head: Head = Head.NONE
    level: int = 1
    """1 for the outermost."""
    numbering: int = 0
    """Number of the numbering or bullet, from 1; 0 for the section's own."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file inside the document."""

    stream: str
    is_packed: bool | None
    """None: as the document says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocInfo:
    """What paragraphs refer to by number."""

    shapes: Mapping[int, Shape]
    outlines: Mapping[int, int]
    """Number of a style -> outline level that its name says."""
    numberings: Mapping[int, Numbering]
    embedded: Mapping[int, Embedded]

    def shape(self, number: int) -> Shape:
        """A paragraph shape; a plain one where the document has none of this number."""
        return self.shapes.get(number) or Shape()


def read_docinfo(records: Sequence[Record]) -> DocInfo:
    """The tables from the records of the stream `DocInfo`."""
    flat = [each for top in records for each in (top, *top.children)]
    styles = [each for each in flat if each.tag == _STYLE]
    numberings = [_numbering(each) for each in flat if each.tag == _NUMBERING]
    embedded = [_embedded(each) for each in flat if each.tag == _BIN_DATA]
    return DocInfo(
        shapes=dict(enumerate(_shape(each) for each in flat if each.tag == _PARA_SHAPE)),
        outlines={at: level for at, each in enumerate(styles) if (level := _outline_of(each))},
        numberings=dict(enumerate(numberings, 1)),
        embedded={at: each for at, each in enumerate(embedded, 1) if each},
    )


def outline_level(name: str) -> int:
    """The outline level that the name of a style says, `개요 2` or `Outline 2`; 0 for any other name."""
    found = _OUTLINE_STYLE.fullmatch(name.strip())
    return int(found[1]) if found else 0


def _shape(record: Record) -> Shape:
    bits = record.u32(0)
    return Shape(Head(bits >> 23 & 3), (bits >> 25 & 7) + 1, record.u16(30))


def _outline_of(record: Record) -> int:
    name, at = record.text(0)
    return outline_level(name) or outline_level(record.text(at)[0])


def _numbering(record: Record) -> Numbering:
    levels, at = [], 0
    for _ in range(_LEVELS):
        style = record.u32(at) >> 5 & 0xF
        pattern, at = record.text(at + _HEAD_BYTES)
        levels.append((pattern, FORMATS[style] if style < len(FORMATS) else "DIGIT"))
    starts = at + 2
    return [
        LevelNumber(pattern, style, record.u32(starts + 4 * level) or 1)
        for level, (pattern, style) in enumerate(levels)
    ]


def _embedded(record: Record) -> Embedded | None:
    attributes = record.u16(0)
    if attributes & 0xF == _LINK:
        return None
    suffix, _ = record.text(4)
    packed = attributes >> 4 & 3
    name = f"BinData/BIN{record.u16(2):04X}"
    return Embedded(f"{name}.{suffix}" if suffix else name, None if packed == 0 else packed != _UNPACKED)
