"""Charts (ECMA-376 part 1, 21.2) as tables, and diagrams (SmartArt, 21.4) as lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.ooxml.walking import child, descendants
from docs_rag.adapters.converters.zipxml import attribute, local
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from docs_rag.adapters.converters.ooxml.parts import Package

_MOST_POINTS: Final = 2_000


def chart_lines(package: Package, part: str, relation: str) -> list[str]:
    """A chart's titles and its values as a table: categories down, series across; nothing where it cannot be read."""
    root = _related(package, part, relation)
    if root is None:
        return []
    titles = [text for text in map(shown_text, descendants(root, frozenset({"title"}))) if text]
    series = [_series(each) for each in descendants(root, frozenset({"ser"}))]
    categories: dict[str, str] = {}
    for _, names, _values in series:
        categories.update(names)
    places = dict.fromkeys([*categories, *(key for *_, values in series for key in values)])
    rows = [[Cell(text) for text in ["", *(name for name, *_ in series)]]]
    for place in sorted(places, key=_number)[:_MOST_POINTS]:
        cells = [categories.get(place, ""), *(values.get(place, "") for *_, values in series)]
        rows.append([Cell(text) for text in cells])
    lines = table(rows) if len(rows) > 1 else []
    return [*([f"Chart: {paragraph(', '.join(titles))}", ""] if titles else []), *lines]


def diagram_lines(package: Package, part: str, relation: str) -> list[str]:
    """The texts of a diagram, one item each, in the order of its data."""
    root = _related(package, part, relation)
    if root is None:
        return []
    points = descendants(root, frozenset({"pt"}))
    texts = (" ".join(shown_text(child(point, "t")).split()) for point in points)
    return [f"- {paragraph(text)}" for text in texts if text]


def shown_text(element: Element | None) -> str:
    """The text (`a:t`) below an element, paragraphs apart."""
    if element is None:
        return ""
    paragraphs = descendants(element, frozenset({"p"}))
    runs = ("".join(each.text or "" for each in p.iter() if local(each) == "t") for p in paragraphs)
    return " ".join(run.strip() for run in runs if run.strip())


def _series(element: Element) -> tuple[str, dict[str, str], dict[str, str]]:
    """A series' name, its categories and its values, by place."""
    name = " ".join(_points(child(element, "tx")).values()) or _literal(child(element, "tx", "v"))
    categories = _points(child(element, "cat")) or _points(child(element, "xVal"))
    return name, categories, _points(child(element, "val")) or _points(child(element, "yVal"))


def _points(element: Element | None) -> dict[str, str]:
    return dict(_each_point(element)) if element is not None else {}


def _each_point(element: Element) -> Iterator[tuple[str, str]]:
    for point in descendants(element, frozenset({"pt"})):
        yield attribute(point, "idx"), _literal(child(point, "v"))


def _literal(element: Element | None) -> str:
    return " ".join((element.text or "").split()) if element is not None else ""


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _related(package: Package, part: str, relation: str) -> Element | None:
    found = package.relations(part).get(relation)
    return package.optional(found.target) if found is not None and not found.is_outside else None
