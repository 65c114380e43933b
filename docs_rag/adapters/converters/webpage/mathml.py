"""Formulas in MathML as LaTeX: the source that many pages keep beside them, else worked out from the elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from docs_rag.adapters.converters.ooxml.mathchars import FUNCTIONS, latex_text
from docs_rag.adapters.converters.webpage.tree import Element

_TEX: Final = ("application/x-tex", "latex", "tex", "application/x-latex", "text/x-tex")
_SPACES: Final = re.compile(r"\s+")


def latex(math: Element) -> str:
    """A formula in one line, without dollars; empty when nothing is in it."""
    for each in math.below():
        if each.tag == "annotation" and each.get("encoding").lower() in _TEX:
            return _bare(each.text())
    return _SPACES.sub(" ", _all(list(math.children))).strip()


def is_display(math: Element) -> bool:
    """Whether a formula stands on lines of its own."""
    return math.get("display") == "block" or math.get("mode") == "display"


def _bare(source: str) -> str:
    """TeX without the style that Wikipedia wraps around it, and without dollars."""
    source = _SPACES.sub(" ", source).strip()
    found = _WRAPPED.fullmatch(source)
    return (found[1] if found else source).strip("$ ")


_WRAPPED: Final = re.compile(r"\{\\(?:display|text)style (.*)\}")


def _all(nodes: Sequence[Element | str]) -> str:
    return "".join(_one(each) for each in nodes if isinstance(each, Element))


def _one(element: Element) -> str:
    rule = _RULES.get(element.tag)
    return _all(list(element.children)) if rule is None else rule(element)


def _part(element: Element, at: int) -> str:
    """One of the arguments of an element."""
    parts = list(element.elements())
    return _one(parts[at]).strip() if at < len(parts) else ""


def _name(element: Element) -> str:
    name = element.text().strip()
    if name in FUNCTIONS:
        return f"\\{name} "
    return (
        f"\\mathrm{{{latex_text(name)}}}" if len(name) > 1 and name.isalpha() and name.isascii() else latex_text(name)
    )


def _sign(element: Element) -> str:
    sign = element.text().strip()
    return f"\\{sign} " if sign in FUNCTIONS else latex_text(sign)


def _words(element: Element) -> str:
    words = _SPACES.sub(" ", element.text())
    return f"\\text{{{words}}}" if words.strip() else " "


def _scripts(element: Element, marks: str) -> str:
    base = _part(element, 0)
    if next(element.elements(), element).tag == "mrow" and len(base) > 1:
        base = f"{{{base}}}"
    return base + "".join(f"{mark}{{{_part(element, at)}}}" for at, mark in enumerate(marks, 1))


_ACCENTS: Final = {
    "¯": "overline",
    "‾": "overline",
    "ˉ": "bar",
    "^": "hat",
    "ˆ": "hat",
    "~": "tilde",
    "˜": "tilde",
    "→": "vec",
    "⃗": "vec",
    "˙": "dot",
    "¨": "ddot",
    "⏞": "overbrace",
}


def _over(element: Element) -> str:
    parts = list(element.elements())
    accent = _ACCENTS.get(parts[1].text().strip()) if len(parts) > 1 else None
    return f"\\{accent}{{{_part(element, 0)}}}" if accent else _scripts(element, "^")


def _under(element: Element) -> str:
    parts = list(element.elements())
    is_brace = len(parts) > 1 and parts[1].text().strip() == "⏟"
    return f"\\underbrace{{{_part(element, 0)}}}" if is_brace else _scripts(element, "_")


def _fence(element: Element) -> str:
    opened, closed = (element.attributes.get(name, sign) for name, sign in (("open", "("), ("close", ")")))
    inner = (element.attributes.get("separators", ",")[:1] or "").join(_one(each) for each in element.elements())
    return f"\\left{latex_text(opened) or '.'}{inner}\\right{latex_text(closed) or '.'}"


def _table(element: Element) -> str:
    rows = [each for each in element.elements() if each.tag in ("mtr", "mlabeledtr")]
    lines = (" & ".join(_all(list(cell.children)) for cell in row.elements() if cell.tag == "mtd") for row in rows)
    return "\\begin{matrix} " + " \\\\ ".join(lines) + " \\end{matrix}"


def _prescripts(element: Element) -> str:
    parts = list(element.elements())
    at = next((place for place, each in enumerate(parts) if each.tag == "mprescripts"), len(parts))
    return _pairs(parts[at + 1 :], "{}") + _pairs(parts[1:at], _one(parts[0]) if parts else "")


def _pairs(parts: Sequence[Element], base: str) -> str:
    """A base with pairs of an index and an exponent."""
    written = "".join(
        f"{mark}{{{text}}}" for at, each in enumerate(parts) for mark in "_^"[at % 2] if (text := _one(each).strip())
    )
    return base + written if written or base != "{}" else ""


_RULES: Final[dict[str, Callable[[Element], str]]] = {
    "mi": _name,
    "mn": lambda each: latex_text(each.text().strip()),
    "mo": _sign,
    "mtext": _words,
    "ms": _words,
    "mspace": lambda each: " ",
    "mfrac": lambda each: f"\\frac{{{_part(each, 0)}}}{{{_part(each, 1)}}}",
    "msqrt": lambda each: f"\\sqrt{{{_all(list(each.children)).strip()}}}",
    "mroot": lambda each: f"\\sqrt[{_part(each, 1)}]{{{_part(each, 0)}}}",
    "msup": lambda each: _scripts(each, "^"),
    "msub": lambda each: _scripts(each, "_"),
    "msubsup": lambda each: _scripts(each, "_^"),
    "munderover": lambda each: _scripts(each, "_^"),
    "mover": _over,
    "munder": _under,
    "mfenced": _fence,
    "mtable": _table,
    "mmultiscripts": _prescripts,
    "none": lambda each: "",
    "mphantom": lambda each: "",
    "annotation": lambda each: "",
    "annotation-xml": lambda each: "",
    "maligngroup": lambda each: "",
}
"""Element -> its LaTeX; all others are what is in them."""
