"""OpenDocument texts (odt, ODF 1.3), read from their XML with nothing but the standard library.

Order is the document's own. Notes, comments, text boxes and pictures follow the paragraph or table that they hang
on. Deleted text of tracked changes is left out.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.drafting import Draft
from docs_rag.adapters.converters.mathml import latex
from docs_rag.adapters.converters.odtparts import Opened, open_document
from docs_rag.adapters.converters.ooxml.counting import numeral
from docs_rag.adapters.converters.zipxml import attribute, local, nesting_checked
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import heading, paragraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from xml.etree.ElementTree import Element

    from docs_rag.core.converted import Converted

_SILENT: Final = frozenset({"tracked-changes", "forms", "sequence-decls", "variable-decls", "user-field-decls"})
_LINE_BREAK: Final = "\v"
"""Stands for a line break until white space, where line ends of the XML mean nothing, is evened out."""
_MOST_REPEATED: Final = 200
"""Copies of a repeated cell or row; spreadsheets repeat blank ones to the end of the sheet."""


def convert(data: bytes, name: str) -> Converted:
    """A text document as markdown; raises `Unconvertible`."""
    with nesting_checked(name):
        return _Reader(open_document(data, name)).read()


class _Reader:
    """Reads one document."""

    def __init__(self, document: Opened) -> None:
        self._document = document
        self._draft = Draft()
        self._has_pages = any(local(each) == "soft-page-break" for each in document.body.iter())
        self._page = 1
        self._section = ""
        self._title = ""
        self._after: list[Callable[[], None]] = []
        self._notes = {"footnote": 0, "endnote": 0}
        self._links: dict[str, None] = {}

    def read(self) -> Converted:
        self._write(self._document.body)
        return self._draft.finish(
            pictures=self._document.pictures,
            title=self._title or self._document.title,
            warnings=tuple(self._document.warnings),
        )

    def _place(self) -> str:
        if self._has_pages:
            return f"p. {self._page}"
        return f"section {self._section}" if self._section else "beginning"

    def _write(self, parent: Element) -> None:
        """Append the blocks below an element."""
        for element in parent:
            name = local(element)
            if name == "soft-page-break":
                self._page += 1
            elif name in ("p", "h"):
                self._write_paragraph(element)
            elif name == "list":
                self._draft.add(list(self._items(element, 0, "")), self._place())
            elif name == "table":
                self._write_table(element)
            elif name == "frame":
                self._frame(element)
            elif name not in _SILENT:
                self._write(element)
            self._write_after()

    def _write_after(self) -> None:
        while self._after:
            waiting, self._after = self._after, []
            for write in waiting:
                write()

    def _write_paragraph(self, element: Element) -> None:
        is_title = self._document.is_title(attribute(element, "style-name"))
        place, text = self._place(), self._text(element)
        equation = re.fullmatch(r"\s*\$([^$]+)\$\s*", text)
        if equation:
            self._draft.add([f"$${equation[1]}$$"], place)
        elif local(element) == "h" or (is_title and not self._title):
            level = attribute(element, "outline-level", "1")
            words = " ".join(text.split())
            self._section = words or self._section
            self._title = self._title or (words if is_title else "")
            self._draft.add([heading(_whole(level, 1), words)] if words else [], self._place())
        else:
            written = paragraph(text)
            self._draft.add(written.split("\n") if written else [], place)

    def _items(self, element: Element, depth: int, style: str) -> Iterator[str]:
        """The lines of a list; each item's further paragraphs follow its first on the same line."""
        style = attribute(element, "style-name", style)
        form, count = self._document.number_form(style, depth + 1), 0
        for item in element:
            if local(item) not in ("list-item", "list-header"):
                continue
            texts = [self._text(each) for each in item if local(each) in ("p", "h")]
            count = _whole(attribute(item, "start-value"), count + 1)
            words = " ".join(paragraph("\n".join(texts)).split())
            if words and local(item) == "list-item":
                yield f"{'    ' * depth}{_marker(count, form)} {words}"
            elif words:
                yield f"{'    ' * depth}- {words}"
            for each in item:
                if local(each) == "list":
                    yield from self._items(each, depth + 1, style)
                elif local(each) == "table":
                    self._after.append(partial(self._write_table, each))

    def _write_table(self, element: Element) -> None:
        place = self._place()
        self._draft.add(table(list(self._rows(element))), place)

    def _rows(self, element: Element) -> Iterator[list[Cell]]:
        for each in element:
            name = local(each)
            if name in ("table-header-rows", "table-rows", "table-row-group"):
                yield from self._rows(each)
            elif name == "soft-page-break":
                self._page += 1
            elif name == "table-row":
                row = list(self._cells(each))
                copies = _whole(attribute(each, "number-rows-repeated"), 1) if any(cell.text for cell in row) else 1
                yield from [row] * min(copies, _MOST_REPEATED)

    def _cells(self, row: Element) -> Iterator[Cell]:
        for each in row:
            if local(each) != "table-cell":
                continue
            texts: list[str] = []
            tables: list[tuple[tuple[Cell, ...], ...]] = []
            self._fill(each, texts, tables)
            height = _whole(attribute(each, "number-rows-spanned"), 1)
            width = _whole(attribute(each, "number-columns-spanned"), 1)
            copies = min(_whole(attribute(each, "number-columns-repeated"), 1), _MOST_REPEATED)
            yield from [Cell("\n".join(texts), height, width, tuple(tables))] * copies

    def _fill(self, cell: Element, texts: list[str], tables: list[tuple[tuple[Cell, ...], ...]]) -> None:
        for each in cell:
            name = local(each)
            if name in ("p", "h"):
                texts.append(self._text(each))
            elif name == "table":
                tables.append(tuple(tuple(row) for row in self._rows(each)))
            elif name == "frame":
                self._frame(each)
            else:
                self._fill(each, texts, tables)

    def _text(self, element: Element) -> str:
        """The text of a paragraph with the addresses of its links at the end."""
        self._links = {}
        text = self._inline(element).replace(_LINE_BREAK, "\n")
        links = [each for each in self._links if each.removeprefix("mailto:") not in text and " " not in each]
        return text + "".join(f" <{each}>" for each in links)

    def _inline(self, element: Element) -> str:
        pieces = [element.text or ""]
        for each in element:
            pieces += [self._piece(each), each.tail or ""]
        return re.sub(r"[ \t\r\n\f]+", " ", "".join(pieces))

    def _piece(self, element: Element) -> str:
        name = local(element)
        if name in _PIECES:
            return _PIECES[name](self, element)
        return self._inline(element)

    def _line_break(self, _: Element) -> str:
        return _LINE_BREAK

    def _spaces(self, _: Element) -> str:
        return " "

    def _page_break(self, _: Element) -> str:
        self._page += 1
        return ""

    def _link(self, element: Element) -> str:
        address = attribute(element, "href")
        if re.match(r"(?:https?|ftp|mailto):", address):
            self._links[address] = None
        return self._inline(element)

    def _note(self, element: Element) -> str:
        kind = attribute(element, "note-class", "footnote")
        self._notes[kind] = self._notes.get(kind, 0) + 1
        label = f"{'e' if kind == 'endnote' else ''}{self._notes[kind]}"
        body = next((each for each in element if local(each) == "note-body"), element)
        self._later(f"[^{label}]: ", body)
        return f"[^{label}]"

    def _comment(self, element: Element) -> str:
        author = next((each.text or "" for each in element if local(each) == "creator"), "")
        self._later(f"> Comment{f' ({author})' if author else ''}: ", element)
        return ""

    def _later(self, before: str, element: Element) -> None:
        """Note down a note's text; its own links do not count as the paragraph's."""
        links = self._links
        texts = [self._text(each) for each in element.iter() if local(each) in ("p", "h")]
        self._links = links
        words = " ".join(" ".join(texts).split())
        self._after.append(partial(self._draft.add, [before + paragraph(words)] if words else [], self._place()))

    def _frame(self, element: Element) -> str:
        """Of a frame the first form that can be read: an equation, a text box, a picture."""
        words = next((" ".join(each.itertext()) for each in element if local(each) in ("desc", "title")), "")
        for each in element:
            if local(each) == "text-box":
                self._after.append(partial(self._write, each))
                return ""
            if local(each) == "object":
                equation = self._document.equation(each)
                if equation is not None:
                    return f"${latex(equation)}$"
            if local(each) == "image":
                image = self._document.picture(attribute(each, "href"), words)
                self._after.append(partial(self._draft.add, [image] if image else [], self._place()))
                return ""
        return ""

    def _nothing(self, _: Element) -> str:
        return ""


_PIECES: Final[dict[str, Callable[[_Reader, Element], str]]] = {
    "s": _Reader._spaces,
    "tab": _Reader._spaces,
    "line-break": _Reader._line_break,
    "soft-page-break": _Reader._page_break,
    "a": _Reader._link,
    "note": _Reader._note,
    "annotation": _Reader._comment,
    "frame": _Reader._frame,
    "tracked-changes": _Reader._nothing,
}
"""An element in a paragraph -> what it says; all others are what their text is."""


def _marker(count: int, form: str) -> str:
    if not form:
        return "-"
    return f"{count}." if form == "decimal" else f"- {numeral(count, form)}."


def _whole(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 8 else default
