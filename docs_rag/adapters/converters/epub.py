"""E-books: the chapters in reading order, each located by its number and name, below the title of the book."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from docs_rag.adapters.converters.epubpackage import Book, read_book, resolved
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.textfiles import decoded
from docs_rag.adapters.converters.webpage import title_of
from docs_rag.adapters.converters.webpage.blocks import Writer
from docs_rag.adapters.converters.webpage.embedded import Pictures
from docs_rag.adapters.converters.webpage.inline import Inline
from docs_rag.adapters.converters.webpage.notes import Notes
from docs_rag.adapters.converters.webpage.tree import parse
from docs_rag.adapters.converters.zipxml import Archive, open_zip
from docs_rag.core.converted import Converted
from docs_rag.core.encodings import declared_in
from docs_rag.core.mddraft import Block, Draft, Heading

_MOST_NAMED: Final = 5
"""Missing chapters that a warning names."""
_LONGEST_NAME: Final = 80


def convert(data: bytes, name: str) -> Converted:
    """The whole book; `name` plays no part.

    Raises `Unconvertible`: `encrypted` for a protected book, `too-large` and `damaged` as `zipxml` does, and
    `damaged` for a book none of whose chapters is there, or with pages that declare entities.
    """
    archive = open_zip(data)
    book = read_book(archive)
    reader = _Reader(archive)
    draft = Draft()
    draft.at("title page")
    draft.heading(1, book.title)
    draft.block([", ".join(book.authors)] if book.authors else [])
    for number, place in enumerate(book.chapters, 1):
        if place in archive:
            _write(draft, reader, book, number)
        else:
            reader.missing.append(place)
    if len(reader.missing) == len(book.chapters):
        raise Unconvertible("damaged", "the file is damaged: none of the book's chapters is in it")
    return draft.finished(
        title=book.title, warnings=[*book.warnings, *_lost(reader.missing)], pictures=reader.pictures.taken
    )


class _Reader:
    """Reads the chapters of one archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._chapter = ""
        self._notes = Notes()
        self.pictures = Pictures(self._picture)
        self.missing: list[str] = []

    def blocks(self, place: str) -> tuple[str, list[Block]]:
        """A chapter's own title and its blocks."""
        data = self._archive.read(place)
        if b"<!ENTITY" in data:
            raise Unconvertible("damaged", f"{place} declares entities, which no real book does; not read")
        self._chapter = place
        root = parse(decoded(data, declared_in(data)).text)
        self._notes.look_through(root)
        writer = Writer(Inline(self._notes, self.pictures), self._notes)
        return title_of(root), list(writer.flow(root.children))

    def _picture(self, address: str) -> tuple[str, bytes] | None:
        place = resolved(self._chapter, address)
        if "://" in address or place not in self._archive:
            return None
        return place.rpartition("/")[2], self._archive.read(place)


def _write(draft: Draft, reader: _Reader, book: Book, number: int) -> None:
    """One chapter: below a heading, its own or the one of the table of contents; headings stand below the book's."""
    place = book.chapters[number - 1]
    title, blocks = reader.blocks(place)
    first = next((each.text for each in blocks if isinstance(each, Heading)), "")
    called = first or book.names.get(place, "") or ("" if title == book.title else title)
    draft.at(f"chapter {number}: {called[:_LONGEST_NAME]}" if called else f"chapter {number}")
    if called and not first:
        draft.heading(2, called)
    for block in _lowered(blocks, bool(book.title)):
        if isinstance(block, Heading):
            draft.heading(block.level, block.text)
        else:
            draft.block(block)


def _lowered(blocks: Sequence[Block], is_below: bool) -> Iterator[Block]:
    """Headings a level down, where the title of the book stands above them."""
    for block in blocks:
        yield block._replace(level=block.level + 1) if isinstance(block, Heading) and is_below else block


def _lost(missing: Sequence[str]) -> Iterator[str]:
    if missing:
        more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
        yield f"chapters are missing in the file: {', '.join(missing[:_MOST_NAMED])}{more}"
