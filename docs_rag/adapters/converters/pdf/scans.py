"""Pages of a PDF whose text is a picture: recognised by OCR where an engine is here, else named."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from time import monotonic
from typing import Any, Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.ocr import Ocr
from docs_rag.adapters.converters.pdf.pdfium import opened
from docs_rag.adapters.converters.pdf.shapes import Contents, Page, places

_DPI: Final = 300
_POINTS: Final = 72
_MOST_PIXELS: Final = 20_000_000
"""A page of more is drawn smaller: A4 at 300 dpi has nine million."""
_MOST_SECONDS: Final = 3000.0
"""For all pages of a document; what comes later is named as not read."""


def recognised(data: bytes, contents: Contents) -> Contents:
    """The document with the text of its pictured pages; raises `Unconvertible` where then no page has any."""
    scans = [page for page in contents.pages if page.pictured]
    if not scans:
        return contents
    try:
        texts, reasons = _texts(data, scans, Ocr())
    except Unconvertible as error:
        texts, reasons = {}, {page.number: str(error) for page in scans}
    if not texts and not any(page.lines for page in contents.pages):
        raise Unconvertible("needs-ocr", _whole(next(iter(reasons.values()))))
    pages = tuple(replace(page, recognised=texts.get(page.number, ())) for page in contents.pages)
    return replace(contents, pages=pages, warnings=(*contents.warnings, *_warnings(reasons)))


def _whole(reason: str) -> str:
    return f"it is a scan without a text layer; {reason}"


def _texts(data: bytes, scans: list[Page], ocr: Ocr) -> tuple[dict[int, tuple[str, ...]], dict[int, str]]:
    """Paragraphs by page number, and why there are none for the other pages."""
    texts: dict[int, tuple[str, ...]] = {}
    reasons: dict[int, str] = {}
    end = monotonic() + _MOST_SECONDS
    with closing(opened(data)) as document:
        for page in scans:
            if monotonic() > end:
                reasons[page.number] = "there was no time left for OCR"
                continue
            try:
                found = ocr.read(drawn(document, page.number)).pages
                texts[page.number] = tuple(paragraph for each in found for paragraph in each)
            except Unconvertible as error:
                reasons[page.number] = str(error)
    return texts, reasons


def _warnings(reasons: dict[int, str]) -> list[str]:
    """One for each reason, with its pages."""
    pages: dict[str, list[int]] = {}
    for number, reason in reasons.items():
        pages.setdefault(reason, []).append(number)
    return [f"{places(numbers)} without a text layer: {reason}" for reason, numbers in pages.items()]


def drawn(document: Any, number: int) -> bytes:
    """A page as a grey picture, in the PGM format: a line of numbers, then a byte for each pixel."""
    with closing(document[number - 1]) as page:
        width, height = page.get_size()
        scale = min(_DPI / _POINTS, (_MOST_PIXELS / max(width * height, 1)) ** 0.5)
        with closing(page.render(scale=scale, grayscale=True)) as bitmap:
            pixels, stride = bytes(bitmap.buffer), bitmap.stride
            rows = [pixels[row * stride : row * stride + bitmap.width] for row in range(bitmap.height)]
            return b"P5 %d %d 255\n" % (bitmap.width, bitmap.height) + b"".join(rows)
