"""PDF: PDFium reads it, pypdf what PDFium refuses; scans go to OCR, formulas and scans to Marker where it is installed.

A PDF holds glyphs at places. Headings come from its outline or from the sizes of its fonts, tables from rules and
columns; the modules of this package say how far each is trusted.
"""

from __future__ import annotations

from dataclasses import replace

from docs_rag.adapters.converters import marker
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.pdf import pdfium
from docs_rag.adapters.converters.pdf.scans import recognised
from docs_rag.adapters.converters.pdf.shapes import Contents, places
from docs_rag.adapters.converters.pdf.writing import written
from docs_rag.core.converted import Converted


def convert(data: bytes, name: str) -> Converted:
    """The document as markdown with the page of every line; raises `Unconvertible`."""
    contents = _read(data)
    if not any(page.pictured or page.formulas for page in contents.pages):
        return _written(contents)
    warnings: tuple[str, ...] = ()
    if marker.is_available():
        try:
            return replace(marker.convert(data), title=contents.title)
        except Exception as error:  # models, drivers and networks fail in more ways than can be listed
            warnings = (f"Marker could not read it ({type(error).__name__}), so it was read without",)
    contents = recognised(data, contents)
    return _written(replace(contents, warnings=(*contents.warnings, *warnings, *_formulas(contents, warnings))))


def _read(data: bytes) -> Contents:
    """By PDFium; what it refuses, but for want of a password, by pypdf."""
    try:
        return pdfium.read(data)
    except Unconvertible as error:
        if error.code == "encrypted":
            raise
    from docs_rag.adapters.converters.pdf import fallback  # noqa: PLC0415  # takes longer to load than most PDFs

    return fallback.read(data)


def _written(contents: Contents) -> Converted:
    made = written(contents)
    return made if made.markdown.strip() else replace(made, warnings=(*made.warnings, "it holds no text"))


def _formulas(contents: Contents, already: tuple[str, ...]) -> tuple[str, ...]:
    """Formulas are read character by character, which the reader of the text should know."""
    found = [page.number for page in contents.pages if page.formulas]
    if not found or already:
        return ()
    return (f"{places(found)}: formulas read as loose characters; for LaTeX {marker.HOW}",)
