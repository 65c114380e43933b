"""Markdown from the pages of a PDF: headings, paragraphs and tables in reading order, and the page of every line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from docs_rag.adapters.converters.pdf.headings import Titles, titles
from docs_rag.adapters.converters.pdf.shapes import Contents, Line, Page, Rows
from docs_rag.core.converted import Converted, Stretch
from docs_rag.core.doctext import literal, runs_on
from docs_rag.core.mdtables import table

_WIDER: Final = 1.35
"""A distance between lines that is so much more than usual ends a paragraph."""
_OTHER_SIZE: Final = 1.12
_INDENT: Final = 0.8
_FURTHEST: Final = 4
_BULLET: Final = re.compile(r"[•●▪◦‣∙\uf0b7\uf0a7]\s*")
_PRINTED_NUMBER: Final = re.compile(r"[-–—|\s]*\d{1,4}[-–—|\s]*")
_RUNNING: Final = 0.5
"""A line at the edge of more than this share of the pages, and of three at least, is a running head."""
_EDGE: Final = 2
"""Lines from the top or bottom of a page that may be one."""


def written(contents: Contents) -> Converted:
    """The document as markdown; each page is a stretch, `p. 7`."""
    pages = without_running_heads(contents.pages)
    headings = titles(pages, contents.outline)
    lines: list[str] = []
    stretches: list[Stretch] = []
    for page in pages:
        blocks = list(_blocks(page, headings.get(page.number, Titles())))
        if not blocks:
            continue
        text = "\n\n".join("\n".join(block) for block in blocks).split("\n")
        stretches.append(Stretch((len(lines) + 1, len(lines) + len(text)), f"p. {page.number}"))
        lines += [*text, ""]
    return Converted(
        markdown="\n".join(lines),
        stretches=tuple(stretches),
        pictures=tuple(picture for page in contents.pages for picture in page.pictures),
        title=contents.title,
        warnings=contents.warnings,
    )


def without_running_heads(pages: Sequence[Page]) -> list[Page]:
    """Pages without the lines that stand at the edge of most of them, but where they come first, and page numbers."""
    counts = Counter(text for page in pages for text in {_running(page.lines[at]) for at in _edges(page)})
    least = max(2.0, _RUNNING * len(pages))
    running = {text for text, count in counts.items() if count > least}
    seen: set[str] = set()
    return [replace(page, lines=tuple(_without(page, running, seen))) for page in pages]


def _without(page: Page, running: Container[str], seen: set[str]) -> Iterator[Line]:
    """The lines of a page, running heads blank but where they come first; `seen` gets those that do."""
    edges = _edges(page)
    for at, line in enumerate(page.lines):
        text = _running(line)
        if at in edges and text in running and (not text or text in seen):
            yield replace(line, text="")
        else:
            yield line
        if at in edges:
            seen.add(text)


def _edges(page: Page) -> set[int]:
    count = len(page.lines)
    return {at for at in range(count) if at < _EDGE or at >= count - _EDGE}


def _running(line: Line) -> str:
    """What is the same on every page: the text, and nothing for a page number."""
    return "" if _PRINTED_NUMBER.fullmatch(line.text) else line.text


class _Heading(NamedTuple):
    text: str
    level: int


_Part = Line | _Heading | Rows


def _blocks(page: Page, headings: Titles) -> Iterator[list[str]]:
    """Each block's lines of markdown: headings, paragraphs, tables, then the notes on the page."""
    paragraph: list[Line] = []
    usual = _usual_distance(page.lines)
    if page.recognised:
        yield from (paragraph.split("\n") for paragraph in page.recognised)
        return
    for part in _parts(page, headings):
        if isinstance(part, Line) and (not paragraph or _same_paragraph(paragraph, part, usual)):
            paragraph.append(part)
            continue
        if paragraph:
            yield _paragraph(paragraph)
        paragraph = [part] if isinstance(part, Line) else []
        if isinstance(part, _Heading):
            yield [f"{'#' * part.level} {part.text}"]
        elif isinstance(part, list) and (lines := table(part)):
            yield lines
    if paragraph:
        yield _paragraph(paragraph)
    yield from _beside(page)


def _beside(page: Page) -> Iterator[list[str]]:
    """What stands on a page beside its text."""
    if page.pictures:
        yield [f"![]({picture.name})" for picture in page.pictures]
    if page.notes:
        yield [f"- {note}" for note in page.notes]


def _parts(page: Page, headings: Titles) -> Iterator[_Part]:
    """Lines, headings and tables of a page in order."""
    taken = 0
    for at in range(len(page.lines) + 1):
        if not taken:
            yield from page.tables.get(at, ())
        yield from (_Heading(*each) for each in headings.before.get(at, ()))
        if at in headings.at:
            taken, level = headings.at[at]
            yield _Heading(" ".join(each.text for each in page.lines[at : at + taken]), level)
        if taken:
            taken -= 1
        elif at < len(page.lines) and page.lines[at].text:
            yield page.lines[at]


def _usual_distance(lines: Sequence[Line]) -> float:
    """The distance between most lines of a page, in heights of their font."""
    distances = [_distance(upper, lower) for upper, lower in pairwise(lines) if lower.size]
    close = [each for each in distances if 0 < each < _FURTHEST / 2]
    return median(close) if close else 1.0


def _same_paragraph(paragraph: Sequence[Line], line: Line, usual: float) -> bool:
    last = paragraph[-1]
    if _BULLET.match(line.text):
        return bool(_BULLET.match(paragraph[0].text)) and line.left - paragraph[0].left < line.size
    if not line.size or not last.size:
        return True
    alike = 1 / _OTHER_SIZE < line.size / last.size < _OTHER_SIZE
    return alike and -_INDENT < _distance(last, line) <= usual * _WIDER and not _is_indented(paragraph, line)


def _distance(upper: Line, lower: Line) -> float:
    """From line to line, in heights of the font. One that a hyphen joined with the next is two lines high."""
    return (upper.bottom - lower.top + lower.size) / lower.size


def _is_indented(paragraph: Sequence[Line], line: Line) -> bool:
    """Whether a line begins further in than those before it, which begin below one another."""
    lefts = [each.left for each in paragraph[1:]]
    flush = bool(lefts) and max(lefts) - min(lefts) < 1
    return flush and _INDENT * line.size < line.left - lefts[-1] < _FURTHEST * line.size


def _paragraph(lines: Sequence[Line]) -> list[str]:
    """A paragraph's lines; those in scripts without spaces are one, since a line end would part words."""
    found: list[str] = []
    for line in lines:
        bullet = _BULLET.match(line.text)
        text = f"- {line.text[bullet.end() :]}" if bullet else literal(line.text)
        if found and runs_on(found[-1], text):
            found[-1] += text
        elif text:
            found.append(text)
    return found
