"""The tables of an HWPX document: its part `header.xml`."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element

from docs_rag.adapters.converters.hwp.docinfo import DocInfo, Head, Shape, outline_level
from docs_rag.adapters.converters.hwp.numbering import LEVELS, LevelNumber, Numbering
from docs_rag.adapters.converters.zipxml import attribute, local

_HEADS: Final = {"OUTLINE": Head.OUTLINE, "NUMBER": Head.NUMBER, "BULLET": Head.BULLET}


def read_head(root: Element) -> DocInfo:
    """The tables from the part's root element."""
    everything = list(root.iter())
    return DocInfo(
        shapes={integer(each, "id"): _shape(each) for each in everything if local(each) == "paraPr"},
        outlines={
            integer(each, "id"): level for each in everything if local(each) == "style" and (level := _outline(each))
        },
        numberings={integer(each, "id"): _numbering(each) for each in everything if local(each) == "numbering"},
        embedded={},
    )


def integer(element: Element, name: str, default: int = 0) -> int:
    """An attribute as a number; `default` where it is none."""
    try:
        return int(attribute(element, name))
    except ValueError:
        return default


def _shape(element: Element) -> Shape:
    for each in element.iter():
        if local(each) == "heading":
            head = _HEADS.get(attribute(each, "type"), Head.NONE)
            return Shape(head, integer(each, "level") + 1, integer(each, "idRef"))
    return Shape()


def _outline(element: Element) -> int:
    return outline_level(attribute(element, "name")) or outline_level(attribute(element, "engName"))


def _numbering(element: Element) -> Numbering:
    levels = [LevelNumber("")] * LEVELS
    for each in element:
        level = integer(each, "level")
        if local(each) == "paraHead" and 1 <= level <= LEVELS:
            style = attribute(each, "numFormat") or "DIGIT"
            levels[level - 1] = LevelNumber(each.text or "", style, integer(each, "start", 1))
    return levels
