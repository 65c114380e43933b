"""Web pages: HTML in any encoding as markdown, with headings, lists, tables, formulas and footnotes."""

from __future__ import annotations

from collections.abc import Sequence

from docs_rag.adapters.converters.textfiles import decoded, doubts
from docs_rag.adapters.converters.webpage.blocks import Writer
from docs_rag.adapters.converters.webpage.embedded import Pictures
from docs_rag.adapters.converters.webpage.inline import Inline
from docs_rag.adapters.converters.webpage.notes import Notes
from docs_rag.adapters.converters.webpage.tree import Element, parse
from docs_rag.core.converted import Converted
from docs_rag.core.encodings import declared_in
from docs_rag.core.mddraft import Block, Draft, Heading
from docs_rag.core.mdwriting import paragraph


def convert(data: bytes, name: str) -> Converted:
    """The page below its title; `name` plays no part. Raises `Unconvertible` for a binary file."""
    found = decoded(data, declared_in(data))
    root = parse(found.text)
    notes, pictures = Notes(), Pictures()
    notes.look_through(root)
    blocks = list(Writer(Inline(notes, pictures), notes).flow(root.children))
    title = title_of(root)
    draft = Draft()
    draft.at("beginning")
    _write_title(draft, title, blocks)
    draft.sections(blocks)
    return draft.finished(title=title, warnings=doubts(found), pictures=pictures.taken)


def title_of(root: Element) -> str:
    """What the page is called in its head."""
    return next((" ".join(each.text().split()) for each in root.below() if each.tag == "title"), "")


def _write_title(draft: Draft, title: str, blocks: Sequence[Block]) -> None:
    """The title as the first heading where the page has none, and as a line where the page does not say it."""
    if not title or not blocks:
        return
    tops = [each.text.casefold() for each in blocks if isinstance(each, Heading) and each.level == 1]
    if not tops:
        draft.heading(1, title)
        return
    said = " ".join(map(_words, blocks)).casefold()
    if title.casefold() not in said and not any(top in title.casefold() for top in tops):
        draft.block([paragraph(title)])


def _words(block: Block) -> str:
    return " ".join((block.text if isinstance(block, Heading) else " ".join(block)).split())
