"""What Word's styles and numberings say of a paragraph: heading or not, which level, which number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.ooxml.counting import numeral
from docs_rag.adapters.converters.ooxml.walking import child, value
from docs_rag.adapters.converters.zipxml import attribute, local

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_HEADING: Final = re.compile(r"(?:heading|제목|見出し|标题|標題|überschrift|titre|título|titolo|개요)\s*([1-9])", re.I)
"""Names of heading styles: Word itself always stores `heading 1`, others translate it."""
_TITLES: Final = frozenset({"title", "제목", "標題", "表題"})
_NOT_A_HEADING: Final = 9
"""The outline level of body text."""


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style with all that it inherits."""

    level: int | None = None
    """1-9 for headings."""
    is_title: bool = False
    numbering: tuple[str, int] | None = None
    """Numbering and its level, from 0."""


@dataclass(frozen=True, slots=True)
class _Level:
    """One level of a numbering."""

    format: str
    text: str
    """`%1.%2`: the numbers of the levels up to this one."""
    start: int
    is_legal: bool
    """All numbers in digits, whatever the levels say."""


def read_styles(root: Element | None) -> dict[str, Style]:
    """Identifier -> style, and `""` -> the default paragraph style."""
    found = {attribute(each, "styleId"): each for each in (root if root is not None else ()) if local(each) == "style"}
    styles = {identifier: _resolved(each, found) for identifier, each in found.items()}
    default = (key for key, each in found.items() if attribute(each, "default") in ("1", "true", "on"))
    paragraph = next((key for key in default if attribute(found[key], "type") == "paragraph"), None)
    return {**styles, "": styles[paragraph] if paragraph is not None else Style()}


def outline_level(properties: Element | None) -> int | None:
    """The level that paragraph properties set: 1-9, 0 for body text, None where they say nothing."""
    text = value(properties, "outlineLvl")
    return None if not text.isdecimal() else int(text) + 1 if int(text) < _NOT_A_HEADING else 0


def numbering_of(properties: Element | None) -> tuple[str, int] | None:
    """The numbering that paragraph properties name; numbering `0` means none, against the style."""
    number = value(properties, "numPr", "numId")
    level = value(properties, "numPr", "ilvl", default="0")
    return (number, int(level) if level.isdecimal() else 0) if number else None


def _resolved(element: Element, styles: dict[str, Element]) -> Style:
    level: int | None = None
    numbering: tuple[str, int] | None = None
    is_title = False
    for each in _lineage(element, styles):
        properties, name = child(each, "pPr"), value(each, "name").strip().casefold()
        named = _HEADING.fullmatch(name)
        own = outline_level(properties)
        level = level if level is not None else own if own is not None else int(named[1]) if named else None
        is_title = is_title or name in _TITLES
        numbering = numbering or numbering_of(properties)
    return Style(level or None, is_title, numbering)


def _lineage(element: Element, styles: dict[str, Element]) -> Iterator[Element]:
    """A style, the one that it is based on, and so on; a circle ends."""
    seen: set[str] = set()
    current: Element | None = element
    while current is not None:
        yield current
        base = value(current, "basedOn")
        current = styles.get(base) if base not in seen else None
        seen.add(base)


class Numbering:
    """Counts numbered paragraphs as Word does."""

    def __init__(self, root: Element | None) -> None:
        """Read the part `numbering`; without one nothing is numbered."""
        abstract = {attribute(each, "abstractNumId"): each for each in _named(root, "abstractNum")}
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counters: dict[str, dict[int, int]] = {}
        shared: dict[str, dict[int, int]] = {}
        for each in _named(root, "num"):
            number, kind = attribute(each, "numId"), value(each, "abstractNumId")
            self._levels[number] = _levels(abstract.get(kind))
            overrides = list(_named(each, "lvlOverride"))
            self._counters[number] = {} if overrides else shared.setdefault(kind, {})
            for override in overrides:
                self._override(number, override)

    def label(self, numbering: tuple[str, int]) -> str | None:
        """Count one more paragraph; `•` for a bullet, `2.1` or `b)` for a number, None where there is neither."""
        number, depth = numbering
        levels = self._levels.get(number, {})
        level = levels.get(depth)
        if level is None or level.format == "none":
            return None
        if level.format == "bullet":
            return "•"
        counters = self._counters[number]
        counters[depth] = counters.get(depth, level.start - 1) + 1
        for deeper in [each for each in counters if each > depth]:
            del counters[deeper]
        return re.sub(r"%([1-9])", lambda found: self._numeral(number, int(found[1]) - 1, level), level.text).strip()

    def _numeral(self, number: str, depth: int, of: _Level) -> str:
        level = self._levels[number].get(depth)
        if level is None:
            return ""
        count = self._counters[number].get(depth, level.start)
        return str(count) if of.is_legal else numeral(count, level.format)

    def _override(self, number: str, override: Element) -> None:
        depth = _whole(attribute(override, "ilvl"), 0)
        own = child(override, "lvl")
        if own is not None:
            self._levels[number] = {**self._levels[number], depth: _level(own)}
        start = value(override, "startOverride")
        if start.isdecimal():
            self._counters[number][depth] = int(start) - 1


def _named(root: Element | None, name: str) -> Iterator[Element]:
    return (each for each in (root if root is not None else ()) if local(each) == name)


def _levels(abstract: Element | None) -> dict[int, _Level]:
    return {_whole(attribute(each, "ilvl"), 0): _level(each) for each in _named(abstract, "lvl")}


def _level(element: Element) -> _Level:
    return _Level(
        value(element, "numFmt", default="decimal"),
        value(element, "lvlText"),
        _whole(value(element, "start"), 1),
        child(element, "isLgl") is not None,
    )


def _whole(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 8 else default
