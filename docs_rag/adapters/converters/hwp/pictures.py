"""The pictures of a document, read when the text refers to them and kept within bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from docs_rag.adapters.converters.failing import Unconvertible

K = TypeVar("K", int, str)
"""By what the text refers to a picture."""

_MOST: Final = 500
_MOST_BYTES: Final = 60_000_000
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_SHOWN: Final = frozenset({"png", "jpg", "jpeg", "gif", "bmp", "svg", "webp", "tif", "tiff", "wmf", "emf"})
"""Suffixes of pictures; anything else that a document calls one is left where it is."""


class Pictures(Generic[K]):
    """The pictures that the text has asked for."""

    def __init__(self, load: Callable[[K], tuple[str, bytes] | None]) -> None:
        """`load`: name and bytes of an embedded file, None when there is none; may raise `Unconvertible`."""
        self._load: Callable[[K], tuple[str, bytes] | None] = load
        self._names: dict[K, str] = {}
        self.kept: dict[str, bytes] = {}
        self.problems: list[str] = []

    def named(self, number: K) -> str:
        """The name of a picture, which is kept from now on; empty when it cannot be had."""
        if number not in self._names:
            self._names[number] = self._keep(number)
        return self._names[number]

    def _keep(self, number: K) -> str:
        try:
            found = self._load(number)
        except Unconvertible:
            self.problems.append("a picture could not be read")
            return ""
        if found is None:
            return ""
        name, data = _UNSAFE.sub("_", found[0]).lower(), found[1]
        if not data or name.rpartition(".")[2] not in _SHOWN:
            return ""
        if len(self.kept) >= _MOST or sum(map(len, self.kept.values())) + len(data) > _MOST_BYTES:
            self.problems.append("more pictures than are kept: some are missing")
            return ""
        self.kept[name] = data
        return name
