"""RapidOCR: models inside its package, no network; reads Chinese, Japanese, English and other Latin text, no Korean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from docs_rag.adapters.converters.ocr.reading import Reading
from docs_rag.core.doctext import clean, literal

_LEAST: Final = 60.0
"""Confidence of a line below which it is left out: what is no text, or a script it does not know."""
_SAME_LINE: Final = 0.5
_PARAGRAPH: Final = 1.0
"""Of a line's height: a larger gap ends a paragraph."""


@cache
def is_installed() -> bool:
    """Whether both packages are there; loads neither."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read(image: bytes) -> Reading:
    """The text of a picture; an empty reading where there is none or the file is no picture it can open."""
    try:
        found = _engine()(image)
    except Exception:  # it lets errors of Pillow, OpenCV and ONNX through
        return Reading()
    if not found.txts:
        return Reading()
    pieces = [_piece(*each) for each in zip(found.txts, found.boxes, found.scores, strict=True)]
    kept = [piece for piece in pieces if piece.confidence >= _LEAST and piece.text]
    if not kept:
        return Reading()
    letters = sum(len(piece.text) for piece in kept)
    confidence = sum(piece.confidence * len(piece.text) for piece in kept) / letters
    return Reading((tuple(_paragraphs(kept)),), confidence)


@cache
def _engine() -> Any:
    import logging  # noqa: PLC0415

    import rapidocr  # noqa: PLC0415  # loads OpenCV and ONNX, more than a second

    engine = rapidocr.RapidOCR()
    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)
    return engine


class _Piece(NamedTuple):
    text: str
    left: float
    top: float
    bottom: float
    confidence: float


def _piece(text: str, box: Any, score: float) -> _Piece:
    """`box`: its four corners in pixels, y grows downwards."""
    xs, ys = [float(x) for x, _ in box], [float(y) for _, y in box]
    return _Piece(" ".join(clean(text).split()), min(xs), min(ys), max(ys), float(score) * 100)


def _paragraphs(pieces: Sequence[_Piece]) -> Iterator[str]:
    lines: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda each: each.top):
        if lines and _is_beside(lines[-1][0], piece):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    paragraph: list[str] = []
    bottom = 0.0
    for line in lines:
        height = line[0].bottom - line[0].top
        if paragraph and line[0].top - bottom > _PARAGRAPH * height:
            yield "\n".join(paragraph)
            paragraph = []
        paragraph.append(literal(" ".join(piece.text for piece in sorted(line, key=lambda each: each.left))))
        bottom = max(piece.bottom for piece in line)
    yield "\n".join(paragraph)


def _is_beside(first: _Piece, piece: _Piece) -> bool:
    shared = min(first.bottom, piece.bottom) - max(first.top, piece.top)
    return shared > _SAME_LINE * min(first.bottom - first.top, piece.bottom - piece.top)
