"""Formats that pandoc reads (rtf, odt), by way of a Word document: one reader then decides what markdown looks like.

Pandoc comes with the extra `documents`, or is found on the path. It runs as a program of its own, without access to
any file, within bounds of memory and time.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters import docx, programs
from docs_rag.adapters.converters.failing import Unconvertible, missing_extra
from docs_rag.adapters.converters.zipxml import open_zip

if TYPE_CHECKING:
    from docs_rag.core.converted import Converted

_BOUNDS: Final = ("--sandbox", "+RTS", "-M512M", "-RTS")


def convert_rtf(data: bytes, name: str) -> Converted:
    """A document in rich text format; raises `Unconvertible`."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise Unconvertible("damaged", f"{name} is no rich text")
    return _by_way_of_word(data, name, "rtf")


def convert_odt(data: bytes, name: str) -> Converted:
    """An OpenDocument text; raises `Unconvertible`."""
    archive = open_zip(data)
    if "META-INF/manifest.xml" in archive and b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise Unconvertible("encrypted", f"{name} is protected by a password; save a copy without one")
    archive.xml("content.xml")  # refuses what no document needs before a program sees it
    return _by_way_of_word(data, name, "odt")


def _by_way_of_word(data: bytes, name: str, form: str) -> Converted:
    command = [_program(form), "-f", form, "-t", "docx", "-o", "-", *_BOUNDS]
    return docx.convert(programs.run(command, data), name)


def _program(form: str) -> str:
    """The pandoc of the extra, or the one on the path."""
    package = find_spec("pypandoc")
    places = package.submodule_search_locations if package is not None else None
    for place in places or ():
        for found in sorted(Path(place, "files").glob("pandoc*")):
            if found.stem == "pandoc":
                return str(found)
    program = programs.find(("pandoc",))
    if program is None:
        raise missing_extra("documents", f"{form} files")
    return program
