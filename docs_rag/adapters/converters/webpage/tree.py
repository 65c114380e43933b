"""HTML as a tree of elements, built the forgiving way: end tags that people leave out are put in, none is missed.

Entities that a document declares itself are not known here, so that none can be expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

_DEEPEST: Final = 200
"""Levels; what lies deeper is taken as if it lay there."""


def words(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(text.split())


VOID: Final = words("area base br col embed hr img input link meta param source track wbr")
"""Elements without content."""
BLOCKS: Final = words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search"
    " section summary table tbody td tfoot th thead tr ul xmp"
)
"""Elements that begin and end a line."""
_IN_TABLE: Final = frozenset(("table",))
_CLOSED_BY: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "menu", "dir"))),
    "dt": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "dd": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "td": (frozenset(("td", "th")), frozenset(("tr", "table"))),
    "th": (frozenset(("td", "th")), frozenset(("tr", "table"))),
    "tr": (frozenset(("tr",)), _IN_TABLE),
    "tbody": (frozenset(("thead", "tbody", "tfoot", "caption", "colgroup")), _IN_TABLE),
    "thead": (frozenset(("thead", "tbody", "tfoot", "caption", "colgroup")), _IN_TABLE),
    "tfoot": (frozenset(("thead", "tbody", "tfoot", "caption", "colgroup")), _IN_TABLE),
    "option": (frozenset(("option",)), frozenset(("select", "datalist"))),
    "rt": (frozenset(("rt", "rp")), frozenset(("ruby",))),
    "rp": (frozenset(("rt", "rp")), frozenset(("ruby",))),
}
"""Element -> the open ones that its start ends, and those beyond which it does not look for them."""
_SCOPES: Final = frozenset(("td", "th", "table", "li", "dd", "caption", "object", "body"))
"""An open paragraph is not looked for beyond these."""
_TABLE_PARTS: Final = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption"))
_WALLS: Final = frozenset(("table", "td", "th", "caption"))
"""What an end tag of another element does not end, nor does one of a table's parts end the table around it."""
_ROW_HOLDERS: Final = ("table", "tbody", "thead", "tfoot", "tr")
_INNER: Final = frozenset((*_ROW_HOLDERS, "td", "th", "caption"))
_UNSHOWN: Final = words("script style template col colgroup input")
"""Elements that may stand in a table outside of its cells."""
_PREFIX: Final = re.compile(r"^(?:x?html|h|svg|math|mml|m):")
"""What XHTML may write before the names of elements that are known here."""
_UNSEEN: Final = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF))
"""Where a line may be broken, and where not: signs within words that nobody types."""
_MARKED: Final = re.compile(r"<!\[(?!CDATA\[)[^>]*>")
"""Marks of old word processors (`<![if !supportLists]>`), on which the parser stumbles."""


class Element:
    """One element."""

    __slots__ = ("attributes", "children", "holds_blocks", "tag")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        """Without children yet."""
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element | str] = []
        self.holds_blocks = False
        """True when a block lies below it."""

    def get(self, name: str) -> str:
        """An attribute; empty without one."""
        return self.attributes.get(name, "")

    def elements(self) -> Iterator[Element]:
        """The children that are elements."""
        return (each for each in self.children if isinstance(each, Element))

    def below(self) -> Iterator[Element]:
        """All elements below, in document order."""
        waiting = [*reversed(list(self.elements()))]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(list(element.elements())))

    def text(self) -> str:
        """All text below, as it stands."""
        pieces: list[str] = []
        waiting: list[Element | str] = [self]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str):
                pieces.append(node)
            else:
                waiting.extend(reversed(node.children))
        return "".join(pieces)


def parse(text: str) -> Element:
    """The document's tree below an element without name. Never raises."""
    builder = _Builder()
    builder.feed(_MARKED.sub("", _defused(text)))
    builder.close()
    return builder.root


def _defused(text: str) -> str:
    """The text without the openings that nothing closes: for each the parser would look through all the rest."""
    end = text.rfind("-->") + 3 if "-->" in text else 0
    text = text[:end] + text[end:].replace("<!--", "&lt;!--")
    end = text.rfind(">") + 1
    return text[:end] + text[end:].replace("<", "&lt;")


class _Builder(HTMLParser):
    """Turns the parser's events into elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins; what must end before it, does."""
        tag = _PREFIX.sub("", tag)
        self._close_implied(tag)
        element = self._append(tag, attrs)
        if tag not in VOID and len(self._open) < _DEEPEST:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of XHTML without content."""
        tag = _PREFIX.sub("", tag)
        self._close_implied(tag)
        self._append(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """An element ends, and with it those inside that were left open; inline ones never end a table cell."""
        tag = _PREFIX.sub("", tag)
        for at in range(len(self._open) - 1, 0, -1):
            opened = self._open[at].tag
            if opened == tag:
                del self._open[at:]
                return
            if opened in _WALLS and (tag not in _TABLE_PARTS or opened == "table"):
                return

    def handle_data(self, data: str) -> None:
        """Text."""
        data = data.translate(_UNSEEN)
        if self._open[-1].tag in _ROW_HOLDERS and data.strip():
            self._put_before_table(data)
        else:
            self._open[-1].children.append(data)

    def unknown_decl(self, data: str) -> None:
        """Text of XHTML that is marked as such."""
        if data.startswith("CDATA["):
            self.handle_data(data[6:])

    def _append(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        element = Element(tag, {name: value or "" for name, value in attrs})
        if self._open[-1].tag in _ROW_HOLDERS and tag not in _TABLE_PARTS and tag not in _UNSHOWN:
            self._put_before_table(element)
        else:
            self._open[-1].children.append(element)
        if tag in BLOCKS:
            for each in reversed(self._open):
                if each.holds_blocks:
                    break
                each.holds_blocks = True
        return element

    def _put_before_table(self, node: Element | str) -> None:
        """What stands in a table but in none of its cells is shown before it."""
        at = next((place for place in range(len(self._open) - 1, 0, -1) if self._open[place].tag == "table"), 0)
        around = self._open[max(0, at - 1)].children
        if at == 0:  # rows without a table
            around.append(node)
            return
        table = self._open[at]  # one of the last
        place = next((place for place in range(len(around) - 1, -1, -1) if around[place] is table), len(around))
        around.insert(place, node)

    def _close_implied(self, tag: str) -> None:
        if tag in _TABLE_PARTS:
            self._back_to_table(tag)
        if tag in _CLOSED_BY:
            ended, scope = _CLOSED_BY[tag]
            self._close(ended, scope)
            if tag in ("td", "th") and self._open[-1].tag in _ROW_HOLDERS[:4]:
                self._open.append(self._append("tr", []))
        elif tag in BLOCKS:
            self._close(frozenset(("p",)), _SCOPES)

    def _back_to_table(self, tag: str) -> None:
        """End what was opened in a table outside of its cells; a table that begins there ends the one around it."""
        at = next((at for at in range(len(self._open) - 1, 0, -1) if self._open[at].tag in _INNER), 0)
        if at and self._open[at].tag in _ROW_HOLDERS:
            del self._open[at + 1 :]
            if tag == "table":
                self._close(frozenset(("table",)), frozenset(("td", "th", "caption")))

    def _close(self, ended: frozenset[str], scope: frozenset[str]) -> None:
        """End the innermost open element of `ended`, unless one of `scope` is nearer."""
        for at in range(len(self._open) - 1, 0, -1):
            tag = self._open[at].tag
            if tag in ended:
                del self._open[at:]
                return
            if tag in scope:
                return
