"""Spreadsheets of other formats (xls, xlsb, ods), read by python-calamine, of the extra `documents`."""

from __future__ import annotations

import io
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters import xlsx
from docs_rag.adapters.converters.drafting import Draft
from docs_rag.adapters.converters.failing import Unconvertible, missing_extra
from docs_rag.adapters.converters.ooxml.numberformats import plain
from docs_rag.adapters.converters.sheets import Merged, Sheet, write_sheet
from docs_rag.adapters.converters.zipxml import check_xml, open_zip

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

    from docs_rag.core.converted import Converted

_MOST_CELLS: Final = 20_000_000
"""Places in the range that a sheet uses, empty ones included: they are all made in memory."""
_IS_XLSX: Final = b"xl/workbook.xml"
_TABLES: Final = "content.xml"
"""Of an OpenDocument spreadsheet."""
_MANIFEST: Final = "META-INF/manifest.xml"


def convert(data: bytes, name: str) -> Converted:
    """A spreadsheet as markdown; raises `Unconvertible`."""
    if data.startswith(b"PK"):
        if _IS_XLSX in data:
            return xlsx.convert(data, name)
        _check_archive(data)
    workbook = _opened(data, name)
    draft, warnings = Draft(), []
    for about in workbook.sheets_metadata:
        if str(about.typ).endswith("WorkSheet"):
            try:
                sheet = workbook.get_sheet_by_name(about.name)
            except Exception:  # each format has errors of its own, and other sheets may be whole
                warnings.append(f"sheet {about.name} is damaged and missing")
                continue
            write_sheet(draft, _sheet(sheet, is_hidden=not str(about.visible).endswith(".Visible")))
    return draft.finish(warnings=warnings)


def _check_archive(data: bytes) -> None:
    """python-calamine waits for ever for the end of a table whose XML breaks off."""
    archive = open_zip(data)
    is_encrypted = _MANIFEST in archive and b"encryption-data" in archive.read(_MANIFEST)
    if _TABLES in archive and not is_encrypted:
        check_xml(archive.read(_TABLES), _TABLES)


def _opened(data: bytes, name: str) -> CalamineWorkbook:
    try:
        import python_calamine  # noqa: PLC0415 - of an extra
    except ImportError:
        raise missing_extra("documents", "spreadsheets other than xlsx") from None
    try:
        return python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    except python_calamine.PasswordError:
        raise Unconvertible("encrypted", f"{name} is protected by a password; save a copy without one") from None
    except Exception as failure:  # whatever it stumbles over, the file is not what its name says
        if "password" in str(failure).casefold() or "encrypt" in str(failure).casefold():
            raise Unconvertible("encrypted", f"{name} is protected by a password; save a copy without one") from None
        raise Unconvertible("damaged", f"{name} is damaged or no spreadsheet") from None


def _sheet(source: CalamineSheet, *, is_hidden: bool) -> Sheet:
    sheet = Sheet(source.name, is_hidden)
    if source.height * source.width > _MOST_CELLS:
        raise Unconvertible("too-large", f"sheet {source.name} claims {source.height} × {source.width} cells; not read")
    top, left = source.start or (0, 0)
    for row, values in enumerate(source.to_python(skip_empty_area=True)):
        texts = {left + column: _text(value) for column, value in enumerate(values) if _text(value).strip()}
        if texts:
            sheet.rows[top + row] = texts
    for (first, column), (last, _) in source.merged_cell_ranges or ():
        sheet.merged.append(Merged(first, column, last))
    return sheet


def _text(value: object) -> str:
    """A value as text: dates in ISO form, whole numbers without a point."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return plain(value)
        case datetime():
            return str(value.date() if value.time() == time() else value.replace(microsecond=0))
        case date() | time() | timedelta():
            return str(value).partition(".")[0]
    return str(value)
