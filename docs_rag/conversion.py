"""Which files of a project are documents of other formats, and what turns them into text.

A project whose `include` asks for markdown alone loads nothing of it.
"""

# ruff: noqa: PTH118

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

from docs_rag.core.changes import is_racy
from docs_rag.core.ports import Unreadable
from docs_rag.errors import DocsRagError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from docs_rag.adapters.converters.documents import DocumentConverter
    from docs_rag.config import Config
    from docs_rag.core.converted import KeptText
    from docs_rag.core.documents import DocPath
    from docs_rag.core.ports import PlacedVault, Vault

FOLDER: Final = "converted"
"""In the state folder: the texts of documents, with their pictures."""
MEGABYTE: Final = 1_000_000
USUAL_MB: Final = 10.0
DOCUMENT_MB: Final = 100.0
"""What the default of `maxFileMb` means for documents."""
OFFERED: Final = ("pdf", "docx", "pptx", "xlsx", "hwp", "hwpx", "epub", "odt", "rtf", "doc", "xls")
"""Suffixes that a new project is asked about: documents that people write. Data and pages may be meant for programs."""
_NOTES: Final = (".md", ".markdown")


def asks_for_documents(config: Config) -> bool:
    """Whether `include` may ask for more than markdown."""
    return not all(glob.lower().endswith(_NOTES) for glob in config.include)


def documents_glob(suffixes: Sequence[str]) -> str:
    """What `include` must say for some suffixes: `**/*.{pdf,docx}`."""
    return f"**/*.{suffixes[0]}" if len(suffixes) == 1 else f"**/*.{{{','.join(suffixes)}}}"


def larger_files(config: Config) -> Mapping[str, int]:
    """Suffixes of documents with the size in bytes up to which they are read."""
    if not asks_for_documents(config):
        return {}
    from docs_rag.adapters.converters import CONVERTERS  # noqa: PLC0415

    most = DOCUMENT_MB if config.max_file_mb == USUAL_MB else config.max_file_mb
    return dict.fromkeys(CONVERTERS, int(most * MEGABYTE))


def open_converter(config: Config, secret: Callable[[], str] = str) -> DocumentConverter | None:
    """What reads the documents of a project; None where there are none to be read.

    `secret` is the token of its index: texts that are kept are believed by that one index alone. Who reads no text
    needs none.
    """
    if not asks_for_documents(config):
        return None
    from docs_rag.adapters.converters.documents import DocumentConverter  # noqa: PLC0415

    return DocumentConverter(os.path.join(config.state_dir, FOLDER), secret)


def text_place(vault: PlacedVault, converter: DocumentConverter | None) -> Callable[[str], str]:
    """What tells for a path which file, absolute, the lines of its sections count in."""
    if converter is None:
        return vault.place
    return lambda path: converter.text_place(path) if converter.handles(path) else vault.place(path)


def convert(config: Config, vault: Vault, secret: str, path: DocPath, *, again: bool) -> tuple[KeptText, str]:
    """The text of one document of the vault, and the file that holds it; kept as `index` keeps it.

    `again`: even if a text is kept. Raises `UsageError` for what is no document, `DocsRagError` with the reason for
    one that cannot be read.
    """
    from docs_rag.adapters.converters import CONVERTERS  # noqa: PLC0415
    from docs_rag.adapters.converters.documents import DocumentConverter  # noqa: PLC0415

    converter = DocumentConverter(os.path.join(config.state_dir, FOLDER), lambda: secret)
    if not converter.handles(path):
        raise UsageError(f"{path} is no document of a known format", f"these are: {' '.join(CONVERTERS)}")
    try:
        stamp, data = vault.read(path)
        make = converter.convert_again if again else converter.convert
        return make(stamp, data, racy=is_racy(stamp, time.time_ns())), converter.text_place(path)
    except Unreadable as error:
        raise DocsRagError(f"{path} cannot be read: {error.code}: {error}") from error
    finally:
        converter.close()
