"""What stands within lines, as markdown: links, code, pictures, formulas, references to notes.

Bold and italic letters are plain text here: they say how something looks, and their marks would stand between words
that people search for. Links keep their target when it leads out of the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from docs_rag.adapters.converters.webpage.embedded import Pictures
from docs_rag.adapters.converters.webpage.mathml import latex
from docs_rag.adapters.converters.webpage.notes import Notes
from docs_rag.adapters.converters.webpage.tree import Element, words

SKIPPED: Final = words(
    "script style template head noscript noframes canvas iframe object embed audio video param source track map"
    " datalist rp col colgroup title meta link base"
)
"""Elements whose content nobody reads in the page."""
_SPACES: Final = re.compile(r"[ \t\r\n\f\xa0]+")
_BREAKS: Final = re.compile(r" *\n *")
_RAISED: Final = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_LOWERED: Final = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_ACTIVE: Final = re.compile(r"[*_`<>\[\]$~|\\^#=&%]")
"""Signs that mean something in markdown: code that holds one is marked as code."""
_OUTWARD: Final = re.compile(r"(?:https?|mailto|ftp|tel):[^\s<>]+", re.IGNORECASE)


class Inline:
    """Writes the lines of one document."""

    def __init__(self, notes: Notes, pictures: Pictures) -> None:
        """`notes` tells which links are references, `pictures` gives images their names."""
        self._notes = notes
        self._pictures = pictures

    def text(self, nodes: Iterable[Element | str]) -> str:
        """The nodes as text without white space around it; a line end is one that the page asks for."""
        text = self._joined(nodes)
        return _BREAKS.sub("\n", _RUNS.sub(" ", text)).strip()

    def _node(self, node: Element | str) -> str:
        if isinstance(node, str):
            return _SPACES.sub(" ", node)
        if node.tag in SKIPPED or is_copy(node):
            return self._script(node)
        rule = self._RULES.get(node.tag)
        return self._all(node) if rule is None else rule(self, node)

    def _all(self, element: Element) -> str:
        return self._joined(element.children)

    def _joined(self, nodes: Iterable[Element | str]) -> str:
        """The nodes one after the other; links without anything between them are a row of buttons, not one word."""
        pieces: list[str] = []
        was_link = False
        for node in nodes:
            is_link = isinstance(node, Element) and node.tag == "a"
            if is_link and was_link:
                pieces.append(" ")
            pieces.append(self._node(node))
            was_link = is_link
        return "".join(pieces)

    def _script(self, element: Element) -> str:
        """Nothing, but for the formulas that some pages keep in scripts."""
        kind = element.get("type").lower()
        return f"${' '.join(element.text().split())}$" if element.tag == "script" and "math/tex" in kind else ""

    def _link(self, element: Element) -> str:
        target = element.get("href").strip()
        label = self._notes.reference(element)
        if label is not None:
            return f"[^{label}]" if label else ""
        text = self._all(element)
        if not text.strip() or not _OUTWARD.fullmatch(target) or text.strip() in (target, target.partition(":")[2]):
            return text
        if "](" in text or "\n" in text:
            return text
        lead = text[: len(text) - len(text.lstrip())]
        return f"{lead}[{text.strip()}]({_quoted(target)}){' ' if text[-1].isspace() else ''}"

    def _code(self, element: Element) -> str:
        text = " ".join(element.text().split())
        if not _ACTIVE.search(text):
            return text
        ticks = "`" * (1 + max(map(len, _TICKS.findall(text)), default=0))
        gap = " " if text[0] == "`" or text[-1] == "`" else ""
        return f"{ticks}{gap}{text}{gap}{ticks}"

    def _picture(self, element: Element) -> str:
        alt = " ".join(element.get("alt").split())
        if "fallback" in element.get("class") and alt:  # Wikipedia's copy of a formula
            return ""
        if element.get("width") in ("0", "1") and element.get("height") in ("0", "1"):
            return ""
        name = self._pictures.name(element.get("src") or element.get("data-src") or element.get("href"))
        return f"![{alt.replace('[', '(').replace(']', ')')}]({_quoted(name)})" if name else alt

    def _formula(self, element: Element) -> str:
        tex = latex(element)
        return f"${tex}$" if tex else ""

    def _drawing(self, element: Element) -> str:
        """The words in a drawing."""
        return " ".join(" ".join(each.text().split()) for each in element.below() if each.tag == "text")

    def _raised(self, element: Element) -> str:
        text = self._all(element)
        return text.translate(_RAISED) if _RAISABLE.fullmatch(text) else text

    def _lowered(self, element: Element) -> str:
        text = self._all(element)
        return text.translate(_LOWERED) if _LOWERABLE.fullmatch(text) else text

    def _struck(self, element: Element) -> str:
        text = self._all(element).strip()
        return f"~~{text}~~" if text and not element.holds_blocks else text

    def _reading(self, element: Element) -> str:
        """How a word is read, behind it."""
        text = self._all(element).strip()
        return f"({text})" if text else ""

    def _input(self, element: Element) -> str:
        kind = element.get("type").lower()
        if kind == "checkbox":
            return "[x] " if "checked" in element.attributes else "[ ] "
        return element.get("value") if kind in ("button", "submit", "reset") else ""

    def _apart(self, element: Element) -> str:
        """Words that the page shows apart from those around them."""
        return f" {self._all(element)} "

    _RULES: Final[dict[str, Callable[[Inline, Element], str]]] = {
        "a": _link,
        "br": lambda self, element: "\n",
        "wbr": lambda self, element: "",
        "code": _code,
        "tt": _code,
        "kbd": _code,
        "samp": _code,
        "img": _picture,
        "image": _picture,
        "math": _formula,
        "svg": _drawing,
        "sup": _raised,
        "sub": _lowered,
        "del": _struck,
        "s": _struck,
        "strike": _struck,
        "rt": _reading,
        "input": _input,
        "option": _apart,
        "button": _apart,
        "label": _apart,
        "textarea": _apart,
        "q": lambda self, element: f"“{self._all(element)}”",
    }
    """Element -> what is written for it; of all others, what is in them."""


def is_copy(element: Element) -> bool:
    """True for the drawn copy of a formula that stands beside its source."""
    return "katex-html" in element.get("class") or "MathJax_Preview" in element.get("class")


def _quoted(target: str) -> str:
    """An address without the signs that would end it."""
    return target.replace(" ", "%20").replace("(", "%28").replace(")", "%29")


_RUNS: Final = re.compile(" {2,}")
_TICKS: Final = re.compile("`+")
_RAISABLE: Final = re.compile(r"[0-9+\-=()ni]{1,6}")
_LOWERABLE: Final = re.compile(r"[0-9+\-=()]{1,6}")
