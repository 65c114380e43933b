"""Office's equations (OMML, ECMA-376 part 1, 22.1) as LaTeX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.ooxml.mathchars import FUNCTIONS, latex_text
from docs_rag.adapters.converters.ooxml.walking import child, is_on, unwrapped, value
from docs_rag.adapters.converters.zipxml import local

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

_ONE: Final = re.compile(r"\\?\w+|\\left.*\\right.{1,10}|\{[^{}]*\}", re.DOTALL)
"""What may carry an index without braces."""
_NAMES: Final = re.compile(rf"(?<![A-Za-z\\])({'|'.join(sorted(FUNCTIONS, key=len, reverse=True))})(?![A-Za-z])")
_ACCENTS: Final = {
    "\u0300": "grave",
    "\u0301": "acute",
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u0304": "bar",
    "\u0305": "overline",
    "\u0306": "breve",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u030c": "check",
    "\u20d7": "vec",
    "\u20d6": "overleftarrow",
    "\u0332": "underline",
}
_GROUPS: Final = {"⏞": "overbrace", "⏟": "underbrace", "⏜": "overparen", "⏝": "underparen"}


def latex(element: Element) -> str:
    """One equation (`m:oMath`) as LaTeX without dollar signs, on one line."""
    return " ".join(_inside(element).split())


def _inside(element: Element | None) -> str:
    """All children, one after the other."""
    if element is None:
        return ""
    return "".join(_one(each) for each in unwrapped(element))


def _one(element: Element) -> str:
    name = local(element)
    if name in _FORMS:
        return _FORMS[name](element)
    return "" if name.endswith("Pr") or name in ("del", "moveFrom") else _inside(element)


def _part(element: Element, name: str) -> str:
    return _inside(child(element, name)).strip()


def _run(element: Element) -> str:
    text = "".join(each.text or "" for each in element if local(each) == "t")
    if is_on(element, "rPr", "nor") and any(sign.isalpha() for sign in text):
        return "\\text{" + re.sub(r"([%#&_${}])", r"\\\1", text) + "}"
    return _NAMES.sub(r"\\\1 ", latex_text(text))


def _base(element: Element) -> str:
    base = _part(element, "e")
    return base if _ONE.fullmatch(base) else f"{{{base}}}"


def _indexed(element: Element) -> str:
    """A base with what stands below and above it."""
    name = local(element)
    below = f"_{{{_part(element, 'sub')}}}" if name != "sSup" else ""
    above = f"^{{{_part(element, 'sup')}}}" if name != "sSub" else ""
    if name == "sPre":
        return f"{{}}{below}{above}{_base(element)}"
    return f"{_base(element)}{below}{above}"


def _fraction(element: Element) -> str:
    above, below, kind = _part(element, "num"), _part(element, "den"), value(element, "fPr", "type", default="bar")
    if kind in ("lin", "skw"):
        return f"{{{above}}}/{{{below}}}"
    return f"\\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}" if kind == "noBar" else f"\\frac{{{above}}}{{{below}}}"


def _root(element: Element) -> str:
    degree = "" if is_on(element, "radPr", "degHide") else _part(element, "deg")
    return f"\\sqrt[{degree}]{{{_part(element, 'e')}}}" if degree else f"\\sqrt{{{_part(element, 'e')}}}"


def _large(element: Element) -> str:
    """Sums, products, integrals."""
    sign = latex_text(value(element, "naryPr", "chr", default="∫")).strip() or "\\int"
    below, above = _part(element, "sub"), _part(element, "sup")
    place = "\\limits" if value(element, "naryPr", "limLoc") == "undOvr" and "int" in sign and (below or above) else ""
    return (
        sign + place + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
        + f"{{{_part(element, 'e')}}}"
    )  # fmt: skip


def _delimited(element: Element) -> str:
    begin, end = value(element, "dPr", "begChr", default="("), value(element, "dPr", "endChr", default=")")
    between = latex_text(value(element, "dPr", "sepChr", default="|"))
    parts = [_inside(each).strip() for each in element if local(each) == "e"]
    if (begin, end) == ("(", ")") and len(parts) == 1 and parts[0].startswith("\\genfrac{}{}{0pt}{}"):
        return "\\binom" + parts[0].removeprefix("\\genfrac{}{}{0pt}{}")
    return f"\\left{_fence(begin)} {between.join(parts)} \\right{_fence(end)}"


def _fence(sign: str) -> str:
    return latex_text(sign).strip() or "."


def _function(element: Element) -> str:
    return f"{_function_name(_part(element, 'fName'))} {_part(element, 'e')}"


def _function_name(text: str) -> str:
    """A name that LaTeX has no command for is set upright."""
    found = re.match(r"(?:\\text\{)?([A-Za-z]{2,})\}?", text)
    return f"\\operatorname{{{found[1]}}}{text[found.end() :]}" if found else text


def _limit(element: Element) -> str:
    base, limit = _part(element, "e"), _part(element, "lim")
    is_low = local(element) == "limLow"
    if re.fullmatch(r"(?:\\text\{|\\)?[A-Za-z]+\}?", base):
        name = base.removeprefix("\\text{").lstrip("\\").rstrip("}")
        command = f"\\{name}" if name in FUNCTIONS else f"\\operatorname*{{{name}}}"
        return f"{command}{'_' if is_low else '^'}{{{limit}}}"
    if base.startswith(("\\underbrace", "\\overbrace")):
        return f"{base}{'_' if is_low else '^'}{{{limit}}}"
    return f"\\{'under' if is_low else 'over'}set{{{limit}}}{{{base}}}"


def _accent(element: Element) -> str:
    return f"\\{_ACCENTS.get(value(element, 'accPr', 'chr', default=chr(0x302)), 'hat')}{{{_part(element, 'e')}}}"


def _bar(element: Element) -> str:
    is_top = value(element, "barPr", "pos", default="bot") == "top"
    return f"\\{'over' if is_top else 'under'}line{{{_part(element, 'e')}}}"


def _group(element: Element) -> str:
    sign, base = value(element, "groupChrPr", "chr", default="⏟"), _part(element, "e")
    if sign in _GROUPS:
        return f"\\{_GROUPS[sign]}{{{base}}}"
    is_top = value(element, "groupChrPr", "pos", default="bot") == "top"
    return f"\\{'over' if is_top else 'under'}set{{{latex_text(sign).strip()}}}{{{base}}}"


def _matrix(element: Element) -> str:
    rows = [[_inside(each).strip() for each in row if local(each) == "e"] for row in element if local(row) == "mr"]
    return "\\begin{matrix} " + " \\\\ ".join(" & ".join(row) for row in rows) + " \\end{matrix}"


def _lines(element: Element) -> str:
    """Equations below each other; a bare `&` in them marks where they align."""
    rows = [_inside(each).strip().replace("\\&", "&") for each in element if local(each) == "e"]
    return rows[0] if len(rows) == 1 else "\\begin{aligned} " + " \\\\ ".join(rows) + " \\end{aligned}"


def _boxed(element: Element) -> str:
    return f"\\boxed{{{_part(element, 'e')}}}"


def _nothing(_: Element) -> str:
    return ""


_FORMS: Final[dict[str, Callable[[Element], str]]] = {
    "r": _run,
    "sSup": _indexed,
    "sSub": _indexed,
    "sSubSup": _indexed,
    "sPre": _indexed,
    "f": _fraction,
    "rad": _root,
    "nary": _large,
    "d": _delimited,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "acc": _accent,
    "bar": _bar,
    "groupChr": _group,
    "m": _matrix,
    "eqArr": _lines,
    "borderBox": _boxed,
    "phant": _nothing,
}
"""An element of OMML -> how it is written; all others are what their children are."""
