"""The sections of an HWP 5 document as blocks.

Source: Hancom, "한글 문서 파일 형식 5.0", sections 4.3 and 4.4. A paragraph's codes and its control records come in one
order; a table's cells and their paragraphs are siblings, a list header before the paragraphs of each cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from docs_rag.adapters.converters.hwp.docinfo import DocInfo
from docs_rag.adapters.converters.hwp.links import target_of
from docs_rag.adapters.converters.hwp.model import (
    Aside,
    Block,
    Equation,
    Image,
    Kind,
    Link,
    Note,
    Paragraph,
    Piece,
    Section,
    Table,
    TableCell,
    Text,
)
from docs_rag.adapters.converters.hwp.outline import Shaper, has_text
from docs_rag.adapters.converters.hwp.paratext import FIELD_END, FIELD_START, read_text
from docs_rag.adapters.converters.hwp.records import Record, number, utf16

_PARAGRAPH, _TEXT, _CONTROL, _LIST, _TABLE = 66, 67, 71, 72, 77
_OLE, _PICTURE, _EQUATION, _TEXT_ART, _FORM, _MEMO = 84, 85, 88, 90, 91, 93
_DEEPEST: Final = 24
"""Lists in lists (cells, boxes, notes) that are read; each takes several levels of records."""

_ASIDES: Final = {
    "head": Kind.HEADER,
    "foot": Kind.FOOTER,
    "secd": Kind.BACKGROUND,
    "tcmt": Kind.COMMENT,
    "%%me": Kind.MEMO,
}
_NO_BLOCKS: Final = frozenset({"fn  ", "en  ", "tdut", "tcps", "atno"})
"""Controls that are within the line whole."""
_FORM_TEXT: Final = re.compile(r"(?<!\S)(?:Caption|Text):wstring:(\d{1,5}):")
"""What a button, box or field of a form shows, among its properties: length, then text."""
_COUNTED: Final = frozenset({3, 4})
"""Kinds of automatic numbers that readers see in the text: of pictures and tables."""
_EQUATION_NUMBER: Final = 5


class BodyReader:
    """Reads the sections of one document, in order: numbers run through them."""

    def __init__(self, info: DocInfo, picture: Callable[[int], str]) -> None:
        """`picture`: name of the embedded file of a number, which the caller then keeps; empty when it is none."""
        self._picture = picture
        self._shaper = Shaper(info)
        self._depth = 0
        self.objects = 0
        self.too_deep = False
        self._inline: dict[str, Callable[[Record], Piece | None]] = {
            "eqed": _equation,
            "tdut": _phonetic,
            "tcps": _overlaid,
            "atno": _automatic_number,
            "form": _form,
            "fn  ": lambda control: Note(self._nested(control.children), at_end=False),
            "en  ": lambda control: Note(self._nested(control.children), at_end=True),
        }

    def section(self, records: Sequence[Record]) -> Section:
        """The blocks of a section, whose records these are."""
        return self._nested(records)

    def _nested(self, records: Sequence[Record]) -> tuple[Block, ...]:
        """The paragraphs among some records, and of the lists below them."""
        if self._depth >= _DEEPEST:
            self.too_deep = True
            return ()
        self._depth += 1
        blocks = tuple(block for record in records for block in self._blocks_of(record))
        self._depth -= 1
        return blocks

    def _blocks_of(self, record: Record) -> Iterator[Block]:
        if record.tag == _PARAGRAPH:
            yield from self._paragraph(record)
        elif record.tag == _PICTURE:
            yield from self._image(record)
        elif record.tag == _TEXT_ART:
            yield Paragraph(pieces=(Text(record.text(32)[0]),))
        elif record.tag == _OLE:
            self.objects += 1
        elif record.children and record.tag != _CONTROL:
            yield from self._nested(record.children)

    def _paragraph(self, record: Record) -> Iterator[Block]:
        """What stands before the text of its line, the text, then what is set into it."""
        controls = [child for child in record.children if child.tag == _CONTROL]
        self._note_outline(controls)
        pieces, before, after = self._pieces(record, controls)
        yield from before
        if has_text(pieces):
            yield self._shaper.paragraph(tuple(pieces), record.u16(8), number(record.data, 10, 1))
        yield from after
        yield from self._appendix(record)

    def _pieces(self, record: Record, controls: list[Record]) -> tuple[list[Piece], list[Block], list[Block]]:
        pieces: list[Piece] = []
        before: list[Block] = []
        after: list[Block] = []
        links: list[Link | None] = []
        left = iter(controls)
        for part in self._text_of(record):
            if isinstance(part, str):
                pieces.append(Text(part))
            elif part == FIELD_END:
                link = links.pop() if links else None
                pieces += [link] if link else []
            elif control := next(left, None):
                if part == FIELD_START:
                    links.append(_link(control))
                pieces += self._inside(control)
                (after if has_text(pieces) else before).extend(self._beside(control))
        return pieces, before, [*after, *(block for control in left for block in self._beside(control))]

    def _text_of(self, record: Record) -> Iterator[str | int]:
        for child in record.children:
            if child.tag == _TEXT:
                yield from read_text(child.data)

    def _inside(self, control: Record) -> list[Piece]:
        """What a control shows within the line."""
        piece = self._inline[control.name](control) if control.name in self._inline else None
        return [piece] if piece else []

    def _beside(self, control: Record) -> list[Block]:
        """What a control holds beside the line; of an unknown one, all text below it."""
        name = control.name
        if name == "tbl ":
            return [self._table(control)]
        if name in _NO_BLOCKS:
            return []
        blocks = self._nested(control.children)
        kind = _ASIDES.get(name)
        return [Aside(kind, blocks)] if kind and blocks else list(blocks)

    def _appendix(self, record: Record) -> Iterator[Block]:
        """What follows the last paragraph of a section, one level down: page backgrounds, then memos."""
        parts: list[list[Record]] = [[]]
        for child in record.children:
            if child.tag == _MEMO:
                parts.append([])
            elif child.tag == _PARAGRAPH:
                parts[-1].append(child)
        for at, part in enumerate(parts):
            if blocks := self._nested(part):
                yield Aside(Kind.MEMO if at else Kind.BACKGROUND, blocks)

    def _table(self, control: Record) -> Table:
        """Lists before the table's own record are its caption, those after it its cells."""
        caption: list[Record] = []
        cells: list[tuple[Record, list[Record]]] = []
        seen_table = False
        for child in control.children:
            if child.tag == _TABLE:
                seen_table = True
            elif not seen_table:
                caption.append(child)
            elif child.tag == _LIST:
                cells.append((child, list(child.children)))
            elif cells:
                cells[-1][1].append(child)
        shown = self._nested(caption)
        return Table(tuple(self._cell(head, records) for head, records in cells), shown)

    def _cell(self, head: Record, records: list[Record]) -> TableCell:
        return TableCell(
            column=head.u16(8),
            row=head.u16(10),
            colspan=max(head.u16(12), 1),
            rowspan=max(head.u16(14), 1),
            blocks=self._nested(records),
        )

    def _image(self, record: Record) -> Iterator[Block]:
        name = self._picture(record.u16(71))
        if name:
            yield Image(name)

    def _note_outline(self, controls: list[Record]) -> None:
        """A section says which numbering its outline has."""
        for control in controls:
            if control.name == "secd":
                self._shaper.outline = control.u16(18)


def _equation(control: Record) -> Piece | None:
    script = next((child.text(4)[0] for child in control.children if child.tag == _EQUATION), "")
    return Equation(script, _number_of(control)) if script.strip() else None


def _number_of(equation: Record) -> str:
    """The number in the caption of an equation, where LaTeX has no place for it but beside the formula."""
    inside = (control for paragraph in equation.children for control in paragraph.children)
    counts = (each for each in inside if each.name == "atno" and each.u32(4) & 0xF == _EQUATION_NUMBER)
    return next((str(each.u16(8)) for each in counts), "")


def _phonetic(control: Record) -> Piece | None:
    """덧말: a word with its gloss."""
    word, at = control.text(4)
    gloss, _ = control.text(at)
    return Text(f"{word}({gloss})" if gloss else word)


def _overlaid(control: Record) -> Piece | None:
    """Characters set over each other, as digits in a circle."""
    return Text(control.text(4)[0])


def _automatic_number(control: Record) -> Piece | None:
    return Text(str(control.u16(8))) if control.u32(4) & 0xF in _COUNTED else None


def _form(control: Record) -> Piece | None:
    """A button, box or field of a form with what it shows."""
    properties = "".join(utf16(child.data) for child in control.children if child.tag == _FORM)
    found = _FORM_TEXT.search(properties)
    return Text(properties[found.end() : found.end() + int(found[1])]) if found else None


def _link(control: Record) -> Link | None:
    if control.name != "%hlk":
        return None
    target = target_of(control.text(9)[0])
    return Link(target) if target else None
