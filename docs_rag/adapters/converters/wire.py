"""What passes between the program and its conversion process: one line of JSON, then bytes whose count it tells.

No pickle: a document that takes the process over must not reach further than the text it would give anyway.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from docs_rag.adapters.converters.failing import CODES, Unconvertible
from docs_rag.core.converted import Converted, Picture, Stretch

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_BYTES: Final = 256_000_000
"""Of the text and the pictures of one document together."""
MOST_PICTURES: Final = 10_000
MORE: Final = "more"
"""Key of a message that is no reply yet: the converter gets on, and asks for so many seconds from now."""
SCRATCH: Final = "docs-rag-"
"""How the name of the folder begins that the process works in and keeps its temporary files in."""

_MEANT_OTHERWISE: Final = (KeyError, TypeError, ValueError, OverflowError)
"""What comes of values that are not what they should be; a number in JSON may be infinite."""


class Garbled(Exception):
    """The other side broke off, or what it says cannot be meant."""


def send(stream: BinaryIO, header: Mapping[str, object], body: bytes = b"") -> None:
    """Write one message."""
    stream.write(json.dumps({**header, "bytes": len(body)}).encode("ascii") + b"\n")
    stream.write(body)
    stream.flush()


def receive(stream: BinaryIO, most: int = MOST_BYTES) -> tuple[dict[str, Any], bytes] | None:
    """The next message; None when the other side is done. Raises `Garbled`."""
    line = stream.readline(most + 1)
    if not line:
        return None
    try:
        header = json.loads(line)
        count = int(header["bytes"])
    except (*_MEANT_OTHERWISE, RecursionError) as error:
        raise Garbled("no message") from error
    if not 0 <= count <= most:
        raise Garbled("a message that is too long")
    body = stream.read(count)
    if len(body) < count:
        raise Garbled("half a message")
    return header, body


def pack(converted: Converted) -> tuple[dict[str, object], bytes]:
    """A converted document as a message; raises `Unconvertible` for one that is too large."""
    text = converted.markdown.encode("utf-8", "replace")
    pictures = converted.pictures[:MOST_PICTURES]
    body = b"".join((text, *(each.data for each in pictures)))
    if len(body) > MOST_BYTES:
        raise Unconvertible("too-large", f"what it holds is more than {MOST_BYTES // 1_000_000} MB")
    header: dict[str, object] = {
        "text": len(text),
        "stretches": [[*each.lines, each.location] for each in converted.stretches],
        "pictures": [[each.name, len(each.data)] for each in pictures],
        "title": converted.title,
        "warnings": list(converted.warnings),
    }
    return header, body


def unpack(header: Mapping[str, Any], body: bytes) -> Converted:
    """The document in a message; raises `Unconvertible` when that is what it says, `Garbled` when it says nothing."""
    if "code" in header:
        code = str(header["code"])
        raise Unconvertible(code if code in CODES else "damaged", str(header.get("message", "")))
    try:
        return _converted(header, body)
    except _MEANT_OTHERWISE as error:
        raise Garbled("not a document") from error


def _converted(header: Mapping[str, Any], body: bytes) -> Converted:
    end = int(header["text"])
    pictures: list[Picture] = []
    start = end
    for name, size in header["pictures"]:
        pictures.append(Picture(str(name), body[start : start + int(size)]))
        start += int(size)
    return Converted(
        markdown=body[:end].decode("utf-8", "replace"),
        stretches=tuple(Stretch((int(first), int(last)), str(place)) for first, last, place in header["stretches"]),
        pictures=tuple(pictures),
        title=str(header["title"]),
        warnings=tuple(map(str, header["warnings"])),
    )
