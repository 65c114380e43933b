"""Equations of Office and MathML as LaTeX; numbers before paragraphs."""

from __future__ import annotations

import pytest

from docs_rag.adapters.converters import mathml
from docs_rag.adapters.converters.ooxml import omml
from docs_rag.adapters.converters.ooxml.counting import numeral
from docs_rag.adapters.converters.zipxml import parse_xml


def office(inner: str) -> str:
    return omml.latex(parse_xml(f'<m:oMath xmlns:m="urn:m">{inner}</m:oMath>'.encode()))


def web(inner: str) -> str:
    return mathml.latex(parse_xml(f"<math>{inner}</math>".encode()))


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def e(inner: str, name: str = "e") -> str:
    return f"<m:{name}>{inner}</m:{name}>"


PILE = f'<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>{e(r("n"), "num")}{e(r("k"), "den")}</m:f>'
SUM = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (f"<m:f>{e(r('a'), 'num')}{e(r('b'), 'den')}</m:f>", r"\frac{a}{b}"),
        (f'<m:f><m:fPr><m:type m:val="lin"/></m:fPr>{e(r("a"), "num")}{e(r("b"), "den")}</m:f>', "{a}/{b}"),
        (f"<m:d>{e(PILE)}</m:d>", r"\binom{n}{k}"),
        (PILE, r"\genfrac{}{}{0pt}{}{n}{k}"),
        (f"<m:rad><m:deg>{r('3')}</m:deg>{e(r('x'))}</m:rad>", r"\sqrt[3]{x}"),
        (f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>{e(r("x"))}</m:rad>', r"\sqrt{x}"),
        (f"<m:sSubSup>{e(r('x'))}{e(r('1'), 'sub')}{e(r('2'), 'sup')}</m:sSubSup>", "x_{1}^{2}"),
        (f"<m:sSup>{e(r('a+b'))}{e(r('2'), 'sup')}</m:sSup>", "{a+b}^{2}"),
        (f"<m:nary>{SUM}{e(r('i=1'), 'sub')}{e(r('n'), 'sup')}{e(r('i'))}</m:nary>", r"\sum_{i=1}^{n}{i}"),
        (f"<m:func>{e(r('sin'), 'fName')}{e(r('θ'))}</m:func>", r"\sin \theta"),
        (f"<m:func>{e(r('foo'), 'fName')}{e(r('x'))}</m:func>", r"\operatorname{foo} x"),
        (f"<m:limLow>{e(r('lim'))}{e(r('n→∞'), 'lim')}</m:limLow>", r"\lim_{n\rightarrow \infty}"),
        (f'<m:acc><m:accPr><m:chr m:val="&#x20D7;"/></m:accPr>{e(r("v"))}</m:acc>', r"\vec{v}"),
        (f'<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>{e(r("x"))}</m:bar>', r"\overline{x}"),
        (f"<m:m><m:mr>{e(r('1'))}{e(r('2'))}</m:mr><m:mr>{e(r('3'))}{e(r('4'))}</m:mr></m:m>",
         r"\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}"),
        (f"<m:eqArr>{e(r('a&amp;=b'))}{e(r('c&amp;=d'))}</m:eqArr>", r"\begin{aligned} a&=b \\ c&=d \end{aligned}"),
        (f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr>{e(r("x"))}</m:d>', r"\left[ x \right."),
        (f'<m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr>{e(r("x"))}</m:d>',
         r"\left\vert x \right\vert"),
        ('<m:r><m:rPr><m:nor/></m:rPr><m:t>if 50%</m:t></m:r>', r"\text{if 50\%}"),
        (r("𝑎𝛼"), r"a\alpha"),
        (f"<m:phant>{e(r('x'))}</m:phant><m:unheard>{r('y')}</m:unheard>", "y"),
        ("", ""),
    ],
)  # fmt: skip
def test_equations_of_office(inner: str, expected: str) -> None:
    assert office(inner) == expected


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<mfrac><mi>a</mi><mn>2</mn></mfrac>", r"\frac{a}{2}"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x+1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>", r"\sum_{i}^{n}i"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<munder><mi>lim</mi><mi>n</mi></munder>", r"\lim_{n}"),
        ("<mover><mi>x</mi><mtext>def</mtext></mover>", r"\overset{\text{def}}{x}"),
        ("<mfenced open='[' close=']'><mi>a</mi><mi>b</mi></mfenced>", r"\left[ a,b \right]"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>",
         r"\begin{matrix} 1 & 2 \end{matrix}"),
        ("<semantics><mi>sin</mi><annotation>sine</annotation></semantics><mi>θ</mi>", r"\sin \theta"),
        ("<mi>rate</mi><mspace/><mfrac/>", r"\mathrm{rate}\frac{}{}"),
    ],
)  # fmt: skip
def test_equations_of_the_web(inner: str, expected: str) -> None:
    assert web(inner) == expected


@pytest.mark.parametrize(
    ("count", "form", "expected"),
    [
        (28, "lowerLetter", "bb"),
        (1994, "upperRoman", "MCMXCIV"),
        (2, "ganada", "나"),
        (15, "ganada", "15"),
        (3, "decimalEnclosedCircle", "③"),
        (23, "chineseCounting", "二十三"),
        (10, "koreanCounting", "십"),
        (7, "decimalZero", "07"),
        (0, "upperRoman", "0"),
        (5, "unheardOf", "5"),
    ],
)
def test_numerals(count: int, form: str, expected: str) -> None:
    assert numeral(count, form) == expected
