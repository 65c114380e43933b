"""Excel workbooks (xlsx, ECMA-376 part 1, 18), read from their XML with nothing but the standard library.

Cells show what Excel stored when the workbook was last calculated; a formula that never was is shown itself. Only
cells that are there are looked at, so the range that a sheet claims costs nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.drafting import Draft
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.ooxml.drawings import shown_text
from docs_rag.adapters.converters.ooxml.numberformats import plain, shown
from docs_rag.adapters.converters.ooxml.parts import Package, open_package
from docs_rag.adapters.converters.ooxml.walking import child, descendants
from docs_rag.adapters.converters.sheets import Merged, Sheet, write_sheet
from docs_rag.adapters.converters.zipxml import attribute, local, nesting_checked
from docs_rag.core.mdwriting import paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from docs_rag.core.converted import Converted

_MOST_CELLS: Final = 500_000
_REFERENCE: Final = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_CODES: Final = re.compile(r'&(?:"[^"]*"|K[0-9A-F]{6}|\d+|[A-Za-z])')
"""In headers and footers: fonts, colours, sizes, places, fields."""
_FIELDS: Final = re.compile(r"&[PNAFDTZ](?![a-z])")
"""Page numbers, names of sheet and file, dates: a margin that holds one says nothing of its own."""
_THREADED: Final = re.compile(r"^\[Threaded comment].*?\w+:\s*\n", re.DOTALL)
"""What Excel writes before a comment for older versions of itself."""
_SHAPES: Final = frozenset({"sp", "blip", "chart"})


def convert(data: bytes, name: str) -> Converted:
    """A workbook as markdown; raises `Unconvertible`."""
    with nesting_checked(name):
        return _Reader(open_package(data, name)).read()


class _Reader:
    """Reads one workbook."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main("xl/workbook.xml")
        self._workbook = package.optional(self._main)
        self._strings = list(self._read_strings())
        self._formats = list(self._read_formats())
        settings = child(self._workbook, "workbookPr")
        self._is_1904 = settings is not None and attribute(settings, "date1904") in ("1", "true")
        self._left = _MOST_CELLS

    def read(self) -> Converted:
        draft = Draft()
        sheets = list(self._sheets())
        for sheet in sheets:
            write_sheet(draft, sheet)
        if not sheets:
            raise Unconvertible("damaged", "the file holds no sheet that can be read")
        if not any(sheet.rows or sheet.after for sheet in sheets):
            self._package.warnings["the workbook holds no cell with text"] = None
        if self._left < 0:
            self._package.warnings[f"cells after the first {_MOST_CELLS:,} are missing"] = None
        return draft.finish(
            pictures=self._package.pictures, title=self._package.title(), warnings=tuple(self._package.warnings)
        )

    def _named(self, kind: str) -> str:
        """The part of a kind that the workbook refers to, or else the usual name."""
        usual = f"{self._main.rpartition('/')[0]}/{kind}.xml"
        return next(iter(self._package.related(self._main, kind)), usual)

    def _read_strings(self) -> Iterator[str]:
        """The texts that cells name by number: without them nothing makes sense, so a damaged part raises."""
        part = self._named("sharedStrings")
        if part in self._package.archive:
            yield from (_string(each) for each in self._package.archive.xml(part) if local(each) == "si")

    def _read_formats(self) -> Iterator[tuple[int, str]]:
        """For each style of cells the number of its format and its code, if it is the file's own."""
        root = self._package.optional(self._named("styles"))
        formats, styles = child(root, "numFmts"), child(root, "cellXfs")
        own = {
            attribute(each, "numFmtId"): attribute(each, "formatCode")
            for each in (formats if formats is not None else ())
        }
        for each in styles if styles is not None else ():
            number = attribute(each, "numFmtId", "0")
            yield _whole(number, 0), own.get(number, "")

    def _sheets(self) -> Iterator[Sheet]:
        relations = self._package.relations(self._main)
        entries = child(self._workbook, "sheets")
        for number, entry in enumerate(entries if entries is not None else (), 1):
            identifier = next((text for key, text in entry.attrib.items() if key.endswith("}id")), "")
            usual = f"{self._main.rpartition('/')[0]}/worksheets/sheet{number}.xml"
            part = relations[identifier].target if identifier in relations else usual
            root = self._package.optional(part)
            if root is not None:
                hidden = attribute(entry, "state") in ("hidden", "veryHidden")
                yield self._sheet(Sheet(attribute(entry, "name", f"Sheet{number}"), hidden), root, part)

    def _sheet(self, sheet: Sheet, root: Element, part: str) -> Sheet:
        data, merged = child(root, "sheetData"), child(root, "mergeCells")
        self._read_rows(sheet, data if data is not None else ())
        for each in merged if merged is not None else ():
            first, _, last = attribute(each, "ref").partition(":")
            start, end = _place(first), _place(last)
            if start and end:
                sheet.merged.append(Merged(start[0], start[1], end[0]))
        sheet.after += [*self._comments(part), *self._drawn(part), *_margins(root)]
        return sheet

    def _read_rows(self, sheet: Sheet, rows: Element | tuple[()]) -> None:
        """Fill in the cells; a row or cell that does not say where it stands follows the one before."""
        at = -1
        for row in rows:
            at, column = _whole(row.get("r", ""), at + 2) - 1, -1
            for cell in row:
                place = _place(cell.get("r", ""))
                column = place[1] if place else column + 1
                text = self._text(cell)
                if text.strip():
                    self._left -= 1
                    if self._left < 0:
                        return
                    sheet.rows.setdefault(at, {})[column] = text

    def _text(self, cell: Element) -> str:
        kind, found = cell.get("t", "n"), child(cell, "v")
        value = (found.text or "").strip() if found is not None else ""
        if kind == "inlineStr":
            return _string(child(cell, "is"))
        if kind == "s":
            number = _whole(value, -1)
            return self._strings[number] if 0 <= number < len(self._strings) else ""
        if not value:
            formula = child(cell, "f")
            return f"={formula.text}" if formula is not None and formula.text else ""
        if kind == "b":
            return "TRUE" if value in ("1", "true") else "FALSE"
        return self._number(value, _whole(cell.get("s", ""), 0)) if kind == "n" else value

    def _number(self, text: str, style: int) -> str:
        try:
            value = float(text)
        except ValueError:
            return text
        if value != value or value in (float("inf"), float("-inf")):
            return text
        if style >= len(self._formats):
            return plain(value)
        number, code = self._formats[style]
        return shown(value, number, code, is_1904=self._is_1904)

    def _comments(self, part: str) -> Iterator[list[str]]:
        for name in self._package.related(part, "comments"):
            root = self._package.optional(name)
            for each in descendants(root, frozenset({"comment"})) if root is not None else ():
                text = " ".join(_THREADED.sub("", _string(child(each, "text"))).split())
                yield from [[f"> Comment on {attribute(each, 'ref')}: {paragraph(text)}"]] if text else []

    def _drawn(self, part: str) -> Iterator[list[str]]:
        """Texts of boxes, titles of charts (their values stand in cells), pictures."""
        for name in self._package.related(part, "drawing"):
            root = self._package.optional(name)
            for each in descendants(root, _SHAPES) if root is not None else ():
                text = self._shape(each, name)
                yield from [[text]] if text else []

    def _shape(self, element: Element, part: str) -> str:
        if local(element) == "sp":
            return paragraph(shown_text(child(element, "txBody")))
        if local(element) == "blip":
            return self._package.picture(part, attribute(element, "embed"), "")
        relation = self._package.relations(part).get(attribute(element, "id"))
        root = self._package.optional(relation.target) if relation is not None else None
        titles = map(shown_text, descendants(root, frozenset({"title"}))) if root is not None else ()
        words = ", ".join(title for title in titles if title)
        return f"Chart: {paragraph(words)}" if words else ""


def _string(element: Element | None) -> str:
    """A string of one or several runs, without its phonetic reading."""
    if element is None:
        return ""
    texts = descendants(element, frozenset({"t", "rPh"}))
    return "".join(each.text or "" for each in texts if local(each) == "t").replace("_x000D_", "")


def _margins(root: Element) -> Iterator[list[str]]:
    for kind in ("Header", "Footer"):
        found = child(root, "headerFooter", f"odd{kind}")
        text = (found.text or "") if found is not None else ""
        words = "" if _FIELDS.search(text) else " ".join(_CODES.sub(" ", text).split())
        yield from [[f"{kind}: {paragraph(words)}"]] if words else []


def _place(reference: str) -> tuple[int, int] | None:
    """Row and column from 0 of a reference such as `AB12`."""
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, column - 1


def _whole(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else default
