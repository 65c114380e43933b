"""The parts of an OpenDocument file: its text, its styles, what it embeds (ODF 1.3, part 2)."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.zipxml import Archive, attribute, local, open_zip
from docs_rag.core.converted import Picture

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MANIFEST: Final = "META-INF/manifest.xml"
_FORMS: Final = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
"""How numbers are written -> the form of their numeral."""


class Opened:
    """An opened document; collects the pictures that its text refers to, and what could not be read."""

    def __init__(self, archive: Archive) -> None:
        """Read text and styles; raises `Unconvertible` when there is no text."""
        self._archive = archive
        self.warnings: dict[str, None] = {}
        self._pictures: dict[str, Picture] = {}
        content = archive.xml("content.xml")
        self.body = _body(content)
        self._parents: dict[str, str] = {}
        self._lists: dict[tuple[str, int], str] = {}
        for root in (content, self._optional("styles.xml")):
            for each in root.iter() if root is not None else ():
                self._learn(each)
        self.title = self._read_title()

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures so far, in the order of their first use."""
        return tuple(self._pictures.values())

    def is_title(self, style: str) -> bool:
        """Whether a paragraph's style is `Title` or made from it."""
        for _ in range(20):
            if style == "Title" or not style:
                break
            style = self._parents.get(style, "")
        return style == "Title"

    def number_form(self, style: str, level: int) -> str:
        """How a list's items are numbered at a level from 1; empty for bullets."""
        return self._lists.get((style, level), "")

    def equation(self, element: Element) -> Element | None:
        """The MathML of an embedded object, in place or in a part of its own."""
        for each in element:
            if local(each) == "math":
                return each
        address = posixpath.normpath(attribute(element, "href"))
        root = self._optional(f"{address}/content.xml")
        return root if root is not None and local(root) == "math" else None

    def picture(self, address: str, words: str) -> str:
        """The markdown image for a picture of the document; empty when it is not in it."""
        name = posixpath.normpath(address)
        if name not in self._archive:
            return ""
        if name not in self._pictures:
            try:
                data = self._archive.read(name)
            except Unconvertible as failure:
                if failure.code == "too-large":
                    raise
                self.warnings[str(failure)] = None
                return ""
            plain = re.sub(r"[^\w.-]+", "-", posixpath.basename(name))
            taken = {each.name for each in self._pictures.values()}
            self._pictures[name] = Picture(plain if plain not in taken else f"{len(taken)}-{plain}", data)
        alt = " ".join(re.sub(r"[][]", " ", words).split())
        return f"![{alt}]({self._pictures[name].name})"

    def _learn(self, element: Element) -> None:
        """Take in a style of paragraphs or a level of a list."""
        name = local(element)
        if name == "style":
            self._parents[attribute(element, "name")] = attribute(element, "parent-style-name")
        elif name == "list-style":
            for level in element:
                if local(level) == "list-level-style-number":
                    form = _FORMS.get(attribute(level, "num-format"), "")
                    self._lists[attribute(element, "name"), _level(level)] = form

    def _read_title(self) -> str:
        root = self._optional("meta.xml")
        found = (each.text or "" for each in (root.iter() if root is not None else ()) if local(each) == "title")
        return " ".join(next(found, "").split())

    def _optional(self, name: str) -> Element | None:
        if name not in self._archive:
            return None
        try:
            return self._archive.xml(name)
        except Unconvertible as failure:
            if failure.code == "too-large":
                raise
            self.warnings[str(failure)] = None
            return None


def open_document(data: bytes, name: str) -> Opened:
    """Open a text document; raises `Unconvertible`."""
    archive = open_zip(data)
    if _MANIFEST in archive and b"encryption-data" in archive.read(_MANIFEST):
        raise Unconvertible("encrypted", f"{name} is protected by a password; save a copy without one")
    return Opened(archive)


def _body(content: Element) -> Element:
    for body in content:
        if local(body) == "body":
            return body
    raise Unconvertible("damaged", "the file holds no text: it is damaged or of another kind")


def _level(element: Element) -> int:
    text = attribute(element, "level", "1")
    return int(text) if text.isdecimal() and len(text) < 4 else 1
