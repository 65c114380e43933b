"""Reading what the index is made of: a note or a document as text, and what stands beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from docs_rag.core.documents import DocPath, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.converted import Stretch
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


def parse_source(path: DocPath, source: Source, rules: StatusRules, sidecar: str | None = None) -> Document:
    """What a file says of itself; `sidecar` is the text of the metadata file beside it. Never raises."""
    from docs_rag.core.parsing import parse_document  # noqa: PLC0415

    document = parse_document(path, source.text, rules, sidecar)
    if source.problems:
        document = replace(document, problems=document.problems + source.problems)
    if source.title and document.title == path.rpartition("/")[2].rpartition(".")[0]:
        document = replace(document, title=source.title)
    return document


def beside_text(vault: Vault, path: DocPath) -> str | None:
    """The text of the metadata file beside a note, None where there is none; raises `Unreadable`."""
    from docs_rag.core.parsing import decode  # noqa: PLC0415

    data = vault.sidecar(path)
    return None if data is None else decode(data)
