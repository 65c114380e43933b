"""Reading what the index is made of: a note or a document as text, and what stands beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from docs_rag.core.documents import DocPath, Problem
from docs_rag.core.ports import Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.converted import Stretch
    from docs_rag.core.doctable import Row
    from docs_rag.core.documents import Document, FileStamp
    from docs_rag.core.ports import Converter, Effort, Vault
    from docs_rag.core.statusrules import StatusRules


class Source(NamedTuple):
    """A file as text."""

    text: str
    """Decoded, line ends `\\n`; for a document of another format its markdown."""
    stretches: Sequence[Stretch] = ()
    """Where in a document the text comes from."""
    title: str = ""
    """What a document's own metadata call it."""
    problems: tuple[Problem, ...] = ()


def read_source(
    converter: Converter | None, stamp: FileStamp, data: bytes, *, racy: bool = False, effort: Effort | None = None
) -> Source:
    """The text of a file with these bytes; raises `Unreadable`, and `Interrupted` where `effort` allows it."""
    if converter is None or not converter.handles(stamp.path):
        from docs_rag.core.parsing import decode  # noqa: PLC0415  # YAML and markdown load only for changed notes

        return Source(decode(data))
    kept = converter.convert(stamp, data, racy=racy, effort=effort)
    problems = tuple(Problem("incomplete", each) for each in kept.warnings)
    return Source(kept.markdown, kept.stretches, kept.title, problems)


def parse_source(path: DocPath, source: Source, rules: StatusRules, beside: str | None = None) -> Document:
    """What a file says of itself, and what the file beside it says of it; `beside` is that one's text. Never raises."""
    from docs_rag.core.companions import companion_of  # noqa: PLC0415
    from docs_rag.core.parsing import parse_document  # noqa: PLC0415

    if companion_of(path) is None:
        return parse_document(path, source.text, rules, beside)
    document = parse_document(path, source.text, rules)
    if source.problems:
        document = replace(document, problems=document.problems + source.problems)
    if source.title and document.title == path.rpartition("/")[2].rpartition(".")[0]:
        document = replace(document, title=source.title)
    return document if beside is None else _spoken_for(document, beside, rules)


def _spoken_for(document: Document, beside: str, rules: StatusRules) -> Document:
    from docs_rag.core.companions import spoken_for  # noqa: PLC0415
    from docs_rag.core.frontmatter import read_frontmatter  # noqa: PLC0415
    from docs_rag.core.parsing import parse_document  # noqa: PLC0415

    titles = read_frontmatter(beside).values("title")
    said = parse_document(document.path, beside, rules)
    return spoken_for(document, said, " ".join(titles[0].split()) if titles else "")


def read_record(
    vault: Vault, converter: Converter | None, path: DocPath, rules: StatusRules, beside: str | None
) -> tuple[bytes, Document]:
    """A file and what it says of its state, for who needs no more: a document is not converted, and not even read.

    The bytes are empty then. `beside` is the text of the file beside it. Raises `Unreadable`.
    """
    from docs_rag.core.parsing import decode  # noqa: PLC0415

    is_document = converter is not None and converter.handles(path)
    data = b"" if is_document else vault.read(path)[1]
    document = parse_source(path, Source(decode(data)), rules, beside)
    return data, _own_part(vault, converter, document)


def _own_part(vault: Vault, converter: Converter | None, document: Document) -> Document:
    """A note without what it says for a document, if it speaks for one."""
    from docs_rag.core.companions import as_companion  # noqa: PLC0415

    return as_companion(document) if is_companion(vault, converter, document.path) else document


def beside_text(vault: Vault, path: DocPath) -> str | None:
    """The text of the file beside a note or a document that speaks for it, None where there is none.

    For a document without a note of its own that is its row in the table of its folder's README. Raises `Unreadable`.
    """
    from docs_rag.core.parsing import decode  # noqa: PLC0415

    data = vault.sidecar(path)
    if data is not None:
        return decode(data)
    found = table_row(vault, path)
    return None if found is None else found[1].text


def table_row(vault: Vault, path: DocPath) -> tuple[DocPath, Row] | None:
    """The README whose table speaks for a document, and the row; None for notes, and where there is none."""
    from docs_rag.core.companions import companion_of  # noqa: PLC0415

    if companion_of(path) is None:
        return None
    from docs_rag.core.doctable import READMES, rows  # noqa: PLC0415
    from docs_rag.core.parsing import decode  # noqa: PLC0415

    folder, slash, name = path.rpartition("/")
    for readme in (DocPath(f"{folder}{slash}{each}") for each in READMES):
        try:
            text = decode(vault.read(readme)[1])
        except Unreadable:
            continue
        row = rows(text).get(name)
        return None if row is None else (readme, row)
    return None


def is_companion(vault: Vault, converter: Converter | None, path: DocPath) -> bool:
    """Whether a note speaks for a document that is there and is read."""
    from docs_rag.core.companions import owner_of  # noqa: PLC0415

    owner = owner_of(path)
    if owner is None or converter is None or not converter.handles(owner):
        return False
    return vault.stamp(owner) is not None
