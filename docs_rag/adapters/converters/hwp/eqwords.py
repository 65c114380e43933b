"""The words of Hancom's equation script and what they are in LaTeX."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> list[str]:
    return text.split()


_GREEK_SMALL: Final = _words(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega"
)
_GREEK_LIKE_LATIN: Final = {
    "alpha": "A", "beta": "B", "epsilon": "E", "zeta": "Z", "eta": "H", "iota": "I", "kappa": "K", "mu": "M",
    "nu": "N", "omicron": "O", "rho": "P", "tau": "T", "chi": "X",
}  # fmt: skip
"""Capitals that LaTeX has no name for, since they look like Latin ones."""


def _greek() -> dict[str, str]:
    table = {name: f"\\{name}" for name in _GREEK_SMALL} | {"omicron": "o"}
    for name in [*_GREEK_SMALL, "omicron"]:
        latin = _GREEK_LIKE_LATIN.get(name)
        capital = rf"\mathrm{{{latin}}}" if latin else f"\\{name.capitalize()}"
        table |= {name.capitalize(): capital, name.upper(): capital}
    variants = {"vartheta": r"\vartheta", "varpi": r"\varpi", "varsigma": r"\varsigma", "varphi": r"\varphi"}
    return table | variants | {"varepsilon": r"\varepsilon", "varupsilon": r"\Upsilon"}


GREEK: Final = _greek()
"""Spelt exactly so: `pi` and `PI` are two letters."""

_SAME_NAME: Final = _words(
    "sum prod coprod int oint iint iiint times div cdot cdots ldots vdots ddots circ bullet ast star oplus ominus "
    "otimes oslash odot dagger ddagger partial nabla forall exists in ni notin subset supset subseteq supseteq "
    "sqsubset sqsupset sqsubseteq sqsupseteq prec succ leq geq ll gg equiv sim simeq cong approx propto doteq asymp "
    "parallel perp angle triangle therefore because hbar ell imath jmath wp aleph emptyset neq models vdash dashv "
    "bot top uplus vee wedge leftarrow rightarrow uparrow downarrow leftrightarrow updownarrow mapsto"
)

SYMBOLS: Final = {name: f"\\{name}" for name in _SAME_NAME} | {
    "inf": r"\infty", "infty": r"\infty", "infinity": r"\infty", "plusminus": r"\pm", "minusplus": r"\mp",
    "divide": r"\div", "dint": r"\iint", "tint": r"\iiint", "odint": r"\oiint", "otint": r"\oiiint",
    "smallsum": r"\sum", "smallprod": r"\prod", "smcoprod": r"\coprod", "smallint": r"\int", "smallinter": r"\cap",
    "inter": r"\bigcap", "union": r"\bigcup", "smallunion": r"\cup", "cap": r"\cap", "cup": r"\cup",
    "bigsqcap": r"\sqcap", "bigsqcup": r"\bigsqcup", "bigoplus": r"\bigoplus", "bigominus": r"\ominus",
    "bigotimes": r"\bigotimes", "bigodot": r"\bigodot", "bigodiv": r"\oslash", "bigvee": r"\bigvee",
    "bigwedge": r"\bigwedge", "biguplus": r"\biguplus", "le": r"\leq", "ge": r"\geq", "lll": r"\lll", "ggg": r"\ggg",
    "owns": r"\ni", "ne": r"\neq", "larrow": r"\leftarrow", "rarrow": r"\rightarrow", "lrarrow": r"\leftrightarrow",
    "udarrow": r"\updownarrow", "nwarrow": r"\nwarrow", "searrow": r"\searrow", "nearrow": r"\nearrow",
    "swarrow": r"\swarrow", "hookleft": r"\hookleftarrow", "hookright": r"\hookrightarrow", "cdotp": r"\cdot",
    "xor": r"\oplus", "lor": r"\vee", "land": r"\wedge", "lnot": r"\neg", "deg": r"^{\circ}", "prime": "'",
    "dline": r"\|", "vert": "|", "laplace": r"\mathcal{L}", "image": r"\fallingdotseq", "reimage": r"\risingdotseq",
    "angstrom": r"\mathring{\mathrm{A}}", "ohm": r"\Omega", "imag": r"\Im", "real": r"\Re", "liter": r"\ell",
    "benzene": r"\text{benzene}", "diamond": r"\diamond", "msangle": r"\measuredangle", "sangle": r"\sphericalangle",
    "rtangle": r"\measuredrightangle", "iso": r"\Bumpeq", "dsum": r"\dotplus", "hund": r"\permil",
    "thou": r"\text{‱}", "well": r"\#", "trianglel": r"\triangleleft", "triangler": r"\triangleright",
    "base": r"\barwedge", "benzen": r"\text{benzene}", "massert": r"\dashv", "bold": "", "dyad": r"\leftrightarrow",
    "lbrace": r"\{", "rbrace": r"\}", "lfloor": r"\lfloor", "rfloor": r"\rfloor", "lceil": r"\lceil",
    "rceil": r"\rceil", "quad": r"\quad",
}  # fmt: skip
"""In lower case; the script's own words and LaTeX's."""

FUNCTIONS: Final = {
    name: f"\\{name}"
    for name in _words(
        "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp det dim ker hom gcd arg "
        "lim max min"
    )
} | {
    "cosec": r"\operatorname{cosec}", "arc": r"\operatorname{arc}", "mod": r"\bmod",
    "sech": r"\operatorname{sech}", "csch": r"\operatorname{csch}", "if": r"\operatorname{if}",
    "for": r"\operatorname{for}", "and": r"\operatorname{and}",
}  # fmt: skip

ACCENTS: Final = {
    "hat": r"\hat", "check": r"\check", "tilde": r"\tilde", "acute": r"\acute", "grave": r"\grave", "dot": r"\dot",
    "ddot": r"\ddot", "bar": r"\bar", "vec": r"\vec", "dyad": r"\overleftrightarrow", "under": r"\underline",
    "underline": r"\underline", "overline": r"\overline", "arch": r"\overset{\frown}", "box": r"\boxed",
    "overbrace": r"\overbrace", "underbrace": r"\underbrace", "widehat": r"\widehat", "widetilde": r"\widetilde",
}  # fmt: skip

FONTS: Final = {"rm": r"\mathrm", "it": "", "bold": r"\mathbf", "rmbold": r"\mathbf", "itbold": r"\boldsymbol"}

GRIDS: Final = {
    "matrix": ("matrix", ""), "pmatrix": ("pmatrix", ""), "bmatrix": ("bmatrix", ""), "dmatrix": ("vmatrix", ""),
    "cases": ("cases", ""), "eqalign": ("aligned", ""), "pile": ("array", "{c}"), "lpile": ("array", "{l}"),
    "rpile": ("array", "{r}"), "ladder": ("array", "{l}"), "slope": ("array", "{l}"),
}  # fmt: skip
"""Word -> LaTeX environment and its columns."""

DELIMITERS: Final = {
    "{": r"\{", "}": r"\}", "<": r"\langle", ">": r"\rangle", "||": r"\|", "none": ".", "lbrace": r"\{",
    "rbrace": r"\}", "lfloor": r"\lfloor", "rfloor": r"\rfloor", "lceil": r"\lceil", "rceil": r"\rceil",
    "line": "|", "vert": "|", "dline": r"\|", "‖": r"\|",
}  # fmt: skip

OPERATORS: Final = {
    "->": r"\rightarrow", "<-": r"\leftarrow", "<->": r"\leftrightarrow", "=>": r"\Rightarrow",
    "<=>": r"\Leftrightarrow", "<=": r"\leq", ">=": r"\geq", "!=": r"\neq", "==": r"\equiv", "<<": r"\ll",
    ">>": r"\gg", "+-": r"\pm",
    "-+": r"\mp", "||": r"\|", "...": r"\cdots", "~": "~", "`": r"\,", "}": "", "#": r"\\", "\\": "",
}  # fmt: skip
"""Signs; any other stands for itself."""
