"""Word documents (docx, ECMA-376 part 1, 17), read from their XML with nothing but the standard library.

Order is the document's own. What floats (text boxes, notes, comments, pictures) follows the paragraph or table
that it hangs on. Tracked changes are taken as accepted; hidden text is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.drafting import Draft
from docs_rag.adapters.converters.ooxml.drawings import chart_lines, diagram_lines
from docs_rag.adapters.converters.ooxml.parts import Package, open_package
from docs_rag.adapters.converters.ooxml.walking import child, descendants, unwrapped, value
from docs_rag.adapters.converters.ooxml.wordstyles import (
    Numbering,
    Style,
    numbering_of,
    outline_level,
    read_styles,
)
from docs_rag.adapters.converters.ooxml.wordtext import Attached, Inline
from docs_rag.adapters.converters.zipxml import attribute, local, nesting_checked
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import heading, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from xml.etree.ElementTree import Element

    from docs_rag.core.converted import Converted

_LONGEST_HEADING: Final = 300
"""Characters; a longer paragraph in a heading's style is text."""
_PROMPT: Final = 60
"""Characters of a text that asks for input, at most: `Click here to enter text.`"""
_BREAK: Final = "lastRenderedPageBreak"


def convert(data: bytes, name: str) -> Converted:
    """A Word document as markdown; raises `Unconvertible`."""
    with nesting_checked(name):
        return _Reader(open_package(data, name)).read()


class _Reader:
    """Reads one document from its main part."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main("word/document.xml")
        self._part = self._main
        self._root = package.archive.xml(self._main)
        self._styles = read_styles(self._named("styles"))
        self._numbering = Numbering(self._named("numbering"))
        self._inline = Inline()
        self._has_pages = any(local(each) == _BREAK for each in self._root.iter())
        self._draft = Draft()
        self._section = ""
        self._depth: int | None = None
        self._title = ""

    def read(self) -> Converted:
        body = child(self._root, "body")
        self._write(body if body is not None else self._root)
        self._write_margins()
        self._write_building_blocks()
        title = self._title or self._package.title()
        return self._draft.finish(pictures=self._package.pictures, title=title, warnings=tuple(self._package.warnings))

    def _named(self, kind: str) -> Element | None:
        """The part of a kind that the document refers to, or the one with the usual name."""
        usual = self._main.rpartition("/")[0] + f"/{kind}.xml"
        return self._package.optional(next(iter(self._package.related(self._main, kind)), usual))

    def _write(self, parent: Element) -> None:
        """Append the blocks below an element."""
        for element in unwrapped(parent):
            name = local(element)
            if name == "p":
                self._write_paragraph(element)
            elif name == "tbl":
                self._write_table(element)
            elif name == "altChunk":
                self._package.warnings["text that was inserted from another file (altChunk) is missing"] = None
            self._write_attached()

    def _place(self, page: int) -> str:
        if self._has_pages:
            return f"p. {page}"
        return f"section {self._section}" if self._section else "beginning"

    def _write_paragraph(self, element: Element) -> None:
        style, level = self._style(element)
        label = self._label(element, style)
        text, blocks, page = self._paragraph(element)
        words = " ".join(text.split())
        if words and (level or style.is_title) and len(words) <= _LONGEST_HEADING:
            self._write_heading(level or 1, f"{label} {words}" if label and label != "•" else words, page)
            self._title = self._title or (words if style.is_title else "")
        elif words and label is not None:
            self._write_item(element, style, f"{_bullet(label)} {paragraph(words)}", page)
        else:
            for lines in blocks:
                self._draft.add(lines, self._place(page))
                self._depth = None

    def _write_heading(self, level: int, words: str, page: int) -> None:
        self._section, self._depth = words, None
        self._draft.add([heading(level, words)], self._place(page))

    def _write_item(self, element: Element, style: Style, text: str, page: int) -> None:
        numbering = numbering_of(child(element, "pPr")) or style.numbering or ("", 0)
        depth = min(numbering[1], 0 if self._depth is None else self._depth + 1)
        self._draft.add([f"{'    ' * depth}{text}"], self._place(page), tight=self._depth is not None)
        self._depth = depth

    def _style(self, element: Element) -> tuple[Style, int | None]:
        """A paragraph's style and its level as a heading."""
        properties = child(element, "pPr")
        style = self._styles.get(value(properties, "pStyle")) or self._styles[""]
        own = outline_level(properties)
        return style, style.level if own is None else own or None

    def _label(self, element: Element, style: Style) -> str | None:
        numbering = numbering_of(child(element, "pPr")) or style.numbering
        return self._numbering.label(numbering) if numbering else None

    def _paragraph(self, element: Element) -> tuple[str, list[list[str]], int]:
        """The text on one line, the same as blocks with equations apart, and the page where it begins."""
        pieces: list[tuple[str, str]] = []
        links: dict[str, None] = {}
        page = 0
        for kind, words, link in self._inline.pieces(element):
            page = page or (self._inline.page if words.strip() else 0)
            pieces.append((kind, words))
            links.update({link: None} if link else {})
        tail = self._addresses(links, "".join(words for _, words in pieces))
        text = _as_line(pieces) + tail
        return text, list(_as_blocks(pieces, tail)), page or self._inline.page

    def _addresses(self, links: dict[str, None], text: str) -> str:
        """Addresses that links lead to, unless the text shows them."""
        relations = self._package.relations(self._part)
        found = [relations[each].target for each in links if each in relations and relations[each].is_outside]
        shown = (each for each in found if each.removeprefix("mailto:").removeprefix("http://").rstrip("/") not in text)
        return "".join(f" <{each}>" for each in dict.fromkeys(shown) if " " not in each)

    def _write_table(self, element: Element) -> None:
        self._depth = None
        pages: list[int] = []
        rows: list[list[Cell]] = []
        for row in self._rows(element):
            rows.append(row)
            pages.append(self._inline.page)
        lines = table(rows)
        pages = [pages[0], *pages] if len(lines) > len(rows) else pages[:1] * len(lines)
        pages += pages[-1:] * (len(lines) - len(pages))
        self._draft.add(lines, [self._place(page) for page in pages[: len(lines)]])

    def _rows(self, element: Element) -> Iterator[list[Cell]]:
        """The rows of a table; cells that go on below are merged afterwards, so the rows come at once."""
        rows: list[list[tuple[int, int, bool, Element]]] = []
        for row in unwrapped(element):
            if local(row) == "tr" and child(row, "trPr", "del") is None:
                rows.append(list(_places(row)))
        for number, places in enumerate(rows):
            cells = [Cell("", colspan=places[0][0])] if places and places[0][0] else []
            for column, width, goes_on, cell in places:
                if goes_on and number and any(each[0] == column for each in rows[number - 1]):
                    continue
                cells.append(self._cell(cell, _height(rows, number, column), width))
            yield cells

    def _cell(self, element: Element, height: int, width: int) -> Cell:
        lines: list[str] = []
        tables: list[tuple[tuple[Cell, ...], ...]] = []
        for each in unwrapped(element):
            if local(each) == "p":
                label = self._label(each, self._style(each)[0])
                text = self._paragraph(each)[0]
                lines.append(f"{label} {text}" if label and label != "•" and text.strip() else text)
            elif local(each) == "tbl":
                tables.append(tuple(tuple(row) for row in self._rows(each)))
        return Cell("\n".join(lines), height, width, tuple(tables))

    def _write_attached(self) -> None:
        """What hangs on the blocks so far; writing it may bring more."""
        while self._inline.attached != Attached():
            attached, self._inline.attached = self._inline.attached, Attached()
            self._depth = None
            place = self._place(self._inline.page)
            for kind, relation, words in attached.graphics:
                self._draft.add(self._graphic(kind, relation, words), place)
            for box in attached.boxes:
                self._write(box)
            for part, identifier, label in attached.notes:
                self._write_note(part, identifier, f"[^{label}]: ", place)
            for identifier in attached.comments:
                self._write_note("comments", identifier, "", place)

    def _graphic(self, kind: str, relation: str, words: str) -> list[str]:
        if kind == "chart":
            return chart_lines(self._package, self._part, relation)
        if kind == "relIds":
            return diagram_lines(self._package, self._part, relation)
        image = self._package.picture(self._part, relation, words)
        return [image] if image else []

    def _write_note(self, kind: str, identifier: str, before: str, place: str) -> None:
        root = self._named(kind)
        note = next((each for each in root if attribute(each, "id") == identifier), None) if root is not None else None
        if note is None:
            return
        author = attribute(note, "author")
        before = before or f"> Comment{f' ({author})' if author else ''}: "
        self._part = next(iter(self._package.related(self._main, kind)), self._part)
        text = " ".join(self._flat(note))
        self._part = self._main
        self._draft.add([before + paragraph(text)] if text else [], place)

    def _flat(self, element: Element) -> Iterator[str]:
        """The paragraphs below an element, those of its tables and boxes too, each on one line."""
        for each in unwrapped(element):
            if local(each) == "p":
                text = " ".join(self._paragraph(each)[0].split())
                yield from [text] if text else []
                boxes, self._inline.attached.boxes = self._inline.attached.boxes, []
                for box in boxes:
                    yield from self._flat(box)
            elif local(each) in ("tbl", "tr", "tc"):
                yield from self._flat(each)

    def _write_margins(self) -> None:
        """Headers and footers, each text once, after all else."""
        for kind in ("header", "footer"):
            found: dict[str, None] = {}
            for part in self._package.related(self._main, kind):
                self._part = part
                root = self._package.optional(part)
                found.update(dict.fromkeys(self._flat(root) if root is not None else ()))
            self._inline.attached = Attached()
            words = [text for text in found if re.search(r"[^\W\d_]", text)]
            self._draft.add([f"{kind.capitalize()}: {paragraph(' / '.join(words))}"] if words else [])

    def _write_building_blocks(self) -> None:
        """Boilerplate kept in the document for its forms, after all else; short texts there are mere prompts."""
        for part in self._package.related(self._main, "glossaryDocument"):
            root = self._package.optional(part)
            self._part = part
            bodies = descendants(root, frozenset({"docPartBody"})) if root is not None else ()
            texts = dict.fromkeys(text for body in bodies for text in self._flat(body) if len(text) > _PROMPT)
            self._inline.attached = Attached()
            self._draft.add(["Building blocks: " + paragraph(" / ".join(texts))] if texts else [])


def _bullet(label: str) -> str:
    """How a list's item begins: a number that markdown knows as it is, another one after a dash."""
    if label == "•" or not label:
        return "-"
    return label if re.fullmatch(r"\d{1,9}[.)]", label) else f"- {label}"


def _as_line(pieces: Sequence[tuple[str, str]]) -> str:
    text = ""
    for kind, words in pieces:
        if kind == "text":
            text += words
        elif words:
            text += f"{' ' if text.endswith('$') else ''}${words}$"
    return text


def _as_blocks(pieces: Sequence[tuple[str, str]], tail: str) -> Iterator[list[str]]:
    """Text and displayed equations apart; equations alone in their paragraph are displayed too."""
    is_alone = not any(words.strip() for kind, words in pieces if kind == "text")
    run: list[tuple[str, str]] = []
    for kind, words in pieces:
        if kind == "display" or (kind == "math" and is_alone):
            yield from _text_block(_as_line(run))
            run = []
            yield from [[f"$${words}$$"]] if words else []
        else:
            run.append((kind, words))
    yield from _text_block(_as_line(run) + tail)


def _text_block(text: str) -> Iterator[list[str]]:
    written = paragraph(text)
    if written:
        yield written.split("\n")


def _places(row: Element) -> Iterator[tuple[int, int, bool, Element]]:
    """Of each cell its column, its width, whether it goes on with the one above, and the element."""
    column = _whole(value(child(row, "trPr"), "gridBefore"), 0)
    for cell in unwrapped(row):
        if local(cell) != "tc":
            continue
        properties = child(cell, "tcPr")
        width = _whole(value(properties, "gridSpan"), 1)
        merge = child(properties, "vMerge")
        goes_on = merge is not None and attribute(merge, "val", "continue") == "continue"
        yield column, width, goes_on, cell
        column += width


def _height(rows: Sequence[Sequence[tuple[int, int, bool, Element]]], number: int, column: int) -> int:
    height = 1
    for places in rows[number + 1 :]:
        if not any(each[0] == column and each[2] for each in places):
            break
        height += 1
    return height


def _whole(text: str, default: int) -> int:
    return min(int(text), 1000) if text.isdecimal() and len(text) < 8 else default
