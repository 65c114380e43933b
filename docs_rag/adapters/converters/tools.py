"""The libraries and programs that make more of a document, where they are: what comes later may mend what failed."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.util import find_spec
from typing import Final

LIBRARIES: Final = (
    "charset_normalizer",
    "cryptography",
    "marker",
    "olefile",
    "pypandoc",
    "pypdf",
    "pypdfium2",
    "python_calamine",
    "rapidocr",
)
PROGRAMS: Final = ("antiword", "libreoffice", "pandoc", "soffice", "tesseract", "textutil")


@cache
def tools() -> tuple[str, ...]:
    """Those that there are, in order; none is loaded or run."""
    libraries = (name for name in LIBRARIES if find_spec(name) is not None)
    programs = (f"{name} (program)" for name in PROGRAMS if shutil.which(name) is not None)
    return (*libraries, *programs)
