"""HWPX: reads the parts of a zip archive into a document.

Source: KS X 6101 (OWPML). Namespaces changed between versions, so elements are known by their local names.
"""

from __future__ import annotations

import re
from typing import Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp.docinfo import DocInfo
from docs_rag.adapters.converters.hwp.hwpxbody import SectionReader
from docs_rag.adapters.converters.hwp.hwpxhead import read_head
from docs_rag.adapters.converters.hwp.model import Block, Document, Section
from docs_rag.adapters.converters.hwp.pictures import Pictures
from docs_rag.adapters.converters.zipxml import Archive, attribute, local, open_zip

_MOST_BYTES: Final = 400_000_000
"""Unpacked: scans lie in these archives as plain bitmaps. The text is bounded by `parse_xml`."""
_MANIFEST: Final = "META-INF/manifest.xml"
_PREVIEW: Final = "Preview/PrvText.txt"
_SECTION: Final = re.compile(r"(?:.*/)?Contents/section(\d+)\.xml", re.IGNORECASE)

_BACKGROUND: Final = re.compile(r"(?:.*/)?Contents/masterpage\d+\.xml", re.IGNORECASE)


def read(data: bytes) -> Document:
    """The document; raises `Unconvertible`."""
    archive = open_zip(data, most_bytes=_MOST_BYTES)
    _refuse_encrypted(archive)
    names = _sections_of(archive)
    if not names:
        raise Unconvertible("unsupported", "not a Hancom document, whatever its name says: it has no text part")
    files = _files(archive)
    pictures = Pictures[str](lambda reference: _embedded(archive, files, reference))
    reader = SectionReader(_head(archive), pictures.named)
    sections, problems = _read_sections(archive, names, reader)
    sections[-1] += _backgrounds(archive, reader)
    return Document(
        sections=tuple(sections),
        pictures=pictures.kept,
        objects=reader.objects,
        warnings=tuple(dict.fromkeys([*problems, *reader.problems, *pictures.problems])),
        fallback=_preview(archive) if problems else "",
    )


def _refuse_encrypted(archive: Archive) -> None:
    """An encrypted document says so in its manifest; its parts are not XML then."""
    if _MANIFEST in archive and any(local(each) == "encryption-data" for each in archive.xml(_MANIFEST).iter()):
        raise Unconvertible("encrypted", "the file is protected by a password; save a copy without one")


def _sections_of(archive: Archive) -> list[str]:
    found = [(int(match[1]), name) for name in archive.names() if (match := _SECTION.fullmatch(name))]
    return [name for _, name in sorted(found)]


def _files(archive: Archive) -> dict[str, str]:
    """Paths of the embedded files by their names; none where the list is missing: the text does without."""
    try:
        items = [each for each in archive.xml("Contents/content.hpf").iter() if local(each) == "item"]
    except Unconvertible as failure:
        if failure.code != "damaged":
            raise
        return {}
    return {attribute(item, "id"): attribute(item, "href") for item in items}


def _head(archive: Archive) -> DocInfo:
    try:
        return read_head(archive.xml("Contents/header.xml"))
    except Unconvertible as failure:
        if failure.code != "damaged":
            raise
        return DocInfo(shapes={}, outlines={}, numberings={}, embedded={})


def _read_sections(archive: Archive, names: list[str], reader: SectionReader) -> tuple[list[Section], list[str]]:
    """The sections that can be read, and what is wrong; raises what is wrong with all of them."""
    sections: list[Section] = []
    failures: list[Unconvertible] = []
    for name in names:
        try:
            sections.append(_section(archive, name, reader))
        except Unconvertible as failure:
            if failure.code != "damaged":
                raise
            failures.append(failure)
            sections.append(())
    if len(failures) == len(names) and not _preview(archive):
        raise failures[0]
    return sections, [str(failure) for failure in failures]


def _section(archive: Archive, name: str, reader: SectionReader) -> Section:
    try:
        return reader.section(archive.xml(name))
    except RecursionError:
        raise Unconvertible("damaged", f"the file is damaged: {name} nests deeper than a real document does") from None


def _backgrounds(archive: Archive, reader: SectionReader) -> Section:
    """The text of the master pages; one that is broken is left out: it is decoration."""
    blocks: list[Block] = []
    for name in filter(_BACKGROUND.fullmatch, archive.names()):
        try:
            blocks += reader.background(archive.xml(name))
        except (Unconvertible, RecursionError):
            continue
    return tuple(blocks)


def _preview(archive: Archive) -> str:
    """The beginning of the text, as the archive keeps it for file managers."""
    try:
        return archive.read(_PREVIEW).decode("utf-8", "replace") if _PREVIEW in archive else ""
    except Unconvertible:
        return ""


def _embedded(archive: Archive, files: dict[str, str], reference: str) -> tuple[str, bytes] | None:
    path = files.get(reference, "")
    found = next((name for name in (path, f"Contents/{path}") if path and name in archive), None)
    return (path.rpartition("/")[2], archive.read(found)) if found else None
