"""Ways through the elements of Office parts that all of its formats need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.zipxml import attribute, local

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_WRAPPERS: Final = frozenset(
    {"sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "fldSimple", "dir", "bdo", "Choice"}
)
"""Elements that stand around others and say nothing of their own; deleted and moved text is not among them."""


def unwrapped(parent: Element) -> Iterator[Element]:
    """The children with wrappers opened, and of alternatives the first that there is."""
    for child in parent:
        name = local(child)
        if name == "AlternateContent":
            chosen = next(iter(child), None)
            if chosen is not None:
                yield from unwrapped(chosen)
        elif name in _WRAPPERS:
            yield from unwrapped(child)
        else:
            yield child


def descendants(parent: Element, names: frozenset[str]) -> Iterator[Element]:
    """The outermost elements of these names below one, second alternatives left out, in document order."""
    waiting = list(unwrapped(parent))[::-1]
    while waiting:
        element = waiting.pop()
        if local(element) in names:
            yield element
        else:
            waiting += list(unwrapped(element))[::-1]


def child(parent: Element | None, *path: str) -> Element | None:
    """The first child of that name, its first child of the next name, and so on."""
    for name in path:
        parent = next((each for each in parent if local(each) == name), None) if parent is not None else None
    return parent


def value(parent: Element | None, *path: str, default: str = "") -> str:
    """The attribute `val` of what `child` finds; `default` where that is not there."""
    found = child(parent, *path)
    return default if found is None else attribute(found, "val", default)


def is_on(parent: Element | None, *path: str) -> bool:
    """Whether a switch is there and not turned off."""
    return child(parent, *path) is not None and value(parent, *path, default="1") not in ("0", "false", "off")
