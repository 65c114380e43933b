"""Text of shapes on slides (DrawingML, ECMA-376 part 1, 21.1.2): paragraphs, lists, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.ooxml.counting import numeral
from docs_rag.adapters.converters.ooxml.omml import latex
from docs_rag.adapters.converters.ooxml.walking import child, descendants, unwrapped
from docs_rag.adapters.converters.zipxml import attribute, local
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_FORMS: Final = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "circleNumDb": "decimalEnclosedCircle",
    "ea1": "ideographDigital",
}
"""How the name of an automatic number begins -> the form of its numeral."""
_SIGNS: Final = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})"}
"""How it ends -> what stands around the numeral."""
_EQUATIONS: Final = frozenset({"oMath"})


def paragraphs(body: Element) -> list[str]:
    """The paragraphs of a text body that have words, lines of one paragraph apart by a line end."""
    return [text for text in map(_text, _named(body, "p")) if text.strip()]


def body_blocks(body: Element, *, is_list: bool) -> Iterator[list[str]]:
    """Blocks of markdown; `is_list`: paragraphs are items unless they say otherwise, as in a slide's main text."""
    found = [(each, _text(each)) for each in _named(body, "p")]
    found = [(each, text) for each, text in found if text.strip()]
    items: list[str] = []
    counts: dict[int, int] = {}
    for element, text in found:
        label = _label(child(element, "pPr"), counts, is_list=is_list and len(found) > 1)
        if label:
            depth = min(_level(element), (len(items[-1]) - len(items[-1].lstrip())) // 4 + 1 if items else 0)
            items.append(f"{'    ' * depth}{label} {' '.join(paragraph(text).split())}")
            continue
        yield from [items] if items else []
        items = []
        yield paragraph(text).split("\n")
    yield from [items] if items else []


def table_lines(element: Element) -> list[str]:
    """A table (`a:tbl`) as a pipe table."""
    return table([list(_cells(row)) for row in _named(element, "tr")])


def _cells(row: Element) -> Iterator[Cell]:
    for cell in _named(row, "tc"):
        if attribute(cell, "hMerge") in ("1", "true") or attribute(cell, "vMerge") in ("1", "true"):
            continue
        body = child(cell, "txBody")
        text = "\n".join(paragraphs(body)) if body is not None else ""
        yield Cell(text, _whole(attribute(cell, "rowSpan", "1")), _whole(attribute(cell, "gridSpan", "1")))


def _text(element: Element) -> str:
    return "".join(_piece(each) for each in unwrapped(element))


def _piece(element: Element) -> str:
    name = local(element)
    if name in ("r", "fld"):
        return "".join(each.text or "" for each in element if local(each) == "t").replace("\v", "\n")
    if name == "br":
        return "\n"
    return " ".join(f"${latex(each)}$" for each in descendants(element, _EQUATIONS)) if name == "m" else ""


def _label(properties: Element | None, counts: dict[int, int], *, is_list: bool) -> str:
    """How the item begins; empty for a plain paragraph. `counts` are the numbers so far, by level."""
    level = _whole(attribute(properties, "lvl", "0")) if properties is not None else 0
    automatic = child(properties, "buAutoNum")
    for deeper in [each for each in counts if each > level or (each == level and automatic is None)]:
        del counts[deeper]
    if automatic is not None:
        start = _whole(attribute(automatic, "startAt", "1"))
        counts[level] = counts.get(level, start - 1) + 1
        return _numbered(counts[level], attribute(automatic, "type"))
    if child(properties, "buNone") is not None:
        return ""
    has_bullet = child(properties, "buChar") is not None or child(properties, "buBlip") is not None
    return "-" if has_bullet or is_list else ""


def _numbered(count: int, kind: str) -> str:
    form = next((form for start, form in _FORMS.items() if kind.startswith(start)), "decimal")
    around = next((around for end, around in _SIGNS.items() if kind.endswith(end)), "{}")
    label = around.format(numeral(count, form))
    return label if form == "decimal" and around in ("{}.", "{})") else f"- {label}"


def _level(element: Element) -> int:
    properties = child(element, "pPr")
    return _whole(attribute(properties, "lvl", "0")) if properties is not None else 0


def _named(element: Element, name: str) -> Iterator[Element]:
    return (each for each in unwrapped(element) if local(each) == name)


def _whole(text: str) -> int:
    return min(int(text), 1000) if text.isdecimal() and len(text) < 8 else 1
