"""From a file's bytes to what the index keeps of it: decode, parse, cut. Needs neither vault nor index.

So it can be done by other processes, while this one writes; what passes between them are plain values (`marshal`).
"""

from __future__ import annotations

import marshal
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from docs_rag.app.reading import Source, parse_source
from docs_rag.core.documents import DocPath, Problem
from docs_rag.core.ports import Unreadable
from docs_rag.core.sidecars import sidecar_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.chunks import Chunk
    from docs_rag.core.digests import Digest
    from docs_rag.core.documents import Document
    from docs_rag.core.statusrules import StatusRules
    from docs_rag.core.storage import Draft

    class Drafter(Protocol):
        """What makes the rows of a store ready: `NoteStore.draft`, or the same without a store."""

        def __call__(
            self, document: Document, chunks: Sequence[Chunk], embed_digests: Sequence[Digest | None], /
        ) -> Draft:
            """The rows of one note."""
            ...


class Beside(NamedTuple):
    """The metadata file beside a note, as far as there is one."""

    data: bytes | None = None
    fault: tuple[str, str] | None = None
    """Code and message where it is there but could not be read."""

    @property
    def mark(self) -> bytes:
        """What the digest of a note counts of it; empty when there is none."""
        if self.fault is not None:
            return "\0".join(("", *self.fault)).encode("utf-8", "replace")
        return b"" if self.data is None else b"\0" + self.data

    def decoded(self, path: DocPath) -> tuple[str | None, tuple[Problem, ...]]:
        """Its text, and as a problem of its note why there is none."""
        fault = self.fault
        if fault is None:
            try:
                return None if self.data is None else _decode(self.data), ()
            except Unreadable as error:
                fault = (error.code, str(error))
        name = str(sidecar_of(path)).rpartition("/")[2]
        return None, (Problem(fault[0], f"{name} beside the note: {fault[1]}"),)


class Raw(NamedTuple):
    """A note that was read and not parsed yet."""

    path: DocPath
    data: bytes
    beside: Beside
    is_companion: bool
    """It speaks for a document beside it."""


TOO_DEEP = ("unreadable", "nested too deep to be read")
"""Code and message for nesting that no person writes; it must not cost the other notes their run."""


def draft_raw(raw: Raw, rules: StatusRules, draft: Drafter) -> Draft | Unreadable:
    """The rows of a note, or why it cannot be read."""
    try:
        return draft_source(raw, Source(_decode(raw.data)), rules, draft)
    except Unreadable as error:
        return error


def draft_source(raw: Raw, source: Source, rules: StatusRules, draft: Drafter) -> Draft:
    """The rows of a note or a document whose text is there; raises `Unreadable`."""
    try:
        return _drafted(raw, source, rules, draft)
    except RecursionError:
        raise Unreadable(*TOO_DEEP) from None


def _drafted(raw: Raw, source: Source, rules: StatusRules, draft: Drafter) -> Draft:
    from docs_rag.core.chunks import chunk  # noqa: PLC0415  # a search drafts nothing
    from docs_rag.core.digests import text_digest  # noqa: PLC0415
    from docs_rag.core.embedtext import embed_text  # noqa: PLC0415

    metadata, problems = raw.beside.decoded(raw.path)
    document = parse_source(raw.path, source, rules, metadata)
    if raw.is_companion:
        from docs_rag.core.companions import as_companion  # noqa: PLC0415

        document = as_companion(document)
    if problems:
        document = replace(document, problems=document.problems + problems)
    chunks = chunk(document)
    if source.stretches:
        chunks = [_placed(each, source) for each in chunks]
    texts = [embed_text(document.title, each.headings, each.text) for each in chunks]
    return draft(document, chunks, [text_digest(each) if each else None for each in texts])


def _placed(found: Chunk, source: Source) -> Chunk:
    """A section with the place in the document that it comes from."""
    from docs_rag.core.converted import location_of  # noqa: PLC0415  # documents alone have places

    return replace(found, location=location_of(source.stretches, found.lines))


def _decode(data: bytes) -> str:
    from docs_rag.core.parsing import decode  # noqa: PLC0415  # YAML and markdown load only for changed notes

    return decode(data)


def pack_notes(notes: Sequence[Raw]) -> bytes:
    """Notes on their way to another process."""
    return marshal.dumps([(each.path, each.data, tuple(each.beside), each.is_companion) for each in notes])


def draft_packed(packed: bytes, rules: StatusRules, draft: Drafter) -> bytes:
    """What became of packed notes, packed; of one that brings a bug to light nothing, so that its owner meets it."""
    notes = (Raw(path, data, Beside(*beside), flag) for path, data, beside, flag in marshal.loads(packed))
    return marshal.dumps([_packed(each, rules, draft) for each in notes])


def _packed(raw: Raw, rules: StatusRules, draft: Drafter) -> tuple[object, ...]:
    try:
        drafted = draft_raw(raw, rules, draft)
    except Exception:  # whoever owns the note parses it again and meets the same
        return ()
    return (drafted.code, str(drafted)) if isinstance(drafted, Unreadable) else (drafted,)


def unpack_drafts(packed: bytes, notes: Sequence[Raw]) -> list[Draft | Unreadable | None]:
    """What became of packed notes, one each; None for one that has to be drafted here."""
    try:
        replies = marshal.loads(packed)
    except (ValueError, EOFError, TypeError):
        return [None] * len(notes)
    if len(replies) != len(notes):
        return [None] * len(notes)
    return [_unpacked(reply) for reply in replies]


def _unpacked(reply: tuple[object, ...]) -> Draft | Unreadable | None:
    from docs_rag.core.storage import Draft  # noqa: PLC0415

    match reply:
        case (str(code), str(message)):
            return Unreadable(code, message)
        case (tuple(rows),):
            return Draft(rows)
        case _:
            return None
