"""Reads a PDF with pypdf: for files that PDFium refuses. Lines without places, so without tables and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

import pypdf
import pypdf.errors

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.pdf.shapes import Bookmark, Contents, Line, Page, places
from docs_rag.core.doctext import clean

_MOST_BOOKMARKS: Final = 5000
_DEEPEST: Final = 10


def read(data: bytes) -> Contents:
    """What can be read of the document; raises `Unconvertible` where that is nothing."""
    try:
        reader = pypdf.PdfReader(BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unconvertible("encrypted", "it needs a password; save a copy without one")
        pages = [_page(page, number) for number, page in enumerate(reader.pages, 1)]
    except pypdf.errors.DependencyError:
        raise Unconvertible("encrypted", "it is encrypted; pip install 'docs-rag[documents]' may read it") from None
    except (pypdf.errors.PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError):
        raise _damaged() from None
    if not any(page.lines for page in pages):
        raise _damaged()
    lost = [page.number for page in pages if not page.lines]
    warnings = ["the file is damaged; it was read as far as possible"]
    if lost:
        warnings.append(f"{places(lost)} gave no text")
    return Contents(pages=tuple(pages), outline=tuple(_outline(reader)), warnings=tuple(warnings))


def _damaged() -> Unconvertible:
    return Unconvertible("damaged", "it is damaged or no PDF; open it and save it anew")


def _page(page: Any, number: int) -> Page:
    try:
        text = clean(page.extract_text())
    except Exception:  # whatever a damaged page breaks in pypdf, the other pages count
        return Page(number=number)
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return Page(number=number, lines=tuple(Line(text=line) for line in lines if line))


def _outline(reader: Any) -> Iterator[Bookmark]:
    try:
        entries = list(_entries(reader, reader.outline, 1))
    except (pypdf.errors.PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return
    yield from entries[:_MOST_BOOKMARKS]


def _entries(reader: Any, items: Any, level: int) -> Iterator[Bookmark]:
    """pypdf gives an outline as a list in which a list holds what is below the entry before it."""
    for item in items:
        if isinstance(item, list):
            if level < _DEEPEST:
                yield from _entries(reader, item, level + 1)
            continue
        page = reader.get_destination_page_number(item)
        title = " ".join(clean(str(item.title)).split())
        if title and page is not None and page >= 0:
            yield Bookmark(title=title, level=level, page=page + 1)
