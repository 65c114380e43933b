"""Pictures by OCR: PNG, JPEG, TIFF, BMP, GIF, WebP. Their text is a guess, so a poor one is a reason, not a result."""

from __future__ import annotations

from typing import Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.ocr import Ocr
from docs_rag.adapters.converters.picturesize import picture_size
from docs_rag.core.converted import Converted, Stretch

_MOST_PIXELS: Final = 150_000_000
"""As much as a poster scanned at 600 dpi; a compressed file can claim any size."""


def convert(data: bytes, name: str) -> Converted:
    """The text in a picture; raises `Unconvertible` without an engine, without legible text, or for a huge picture."""
    size = picture_size(data)
    if size is None:
        raise Unconvertible("damaged", f"{name} is damaged or not a picture of a kind that can be read")
    if size[0] * size[1] > _MOST_PIXELS:
        raise Unconvertible("too-large", f"it claims {size[0]} x {size[1]} pixels; at most 150 million are read")
    pages = Ocr().read(data).pages
    lines: list[str] = []
    stretches: list[Stretch] = []
    for number, paragraphs in enumerate(pages, 1):
        text = "\n\n".join(paragraphs).split("\n")
        if len(pages) > 1:
            stretches.append(Stretch((len(lines) + 1, len(lines) + len(text)), f"p. {number}"))
        lines += [*text, ""]
    return Converted(markdown="\n".join(lines), stretches=tuple(stretches))
