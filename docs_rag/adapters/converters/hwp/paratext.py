"""The text of an HWP 5 paragraph: characters, and codes below 32 that stand for everything else.

Source: Hancom, "한글 문서 파일 형식 5.0", section 4.3.2. Some codes take one unit of 16 bits, the others eight, the
last of which repeats the code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_rag.adapters.converters.hwp.records import number, utf16

LINE_BREAK: Final = 10
FIELD_START: Final = 3
FIELD_END: Final = 4

_CHARACTERS: Final = {
    LINE_BREAK: "\n",
    24: "-",
    30: "\u00a0",
    31: " ",
    0: "",
    13: "",
    25: "",
    26: "",
    27: "",
    28: "",
    29: "",
}
"""Codes of one unit."""
_TAB: Final = 9
_HAS_CONTROL: Final = frozenset({1, 2, 3, 11, 12, 14, 15, 16, 17, 18, 21, 22, 23})
"""Codes with a control record of their own, in the order of the codes."""
_UNITS: Final = 8


def read_text(data: bytes) -> Iterator[str | int]:
    """Runs of text, and the codes with a control or ending a field, in their order."""
    start = at = 0
    end = len(data) - len(data) % 2
    while at < end:
        code = data[at] if data[at + 1] == 0 else 32
        if code >= 32:
            at += 2
            continue
        if at > start:
            yield utf16(data[start:at])
        if code in _CHARACTERS:
            yield _CHARACTERS[code]
            at += 2
        else:
            if code in _HAS_CONTROL or code == FIELD_END:
                yield code
            if code == _TAB:
                yield "\t"
            at += 2 * _UNITS if _repeats(data, at, code) else 2
        start = at
    if end > start:
        yield utf16(data[start:end])


def _repeats(data: bytes, at: int, code: int) -> bool:
    """Whether the code is followed by its eight units; damaged text may hold a lone one."""
    return number(data, at + 2 * (_UNITS - 1), 2) == code
