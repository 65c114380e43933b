"""Rich text (rtf), read with nothing but the standard library: Rich Text Format Specification 1.9.1.

Groups that say nothing to a reader (fonts, colours, field instructions, all that is marked as to be ignored) are
left out, all other text is kept. Notes and comments follow the paragraph or table that they hang on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.drafting import Draft
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.rtftables import Row, cells_of
from docs_rag.adapters.converters.rtftokens import Token, tokens
from docs_rag.core.converted import Picture
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import heading, paragraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.core.converted import Converted

_SILENT: Final = (
    "fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator info fldinst nonshppict object objdata "
    "header headerl headerr headerf footer footerl footerr footerf xe tc sp ud filetbl revtbl nonesttables "
    "ftnsep ftnsepc aftnsep aftnsepc pntxta pntxtb template operator author company category keywords comment"
)
_SILENT_GROUPS: Final = frozenset(_SILENT.split())
"""Groups whose text is none of the document's; `info` and `stylesheet` are read in another way."""
_MARKED: Final = "footnote annotation shppict shpinst nesttableprops mmath moMath moMathPara pn"
_READ_THOUGH_MARKED: Final = frozenset(_MARKED.split())
"""Groups that older readers are told to ignore, yet hold text, tables or pictures."""
_SIGNS: Final = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
    "tab": " ", "line": "\n", "emspace": " ", "enspace": " ", "qmspace": " ", "lbr": "\n",
}  # fmt: skip
_PICTURES: Final = {"pngblip": "png", "jpegblip": "jpg", "emfblip": "emf"}
_HEADING: Final = re.compile(r"(?:heading|제목|개요|見出し|标题|überschrift|titre|título)\s*([1-9])", re.IGNORECASE)
_DEEPEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds inside a group."""

    into: str = "text"
    """Where its text goes: `text`, `note`, `style`, `title`, `picture` or nowhere."""
    is_hidden: bool = False
    style: int = 0
    level: int = 0
    """1-9 for a heading."""
    in_table: bool = False
    is_nested: bool = False
    is_marked: bool = False
    """Right after `\\*`: a group to be ignored unless it is known."""


@dataclass(slots=True)
class _Flow:
    """A text that grows: the document's, or that of one note."""

    pieces: list[str] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    """Those since the last end of a cell."""
    before: str = ""
    """What the note begins with."""
    depth: int = 0
    """Groups that were open when it began."""


def convert(data: bytes, name: str) -> Converted:
    """A rich text document as markdown; raises `Unconvertible`."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise Unconvertible("damaged", f"{name} is no rich text")
    return _Reader().read(data)


class _Reader:
    """Reads one document."""

    def __init__(self) -> None:
        self._draft = Draft()
        self._groups = [_Group()]
        self._flows = [_Flow()]
        self._after: list[str] = []
        self._after_table: list[str] = []
        self._rows: list[Row] = []
        self._row = Row()
        self._nested: list[list[Cell]] = []
        self._nested_row: list[Cell] = []
        self._nested_from: int | None = None
        self._styles: dict[int, int] = {}
        self._style = (0, "")
        self._title = ""
        self._section = ""
        self._notes = 0
        self._pictures: list[Picture] = []
        self._picture: tuple[str, list[str]] = ("", [])

    def read(self, data: bytes) -> Converted:
        for token in tokens(data):
            _TOKENS[token.kind](self, token)
        while len(self._flows) > 1:
            self._end_note()
        self._end_paragraph()
        self._end_table()
        self._write_after()
        title = _clean(self._title)
        return self._draft.finish(pictures=self._pictures, title=title)

    def _open(self, _: Token) -> None:
        if len(self._groups) > _DEEPEST:
            raise Unconvertible("damaged", "the file nests deeper than a real document does; it was not read")
        self._groups.append(self._groups[-1])

    def _close(self, _: Token) -> None:
        group = self._groups.pop() if len(self._groups) > 1 else self._groups[0]
        outer = self._groups[-1].into
        if group.into == "picture" != outer:
            self._end_picture()
        if group.into == "style":
            self._end_style()
        if len(self._flows) > 1 and len(self._groups) < self._flows[-1].depth:
            self._end_note()

    def _text(self, token: Token) -> None:
        group = self._groups[-1]
        if group.into == "style":
            self._style = (self._style[0], self._style[1] + token.text)
        elif group.into == "title":
            self._title += token.text
        elif group.into == "picture":
            self._picture[1].append(token.text)
        elif group.into in ("text", "note") and not group.is_hidden:
            self._flows[-1].pieces.append(token.text)

    def _sign(self, token: Token) -> None:
        if token.text == "*":
            self._groups[-1] = replace(self._groups[-1], is_marked=True)
        elif token.text in _CONTROL_SIGNS:
            self._text(Token("text", _CONTROL_SIGNS[token.text]))
        elif token.text in "\r\n":
            self._paragraph()

    def _bytes(self, token: Token) -> None:
        if self._groups[-1].into == "picture":
            self._picture[1].append(token.data.hex())

    def _word(self, token: Token) -> None:
        group, word, number = self._groups[-1], token.text, token.number
        if group.is_marked and word not in _READ_THOUGH_MARKED:
            self._groups[-1] = replace(group, is_marked=False, into="")
            return
        if group.is_marked:
            self._groups[-1] = group = replace(group, is_marked=False)
        if word in _SIGNS:
            self._text(Token("text", _SIGNS[word]))
        elif word in _WORDS:
            _WORDS[word](self, number)
        elif word in _SILENT_GROUPS and group.into != "picture":
            self._groups[-1] = replace(group, into={"stylesheet": "style", "info": "info"}.get(word, ""))
        elif word in _PICTURES and group.into == "picture":
            self._picture = (_PICTURES[word], self._picture[1])
        elif self._flows[-1] is self._flows[0] and group.into == "text":
            self._row.define(word, number or 0)

    # Paragraphs

    def _plain_paragraph(self, _: int | None) -> None:
        self._groups[-1] = replace(self._groups[-1], style=0, level=0, in_table=False)

    def _hide(self, number: int | None) -> None:
        self._groups[-1] = replace(self._groups[-1], is_hidden=number != 0)

    def _plain(self, _: int | None) -> None:
        self._groups[-1] = replace(self._groups[-1], is_hidden=False)

    def _in_table(self, _: int | None) -> None:
        self._groups[-1] = replace(self._groups[-1], in_table=True)

    def _use_style(self, number: int | None) -> None:
        if self._groups[-1].into == "style":
            self._style = (number or 0, "")
        else:
            self._groups[-1] = replace(self._groups[-1], style=number or 0)

    def _outline(self, number: int | None) -> None:
        if self._groups[-1].into == "text" and 0 <= (number or 0) < 9:
            self._groups[-1] = replace(self._groups[-1], level=(number or 0) + 1)

    def _paragraph(self, _: int | None = None) -> None:
        if self._groups[-1].into in ("text", "note"):
            self._end_paragraph()

    def _end_paragraph(self) -> None:
        """Close the paragraph: into its cell or note, or else into the document."""
        flow, group = self._flows[-1], self._groups[-1]
        text, flow.pieces = _clean("".join(flow.pieces)), []
        if len(self._flows) > 1 or (group.in_table and len(self._groups) > 1):
            flow.paragraphs.append(text)
            return
        self._end_table()
        level = group.level or self._styles.get(group.style, 0)
        words = " ".join(text.split())
        if level and words and len(words) <= 300:
            self._section = words
            self._draft.add([heading(level, words)], self._place())
        elif words:
            self._draft.add(paragraph(text).split("\n"), self._place())
        self._write_after()

    def _place(self) -> str:
        return f"section {self._section}" if self._section else "beginning"

    def _write_after(self) -> None:
        waiting, self._after = self._after, []
        for line in waiting:
            self._draft.add([line], self._place())

    # Tables

    def _cell(self, _: int | None) -> None:
        flow = self._flows[-1]
        if len(self._flows) > 1:
            self._end_paragraph()
            return
        if self._nested_row:
            self._end_nested_row(None)
        text = "\n".join([*flow.paragraphs, _clean("".join(flow.pieces))])
        flow.paragraphs, flow.pieces, self._nested_from = [], [], None
        nested = tuple(tuple(row) for row in self._nested)
        self._row.cells.append(Cell(text, tables=(nested,) if nested else ()))
        self._nested = []

    def _end_row(self, _: int | None) -> None:
        if len(self._flows) == 1 and self._row.cells:
            self._rows.append(self._row)
            self._row = self._row.following()
            self._after_table, self._after = [*self._after_table, *self._after], []

    def _table_depth(self, number: int | None) -> None:
        """Remember which paragraphs of a cell stand before the table inside it."""
        if (number or 0) < 2:
            self._nested_from = None
        elif self._nested_from is None:
            self._nested_from = len(self._flows[-1].paragraphs)

    def _nested_cell(self, _: int | None) -> None:
        flow, start = self._flows[-1], self._nested_from or 0
        text = "\n".join([*flow.paragraphs[start:], _clean("".join(flow.pieces))])
        del flow.paragraphs[start:]
        flow.pieces = []
        self._nested_row.append(Cell(text))

    def _end_nested_row(self, _: int | None) -> None:
        self._nested.append(self._nested_row)
        self._nested_row, self._nested_from = [], None

    def _end_table(self) -> None:
        """Write the table so far, and what stood in cells that were never closed."""
        if self._nested or self._nested_row:
            self._cell(None)
        if self._row.cells:
            self._end_row(None)
        if self._rows:
            self._draft.add(table(cells_of(self._rows)), self._place())
            self._rows, self._row = [], Row()
        for line in self._after_table:
            self._draft.add([line], self._place())
        self._after_table = []
        left, self._flows[0].paragraphs = self._flows[0].paragraphs, []
        for text in left:
            written = paragraph(text)
            self._draft.add(written.split("\n") if written else [], self._place())

    # Notes, styles, pictures

    def _footnote(self, _: int | None) -> None:
        self._notes += 1
        self._flows[-1].pieces.append(f"[^{self._notes}]")
        self._begin_note(f"[^{self._notes}]: ")

    def _annotation(self, _: int | None) -> None:
        self._begin_note("> Comment: ")

    def _begin_note(self, before: str) -> None:
        self._flows.append(_Flow(before=before, depth=len(self._groups)))
        self._groups[-1] = replace(self._groups[-1], into="note")

    def _end_note(self) -> None:
        flow = self._flows.pop()
        words = " ".join(" ".join([*flow.paragraphs, _clean("".join(flow.pieces))]).split())
        self._after += [flow.before + paragraph(words)] if words else []

    def _end_style(self) -> None:
        number, name = self._style
        found = _HEADING.match(name.strip())
        if found:
            self._styles[number] = int(found[1])
        self._style = (0, "")

    def _document_title(self, _: int | None) -> None:
        if self._groups[-1].into == "info":
            self._groups[-1] = replace(self._groups[-1], into="title")

    def _begin_picture(self, _: int | None) -> None:
        if self._groups[-1].into in ("text", "note"):
            self._groups[-1] = replace(self._groups[-1], into="picture")
            self._picture = ("", [])

    def _end_picture(self) -> None:
        kind, pieces = self._picture
        digits = re.sub(r"[^0-9a-fA-F]", "", "".join(pieces))
        if kind and digits:
            name = f"image{len(self._pictures) + 1}.{kind}"
            self._pictures.append(Picture(name, bytes.fromhex(digits[: len(digits) // 2 * 2])))
            self._after.append(f"![]({name})")
        self._picture = ("", [])


def _clean(text: str) -> str:
    """Halves of characters joined, white space evened out, lines kept."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return re.sub(r"[ \t\xa0]+", " ", whole.replace("\0", "")).strip()


_CONTROL_SIGNS: Final = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\"}
_TOKENS: Final[dict[str, Callable[[_Reader, Token], None]]] = {
    "text": _Reader._text,
    "word": _Reader._word,
    "sign": _Reader._sign,
    "bytes": _Reader._bytes,
    "{": _Reader._open,
    "}": _Reader._close,
}
_WORDS: Final[dict[str, Callable[[_Reader, int | None], None]]] = {
    "par": _Reader._paragraph,
    "sect": _Reader._paragraph,
    "page": _Reader._paragraph,
    "pard": _Reader._plain_paragraph,
    "plain": _Reader._plain,
    "v": _Reader._hide,
    "deleted": _Reader._hide,
    "s": _Reader._use_style,
    "outlinelevel": _Reader._outline,
    "intbl": _Reader._in_table,
    "itap": _Reader._table_depth,
    "cell": _Reader._cell,
    "row": _Reader._end_row,
    "nestcell": _Reader._nested_cell,
    "nestrow": _Reader._end_nested_row,
    "footnote": _Reader._footnote,
    "annotation": _Reader._annotation,
    "title": _Reader._document_title,
    "pict": _Reader._begin_picture,
}
"""A control word -> what it does; those that only set type and colour are none of a reader's business."""
