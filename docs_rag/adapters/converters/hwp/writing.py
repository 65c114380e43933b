"""A Hancom document as markdown.

Each section is one stretch; headers and footers stand once, at the end of the section that sets them. A note stands
after the block that refers to it, so that a search that finds the one finds the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp.eqedit import to_latex
from docs_rag.adapters.converters.hwp.grids import grid, is_frame, is_layout
from docs_rag.adapters.converters.hwp.model import (
    Block,
    Document,
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
from docs_rag.core.converted import Converted, Picture, Stretch
from docs_rag.core.doctext import clean, literal
from docs_rag.core.mdtables import Cell, table

_HEADING_LEVELS: Final = 6
_PADDING: Final = re.compile(r"[ \t]{2,}")
"""Authors set columns and signature lines with spaces."""
_GLYPHS: Final = {0xF080F: "―"} | {0xF02B1 + at: chr(ord("①") + at) for at in range(9)}
"""Private codes of Hancom's fonts that documents use most: a line, and digits in boxes."""
_AT_PAGE_EDGE: Final = frozenset({Kind.HEADER, Kind.FOOTER, Kind.BACKGROUND})


def converted(document: Document) -> Converted:
    """The document as markdown; raises `Unconvertible` when it holds no text at all."""
    writer = _Writer()
    stretches = []
    for number, section in enumerate(document.sections, 1):
        first = len(writer.lines) + 1
        writer.section(section)
        if len(writer.lines) >= first:
            stretches.append(Stretch((first, len(writer.lines)), f"section {number}"))
    if not writer.has_text:
        raise _no_text(document)
    return Converted(
        markdown="\n".join(writer.lines) + "\n",
        stretches=tuple(stretches),
        pictures=tuple(Picture(name, data) for name, data in document.pictures.items()),
        warnings=tuple([*document.warnings, *_left_out(document)]),
    )


def preview(document: Document) -> Converted:
    """The beginning of the text, which the file keeps for previews; raises `Unconvertible` without any."""
    lines = [literal(line.strip()) for line in clean(document.fallback).split("\n")]
    text = "\n\n".join(line for line in lines if line)
    if not text:
        raise _no_text(document)
    return Converted(markdown=f"{text}\n", warnings=document.warnings)


def _no_text(document: Document) -> Unconvertible:
    held = [_count(len(document.pictures), "picture"), _count(document.objects, "embedded object")]
    what = " and ".join(part for part in held if part)
    return Unconvertible("unsupported", f"no text in the document{f', only {what}' if what else ''}")


def _left_out(document: Document) -> list[str]:
    return [f"not read: {_count(document.objects, 'embedded object')}"] if document.objects else []


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number > 1 else ''}" if number else ""


class _Writer:
    """Adds blocks to lines; blocks are apart by a blank line, items of a list are not."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.has_text = False
        self._notes: list[tuple[str, Note]] = []
        self._counts = {False: 0, True: 0}
        self._edges: dict[str, None] = {}
        self._shown: set[str] = set()
        self._bullet = 0

    def section(self, section: Section) -> None:
        for block in section:
            self._block(block)
        for edge in [edge for edge in self._edges if edge not in self._shown]:
            self._shown.add(edge)
            self._add(edge.split("\n"))
        self._edges.clear()

    def _block(self, block: Block) -> None:
        self._write(block)
        while self._notes:
            name, note = self._notes.pop(0)
            self._add([f"[^{name}]: {self._flat(note.blocks)}"])

    def _write(self, block: Block) -> None:
        if isinstance(block, Paragraph):
            self._paragraph(block)
        elif isinstance(block, Table):
            self._table(block)
        elif isinstance(block, Image):
            self._add([f"![]({block.name})"], is_text=False)
        elif text := self._text(block.blocks):
            text = f"{block.kind.value}: {text}"
            if block.kind in _AT_PAGE_EDGE:
                self._edges[text] = None
            else:
                self._add(text.split("\n"))

    def _paragraph(self, paragraph: Paragraph) -> None:
        if paragraph.level:
            return self._add([f"{'#' * min(paragraph.level, _HEADING_LEVELS)} {self._line(paragraph)}"])
        if paragraph.bullet:
            return self._item(paragraph)
        equations = _only_equations(paragraph.pieces)
        lines = list(map(_display, equations)) or self._lines(paragraph)
        return self._add([*([paragraph.label] if equations and paragraph.label else []), *lines])

    def _item(self, paragraph: Paragraph) -> None:
        """An item is at most one level deeper than the one before it, else markdown sees no list."""
        lines = self._lines(paragraph)
        if not lines:
            return
        depth = min(paragraph.bullet, self._bullet + 1)
        indent = "  " * (depth - 1)
        made = [f"{indent}- {lines[0]}", *(f"{indent}  {line}" for line in lines[1:])]
        self._add(made, tight=self._bullet > 0)
        self._bullet = depth

    def _table(self, block: Table) -> None:
        for each in block.caption:
            self._block(each)
        if is_layout(block):
            for cell in sorted(block.cells, key=lambda cell: cell.row):
                for each in cell.blocks:
                    self._block(each)
            return
        self._add(table(self._rows(block)))

    def _rows(self, block: Table) -> tuple[tuple[Cell, ...], ...]:
        """The cells in rows, with blank ones where the document has none."""
        return grid(block.cells, self._cell)

    def _cell(self, cell: TableCell) -> Cell:
        tables = [each for each in cell.blocks if isinstance(each, Table) and not is_frame(each)]
        text = self._text([each for each in cell.blocks if not isinstance(each, Table) or is_frame(each)])
        text = "\n".join([text, *(self._text(each.caption) for each in tables)]).strip("\n")
        return Cell(text, cell.rowspan, cell.colspan, tuple(self._rows(each) for each in tables))

    def _text(self, blocks: Iterable[Block]) -> str:
        """Blocks where no block may stand: lines of text with inline formulas."""
        lines: list[str] = []
        for block in blocks:
            if isinstance(block, Paragraph):
                mark = "- " if block.bullet else ""
                lines += [f"{mark}{line}" if not at else line for at, line in enumerate(self._lines(block))]
            elif isinstance(block, Table):
                inner = [each for cell in block.cells for each in cell.blocks]
                lines += [self._text([*block.caption, *inner])]
            elif isinstance(block, Image):
                lines += [f"![]({block.name})"]
            elif text := self._text(block.blocks):
                lines += [f"{block.kind.value}: {text}"]
        return "\n".join(line for line in lines if line)

    def _flat(self, blocks: Iterable[Block]) -> str:
        return " ".join(self._text(blocks).split("\n"))

    def _line(self, paragraph: Paragraph) -> str:
        return " ".join(self._lines(paragraph))

    def _lines(self, paragraph: Paragraph) -> list[str]:
        """The text of a paragraph, its number first, targets of its links last."""
        text = _PADDING.sub(_narrow, "".join(map(self._piece, paragraph.pieces)))
        lines = [literal(stripped) for line in text.split("\n") if (stripped := line.strip())]
        if paragraph.label and lines:
            lines[0] = f"{clean(paragraph.label)} {lines[0]}"
        links = dict.fromkeys(piece.target for piece in paragraph.pieces if isinstance(piece, Link))
        return lines + [f"<{clean(target)}>" for target in links if not _says(text, target)]

    def _piece(self, piece: Piece) -> str:
        if isinstance(piece, Text):
            return clean(piece.text.translate(_GLYPHS))
        if isinstance(piece, Equation):
            return f"${_latex(piece)}$" + (f" ({piece.number})" if piece.number else "")
        if isinstance(piece, Note):
            if not self._text(piece.blocks):
                return ""
            self._counts[piece.at_end] += 1
            name = f"{'e' if piece.at_end else ''}{self._counts[piece.at_end]}"
            self._notes.append((name, piece))
            return f"[^{name}]"
        return ""

    def _add(self, lines: Sequence[str], *, tight: bool = False, is_text: bool = True) -> None:
        if not lines:
            return
        if self.lines and not tight:
            self.lines.append("")
        self.lines += lines
        self.has_text = self.has_text or is_text
        self._bullet = 0


def _latex(equation: Equation) -> str:
    return to_latex(clean(equation.script))


def _display(equation: Equation) -> str:
    tag = rf" \tag{{{equation.number}}}" if equation.number else ""
    return f"$${_latex(equation)}{tag}$$"


def _only_equations(pieces: Sequence[Piece]) -> list[Equation]:
    """The formulas of a paragraph that holds nothing else; none of any other."""
    equations = [piece for piece in pieces if isinstance(piece, Equation)]
    others = [piece for piece in pieces if not isinstance(piece, Equation)]
    blank = all(isinstance(piece, Text) and not piece.text.strip() for piece in others)
    return equations if blank else []


def _says(text: str, target: str) -> bool:
    """Whether a text shows the target of its link already."""
    scheme, _, address = target.partition(":")
    return bool(scheme and address) and address.strip("/") in text


def _narrow(padding: re.Match[str]) -> str:
    return "\t" if "\t" in padding[0] else " "
