"""What the index keeps of one note, made ready to be written: plain values, worked out without a database.

They hold nothing but texts, numbers, bytes and tuples of these, so that another process can make them (`marshal`).
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from docs_rag.adapters.sqlite.columns import clean, dump, hashed, own
from docs_rag.core.documents import part_path
from docs_rag.core.handles import NamedNote, handles, keys_wanted
from docs_rag.core.names import names_of, names_of_part
from docs_rag.core.storage import Draft
from docs_rag.core.utterance import references_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docs_rag.core.chunks import Chunk
    from docs_rag.core.digests import Digest
    from docs_rag.core.documents import DocPath, Document, Part
    from docs_rag.core.lifecycle import Lifecycle
    from docs_rag.core.ports import Analyser


class Keys(NamedTuple):
    """What a record is found by."""

    names: tuple[str, ...]
    handles: tuple[int, ...]
    wanted: tuple[int, ...]


class PartRows(NamedTuple):
    """One decision of a log."""

    path: str
    anchor: str
    first: int
    """Ordinal of its first section."""
    stop: int
    """Ordinal of the section after its last."""
    own: tuple[object, ...]
    """The values of the columns `OWN`."""
    keys: tuple[object, ...]
    """As `Keys`."""


class NoteRows(NamedTuple):
    """A note."""

    path: str
    aliases: str
    tags: str
    links: str
    own: tuple[object, ...]
    """The values of the columns `OWN`."""
    keys: tuple[object, ...]
    """As `Keys`."""
    sections: tuple[tuple[object, ...], ...]
    """For each its ordinal and the columns of `chunks` but its id."""
    parts: tuple[tuple[object, ...], ...]
    """Each as `PartRows`."""


def draft(
    document: Document, chunks: Sequence[Chunk], embed_digests: Sequence[Digest | None], analyser: Analyser
) -> Draft:
    """A note as `NoteRows`; `embed_digests` are those of the texts to embed, one a chunk."""
    life = document.lifecycle
    rows = NoteRows(
        path=document.path,
        aliases=dump(document.aliases),
        tags=dump(document.tags),
        links=dump(document.links),
        own=own(document.title, life, document.problems),
        keys=_keys(
            NamedNote(document.path, document.title, document.aliases, life.ids),
            life,
            names_of(document.path, document.title, document.aliases, life.ids),
        ),
        sections=tuple(_section(each, digest, analyser) for each, digest in zip(chunks, embed_digests, strict=True)),
        parts=tuple(_part(document.path, part, chunks) for part in document.parts),
    )
    return Draft(tuple(rows))


def _keys(record: NamedNote, life: Lifecycle, names: Iterable[str]) -> tuple[object, ...]:
    wanted = {key for reference in references_of(life) for key in keys_wanted(reference, record.path)}
    return tuple(
        Keys(
            names=tuple(sorted({clean(name) for name in names})),
            handles=tuple({hashed(key) for key in handles(record)}),
            wanted=tuple({hashed(key) for key in wanted}),
        )
    )


def _section(chunk: Chunk, digest: Digest | None, analyser: Analyser) -> tuple[object, ...]:
    text = clean(chunk.text)
    words = analyser.index_text(text)
    names = analyser.index_text(clean(chunk.names))
    analysed = None if words is text else words
    return (chunk.ordinal, dump(chunk.headings), *chunk.lines, clean(chunk.location), text, names, analysed, digest)


def _part(path: DocPath, part: Part, chunks: Sequence[Chunk]) -> tuple[object, ...]:
    """One decision of a log; no section holds text of two."""
    first, stop = (
        bisect_left(chunks, line, key=lambda chunk: chunk.lines[0]) for line in (part.lines[0], part.lines[1] + 1)
    )
    life, place = part.lifecycle, part_path(path, part.anchor)
    return tuple(
        PartRows(
            path=clean(place),
            anchor=clean(part.anchor),
            first=first,
            stop=stop,
            own=own(part.title, life, part.problems),
            keys=_keys(
                NamedNote(place, part.title, (), life.ids),
                life,
                names_of_part(path, part.anchor, part.title, life.ids),
            ),
        )
    )
