"""Rich text, which pandoc reads, by way of a Word document: one reader then decides what markdown looks like.

Pandoc comes with the extra `documents`, or is found on the path. It runs as a program of its own, without access to
any file, within bounds of memory and time.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters import docx, programs
from docs_rag.adapters.converters.failing import Unconvertible, missing_extra
from docs_rag.adapters.converters.rtfcode import unicode_only

if TYPE_CHECKING:
    from docs_rag.core.converted import Converted

_BOUNDS: Final = ("--sandbox", "+RTS", "-M512M", "-RTS")


def convert(data: bytes, name: str) -> Converted:
    """A document in rich text format; raises `Unconvertible`."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise Unconvertible("damaged", f"{name} is no rich text")
    command = [_program(), "-f", "rtf", "-t", "docx", "-o", "-", *_BOUNDS]
    return docx.convert(programs.run(command, unicode_only(data)), name)


def _program() -> str:
    """The pandoc of the extra, or the one on the path."""
    package = find_spec("pypandoc")
    places = package.submodule_search_locations if package is not None else None
    for place in places or ():
        for found in sorted(Path(place, "files").glob("pandoc*")):
            if found.stem == "pandoc":
                return str(found)
    program = programs.find(("pandoc",))
    if program is None:
        raise missing_extra("documents", "rich text files")
    return program
