"""The document formats, one row each; nothing of them is loaded before a document of theirs is converted."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from docs_rag.core.converted import Converted


class Convert(Protocol):
    """What turns the bytes of one document into markdown."""

    def __call__(self, data: bytes, name: str) -> Converted:
        """`name` is the file's own, for messages; raises `Unconvertible`."""
        ...


class Row(NamedTuple):
    """One format."""

    place: str
    """`module:function` of a `Convert`."""
    version: int
    """Raised with every change of what it makes: documents converted by another version are converted again."""
    extra: str | None
    """The extra that reading it needs or gains from: `documents`; None where the plain install does all."""
    what: str
    """What people call it, in the plural: `PDF files`."""
    seconds: float = 30.0
    """How long one document may take before its conversion is ended."""


_HERE: Final = "docs_rag.adapters.converters"

CONVERTERS: Final[dict[str, Row]] = {
    ".txt": Row(f"{_HERE}.textfiles:convert", 1, None, "text files"),
    ".text": Row(f"{_HERE}.textfiles:convert", 1, None, "text files"),
    ".log": Row(f"{_HERE}.textfiles:convert", 1, None, "text files"),
    ".csv": Row(f"{_HERE}.separated:convert", 1, None, "CSV files"),
    ".tsv": Row(f"{_HERE}.separated:convert", 1, None, "CSV files"),
    ".json": Row(f"{_HERE}.jsonfiles:convert", 1, None, "JSON files"),
    ".jsonl": Row(f"{_HERE}.jsonfiles:convert", 1, None, "JSON files"),
    ".ndjson": Row(f"{_HERE}.jsonfiles:convert", 1, None, "JSON files"),
    ".yaml": Row(f"{_HERE}.yamlfiles:convert", 1, None, "YAML files"),
    ".yml": Row(f"{_HERE}.yamlfiles:convert", 1, None, "YAML files"),
    ".rst": Row(f"{_HERE}.rst:convert", 1, None, "reStructuredText files"),
    ".rest": Row(f"{_HERE}.rst:convert", 1, None, "reStructuredText files"),
    ".org": Row(f"{_HERE}.org:convert", 1, None, "Org files"),
    ".html": Row(f"{_HERE}.webpage:convert", 1, None, "web pages"),
    ".htm": Row(f"{_HERE}.webpage:convert", 1, None, "web pages"),
    ".xhtml": Row(f"{_HERE}.webpage:convert", 1, None, "web pages"),
    ".epub": Row(f"{_HERE}.epub:convert", 1, None, "e-books"),
    ".docx": Row(f"{_HERE}.docx:convert", 1, None, "Word documents"),
    ".docm": Row(f"{_HERE}.docx:convert", 1, None, "Word documents"),
    ".doc": Row(f"{_HERE}.doc:convert", 1, None, "old Word documents"),
    ".rtf": Row(f"{_HERE}.rtf:convert", 1, None, "rich text files"),
    ".odt": Row(f"{_HERE}.odt:convert", 1, None, "OpenDocument texts"),
    ".pptx": Row(f"{_HERE}.pptx:convert", 1, None, "PowerPoint slides"),
    ".pptm": Row(f"{_HERE}.pptx:convert", 1, None, "PowerPoint slides"),
    ".ppsx": Row(f"{_HERE}.pptx:convert", 1, None, "PowerPoint slides"),
    ".xlsx": Row(f"{_HERE}.xlsx:convert", 1, None, "Excel workbooks"),
    ".xlsm": Row(f"{_HERE}.xlsx:convert", 1, None, "Excel workbooks"),
    ".xls": Row(f"{_HERE}.workbooks:convert", 1, "documents", "old Excel workbooks"),
    ".xlsb": Row(f"{_HERE}.workbooks:convert", 1, "documents", "binary Excel workbooks"),
    ".ods": Row(f"{_HERE}.workbooks:convert", 1, "documents", "OpenDocument spreadsheets"),
    ".hwp": Row(f"{_HERE}.hwp:convert", 1, "documents", "Hancom documents"),
    ".hwt": Row(f"{_HERE}.hwp:convert", 1, "documents", "Hancom documents"),
    ".hwpx": Row(f"{_HERE}.hwp:convert", 1, None, "Hancom documents"),
    ".pdf": Row(f"{_HERE}.pdf:convert", 1, None, "PDF files"),
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp"),
        Row(f"{_HERE}.images:convert", 1, "ocr", "pictures with text", seconds=60.0),
    ),
}
"""Suffix in lower case, with its dot -> how such documents are converted. Markdown notes need no row."""


def suffix_of(path: str) -> str:
    """The suffix by which the table knows a file: `.pdf` for `Reports/Q3.PDF`; empty without one."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return f".{suffix.lower()}" if stem and dot else ""


def row_of(path: str) -> Row | None:
    """How the document at this path is converted; None for notes and for what no row knows."""
    return CONVERTERS.get(suffix_of(path))


def resolve(row: Row) -> Convert:
    """The function of a row, loaded now."""
    module, _, name = row.place.partition(":")
    function: Convert = getattr(import_module(module), name)
    return function
