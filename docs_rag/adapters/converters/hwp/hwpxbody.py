"""The sections of an HWPX document as blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from docs_rag.adapters.converters.hwp.docinfo import DocInfo
from docs_rag.adapters.converters.hwp.hwpxhead import integer
from docs_rag.adapters.converters.hwp.links import target_of
from docs_rag.adapters.converters.hwp.model import (
    Aside,
    Block,
    Equation,
    Image,
    Kind,
    Link,
    Note,
    Piece,
    Section,
    Table,
    TableCell,
    Text,
)
from docs_rag.adapters.converters.hwp.outline import Shaper, has_text
from docs_rag.adapters.converters.zipxml import attribute, local

_DEEPEST: Final = 24
"""Lists in lists (cells, boxes, notes) that are read."""

_CHARACTERS: Final = {"tab": "\t", "lineBreak": "\n", "nbSpace": "\u00a0", "fwSpace": " ", "hyphen": "-"}
_ASIDES: Final = {
    "header": Kind.HEADER,
    "footer": Kind.FOOTER,
    "hiddenComment": Kind.COMMENT,
    "memo": Kind.MEMO,
}
_COUNTED: Final = frozenset({"PICTURE", "TABLE"})
_NO_TEXT: Final = frozenset({"linesegarray", "shapeComment", "parameters", "metaTag"})
_LABELS: Final = {"btn": "captionText", "radioBtn": "captionText", "checkBtn": "captionText", "textart": "text"}
_FIELDS: Final = frozenset({"edit", "comboBox"})
"""Elements of a form whose text is a child."""
"""Elements whose text is an attribute."""


class _Line:
    """A paragraph while it is read: its pieces, and the blocks before and after them."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.before: list[Block] = []
        self.after: list[Block] = []
        self.is_deleted = False

    def put(self, *pieces: Piece) -> None:
        if not self.is_deleted:
            self.pieces += pieces

    def set_in(self, blocks: Iterable[Block]) -> None:
        (self.after if has_text(self.pieces) else self.before).extend(blocks)


class SectionReader:
    """Reads the sections of one document, in order: numbers run through them."""

    def __init__(self, info: DocInfo, picture: Callable[[str], str]) -> None:
        """`picture`: name of the embedded file of a reference, which the caller then keeps; empty when it is none."""
        self._picture = picture
        self._shaper = Shaper(info)
        self._depth = 0
        self._links: list[Link | None] = []
        self.objects = 0
        self.problems: list[str] = []
        self._readers: dict[str, Callable[[Element, _Line], None]] = {
            "t": self._text,
            "tbl": lambda element, line: line.set_in([self._table(element)]),
            "equation": self._equation,
            "dutmal": self._phonetic,
            "compose": lambda element, line: line.put(Text(attribute(element, "composeText"))),
            "pic": self._image,
            "footNote": lambda element, line: line.put(Note(self._lists(element), at_end=False)),
            "endNote": lambda element, line: line.put(Note(self._lists(element), at_end=True)),
            "autoNum": self._automatic_number,
            "fieldBegin": self._field,
            "fieldEnd": self._end_field,
            "secPr": self._section_settings,
            "ole": self._object,
            "chart": self._object,
            "switch": self._switch,
        }

    def section(self, root: Element) -> Section:
        """The blocks of a section."""
        return self._nested(root)

    def background(self, root: Element) -> Section:
        """The text of a master page, which stands behind the pages of sections."""
        blocks = self._lists(root)
        return (Aside(Kind.BACKGROUND, blocks),) if blocks else ()

    def _nested(self, parent: Element) -> tuple[Block, ...]:
        """The paragraphs that are children of an element."""
        if self._depth >= _DEEPEST:
            self.problems.append("tables or boxes that nest deeper than a real document's are missing")
            return ()
        self._depth += 1
        blocks = [block for child in parent if local(child) == "p" for block in self._paragraph(child)]
        self._depth -= 1
        return tuple(blocks)

    def _lists(self, element: Element) -> tuple[Block, ...]:
        """The paragraphs of the lists below an element, but not of lists inside those."""
        blocks: list[Block] = []
        for child in element:
            if local(child) == "subList":
                blocks += self._nested(child)
            elif local(child) not in _NO_TEXT:
                blocks += self._lists(child)
        return tuple(blocks)

    def _paragraph(self, element: Element) -> Iterator[Block]:
        line = _Line()
        for run in element:
            if local(run) == "run":
                self._children(run, line)
        yield from line.before
        if has_text(line.pieces):
            yield self._shaper.paragraph(
                tuple(line.pieces), integer(element, "paraPrIDRef", -1), integer(element, "styleIDRef", -1)
            )
        yield from line.after

    def _children(self, parent: Element, line: _Line) -> None:
        for child in parent:
            self._one(child, line)

    def _one(self, element: Element, line: _Line) -> None:
        """Put what an element holds into a paragraph; of what no row knows, the paragraphs inside count."""
        name = local(element)
        if name in self._readers:
            self._readers[name](element, line)
        elif name in _ASIDES:
            line.set_in([Aside(_ASIDES[name], self._lists(element))])
        elif name in _LABELS:
            line.put(Text(attribute(element, _LABELS[name])))
        elif name in _FIELDS:
            line.put(*(Text(child.text or "") for child in element if local(child) == "text"))
        elif name == "ctrl":
            self._children(element, line)
        elif name not in _NO_TEXT:
            self._shape(element, line)

    def _shape(self, element: Element, line: _Line) -> None:
        """A drawing: its caption, its text, and the drawings grouped in it."""
        for child in element:
            name = local(child)
            if name == "subList":
                line.set_in(self._nested(child))
            elif name in self._readers or name in _LABELS:
                self._one(child, line)
            elif name not in _NO_TEXT:
                self._shape(child, line)

    def _text(self, element: Element, line: _Line) -> None:
        """Mixed content; text between marks of a deletion is gone, whichever runs they stand in."""
        line.put(Text(element.text or ""))
        for child in element:
            name = local(child)
            if name in ("deleteBegin", "deleteEnd"):
                line.is_deleted = name == "deleteBegin"
            elif name in _CHARACTERS:
                line.put(Text(_CHARACTERS[name]))
            line.put(Text(child.tail or ""))

    def _table(self, element: Element) -> Table:
        caption: tuple[Block, ...] = ()
        cells: list[TableCell] = []
        for child in element:
            if local(child) == "caption":
                caption = self._lists(child)
            elif local(child) == "tr":
                cells += [self._cell(each, at) for at, each in enumerate(child) if local(each) == "tc"]
        return Table(tuple(cells), caption)

    def _cell(self, element: Element, at: int) -> TableCell:
        parts = {local(child): child for child in element}
        place, span = parts.get("cellAddr", element), parts.get("cellSpan", element)
        return TableCell(
            row=max(integer(place, "rowAddr"), 0),
            column=max(integer(place, "colAddr", at), 0),
            rowspan=max(integer(span, "rowSpan", 1), 1),
            colspan=max(integer(span, "colSpan", 1), 1),
            blocks=self._lists(element),
        )

    def _equation(self, element: Element, line: _Line) -> None:
        script = next((child.text or "" for child in element if local(child) == "script"), "")
        numbers = (each for each in element.iter() if local(each) == "autoNum")
        number = next((attribute(each, "num") for each in numbers if attribute(each, "numType") == "EQUATION"), "")
        if script.strip():
            line.put(Equation(script, number))
        for child in element:
            if local(child) == "caption":
                line.set_in(self._lists(child))

    def _phonetic(self, element: Element, line: _Line) -> None:
        """덧말: a word with its gloss."""
        parts = {local(child): "".join(child.itertext()) for child in element}
        word, gloss = parts.get("mainText", ""), parts.get("subText", "")
        line.put(Text(f"{word}({gloss})" if gloss else word))

    def _image(self, element: Element, line: _Line) -> None:
        for child in element.iter():
            name = self._picture(attribute(child, "binaryItemIDRef")) if local(child) == "img" else ""
            if name:
                line.set_in([Image(name)])
        self._shape(element, line)

    def _automatic_number(self, element: Element, line: _Line) -> None:
        if attribute(element, "numType") in _COUNTED:
            line.put(Text(attribute(element, "num")))

    def _field(self, element: Element, line: _Line) -> None:
        is_link = attribute(element, "type") == "HYPERLINK"
        texts = [each.text or "" for each in element.iter() if local(each) == "stringParam"] if is_link else []
        target = next(filter(None, map(target_of, texts)), "")
        self._links.append(Link(target) if target else None)
        if attribute(element, "type") == "MEMO":
            line.set_in([Aside(Kind.MEMO, self._lists(element))])

    def _end_field(self, element: Element, line: _Line) -> None:
        link = self._links.pop() if self._links else None
        if link:
            line.put(link)

    def _section_settings(self, element: Element, line: _Line) -> None:
        self._shaper.outline = integer(element, "outlineShapeIDRef")

    def _object(self, element: Element, line: _Line) -> None:
        self.objects += 1
        self._shape(element, line)

    def _switch(self, element: Element, line: _Line) -> None:
        """The same content for newer and for older programs: the first says most."""
        for child in list(element)[:1]:
            self._children(child, line)
