"""How one note is named in another: the styles in which people write a reference."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Final
from urllib.parse import quote

from docs_rag.core.citations import split_references, take_apart
from docs_rag.core.documents import DocPath, note_path
from docs_rag.core.references import NamedNote, Names


class Style(Enum):
    """One way of writing a reference."""

    LINK = auto()
    """`[Title](../b/0034-x.md)`"""
    WIKI = auto()
    """`[[0034-x]]`"""
    WIKI_PATH = auto()
    """`[[decisions/0034-x]]`"""
    PATH = auto()
    """`../b/0034-x.md`, from the note that holds it"""
    DOTTED = auto()
    """`./0034-x.md`"""
    ROOTED = auto()
    """`decisions/0034-x.md`, from the root of the vault"""
    NAME = auto()
    """`0034-x`"""
    ID = auto()
    """`ADR-0034`, `0034`"""


_FALLBACKS: Final = {
    Style.LINK: (Style.LINK,),
    Style.WIKI: (Style.WIKI, Style.WIKI_PATH),
    Style.WIKI_PATH: (Style.WIKI_PATH,),
}
"""What a style may be replaced by where it names no one note; the others fall back on paths."""
_IDENTIFIER: Final = re.compile(r"(?:[^\W\d_]{1,10}[-_#]?)?\d{1,9}(?![^\W_])")
_NOTE_SUFFIX: Final = re.compile(r"\.(?:mdx?|markdown)$", re.IGNORECASE)
_ODD: Final = (*map(chr, range(33)), *"%?()<>[]\"'`*|\\\x7f\x85\u2028\u2029")
_IN_HREF: Final = str.maketrans({char: quote(char, safe="") for char in _ODD})
"""What would end a link, a cell or a line, or would be taken for markup."""
_IN_TEXT: Final = str.maketrans("[]\n", "() ")
_WIKILINK: Final = re.compile(r"\[\[[^\[\]\n]+\]\]")
_NOTE_LINK: Final = re.compile(r"\]\([^()\n]+\.(?:mdx?|markdown)(?:#[^()\n]*)?\)", re.IGNORECASE)


def style_of(reference: str) -> Style:
    """The style that a reference is written in."""
    target = take_apart(reference)
    if target.is_wikilink:
        return Style.WIKI_PATH if "/" in target.path else Style.WIKI
    if target.is_link:
        return Style.LINK
    if target.path.startswith("./"):
        return Style.DOTTED
    if target.path.startswith("../"):
        return Style.PATH
    if _NOTE_SUFFIX.search(target.path):
        return Style.ROOTED if "/" in target.path else Style.PATH
    return Style.ID if _IDENTIFIER.fullmatch(target.path) else Style.NAME


def links_in(text: str) -> Style | None:
    """Whether a text links to notes in the one way or the other; None when it has no such link."""
    wiki, plain = len(_WIKILINK.findall(text)), len(_NOTE_LINK.findall(text))
    if not wiki and not plain:
        return None
    return Style.WIKI if wiki > plain else Style.LINK


def refer(other: NamedNote, source: DocPath, style: Style, names: Names) -> str:
    """A reference to another note that leads to it and to no other; empty when none does.

    It is in the style asked for if that names the note without doubt, else in the next one that does; a name with
    signs that mean something in every other style is written as a link.
    """
    styles = _FALLBACKS.get(style, (style, Style.NAME if style is Style.ID else style, Style.PATH, Style.ROOTED))
    last = (Style.LINK,) if style is Style.LINK else (Style.PATH, Style.LINK)
    for each in dict.fromkeys((*styles, *last)):
        written = _WRITERS[each](other, source)
        whole = written.isprintable() and split_references(written) == (written,)
        if whole and names.resolve(written, source).paths == (other.path,):
            return written
    return ""


def identifier(other: NamedNote) -> str:
    """What a record is called by number: its own `id`, else what its file name begins with; empty without one."""
    for name in (_anchor(other.path), *other.ids, _stem(other.path)):
        found = _IDENTIFIER.match(name)
        if found is not None and not re.match(r"(?:19|20)\d\d[-_.]?\d\d", name):
            return found[0].rstrip("-_")
    return ""


def relative(path: str, source: str) -> str:
    """A path of the vault as it is written in the note `source`."""
    folders, steps = source.split("/")[:-1], path.split("/")
    shared = 0
    while shared < min(len(folders), len(steps) - 1) and folders[shared] == steps[shared]:
        shared += 1
    return "/".join([".."] * (len(folders) - shared) + steps[shared:])


def _link(other: NamedNote, source: DocPath) -> str:
    words = " ".join(other.title.translate(_IN_TEXT).split()) or _stem(other.path)
    return f"[{words}]({_href(other, source)})"


def link_by_number(other: NamedNote, source: DocPath) -> str:
    """A link whose words are the record's number, as MADR has it: `[ADR-0034](0034-x.md)`; empty without one."""
    number = identifier(other)
    return f"[{'ADR-' if number.isdigit() else ''}{number}]({_href(other, source)})" if number else ""


def _href(other: NamedNote, source: DocPath) -> str:
    anchor = _anchor(other.path)
    path = relative(note_path(other.path), source).translate(_IN_HREF).replace("#", "%23")
    return f"{path}#{anchor.translate(_IN_HREF)}" if anchor else path


def _wiki(other: NamedNote, source: DocPath) -> str:
    return f"[[{_stem(other.path)}{_hash(other)}]]"


def _wiki_path(other: NamedNote, source: DocPath) -> str:
    return f"[[{_NOTE_SUFFIX.sub('', note_path(other.path))}{_hash(other)}]]"


def _path(other: NamedNote, source: DocPath) -> str:
    return relative(note_path(other.path), source) + _hash(other)


def _dotted(other: NamedNote, source: DocPath) -> str:
    path = _path(other, source)
    return path if path.startswith("../") else f"./{path}"


def _rooted(other: NamedNote, source: DocPath) -> str:
    return other.path


def _name(other: NamedNote, source: DocPath) -> str:
    return _stem(other.path) + _hash(other)


def _identifier(other: NamedNote, source: DocPath) -> str:
    return identifier(other)


_WRITERS: Final = {
    Style.LINK: _link,
    Style.WIKI: _wiki,
    Style.WIKI_PATH: _wiki_path,
    Style.PATH: _path,
    Style.DOTTED: _dotted,
    Style.ROOTED: _rooted,
    Style.NAME: _name,
    Style.ID: _identifier,
}


def usual(references: Iterable[str]) -> Style | None:
    """The style that most of some references are in; None without any."""
    counts: dict[Style, int] = {}
    for reference in references:
        style = style_of(reference)
        counts[style] = counts.get(style, 0) + 1
    return max(counts, key=counts.__getitem__) if counts else None


def _anchor(path: str) -> str:
    return path[len(note_path(path)) + 1 :]


def _hash(other: NamedNote) -> str:
    anchor = _anchor(other.path)
    return f"#{anchor}" if anchor else ""


def _stem(path: str) -> str:
    return _NOTE_SUFFIX.sub("", note_path(path).rpartition("/")[2])
