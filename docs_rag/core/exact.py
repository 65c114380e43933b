"""A file's text without losing anything: whoever changes a line of it must give every other byte back."""

from __future__ import annotations

import codecs

from docs_rag.core.ports import Unreadable

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def decode_exact(data: bytes) -> tuple[str, str]:
    """The text with its byte order mark and its line ends, and the codec that turns it back into `data`.

    Raises `Unreadable` with the code `encoding` for a file that is no text, or none that could be given back.
    """
    codec = next((name for mark, name in _UTF_16.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        raise Unreadable("encoding", f"not {codec.upper()}; save the file as UTF-8") from error
    if "\0" in text or text.encode(codec) != data:
        raise Unreadable("encoding", "a binary file")
    return text, codec
