"""The pictures of a page: those that stand in it as text are taken out, of the others the address stays."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote_to_bytes

from docs_rag.core.converted import Picture

_DATA: Final = re.compile(r"data:image/(?P<kind>[a-z0-9.+-]{1,20})[^,]{0,200}?(?P<coded>;base64)?,", re.IGNORECASE)
_KINDS: Final = {"jpeg": "jpg", "svg+xml": "svg", "x-icon": "ico", "vnd.microsoft.icon": "ico"}
MOST_BYTES: Final = 100_000_000
"""Of all pictures together."""


class Pictures:
    """Gives each picture a name in the converted document."""

    def __init__(self, find: Callable[[str], tuple[str, bytes] | None] | None = None) -> None:
        """`find` gives file name and bytes of a picture at an address, for documents that bring theirs along."""
        self._find = find
        self._names: dict[str, str] = {}
        self.taken: list[Picture] = []
        """In the order of the document."""
        self._left = MOST_BYTES

    def name(self, address: str) -> str:
        """How the markdown refers to the picture at an address; empty when there is nothing to refer to."""
        address = address.strip()
        if address not in self._names:
            self._names[address] = self._new_name(address)
        return self._names[address]

    def _new_name(self, address: str) -> str:
        found = _DATA.match(address)
        if found is not None:
            kind = found["kind"].lower()
            return self._take(f"picture.{_KINDS.get(kind, kind)}", _bytes(address[found.end() :], found["coded"]))
        if address.lower().startswith("data:"):
            return ""
        brought = self._find(address) if self._find is not None else None
        if brought is not None:
            return self._take(*brought)
        return address if self._find is None or "://" in address else ""

    def _take(self, name: str, data: bytes) -> str:
        if not data or len(data) > self._left:
            return ""
        self._left -= len(data)
        stem, dot, suffix = name.rpartition(".")
        name = f"{_clean(stem) or 'picture'}-{len(self.taken) + 1}{dot}{_clean(suffix)}"
        self.taken.append(Picture(name, data))
        return name


def _clean(part: str) -> str:
    """A part of a file name that is one on every system."""
    return re.sub(r"[^\w-]+", "-", part).strip("-")[:60]


def _bytes(body: str, coded: str | None) -> bytes:
    raw = unquote_to_bytes(body)
    if not coded:
        return raw
    try:
        return base64.b64decode(b"".join(raw.split()) + b"==", validate=False)
    except (binascii.Error, ValueError):
        return b""
