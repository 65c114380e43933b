"""OpenDocument texts."""

from __future__ import annotations

import pytest
from officefiles import packed

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.odt import convert

OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
NAMES = {"office": "office", "table": "table", "text": "text", "style": "style", "draw": "drawing"}
SPACE = " ".join(f'xmlns:{name}="{OFFICE}{uri}:1.0"' for name, uri in NAMES.items())
SPACE += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'


def odt(text: str, styles: str = "", **parts: str) -> bytes:
    inner = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    body = f"<office:body><office:text>{text}</office:text></office:body>"
    content = f"<office:document-content {SPACE}>{inner}{body}</office:document-content>"
    return packed({"content.xml": content, **{name.replace("_", "/"): data for name, data in parts.items()}})


def shown(text: str, styles: str = "") -> str:
    return convert(odt(text, styles), "a.odt").markdown


def p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def test_headings_text_and_places() -> None:
    made = convert(odt(f'<text:h text:outline-level="2">Hulls</text:h>{p("Oak.")}'), "a.odt")
    assert made.markdown == "## Hulls\n\nOak.\n"
    assert [(each.lines, each.location) for each in made.stretches] == [((1, 3), "section Hulls")]


def test_pages_are_those_of_the_last_layout() -> None:
    made = convert(odt(p("one") + "<text:soft-page-break/>" + p("two")), "a.odt")
    assert [each.location for each in made.stretches] == ["p. 1", "p. 2"]


def test_a_title_is_known_through_its_style() -> None:
    style = '<style:style style:name="P1" style:parent-style-name="Title"/>'
    made = convert(odt(f'<text:p text:style-name="P1">Boats</text:p>{p("x")}', style), "a.odt")
    assert (made.title, made.markdown) == ("Boats", "# Boats\n\nx\n")


def test_white_space_and_spans() -> None:
    text = 'a<text:s text:c="3"/>b<text:tab/><text:span>c</text:span>d\n e<text:line-break/>f'
    assert shown(p(text)) == "a b cd e\nf\n"


def test_lists_with_numbers_and_levels() -> None:
    level = '<text:list-level-style-number text:level="{}" style:num-format="{}"/>'
    style = f'<text:list-style style:name="L">{level.format(1, "1")}{level.format(2, "a")}</text:list-style>'
    inner = f"<text:list><text:list-item>{p('b')}</text:list-item></text:list>"
    items = f"<text:list-item>{p('a')}{inner}</text:list-item><text:list-item>{p('c')}</text:list-item>"
    assert shown(f'<text:list text:style-name="L">{items}</text:list>', style) == "1. a\n    - a. b\n2. c\n"
    assert shown(f"<text:list>{items}</text:list>") == "- a\n    - b\n- c\n"


def test_tables_with_merged_repeated_and_nested_cells() -> None:
    cell = "<table:table-cell{}>{}</table:table-cell>"
    pair = cell.format("", p("x")) + cell.format("", p("y"))
    inner = f"<table:table><table:table-row>{pair}</table:table-row></table:table>"
    first = cell.format(' table:number-columns-spanned="2"', p("wide")) + "<table:covered-table-cell/>"
    second = cell.format(' table:number-columns-repeated="2"', p("same")) + cell.format("", inner)
    rows = f"<table:table-row>{first}{cell.format('', p('z'))}</table:table-row>"
    rows = f"<table:table-header-rows>{rows}</table:table-header-rows><table:table-row>{second}</table:table-row>"
    assert shown(f"<table:table>{rows}</table:table>").splitlines() == [
        "| wide |  | z |",
        "| --- | --- | --- |",
        "| same | same | (table below) |",
        "",
        "| x | y |",
        "| --- | --- |",
    ]


def test_notes_and_comments_follow_and_deleted_text_is_left_out() -> None:
    body = f"<text:note-citation>1</text:note-citation><text:note-body>{p('Source.')}</text:note-body>"
    note = f'<text:note text:note-class="footnote">{body}</text:note>'
    comment = (
        f"<office:annotation><dc:creator>Kim</dc:creator><dc:date>2024</dc:date>{p('Really?')}</office:annotation>"
    )
    gone = f"<text:tracked-changes><text:deletion>{p('old')}</text:deletion></text:tracked-changes>"
    assert shown(gone + p(f"Claim{note}{comment}") + p("Next.")) == (
        "Claim[^1]\n\n[^1]: Source.\n\n> Comment (Kim): Really?\n\nNext.\n"
    )


def test_links_boxes_and_pictures() -> None:
    link = '<text:a xlink:href="https://example.org/">site</text:a>'
    box = f"<draw:frame><draw:text-box>{p('inside')}</draw:text-box></draw:frame>"
    image = '<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>'
    made = convert(odt(p(f"the {link} says{box}{image}"), Pictures_a="", **{"Pictures_a.png": "png"}), "a.odt")
    assert made.markdown == "the site says <https://example.org/>\n\ninside\n\n![](a.png)\n"
    assert [each.name for each in made.pictures] == ["a.png"]


MATH = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi><mo>=</mo><mfrac><mn>1</mn>'
    "<msqrt><mi>π</mi></msqrt></mfrac></mrow><annotation>x = 1 over sqrt pi</annotation></semantics></math>"
)


def test_equations_alone_and_in_text() -> None:
    frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    made = convert(odt(p(f"so {frame}.") + p(frame), **{"Object 1_content.xml": MATH}), "a.odt").markdown
    assert made == "so $x=\\frac{1}{\\sqrt{\\pi}}$.\n\n$$x=\\frac{1}{\\sqrt{\\pi}}$$\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (packed({"META-INF/manifest.xml": "<m:encryption-data/>", "content.xml": "noise"}), "encrypted"),
        (packed({"content.xml": '<!DOCTYPE a [<!ENTITY b "ha">]><a>&b;</a>'}), "damaged"),
        (packed({"content.xml": "<a/>"}), "damaged"),
        (packed({"other.xml": "<a/>"}), "damaged"),
        (odt(p("x"))[:-30], "damaged"),
    ],
)
def test_what_cannot_be_read_has_a_reason(data: bytes, code: str) -> None:
    with pytest.raises(Unconvertible) as caught:
        convert(data, "a.odt")
    assert caught.value.code == code
