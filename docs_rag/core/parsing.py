"""A file's bytes into a `Document`: decoding, metadata, title."""

from __future__ import annotations

import codecs
import re
from typing import Final

from docs_rag.core.declared import Source, read_lifecycle
from docs_rag.core.documents import DocPath, Document, Problem
from docs_rag.core.frontmatter import Entry, Frontmatter, read_frontmatter, read_sidecar
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.mentions import note_links
from docs_rag.core.ports import Unreadable
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.core.values import is_empty, is_placeholder

_LONGEST_TITLE: Final = 500
"""In characters."""


def decode(data: bytes) -> str:
    """The text of a file, without byte order mark and with `\n` for line ends.

    UTF-8, and UTF-16 where it has its mark. Raises `Unreadable` with the code `encoding` for anything else.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = _decode(data, "utf-16")
    else:
        text = _decode(data.removeprefix(codecs.BOM_UTF8), "utf-8")
    if "\0" in text:
        raise Unreadable("encoding", f"a binary file: NUL at character {text.index(chr(0)) + 1}")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = data[error.start : error.start + 1].hex()
        message = f"not {encoding.upper()}: byte 0x{found} in line {line}; save the file as UTF-8"
        raise Unreadable("encoding", message) from error


def parse_document(path: DocPath, text: str, rules: StatusRules = PLAIN, sidecar: str | None = None) -> Document:
    """What a note says of itself. `text` is as `decode` gives it. Never raises, whatever the text.

    `sidecar` is the text of the metadata file beside the note, such as `kep.yaml`; the note's own word goes first.
    """
    frontmatter = read_frontmatter(text)
    beside = None if sidecar is None else read_sidecar(sidecar)
    source = Source(path, frontmatter, text, rules, beside)
    lifecycle, problems = read_lifecycle(source)
    return Document(
        path=path,
        title=_given_title(frontmatter) or source.outline.title() or source.stem,
        aliases=_names(frontmatter, "aliases", "alias"),
        tags=_tags(frontmatter),
        lifecycle=lifecycle,
        parts=() if lifecycle.template else source.parts,
        links=note_links(text) if _may_be_called(source, lifecycle) else (),
        text=text,
        body_start=frontmatter.lines,
        problems=frontmatter.problems + problems + (() if beside is None else _beside(beside.problems)),
    )


def _beside(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The problems of the metadata file, whose lines are not the note's."""
    return tuple(
        Problem(each.code, f"the metadata file beside the note, line {each.line}: {each.message}") for each in problems
    )


def _may_be_called(source: Source, lifecycle: Lifecycle) -> bool:
    """Whether others may refer to a note by a number or an id, so that it may have to be told from its namesakes."""
    return bool(lifecycle.ids) or _CALLED.match(source.stem.lower()) is not None or bool(lifecycle.status_text)


_CALLED: Final = re.compile(r"[^\W\d_]{0,12}[-_ .#]?\d|readme$|index$")


def _given_title(frontmatter: Frontmatter) -> str:
    values = frontmatter.values("title")
    title = " ".join(values[0].split()) if values else ""
    return "" if is_placeholder(title) else title[:_LONGEST_TITLE]


def _names(frontmatter: Frontmatter, *keys: str) -> tuple[str, ...]:
    """The values of all these keys; a single value may hold several behind commas."""
    names: list[str] = []
    for entry in _entries(frontmatter, keys):
        for value in entry.values:
            names.extend([value] if entry.is_list else value.split(","))
    cleaned = (" ".join(name.split()) for name in names)
    return tuple(dict.fromkeys(name for name in cleaned if not is_empty(name)))


def _tags(frontmatter: Frontmatter) -> tuple[str, ...]:
    """The tags without `#`; a single value may hold several behind commas or spaces. Case tells none apart."""
    tags: dict[str, str] = {}
    for entry in _entries(frontmatter, ("tags", "tag")):
        for value in entry.values:
            parts = [value] if entry.is_list else re.split(r"[,\s]+", value)
            for part in parts:
                tag = " ".join(part.split()).lstrip("#").strip("/")
                if not is_empty(tag):
                    tags.setdefault(tag.casefold(), tag)
    return tuple(tags.values())


def _entries(frontmatter: Frontmatter, keys: tuple[str, ...]) -> list[Entry]:
    return [entry for key in keys if (entry := frontmatter.entries.get(key)) is not None]
