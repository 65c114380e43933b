"""Footnotes of a page: which links refer to one, and which elements are their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_rag.adapters.converters.webpage.tree import Element

_REFERS: Final = re.compile(r"noteref|footnote-?ref|footnote-?anchor|fn-?ref|endnote-?ref|\breference\b", re.IGNORECASE)
_LEADS_BACK: Final = re.compile(r"backlink|footnote-?back|reversefootnote|back-?ref", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[\[(]?(?:\d{1,4}|[a-z]|[*†‡§]+)[\])]?", re.IGNORECASE)
_ARROWS: Final = frozenset("↩↩︎↑^←⏎")
_ROOM: Final = frozenset(("li", "aside", "p", "div", "dd", "td", "section", "tr", "dt"))
"""Elements that can hold the text of a note."""


class Notes:
    """The footnotes of one document or, chapter after chapter, of one book."""

    def __init__(self) -> None:
        """None yet."""
        self._labels: dict[str, str] = {}
        self._count = 0

    def look_through(self, root: Element) -> None:
        """Learn the notes of a page; those of the page before are forgotten, their numbers are not used again."""
        self._labels = {}
        rooms = {each.get("id") for each in root.below() if each.tag in _ROOM and each.get("id")}
        rooms |= {each for room in root.below() if room.tag in _ROOM for each in _anchors(room)}
        for link, is_raised in _links(root, is_raised=False):
            target = _target(link)
            if target in rooms and target not in self._labels and (is_raised or _says(_REFERS, link)):
                self._count += 1
                self._labels[target] = str(self._count)

    def reference(self, link: Element) -> str | None:
        """The label that a link refers to; empty for a link back from a note; None for any other."""
        if _says(_LEADS_BACK, link) or (link.get("href").startswith("#") and link.text().strip() in _ARROWS):
            return ""
        label = self._labels.get(_target(link))
        return label if label is not None and _NUMBER.fullmatch(link.text().strip()) else None

    def definition(self, element: Element) -> str:
        """The label of the note whose text an element is; empty when it is none."""
        if not self._labels or element.tag not in _ROOM:
            return ""
        label = self._labels.pop(element.get("id"), "")
        return label or next((self._labels.pop(each) for each in _anchors(element) if each in self._labels), "")


def _links(element: Element, *, is_raised: bool) -> Iterator[tuple[Element, bool]]:
    """Every link to a place in the page, and whether it is a raised number."""
    for each in element.elements():
        raised = is_raised or each.tag == "sup"
        if each.tag == "a" and each.get("href").startswith("#"):
            is_number = _NUMBER.fullmatch(each.text().strip()) is not None
            yield each, is_number and (raised or any(below.tag == "sup" for below in each.below()))
        yield from _links(each, is_raised=raised)


def _target(link: Element) -> str:
    target = link.get("href")
    return target[1:] if target.startswith("#") else ""


def _says(pattern: re.Pattern[str], link: Element) -> bool:
    return any(pattern.search(link.get(name)) for name in ("class", "role", "epub:type", "rel"))


def _anchors(element: Element) -> Iterator[str]:
    """The names of anchors at the beginning of an element."""
    for each in list(element.elements())[:2]:
        if each.tag in ("a", "span", "sup") and (name := each.get("id") or each.get("name")):
            yield name
