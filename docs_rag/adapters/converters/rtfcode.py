"""Rich text with every character beyond ASCII written as Unicode, so that no reader has to know code pages.

Word writes Korean, Japanese and Chinese as bytes of the font's character set (`\\'c7\\'d1`), which pandoc 3 takes for
Latin letters. Format: Rich Text Format Specification 1.9.1, "Character Set", "Font Table" and "Unicode RTF".
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from typing import Final

_TOKEN: Final = re.compile(
    rb"\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]+)(?P<number>-?\d{1,9})? ?|(?P<brace>[{}])|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<text>[^\\{}]+)|(?P<rest>\\)",
    re.DOTALL,
)
_FONT: Final = re.compile(rb"\\f(\d{1,5})\b[^;{}]{0,200}?\\fcharset(\d{1,3})\b")
_PAGE: Final = re.compile(rb"\\ansicpg(\d{1,5})\b")
_CHARSETS: Final = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
"""`\\fcharset` of a font -> Python's codec; all others have the document's own code page."""


@dataclass(frozen=True, slots=True)
class _State:
    """What holds inside a group."""

    encoding: str
    fallback: int = 1
    """Characters after a Unicode one that stand for it in old readers."""


def unicode_only(data: bytes) -> bytes:
    """The same document in ASCII; bytes that its code page does not know become U+FFFD."""
    return _Rewriter(data).rewritten()


class _Rewriter:
    """Goes through the tokens of one document."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        page = _PAGE.search(data)
        self._own = _codec(f"cp{page[1].decode()}") if page else "cp1252"
        self._fonts = {int(number): _CHARSETS.get(int(kind), self._own) for number, kind in _FONT.findall(data)}
        self._states = [_State(self._own)]
        self._decoder = codecs.getincrementaldecoder(self._own)("replace")
        self._skip = 0
        self._out: list[bytes] = []

    def rewritten(self) -> bytes:
        at = 0
        while found := _TOKEN.match(self._data, at):
            at = found.end()
            if found["hex"]:
                self._bytes(bytes.fromhex(found["hex"].decode()), is_escaped=True)
            elif found["text"]:
                self._bytes(found["text"], is_escaped=False)
            else:
                self._flush()
                if found["word"] == b"bin":
                    at += max(0, int(found["number"] or 0))  # raw bytes of a picture
                else:
                    self._control(found)
        self._flush()
        return b"".join(self._out)

    def _control(self, found: re.Match[bytes]) -> None:
        """A brace, a control word or a control sign."""
        word, number = found["word"], int(found["number"] or 0)
        if found["brace"] == b"{":
            self._states.append(self._states[-1])
        elif found["brace"] and len(self._states) > 1:
            self._states.pop()
        if word == b"u":
            self._out.append(_escape(number & 0xFFFF))
            self._skip = self._states[-1].fallback
        elif word == b"uc":
            self._states[-1] = replace(self._states[-1], fallback=max(0, min(number, 100)))
        elif found["sign"] is not None and self._skip:
            self._skip -= 1
        else:
            self._skip = 0
            self._out.append(found[0])
        if word == b"f" and number in self._fonts:
            self._states[-1] = replace(self._states[-1], encoding=self._fonts[number])
        elif word == b"plain":
            self._states[-1] = replace(self._states[-1], encoding=self._own)
        self._decoder = codecs.getincrementaldecoder(self._states[-1].encoding)("replace")

    def _bytes(self, data: bytes, *, is_escaped: bool) -> None:
        if self._skip:
            dropped = min(self._skip, len(data))
            self._skip -= dropped
            data = data[dropped:]
        if not is_escaped and self._decoder.getstate()[0]:
            data = data.lstrip(b"\r\n")  # a line may end between the halves of a character
        for sign in self._decoder.decode(data):
            self._emit(sign, is_escaped=is_escaped)

    def _emit(self, sign: str, *, is_escaped: bool) -> None:
        code = ord(sign)
        if code > 0xFFFF:
            high, low = divmod(code - 0x10000, 0x400)
            self._out += [_escape(0xD800 + high), _escape(0xDC00 + low)]
        elif code > 0x7F or (is_escaped and not sign.isalnum()):
            self._out.append(_escape(code))
        else:
            self._out.append(sign.encode())

    def _flush(self) -> None:
        """Half a character at the end of a text is damage."""
        for sign in self._decoder.decode(b"", True):
            self._emit(sign, is_escaped=True)


def _escape(code: int) -> bytes:
    """A UTF-16 unit, a signed number to the format, without a fallback: pandoc loses the space after one."""
    return f"\\uc0\\u{code if code < 0x8000 else code - 0x10000} ".encode()


def _codec(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
