"""Reads a PDF with PDFium: lines with the places of their characters, rules, outline, comments, form fields.

PDFium sets the reading order, ends the lines and joins words that a line end divides; see its `fpdf_text.h` and
`fpdf_annot.h` for the calls that pypdfium2 has no method for.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from time import monotonic
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as raw

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.pace import more
from docs_rag.adapters.converters.pdf.drawn import is_pictured, rules_of
from docs_rag.adapters.converters.pdf.pictures import Pictures
from docs_rag.adapters.converters.pdf.shapes import Bookmark, Char, Contents, Line, Page, is_garbled, line_of
from docs_rag.adapters.converters.pdf.tabling import tabled
from docs_rag.core.doctext import clean

_PAGE_SECONDS: Final = 20.0
_MOST_SECONDS: Final = 240.0
_HYPHEN: Final = 0x02
"""Stands where PDFium joined a word that a hyphen divided at a line end."""
_LINE_END: Final = 0x0A
_RETURN: Final = 0x0D
_BOLD_WEIGHT: Final = 700
_BOLD: Final = re.compile(r"bold|black|heavy|semib|demi|SFBX|CMBX", re.IGNORECASE)
_FORMULAS: Final = re.compile(
    r"CM(?:MI|SY|EX)|MS[AB]M|Cambria ?Math|(?:STIX|XITS|Asana|Libertinus|LatinModern|LM)\w*-?Math"
    r"|MathematicalPi|MT-?Extra|MTMI|MTSY|EuclidMath|HancomEQN|HyhwpEQ"
)
"""Fonts in which programs set formulas."""
_NO_TITLE: Final = re.compile(
    r"Microsoft (?:Word|PowerPoint|Excel) - |\(?(?:untitled|anonymous)\)?$|.*\.(?:docx?|hwpx?|pptx?|xlsx?|indd|tex)$",
    re.IGNORECASE,
)
"""Titles that a program wrote by itself: a file's name, or nothing at all."""


def read(data: bytes) -> Contents:
    """The whole document; raises `Unconvertible` where it is encrypted or PDFium cannot open it."""
    with closing(opened(data)) as document:
        pictures = Pictures()
        pages = tuple(tabled(_page(document, at, pictures)) for at in _paced(len(document)))
        return Contents(pages=pages, outline=tuple(_outline(document)), title=_title(document))


def _paced(count: int) -> Iterator[int]:
    """Numbers of pages from 0; each has its time, up to what the whole document has."""
    end = monotonic() + _MOST_SECONDS
    for at in range(count):
        if monotonic() < end:
            more(_PAGE_SECONDS)
        yield at


def opened(data: bytes) -> Any:
    """The document as pypdfium2's object, for the caller to close; raises like `read`."""
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise Unconvertible("encrypted", "it needs a password; save a copy without one") from None
        raise Unconvertible("damaged", "it is damaged or no PDF; open it and save it anew") from None


def _title(document: Any) -> str:
    title = " ".join(clean(document.get_metadata_value("Title")).split())
    return "" if _NO_TITLE.match(title) else title


def _outline(document: Any) -> Iterator[Bookmark]:
    for entry in document.get_toc(max_depth=10):
        place = entry.get_dest()
        title = " ".join(clean(entry.get_title()).split())
        page = place.get_index() if place else None
        if title and page is not None and page >= 0:
            yield Bookmark(title=title, level=entry.level + 1, page=page + 1, top=_top(place))


def _top(place: Any) -> float | None:
    mode, position = place.get_view()
    if mode == raw.PDFDEST_VIEW_XYZ and len(position) > 1:
        return float(position[1])
    return float(position[0]) if mode == raw.PDFDEST_VIEW_FITH and position else None


def _page(document: Any, at: int, pictures: Pictures) -> Page:
    try:
        page = document[at]
    except pypdfium2.PdfiumError:
        return Page(number=at + 1)
    with closing(page):
        fonts: Counter[str] = Counter()
        with closing(page.get_textpage()) as text:
            lines = tuple(_lines(text.raw, text.count_chars(), _Turn(page), fonts))
        garbled = is_garbled(lines)
        lines = () if garbled else lines
        pictured = garbled or is_pictured(page, sum(len(line.text) for line in lines))
        return Page(
            number=at + 1,
            lines=lines,
            rules=() if page.get_rotation() else tuple(rules_of(page)),
            notes=tuple(_notes(page)),
            pictures=() if pictured else tuple(pictures.of(page, at + 1)),
            pictured=pictured,
            formulas=sum(count for name, count in fonts.items() if _FORMULAS.search(name)) > 0,
        )


class _Turn:
    """Places on a page that is shown turned, as a person sees them."""

    def __init__(self, page: Any) -> None:
        """Size and rotation of the page, which holds for all that is on it."""
        self._width, self._height = page.get_size()
        self._rotation = page.get_rotation()

    def __call__(self, box: raw.FS_RECTF) -> tuple[float, float, float, float]:
        """Left, bottom, right, top."""
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        match self._rotation:
            case 90:
                return bottom, self._height - right, top, self._height - left
            case 180:
                return self._width - right, self._height - top, self._width - left, self._height - bottom
            case 270:
                return self._width - top, left, self._width - bottom, right
        return left, bottom, right, top


def _lines(text: Any, count: int, turn: _Turn, fonts: Counter[str]) -> Iterator[Line]:
    """The lines of a page, `text` being PDFium's own handle; counts the fonts of their letters, in samples."""
    pieces: list[str] = []
    chars: list[Char] = []
    indexes: list[int] = []
    box = raw.FS_RECTF()
    for at in range(count + 1):
        code = raw.FPDFText_GetUnicode(text, at) if at < count else _LINE_END
        if code in (_LINE_END, _RETURN):
            if line := _line(text, "".join(pieces), chars, indexes, fonts):
                yield line
            pieces, chars, indexes = [], [], []
        elif code != _HYPHEN:
            pieces.append(chr(code))
            if not pieces[-1].isspace() and raw.FPDFText_GetLooseCharBox(text, at, box):
                spaced = len(pieces) > 1 and pieces[-2].isspace()
                chars.append(Char(f" {pieces[-1]}" if spaced else pieces[-1], *turn(box)))
                indexes.append(at)


def _line(text: Any, written: str, chars: list[Char], indexes: list[int], fonts: Counter[str]) -> Line | None:
    written = " ".join(clean(_whole(written)).split())
    if not written or not chars:
        return Line(text=written) if written else None
    samples = {indexes[0]: chars[0], indexes[len(indexes) // 2]: chars[len(indexes) // 2], indexes[-1]: chars[-1]}
    names = {at: _font(text, at) for at in samples}
    fonts.update({name for at, name in names.items() if samples[at].text.strip().isalpha()})
    return line_of(chars, written, bold=all(_is_bold(text, at, name) for at, name in names.items()))


def _whole(text: str) -> str:
    """Halves of a character joined: on Windows PDFium hands out UTF-16."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _font(text: Any, at: int) -> str:
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text, at, name, len(name), flags)
    return name.value.decode("utf-8", "replace")


def _is_bold(text: Any, at: int, font: str) -> bool:
    return bool(_BOLD.search(font)) or raw.FPDFText_GetFontWeight(text, at) >= _BOLD_WEIGHT


_COMMENTS: Final = frozenset({raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP})
_MARKS: Final = frozenset(
    {raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE, raw.FPDF_ANNOT_SQUIGGLY, raw.FPDF_ANNOT_STRIKEOUT}
)
_MOST_NOTES: Final = 1000


def _notes(page: Any) -> Iterator[str]:
    """Comments that people wrote on the page, and form fields that are filled in."""
    for at in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST_NOTES)):
        annotation = raw.FPDFPage_GetAnnot(page, at)
        if not annotation:
            continue
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if kind in _COMMENTS or kind in _MARKS:
            if comment := _text_of(annotation, b"Contents"):
                yield f"Comment: {comment}"
        elif kind == raw.FPDF_ANNOT_WIDGET and (value := _text_of(annotation, b"V")) and value != "Off":
            yield f"{_text_of(annotation, b'TU') or _text_of(annotation, b'T') or 'Field'}: {value}"
        raw.FPDFPage_CloseAnnot(annotation)


def _text_of(annotation: Any, key: bytes) -> str:
    """A text of an annotation on one line; PDFium hands it out as UTF-16 and counts bytes."""
    size = raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return " ".join(clean(buffer.raw[: size - 2].decode("utf-16-le", "replace")).split())
