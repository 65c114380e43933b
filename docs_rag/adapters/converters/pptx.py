"""PowerPoint slides (pptx, ECMA-376 part 1, 19), read from their XML with nothing but the standard library.

Each slide is a section under its title, in the order of the show: shapes in groups too, tables, values of charts,
texts of diagrams, pictures, then notes and comments. What layouts and masters say is not the slide's own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.drafting import Draft
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.ooxml.drawings import chart_lines, diagram_lines, shown_text
from docs_rag.adapters.converters.ooxml.parts import Package, open_package
from docs_rag.adapters.converters.ooxml.slidetext import body_blocks, paragraphs, table_lines
from docs_rag.adapters.converters.ooxml.walking import child, descendants, unwrapped
from docs_rag.adapters.converters.zipxml import attribute, local, nesting_checked
from docs_rag.core.mdwriting import heading, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from docs_rag.core.converted import Converted

_TITLES: Final = frozenset({"title", "ctrTitle"})
_MAIN: Final = frozenset({"", "body", "obj"})
"""Places for a slide's main text, which layouts set as lists; `""` is a place that names no type."""
_REPEATED: Final = frozenset({"ftr", "hdr", "dt"})
"""Places for what stands on every slide."""
_GRAPHICS: Final = frozenset({"tbl", "chart", "relIds", "blip"})
_NOTES: Final = frozenset({"body"})


def convert(data: bytes, name: str) -> Converted:
    """Slides as markdown; raises `Unconvertible`."""
    with nesting_checked(name):
        return _Reader(open_package(data, name)).read()


class _Reader:
    """Reads one presentation."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._draft = Draft()
        self._repeated: set[str] = set()
        self._part = ""
        self._place = ""

    def read(self) -> Converted:
        slides = self._slides()
        for number, part in enumerate(slides, 1):
            root = self._package.optional(part)
            if root is not None:
                self._part, self._place = part, f"slide {number}"
                self._write_slide(root, number)
        if not slides or not self._place:
            raise Unconvertible("damaged", "the file holds no slide that can be read")
        return self._draft.finish(
            pictures=self._package.pictures, title=self._package.title(), warnings=tuple(self._package.warnings)
        )

    def _slides(self) -> list[str]:
        """The parts of the slides in the order of the show; by their names where that is lost."""
        main = self._package.main("ppt/presentation.xml")
        root, relations = self._package.optional(main), self._package.relations(main)
        entries = child(root, "sldIdLst")
        identifiers = [_relation(each) for each in entries] if entries is not None else []
        parts = [relations[each].target for each in identifiers if each in relations]
        found = [part for part in parts if part in self._package.archive]
        return found or sorted(
            (name for name in self._package.archive.names() if re.fullmatch(r"ppt/slides/slide\d+\.xml", name)),
            key=lambda name: int(re.sub(r"\D", "", name)),
        )

    def _write_slide(self, root: Element, number: int) -> None:
        tree = child(root, "cSld", "spTree")
        shapes = list(_shapes(tree)) if tree is not None else []
        title = next((shape for shape in shapes if _kind(shape) in _TITLES and _words(shape)), None)
        hidden = " (hidden)" if attribute(root, "show", "1") in ("0", "false") else ""
        self._add([heading(2, (_words(title) if title is not None else f"Slide {number}") + hidden)])
        for shape in shapes:
            if shape is not title:
                self._write_shape(shape)
        for part in self._package.related(self._part, "notesSlide"):
            self._write_notes(part)
        for part in self._package.related(self._part, "comments"):
            self._write_comments(part)

    def _add(self, lines: list[str]) -> None:
        self._draft.add(lines, self._place)

    def _write_shape(self, shape: Element) -> None:
        kind, body = _kind(shape), child(shape, "txBody")
        if body is None:
            self._write_graphics(shape)
        elif kind in _REPEATED:
            text = " ".join(paragraphs(body))
            self._add([paragraph(text)] if text and text not in self._repeated else [])
            self._repeated.add(text)
        elif kind != "sldNum":
            for lines in body_blocks(body, is_list=kind in _MAIN):
                self._add(lines)

    def _write_graphics(self, shape: Element) -> None:
        words = next((attribute(each, "descr") for each in shape.iter() if local(each) == "cNvPr"), "")
        for each in descendants(shape, _GRAPHICS):
            name = local(each)
            if name == "tbl":
                self._add(table_lines(each))
            elif name == "chart":
                self._add(chart_lines(self._package, self._part, attribute(each, "id")))
            elif name == "relIds":
                self._add(diagram_lines(self._package, self._part, attribute(each, "dm")))
            else:
                image = self._package.picture(self._part, attribute(each, "embed"), words)
                self._add([image] if image else [])

    def _write_notes(self, part: str) -> None:
        root = self._package.optional(part)
        tree = child(root, "cSld", "spTree")
        bodies = (
            [child(shape, "txBody") for shape in _shapes(tree) if _kind(shape) in _NOTES] if tree is not None else []
        )
        blocks = [lines for body in bodies if body is not None for lines in body_blocks(body, is_list=False)]
        if blocks:
            self._add(["Notes:"])
        for lines in blocks:
            self._add(lines)

    def _write_comments(self, part: str) -> None:
        root = self._package.optional(part)
        for comment in descendants(root, frozenset({"cm"})) if root is not None else ():
            plain = next((each.text for each in comment.iter() if local(each) == "text"), None)
            text = " ".join((plain or shown_text(comment)).split())
            self._add([f"> Comment: {paragraph(text)}"] if text else [])


def _shapes(tree: Element) -> Iterator[Element]:
    """All shapes, those in groups in place of the group."""
    for shape in unwrapped(tree):
        if local(shape) == "grpSp":
            yield from _shapes(shape)
        elif local(shape) in ("sp", "pic", "graphicFrame", "cxnSp") or child(shape, "txBody") is not None:
            yield shape


def _kind(shape: Element) -> str | None:
    """The type of the place on the layout that a shape fills; None for a shape of the slide's own."""
    for each in shape:
        place = child(each, "nvPr", "ph")
        if place is not None:
            return attribute(place, "type")
    return None


def _words(shape: Element) -> str:
    body = child(shape, "txBody")
    return " ".join(" ".join(paragraphs(body)).split()) if body is not None else ""


def _relation(element: Element) -> str:
    """The relation that a slide's entry names; its plain `id` is another number."""
    return next((text for key, text in element.attrib.items() if key.endswith("}id")), "")
