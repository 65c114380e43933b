"""Text files: the text as it is, in whatever encoding, and the pages of one that has form feeds."""

from __future__ import annotations

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.core.converted import Converted
from docs_rag.core.encodings import Decoded, Undecodable, read_text
from docs_rag.core.mddraft import Draft
from docs_rag.core.mdwriting import safe


def convert(data: bytes, name: str) -> Converted:
    """Line by line as it stands; `name` plays no part. Raises `Unconvertible` for a binary file."""
    found = decoded(data)
    draft = Draft()
    pages = found.text.rstrip().split("\f")
    for number, page in enumerate(pages, 1):
        draft.at(f"p. {number}" if len(pages) > 1 else "")
        draft.lines([safe(page)])
    return draft.finished(warnings=doubts(found))


def decoded(data: bytes, declared: str = "") -> Decoded:
    """The text of a file; raises `Unconvertible` when it is none. `declared`: the encoding that the file names."""
    try:
        return read_text(data, declared)
    except Undecodable as error:
        raise Unconvertible("unsupported", f"it is not text: {error}") from None


def doubts(found: Decoded) -> tuple[str, ...]:
    """What must be said of how a text was decoded."""
    broken = found.text.count("\ufffd")
    if broken:
        return (f"{broken} characters are broken in its encoding, {found.encoding}",)
    return () if found.is_sure else (f"its encoding is not known for sure and was taken for {found.encoding}",)
