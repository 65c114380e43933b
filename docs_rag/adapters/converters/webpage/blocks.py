"""The blocks of a page in order: headings, paragraphs, lists, tables, code, quotes, notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from docs_rag.adapters.converters.webpage.inline import SKIPPED, Inline, is_copy
from docs_rag.adapters.converters.webpage.mathml import is_display, latex
from docs_rag.adapters.converters.webpage.notes import Notes
from docs_rag.adapters.converters.webpage.tree import BLOCKS, Element
from docs_rag.core.mddraft import Block, Heading, fenced
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import paragraph, safe

_LONGEST_CODE: Final = 3_000
"""Characters of preformatted text that is not said to be code: longer ones are whole documents, not examples."""
_LONGEST_CELL: Final = 1_500
"""Characters of a cell beyond which it is a part of the page."""
_WIDEST_SPAN: Final = 1_000
_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\s*|sourceCode )([\w+#-]{1,20})")


Rows = tuple[tuple[Cell, ...], ...]


class Writer:
    """Writes the blocks of one document."""

    def __init__(self, inline: Inline, notes: Notes) -> None:
        """`inline` writes what stands within lines; `notes` tells which blocks are footnotes."""
        self._inline = inline
        self._notes = notes
        self._tables: list[list[Rows]] = []
        """For each table cell that is being written, the tables in it."""

    def flow(self, nodes: Iterable[Element | str]) -> Iterator[Block]:
        """The blocks that nodes make; what stands between blocks is a paragraph."""
        run: list[Element | str] = []
        for node in nodes:
            if isinstance(node, str) or not self._is_block(node):
                run.append(node)
                continue
            yield from self._paragraph(run)
            run = []
            yield from self._element(node)
        yield from self._paragraph(run)

    def _is_block(self, node: Element) -> bool:
        if node.tag in SKIPPED or is_copy(node):
            return node.tag == "script" and "mode=display" in node.get("type").replace(" ", "")
        return node.tag in BLOCKS or node.holds_blocks or (node.tag == "math" and is_display(node))

    def _paragraph(self, run: Sequence[Element | str]) -> Iterator[Block]:
        lines = paragraph(self._inline.text(run)) if run else ""
        if lines:
            yield lines.split("\n")

    def _element(self, element: Element) -> Iterator[Block]:
        label = self._notes.definition(element)
        if label:
            yield self._note(label, element)
            return
        rule = self._RULES.get(element.tag)
        yield from self.flow(element.children) if rule is None else rule(self, element)

    def _note(self, label: str, element: Element) -> list[str]:
        lines = self._inner(element.children)
        lines[:1] = [_OWN_NUMBER.sub("", line) for line in lines[:1]]
        return [f"[^{label}]: {lines[0] if lines else ''}".rstrip(), *(f"    {line}".rstrip() for line in lines[1:])]

    def _inner(self, nodes: Iterable[Element | str]) -> list[str]:
        """The lines of what stands in an item, a quote or a cell; a heading there is a line like any other."""
        lines: list[str] = []
        for block in self.flow(nodes):
            is_list = bool(lines) and not isinstance(block, Heading) and _ITEM.match(block[0]) is not None
            if lines and not (is_list and _ITEM.match(lines[-1].lstrip()) is None and lines[-1]):
                lines.append("")
            lines += [safe(block.text)] if isinstance(block, Heading) else block
        return lines

    def _heading(self, element: Element) -> Iterator[Block]:
        if element.holds_blocks:
            yield from self.flow(element.children)
            return
        words = " ".join(self._inline.text(element.children).split())
        if words:
            yield Heading(int(element.tag[1]), words)

    def _list(self, element: Element) -> Iterator[Block]:
        """One block, so that the items stay together; text between the items is an item too."""
        number = _number(element.get("start"), 1) if element.tag == "ol" else None
        lines: list[str] = []
        before: list[Block] = []
        for node in element.children:
            inner = self._item_lines(node)
            if isinstance(inner, list) and isinstance(node, Element) and (label := self._notes.definition(node)):
                before.append(self._note(label, node))
                continue
            lead = "- " if number is None else f"{number}. "
            if inner:
                lines += [lead + inner[0], *(f"{' ' * len(lead)}{line}".rstrip() for line in inner[1:])]
                number = None if number is None else number + 1
        if lines:
            yield lines
        yield from before

    def _item_lines(self, node: Element | str) -> list[str]:
        if isinstance(node, str):
            return self._inner([node]) if node.strip() else []
        return self._inner(node.children if node.tag == "li" else [node])

    def _terms(self, element: Element) -> Iterator[Block]:
        """A list of terms: each one an item, what is said of it behind it or below."""
        lines: list[str] = []
        for each in _lifted(element, "div"):
            inner = self._inner([each] if isinstance(each, str) else each.children)
            if isinstance(each, Element) and each.tag == "dt" and inner:
                lines.append(f"- {' '.join(inner)}")
            elif inner and lines and lines[-1].startswith("- ") and not lines[-1].endswith(":") and len(inner) == 1:
                lines[-1] += f": {inner[0]}"
            else:
                lines += [f"  {line}".rstrip() for line in inner]
        if lines:
            yield lines

    def _quote(self, element: Element) -> Iterator[Block]:
        lines = self._inner(element.children)
        if lines:
            yield [f"> {line}".rstrip() for line in lines]

    def _code(self, element: Element) -> Iterator[Block]:
        text = "".join(_verbatim(element)).replace("\r\n", "\n").strip("\n").rstrip()
        marks = " ".join(each.get("class") for each in (element, *element.below()))
        found = _LANGUAGE.search(marks)
        is_code = found is not None or any(each.tag == "code" for each in element.below())
        if not text.strip():
            return
        if self._tables or (not is_code and (len(text) > _LONGEST_CODE or _is_prose(text))):
            yield from (part.split("\n") for part in safe(text).split("\n\n") if part.strip())
        else:
            yield fenced(text, found[1] if found else "")

    def _formula(self, element: Element) -> Iterator[Block]:
        tex = " ".join(element.text().split()) if element.tag == "script" else latex(element)
        if tex:
            yield [f"${tex}$"] if self._tables else ["$$", tex, "$$"]

    def _table(self, element: Element) -> Iterator[Block]:
        rows = list(_rows(element))
        if _is_layout(element, rows):
            yield from self.flow(child for row in rows for cell in _cells(row) for child in _apart(cell))
            return
        for each in element.elements():
            if each.tag == "caption":
                yield from self.flow(each.children)
        written = tuple(filter(None, (tuple(map(self._cell, _cells(row))) for row in rows)))
        if self._tables:
            self._tables[-1].append(written)
        elif lines := table(written):
            yield lines

    def _cell(self, element: Element) -> Cell:
        self._tables.append([])
        text = "\n".join(line for line in self._inner(element.children) if line)
        rowspan, colspan = (_number(element.get(name), 1) for name in ("rowspan", "colspan"))
        return Cell(text, rowspan, colspan, tuple(each for each in self._tables.pop() if each))

    def _rule(self, element: Element) -> Iterator[Block]:
        yield ["* * *"]

    _RULES: Final[dict[str, Callable[[Writer, Element], Iterator[Block]]]] = {
        **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
        **dict.fromkeys(("ul", "ol", "menu", "dir"), _list),
        **dict.fromkeys(("pre", "xmp", "listing", "plaintext"), _code),
        **dict.fromkeys(("math", "script"), _formula),
        "dl": _terms,
        "blockquote": _quote,
        "table": _table,
        "hr": _rule,
    }
    """Block -> what is written for it; of all others, what is in them."""


def _lifted(element: Element, wrapper: str) -> Iterator[Element | str]:
    """What is in an element, and in its wrappers too."""
    for each in element.children:
        if isinstance(each, Element) and each.tag == wrapper:
            yield from each.children
        else:
            yield each


def _verbatim(element: Element) -> Iterator[str]:
    """Preformatted text as it stands."""
    for node in element.children:
        if isinstance(node, str):
            yield node
        elif node.tag == "br":
            yield "\n"
        elif node.tag not in SKIPPED:
            yield from _verbatim(node)
            if node.tag in BLOCKS:
                yield "\n"


def _is_prose(text: str) -> bool:
    """Whether preformatted text is made of words, in lines that begin at the margin."""
    words = sum(char.isalpha() or char in " .,\n" for char in text)
    return words > 0.85 * len(text) and " " in text and not any(line[:1].isspace() for line in text.split("\n") if line)


def _rows(element: Element) -> Iterator[Element]:
    """The rows of a table, not those of tables in it."""
    for each in element.elements():
        if each.tag == "tr":
            yield each
        elif each.tag not in ("td", "th", "table", "caption") and each.tag not in SKIPPED:
            yield from _rows(each)


def _cells(row: Element) -> list[Element]:
    return [each for each in row.elements() if each.tag in ("td", "th")]


def _apart(cell: Element) -> list[Element | str]:
    """What is in a cell as a block of its own."""
    block = Element("div", {})
    block.children = cell.children
    return [block]


def _is_layout(element: Element, rows: Sequence[Element]) -> bool:
    """Whether a table only arranges the page: no row or column has a name, and its cells hold whole parts of a page."""
    if element.get("role") in ("presentation", "none"):
        return True
    if any(each.tag in ("th", "caption", "thead") for row in (element, *rows) for each in row.elements()):
        return False
    cells = [[cell for cell in _cells(row) if cell.text().strip()] for row in rows]
    if all(len(row) < 2 for row in cells):
        return True
    blocks = [cell for row in cells for cell in row if cell.holds_blocks]
    return any(sum(map(len, cell.text().split())) > _LONGEST_CELL for cell in blocks) or any(
        each.tag in ("h1", "h2", "h3", "form") for cell in blocks for each in cell.below()
    )


def _number(text: str, otherwise: int) -> int:
    found = re.match(r"\s*(\d{1,6})", text)
    return max(1, min(int(found[1]), _WIDEST_SPAN)) if found else otherwise


_ITEM: Final = re.compile(r"(?:-|\d+\.) ")
_OWN_NUMBER: Final = re.compile(r"^(?:\[?\^?\d{1,4}\]?[.:]?|[*†‡])\s+")
"""The number that a page writes before the text of a note."""
