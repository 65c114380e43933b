"""Presentation MathML (W3C MathML 3, chapter 3) as LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.ooxml.mathchars import FUNCTIONS, latex_text
from docs_rag.adapters.converters.zipxml import attribute, local

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

_IGNORED: Final = frozenset({"annotation", "annotation-xml", "mspace", "mphantom", "maligngroup", "malignmark"})
_OVER: Final = {
    "^": "hat", "\u0302": "hat", "ˆ": "hat", "~": "tilde", "\u02dc": "tilde", "¯": "bar", "\u0304": "bar",
    "‾": "overline", "→": "vec", "\u20d7": "vec", "˙": "dot", ".": "dot", "¨": "ddot", "⏞": "overbrace",
}  # fmt: skip
_UNDER: Final = {"_": "underline", "¯": "underline", "\u0332": "underline", "⏟": "underbrace"}
_FENCES: Final = frozenset("()[]{}|‖⟨⟩⌊⌋⌈⌉")


def latex(element: Element) -> str:
    """One equation (`math`) as LaTeX without dollar signs, on one line."""
    return " ".join(_one(element).split())


def _one(element: Element) -> str:
    name = local(element)
    if name in _FORMS:
        return _FORMS[name](element)
    return "" if name in _IGNORED else "".join(map(_one, element))


def _parts(element: Element, count: int) -> list[str]:
    """So many children; what is missing is empty."""
    found = [_one(each).strip() for each in element if local(each) not in _IGNORED]
    return [*found, *[""] * count][:count]


def _words(element: Element) -> str:
    return "".join("".join(element.itertext()).split())


def _identifier(element: Element) -> str:
    text = _words(element)
    if text in FUNCTIONS:
        return f"\\{text} "
    return f"\\mathrm{{{text}}}" if len(text) > 1 and text.isascii() and text.isalpha() else latex_text(text)


def _operator(element: Element) -> str:
    text = _words(element)
    return f"\\{text} " if text in FUNCTIONS else latex_text(text)


def _text(element: Element) -> str:
    words = "".join(element.itertext())
    return f"\\text{{{words}}}" if words.strip() else " "


def _scripts(element: Element) -> str:
    base, first, second = _parts(element, 3)
    base = base if len(base) < 2 or base.lstrip("\\").isalnum() or base.startswith(("{", "\\left")) else f"{{{base}}}"
    marks = {"msub": "_", "msup": "^"}.get(local(element), "_")
    return f"{base}{marks}{{{first}}}" + (f"^{{{second}}}" if local(element) == "msubsup" else "")


def _fraction(element: Element) -> str:
    above, below = _parts(element, 2)
    if attribute(element, "linethickness") in ("0", "0pt"):
        return f"\\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}"
    return f"\\frac{{{above}}}{{{below}}}"


def _square_root(element: Element) -> str:
    return f"\\sqrt{{{''.join(map(_one, element)).strip()}}}"


def _root(element: Element) -> str:
    base, degree = _parts(element, 2)
    return f"\\sqrt[{degree}]{{{base}}}"


def _stacked(element: Element) -> str:
    """What stands below or above: limits, accents, braces, words."""
    base, *marks = _parts(element, 3)
    names = {"munder": "_", "mover": "^"}.get(local(element), "_^")
    signs = [_words(each) for each in element][1:]
    is_limit = base.strip().lstrip("\\") in FUNCTIONS or base.strip() in _LARGE
    for place, mark, sign in zip(names, marks, signs, strict=False):
        accents = _UNDER if place == "_" else _OVER
        if sign in accents and not is_limit:
            base = f"\\{accents[sign]}{{{base}}}"
        elif is_limit or base.startswith(("\\underbrace", "\\overbrace")):
            base = f"{base.strip()}{place}{{{mark}}}"
        else:
            base = f"\\{'under' if place == '_' else 'over'}set{{{mark}}}{{{base}}}"
    return base


def _table(element: Element) -> str:
    rows = [[_one(cell).strip() for cell in row if local(cell) == "mtd"] for row in element if local(row) == "mtr"]
    return "\\begin{matrix} " + " \\\\ ".join(" & ".join(row) for row in rows) + " \\end{matrix}"


def _fenced(element: Element) -> str:
    opened, closed = attribute(element, "open", "("), attribute(element, "close", ")")
    between = latex_text((attribute(element, "separators", ",").strip() or " ")[0])
    inner = between.join(_one(each).strip() for each in element)
    fences = [latex_text(each).strip() if each in _FENCES else "." for each in (opened, closed)]
    return f"\\left{fences[0]} {inner} \\right{fences[1]}"


def _meaning(element: Element) -> str:
    """The first child; the others say the same in another way."""
    return _one(element[0]) if len(element) else ""


_LARGE: Final = frozenset({"\\sum", "\\prod", "\\coprod", "\\int", "\\oint", "\\bigcup", "\\bigcap"})
_FORMS: Final[dict[str, Callable[[Element], str]]] = {
    "mi": _identifier,
    "mn": lambda element: latex_text(_words(element)),
    "mo": _operator,
    "mtext": _text,
    "ms": _text,
    "msub": _scripts,
    "msup": _scripts,
    "msubsup": _scripts,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "munder": _stacked,
    "mover": _stacked,
    "munderover": _stacked,
    "mtable": _table,
    "mfenced": _fenced,
    "semantics": _meaning,
}
"""An element -> how it is written; all others are what their children are."""
