from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.adapters.converters.hwp.eqedit import to_latex
from docs_rag.adapters.converters.hwp.eqwords import ACCENTS, FUNCTIONS, GREEK, GRIDS, SYMBOLS

WORDS = [*ACCENTS, *FUNCTIONS, *GREEK, *GRIDS, *SYMBOLS, "over", "atop", "sqrt", "root", "of", "left", "right", "rel"]
PIECES = st.one_of(st.sampled_from([*WORDS, *"{}^_#&()[]|<>~`,. 12xyz\"\\'가"]), st.text(max_size=3))


@pytest.mark.parametrize(
    ("script", "latex"),
    [
        ("", ""),
        ("x^2", "x^{2}"),
        ("x_{12} ^{a+b}", "x_{12}^{a + b}"),
        ("{a} over {b}", r"\frac{a}{b}"),
        ("{A} OVER {B}", r"\frac{A}{B}"),
        ("2x over 3y + 1", r"\frac{2 x}{3 y} + 1"),
        ("a + b over c", r"a + \frac{b}{c}"),
        ("{a over b} over c", r"\frac{\frac{a}{b}}{c}"),
        ("{n} choose {k}", r"\binom{n}{k}"),
        ("{a} atop {b}", r"{a \atop b}"),
        ("x = {-b +- sqrt {b^2 -4ac}} over {2a}", r"x = \frac{- b \pm \sqrt{b^{2} - 4 ac}}{2 a}"),
        ("root 3 of {x+1}", r"\sqrt[3]{x + 1}"),
        ("root {x}", r"\sqrt{x}"),
        ("sum _{k=1} ^{n} k", r"\sum_{k = 1}^{n} k"),
        ("sum from {i=1} to n i", r"\sum_{i = 1}^{n} i"),
        ("int _0 ^1 f(x)dx", r"\int_{0}^{1} f ( x ) dx"),
        ("lim _{x -> inf} f", r"\lim_{x \rightarrow \infty} f"),
        ("left ( {a} over {b} right )", r"\left( \frac{a}{b} \right)"),
        ("left { a right }", r"\left\{ a \right\}"),
        ("LEFT lbrace a RIGHT none", r"\left\{ a \right."),
        ("left | x right |", r"\left| x \right|"),
        ("matrix{a&b#c&d}", r"\begin{matrix}a & b \\ c & d\end{matrix}"),
        ("dmatrix{a&b#c&d}", r"\begin{vmatrix}a & b \\ c & d\end{vmatrix}"),
        ("cases{x & x>0 # -x & x<=0}", r"\begin{cases}x & x > 0 \\ - x & x \leq 0\end{cases}"),
        ("pile{a#b}", r"\begin{array}{c}a \\ b\end{array}"),
        ("a &= b # &= c", r"\begin{aligned}a & = b \\  & = c\end{aligned}"),
        ("alpha Alpha OMEGA Pi", r"\alpha \mathrm{A} \Omega \Pi"),
        ("vec a bar x bar{AB} hat{y}", r"\vec{a} \bar{x} \overline{AB} \hat{y}"),
        ("rm ABC it x", r"\mathrm{ABC} x"),
        ("{bold a} b", r"{\mathbf{a}} b"),
        ("sinx + cos theta", r"\sin x + \cos \theta"),
        ('속도 "m/s" v', r"\text{속도} \text{m/s} v"),
        ("a×b÷c", "a × b ÷ c"),
        ("x != y, x <= y, x == y", r"x \neq y , x \leq y , x \equiv y"),
        ("A subset B cap C", r"A \subset B \cap C"),
        ("not = b", r"\not = b"),
        ("rel <-> {a} {b}", r"\underset{b}{\overset{a}{\leftrightarrow}}"),
        ("50% of $3", r"50 \% of \$ 3"),
        ("a`b~c", r"a \, b ~ c"),
        ("angle ABC = 90 deg", r"\angle ABC = 90 ^{\circ}"),
    ],
)
def test_scripts_are_latex(script: str, latex: str) -> None:
    assert to_latex(script) == latex


@pytest.mark.parametrize(
    ("script", "latex"),
    [
        ("left ( a", r"\left( a \right."),
        ("a right )", "a )"),
        ("}} a", "a"),
        ("{a", "{a}"),
        ("over b", r"\frac{}{b}"),
        ("a over", r"\frac{a}{}"),
        ("matrix", ""),
        ("x^", "x^{}"),
        ("^2", "{}^{2}"),
        ('"a', "a"),
        ("\\", ""),
    ],
)
def test_unfinished_scripts_lose_nothing(script: str, latex: str) -> None:
    assert to_latex(script) == latex


def test_a_script_that_nests_without_end_is_shown_as_it_is() -> None:
    assert to_latex("{" * 500 + "x") == r"\text{" + r"\{" * 500 + "x}"


@given(st.lists(PIECES, max_size=40).map(" ".join) | st.lists(PIECES, max_size=40).map("".join))
def test_any_script_becomes_one_line_with_balanced_braces(script: str) -> None:
    latex = to_latex(script)
    assert len(latex.splitlines()) <= 1
    braces = re.sub(r"\\\\|\\[{}]", "", latex)
    depth = 0
    for brace in re.findall("[{}]", braces):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
