"""HWP 5: reads a file's streams into a document."""

from __future__ import annotations

from typing import Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp.body import BodyReader
from docs_rag.adapters.converters.hwp.distribution import decode
from docs_rag.adapters.converters.hwp.docinfo import DocInfo, read_docinfo
from docs_rag.adapters.converters.hwp.model import Document, Section
from docs_rag.adapters.converters.hwp.pictures import Pictures
from docs_rag.adapters.converters.hwp.records import read_records, utf16
from docs_rag.adapters.converters.hwp.storage import Storage

_PREVIEW: Final = "PrvText"
_PARTIAL: Final = "the file is damaged: what comes after the damage is missing"


def read(data: bytes) -> Document:
    """The document; raises `Unconvertible`."""
    storage = Storage(data)
    records, whole = read_records(storage.read("DocInfo"))
    info = read_docinfo(records)
    pictures = Pictures(lambda number: _embedded(storage, info, number))
    reader = BodyReader(info, pictures.named)
    sections, problems = _sections(storage, reader)
    if not whole:
        problems.append(_PARTIAL)
    return Document(
        sections=tuple(sections),
        pictures=pictures.kept,
        objects=reader.objects,
        warnings=tuple(dict.fromkeys([*problems, *_depth(reader), *pictures.problems])),
        fallback=_preview(storage) if problems else "",
    )


def _sections(storage: Storage, reader: BodyReader) -> tuple[list[Section], list[str]]:
    """The sections that can be read, and what is wrong; raises what is wrong with all of them."""
    names = storage.numbered("ViewText" if storage.is_distribution else "BodyText")
    if not names:
        raise Unconvertible("damaged", "the file is damaged: it has no text part")
    sections: list[Section] = []
    failures: list[Unconvertible] = []
    problems: list[str] = []
    for name in names:
        try:
            records, whole = read_records(_section(storage, name))
        except Unconvertible as failure:
            if failure.code != "damaged":
                raise
            failures.append(failure)
            sections.append(())
            continue
        problems += [] if whole else [_PARTIAL]
        sections.append(reader.section(records))
    if len(failures) == len(names) and (storage.is_distribution or not _preview(storage)):
        raise failures[0]
    return sections, problems + [str(failure) for failure in failures]


def _section(storage: Storage, name: str) -> bytes:
    return storage.unpack(decode(storage.stored(name))) if storage.is_distribution else storage.read(name)


def _preview(storage: Storage) -> str:
    """The beginning of the text; a distribution document's is a placeholder."""
    if storage.is_distribution or _PREVIEW not in storage.names:
        return ""
    try:
        return utf16(storage.stored(_PREVIEW))
    except Unconvertible:
        return ""


def _embedded(storage: Storage, info: DocInfo, number: int) -> tuple[str, bytes] | None:
    found = info.embedded.get(number)
    if found is None or found.stream not in storage.names:
        return None
    return found.stream.rpartition("/")[2], storage.picture(found.stream, is_packed=found.is_packed)


def _depth(reader: BodyReader) -> list[str]:
    return ["tables or boxes that nest deeper than a real document's are missing"] if reader.too_deep else []
