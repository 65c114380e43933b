"""A file's bytes into a `Document`: decoding, metadata, title."""

from __future__ import annotations

import codecs
import re
from typing import Final

from docs_rag.core.declared import Source, read_lifecycle
from docs_rag.core.documents import DocPath, Document
from docs_rag.core.frontmatter import Entry, Frontmatter, read_frontmatter
from docs_rag.core.plaintext import plain
from docs_rag.core.ports import Unreadable
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.core.values import is_empty, is_placeholder

PARSER_VERSION: Final = 1
"""Raise it with every change of what is read from a note: indexes read every note again."""

_BLOCK: Final = re.compile(
    r"^ {0,3}(?:(?P<fence>`{3,}|~{3,})|(?P<comment><!--)|(?P<hidden>%%)|(?P<math>\$\$)"
    r"|#[ \t]+(?P<title>[^\n]*)|(?P<setext>=+)[ \t]*$)",
    re.MULTILINE,
)
_CLOSING: Final = re.compile(r"(?:^|[ \t])#+$")
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
    beside = None if sidecar is None else read_frontmatter(f"---\n{sidecar}\n---\n")
    source = Source(path, frontmatter, text, rules, beside)
    lifecycle, problems = read_lifecycle(source)
    return Document(
        path=path,
        title=_given_title(frontmatter) or first_heading(text, frontmatter.lines) or source.stem,
        aliases=_names(frontmatter, "aliases", "alias"),
        tags=_tags(frontmatter),
        lifecycle=lifecycle,
        text=text,
        body_start=frontmatter.lines,
        problems=frontmatter.problems + problems,
    )


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


def first_heading(text: str, body_start: int) -> str:
    """The words of the first top-level heading of the body, `# x` or underlined with `=`; empty when there is none.

    Fences, HTML comments, `%%` comments and `$$` formulas are passed over.
    """
    place = _line_start(text, body_start)
    while (found := _BLOCK.search(text, place)) is not None:
        place = found.end()
        if found["title"] is not None:
            heading = _heading(found["title"])
        elif found["setext"] is not None:
            heading = _heading(_line_above(text, found.start(), body_start))
        else:
            place = _block_end(text, found)
            continue
        if heading:
            return heading
    return ""


def _line_start(text: str, lines: int) -> int:
    """Where the line after so many lines begins."""
    place = 0
    for _ in range(lines):
        place = text.find("\n", place) + 1
        if place == 0:
            return len(text)
    return place


def _line_above(text: str, start: int, body_start: int) -> str:
    """The line above an underline, when it is the text of a heading and no list, quote, table or other block."""
    line = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
    return "" if re.match(r" {4}|\t|\s*(?:[-*+>|#=]|\d+[.)]\s|$)", line) else line


def _block_end(text: str, opening: re.Match[str]) -> int:
    """Where the fence, comment or formula ends that a match opens.

    A fence or an HTML comment that is never closed takes the rest of the text; `%%` and `$$` then hide nothing.
    """
    mark = opening["fence"]
    if mark is not None:
        closing = re.compile(rf"^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE)
        found = closing.search(text, opening.end())
        return len(text) if found is None else found.end()
    closer = "-->" if opening["comment"] else opening[0].strip()
    end = text.find(closer, opening.end())
    if end < 0:
        return len(text) if opening["comment"] else opening.end()
    return end + len(closer)


def _heading(text: str) -> str:
    """A heading's words without its closing `#` and without markup."""
    words = _CLOSING.sub("", text[:_LONGEST_TITLE].strip())
    return " ".join(plain(words).split())
