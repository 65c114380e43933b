"""The text of a file whose encoding nobody states.

In this order: a byte order mark, the escapes of ISO 2022, the pattern of zero bytes that UTF-16 and UTF-32 leave,
strict UTF-8, what the file declares of itself, and last the encoding in which the text looks most like a language
(`core/scripts.py`); where none does, charset-normalizer is asked, which knows a hundred encodings but is mistaken on
short texts.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from docs_rag.core.scripts import likeliest, likeness


class Decoded(NamedTuple):
    """A text and how it was found."""

    text: str
    """Without byte order mark; line ends `\\n`."""
    encoding: str
    """Python's name of the encoding."""
    is_sure: bool
    """False when the encoding was guessed and no language speaks for it, or bytes had to be replaced."""


class Undecodable(ValueError):
    """The bytes are no text in any encoding; `str()` says why."""


_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_ESCAPES: Final = (
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
    (re.compile(rb"\x1b\$[@B]|\x1b\([IJ]|\x1b\$\(D"), "iso2022_jp_ext"),
    (re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])+~\}"), "hz"),
)
"""Encodings of seven bits, which would pass for plain ASCII."""
_MEANT: Final = {
    "euc-kr": "cp949",
    "euckr": "cp949",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601-1989": "cp949",
    "ksc5601": "cp949",
    "windows-949": "cp949",
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "ms_kanji": "cp932",
    "big5": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "x-user-defined": "cp1252",
}
"""What a declaration stands for where its name is narrower than what people write (https://encoding.spec.whatwg.org)."""
_SAMPLE: Final = 60_000
"""Bytes of lines that are not ASCII which tell the encoding of the rest."""
_MOST_BROKEN: Final = 0.002
"""Share of the bytes that may be broken in what is UTF-8 all the same: a file cut in a character, two files joined."""


def read_text(data: bytes, declared: str = "") -> Decoded:
    """The text of a file. `declared` is the encoding that the file itself names, in any spelling; may be empty.

    Raises `Undecodable` for binary files and for bytes that are no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _lenient(data[len(mark) :], encoding)
    for escape, encoding in _ESCAPES:
        if escape.search(data) and data.isascii() and (text := _strict(data, encoding)) is not None:
            return _decoded(text, encoding)
    if b"\0" in data:
        return _by_zeros(data)
    text = _strict(data, "utf-8")
    if text is not None:
        return _decoded(text, "utf-8")
    return _by_name(data, declared) or _nearly_utf8(data) or _by_language(data)


def declared_in(head: bytes) -> str:
    """The encoding that XML or HTML names near its beginning; empty when none."""
    found = _DECLARED.search(head[:4096])
    return (found[1] or found[2]).decode("ascii") if found else ""


_DECLARED: Final = re.compile(
    rb"<\?xml[^>]{1,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})|<meta[^>]{1,300}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})",
    re.IGNORECASE,
)


def _decoded(text: str, encoding: str, *, is_sure: bool = True) -> Decoded:
    text = text.removeprefix("\ufeff")
    return Decoded(text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text, encoding, is_sure)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _lenient(data: bytes, encoding: str) -> Decoded:
    """What a mark has settled; a broken byte does not unsettle it."""
    text = data.decode(encoding, "replace")
    if text.count("\0") > len(text) // 100:
        raise Undecodable("a binary file")
    text = text.replace("\0", "\ufffd")
    return _decoded(text, encoding, is_sure="\ufffd" not in text)


def _by_zeros(data: bytes) -> Decoded:
    """UTF-16 or UTF-32 without a mark: of the readings without zeros, the one that looks most like a language."""
    found = [reading for encoding, width in _UNITS if (reading := _reading(data, encoding, width)) is not None]
    if not found:
        raise Undecodable("a binary file")
    return max(found)[1]


def _reading(data: bytes, encoding: str, width: int) -> tuple[float, Decoded] | None:
    text = _strict(data[: len(data) - len(data) % width], encoding)
    if text is None or "\0" in text:
        return None
    worth = likeness(text[:2000])
    return (worth, _decoded(text, encoding)) if worth >= _LEAST_LIKENESS else None


_UNITS: Final = (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2))
"""Encoding and bytes of a unit."""
_LEAST_LIKENESS: Final = 0.3


def _is_text(text: str) -> bool:
    """Whether nearly all characters can be shown."""
    odd = sum(not (char.isprintable() or char in "\t\n\r\f\u3000\ufeff") for char in text)
    return odd <= len(text) // 50


def _by_name(data: bytes, declared: str) -> Decoded | None:
    name = declared.strip().casefold()
    if not name or name.startswith(("utf", "unicode")):  # it is neither, or it would have been read by now
        return None
    try:
        encoding = codecs.lookup(_MEANT.get(name, name)).name
    except LookupError:
        return None
    text = _strict(data, encoding) if codecs.lookup(encoding)._is_text_encoding else None
    return None if text is None else _decoded(text, encoding)


def _nearly_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with a few broken bytes, which are replaced."""
    text = data.decode("utf-8", "replace")
    broken, whole = text.count("\ufffd"), len(_UTF8_CHARACTER.findall(data))
    if whole > 20 * broken and broken <= 2 + len(data) * _MOST_BROKEN:
        return _decoded(text, "utf-8", is_sure=False)
    return None


_UTF8_CHARACTER: Final = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


def _by_language(data: bytes) -> Decoded:
    sample = b"\n".join(_telling(data))
    guess = likeliest(sample)
    names = [
        *([guess.encoding] if guess.is_clear else []),
        *_asked(sample),
        *([guess.encoding] if guess.encoding else []),
    ]
    for encoding in names:
        text = _strict(data, encoding)
        if text is not None:
            if not _is_text(text[:2000]):
                break
            return _decoded(text, encoding, is_sure=guess.is_clear)
    if guess.is_clear:  # right for the sample, and somewhere else a byte is broken
        return _decoded(data.decode(guess.encoding, "replace"), guess.encoding, is_sure=False)
    raise Undecodable("no encoding is known in which this is text")


def _telling(data: bytes) -> Iterator[bytes]:
    """Lines that are not plain ASCII, as many as it takes."""
    size = 0
    for found in _HIGH_LINE.finditer(data):
        yield found[0]
        size += len(found[0])
        if size > _SAMPLE:
            return


_HIGH_LINE: Final = re.compile(rb"[^\n]*[\x80-\xff][^\n]*")


def _asked(sample: bytes) -> Sequence[str]:
    """What charset-normalizer takes the encoding for."""
    from charset_normalizer import from_bytes  # noqa: PLC0415  # 20 ms, for files that nothing else could settle

    best = from_bytes(sample).best()
    return () if best is None else (best.encoding,)
