"""The text of one Word paragraph, and what hangs on it: notes, comments, text boxes, pictures, links."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.ooxml.omml import latex
from docs_rag.adapters.converters.ooxml.walking import descendants, is_on, unwrapped
from docs_rag.adapters.converters.zipxml import attribute, local

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from xml.etree.ElementTree import Element

_PLAIN: Final = {
    "tab": " ",
    "ptab": " ",
    "cr": "\n",
    "br": "\n",
    "noBreakHyphen": "-",
    "softHyphen": "",
}
_NOTES: Final = {"footnoteReference": "", "endnoteReference": "e"}
"""A reference -> what stands before its number."""
_GRAPHICS: Final = frozenset({"drawing", "pict", "object"})
_IN_GRAPHICS: Final = frozenset({"txbxContent", "blip", "imagedata", "chart", "relIds", "textpath"})
_SYMBOLS: Final = {
    "F0FC": "✓", "F0FB": "✗", "F0FE": "☑", "F0A8": "☐", "F06F": "☐", "F0E0": "→", "F0DF": "←", "F0E8": "➔",
    "F0A7": "▪", "F0B7": "•", "F06C": "●", "F06E": "■", "F076": "❖", "F0D8": "➢", "F04A": "☺", "F028": "☎",
}  # fmt: skip
"""Pictures of the Wingdings and Symbol fonts, which have no characters of their own."""


@dataclass(slots=True)
class Attached:
    """What paragraphs refer to, in order; whoever writes them takes it away."""

    notes: list[tuple[str, str, str]] = field(default_factory=list)
    """Part of the note (`footnotes`, `endnotes`), its identifier there, its label in the text."""
    comments: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    graphics: list[tuple[str, str, str]] = field(default_factory=list)
    """Kind of element, its relation, words that describe it."""


class Inline:
    """Reads paragraphs of one document; counts its notes and pages."""

    def __init__(self) -> None:
        """Begin on page 1."""
        self.attached = Attached()
        self.page = 1
        self._counts = {"footnoteReference": 0, "endnoteReference": 0}

    def pieces(self, paragraph: Element) -> Iterator[tuple[str, str, str]]:
        """The text in order: `text`, `math` or `display`, the words, the address that they link to."""
        for element in unwrapped(paragraph):
            name = local(element)
            if name == "hyperlink":
                identifier = attribute(element, "id")
                for kind, words, link in self.pieces(element):
                    yield kind, words, link or identifier
            elif name == "r":
                yield from (("text", text, "") for text in self._run(element))
            elif name == "oMath":
                yield "math", latex(element), ""
            elif name == "oMathPara":
                yield from (("display", latex(each), "") for each in element if local(each) == "oMath")

    def _run(self, run: Element) -> Iterator[str]:
        is_hidden = is_on(run, "rPr", "vanish")
        for element in unwrapped(run):
            name = local(element)
            if name == "lastRenderedPageBreak":
                self.page += 1
            elif not is_hidden:
                make = _READERS.get(name)
                yield make(self, element) if make else _PLAIN.get(name, "")

    def _text(self, element: Element) -> str:
        return (element.text or "").replace("\n", " ")

    def _symbol(self, element: Element) -> str:
        code = attribute(element, "char").upper()
        return _SYMBOLS.get(code, "")

    def _note(self, element: Element) -> str:
        name = local(element)
        self._counts[name] += 1
        label = f"{_NOTES[name]}{self._counts[name]}"
        part = name.removesuffix("Reference") + "s"
        self.attached.notes.append((part, attribute(element, "id"), label))
        return f"[^{label}]"

    def _comment(self, element: Element) -> str:
        self.attached.comments.append(attribute(element, "id"))
        return ""

    def _ruby(self, element: Element) -> str:
        """Reading and word one after the other, as they stand in the file."""
        runs = (run for part in element if local(part) in ("rt", "rubyBase") for run in unwrapped(part))
        return "".join(text for run in runs if local(run) == "r" for text in self._run(run))

    def _graphic(self, element: Element) -> str:
        """Boxes and pictures for later; words drawn as a shape at once."""
        words = next((_description(each) for each in element.iter() if local(each) == "docPr"), "")
        drawn: list[str] = []
        for each in descendants(element, _IN_GRAPHICS):
            name = local(each)
            if name == "txbxContent":
                self.attached.boxes.append(each)
            elif name == "textpath":
                drawn.append(attribute(each, "string"))
            else:
                relation = next((attribute(each, key) for key in ("embed", "dm", "id") if attribute(each, key)), "")
                self.attached.graphics.append((name, relation, words))
        return " ".join(drawn)


def _description(element: Element) -> str:
    return attribute(element, "descr") or attribute(element, "title")


_READERS: Final[dict[str, Callable[[Inline, Element], str]]] = {
    "t": Inline._text,
    "sym": Inline._symbol,
    "ruby": Inline._ruby,
    "commentReference": Inline._comment,
    **dict.fromkeys(_NOTES, Inline._note),
    **dict.fromkeys(_GRAPHICS, Inline._graphic),
}
"""An element in a run -> what it says; all others say nothing: deleted text, field instructions."""
