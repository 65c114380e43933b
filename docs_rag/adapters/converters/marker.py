"""PDFs with formulas or scans by Marker, where it is installed (`docs-rag[marker]`).

Marker reads pages with models, which it fetches from a hub on first use, and gives formulas as LaTeX. It takes seconds
a page on a graphics card and minutes without, and gigabytes of memory, so it gets only the documents that need it.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from importlib.util import find_spec
from io import BytesIO
from typing import Any, Final

from docs_rag.adapters.converters.pace import more
from docs_rag.core.converted import Converted, Picture, Stretch

MODE: Final = "DOCS_RAG_MARKER"
"""Environment variable: `balanced`, `fast`, `off`, or `auto`: `balanced` with a graphics card, else `fast`."""
FORCE_OCR: Final = "DOCS_RAG_MARKER_FORCE_OCR"
"""Environment variable: `1` to recognise every page, also where it has a text layer."""
HOW: Final = "pip install 'docs-rag[marker]'"

_MODES: Final = frozenset({"balanced", "fast"})
_SECONDS: Final = 1800.0
_PAGE: Final = re.compile(r"\n*\{(\d+)\}-{48}\n*")
"""How Marker parts pages, which it counts from 0."""


def mode() -> str:
    """`auto`, `balanced`, `fast` or `off`; what is none of these counts as `auto`."""
    wanted = os.environ.get(MODE, "").strip().lower()
    return wanted if wanted in _MODES | {"off"} else "auto"


def is_available() -> bool:
    """Whether Marker is installed and not switched off; does not load it."""
    return mode() != "off" and find_spec("marker") is not None and find_spec("surya") is not None


def convert(data: bytes, *, force_ocr: bool = False) -> Converted:
    """A PDF by Marker; raises whatever Marker raises, also where its models cannot be fetched."""
    more(_SECONDS)
    _lift_memory_limit()
    rendered = _converter(force_ocr=force_ocr or os.environ.get(FORCE_OCR) == "1")(BytesIO(data))
    return paged(rendered.markdown, tuple(_picture(name, image) for name, image in rendered.images.items()))


def paged(markdown: str, pictures: tuple[Picture, ...] = ()) -> Converted:
    """Marker's markdown without its page marks; each page is a stretch."""
    before, *parts = _PAGE.split(markdown)
    lines = [*before.strip("\n").split("\n"), ""] if before.strip() else []
    stretches: list[Stretch] = []
    for number, text in zip(parts[::2], parts[1::2], strict=True):
        if not (page := text.strip("\n").split("\n")) or not text.strip():
            continue
        stretches.append(Stretch((len(lines) + 1, len(lines) + len(page)), f"p. {int(number) + 1}"))
        lines += [*page, ""]
    return Converted(markdown="\n".join(lines), stretches=tuple(stretches), pictures=pictures)


def _converter(*, force_ocr: bool) -> Any:
    from marker.converters.pdf import PdfConverter  # noqa: PLC0415  # loads torch
    from marker.models import create_model_dict  # noqa: PLC0415

    config: dict[str, Any] = {"paginate_output": True, "pdftext_workers": 1}
    if mode() in _MODES:
        config["mode"] = mode()
    if force_ocr:
        config["force_ocr"] = True
    return PdfConverter(artifact_dict=create_model_dict(), config=config)


def _picture(name: str, image: Any) -> Picture:
    """`image` is Pillow's."""
    file = BytesIO()
    image.convert("RGB").save(file, "JPEG")
    return Picture(name, file.getvalue())


def _lift_memory_limit() -> None:
    """Back to what the system allows: the limit for other converters is below what models need."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415  # POSIX alone

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
