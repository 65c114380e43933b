"""The tokens of a rich text document, its characters decoded.

Word writes Korean, Japanese and Chinese as bytes of the font's character set (`\\'c7\\'d1`), or as Unicode with a
fallback for old readers. Format: Rich Text Format Specification 1.9.1, "Character Set", "Font Table", "Unicode RTF".
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(
    rb"\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]+)(?P<number>-?\d{1,9})? ?|(?P<brace>[{}])|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<text>[^\\{}]+)|\\",
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


class Token(NamedTuple):
    """One piece of the document."""

    kind: str
    """`text`, `word` (a control word), `sign` (a control sign), `{`, `}` or `bytes` (raw data of a picture)."""
    text: str
    number: int | None = None
    """The parameter of a control word."""
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class _State:
    """What holds inside a group."""

    encoding: str
    fallback: int = 1
    """Characters after a Unicode one that stand for it in old readers."""


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens in order; characters that the code page does not know are U+FFFD, never an error."""
    return _Reader(data).read()


class _Reader:
    """Goes through one document."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        page = _PAGE.search(data)
        self._own = _codec(f"cp{page[1].decode()}") if page else "cp1252"
        self._fonts = {int(number): _CHARSETS.get(int(kind), self._own) for number, kind in _FONT.findall(data)}
        self._states = [_State(self._own)]
        self._decoder = codecs.getincrementaldecoder(self._own)("replace")
        self._skip = 0

    def read(self) -> Iterator[Token]:
        at = 0
        while found := _TOKEN.match(self._data, at):
            at = found.end()
            if found["hex"] or found["text"]:
                text = self._decoded(
                    bytes.fromhex(found["hex"].decode()) if found["hex"] else found["text"].strip(b"\r\n")
                )
                yield from [Token("text", text)] if text else []
                continue
            rest = self._decoder.decode(b"", True)  # half a character before a control word is damage
            yield from [Token("text", rest)] if rest else []
            if found["word"] == b"bin":
                start, at = at, at + max(0, int(found["number"] or 0))
                yield Token("bytes", "", None, self._data[start:at])
            else:
                yield from self._control(found)

    def _decoded(self, data: bytes) -> str:
        dropped = min(self._skip, len(data))
        self._skip -= dropped
        return self._decoder.decode(data[dropped:].replace(b"\r", b"").replace(b"\n", b""))

    def _control(self, found: re.Match[bytes]) -> Iterator[Token]:
        """A brace, a control word or a control sign."""
        word, number = (found["word"] or b"").decode(), int(found["number"]) if found["number"] else None
        if found["sign"] is not None and self._skip:
            self._skip -= 1
            return
        self._skip = 0
        if word == "u":
            self._skip = self._states[-1].fallback
            yield Token("text", chr((number or 0) & 0xFFFF))
        elif found["brace"]:
            self._brace(found["brace"])
            yield Token(found["brace"].decode(), "")
        elif found["sign"] is not None:
            yield Token("sign", found["sign"].decode("latin-1"))
        elif word:
            self._keep(word, number or 0)
            yield Token("word", word, number)

    def _brace(self, brace: bytes) -> None:
        if brace == b"{":
            self._states.append(self._states[-1])
        elif len(self._states) > 1:
            self._states.pop()
        self._renew()

    def _keep(self, word: str, number: int) -> None:
        """Remember what a control word says of the characters that follow."""
        if word not in ("uc", "f", "plain"):
            return
        state = self._states[-1]
        if word == "uc":
            state = replace(state, fallback=max(0, min(number, 100)))
        elif word == "f":
            state = replace(state, encoding=self._fonts.get(number, state.encoding))
        else:
            state = replace(state, encoding=self._own)
        self._states[-1] = state
        self._renew()

    def _renew(self) -> None:
        self._decoder = codecs.getincrementaldecoder(self._states[-1].encoding)("replace")


def _codec(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
