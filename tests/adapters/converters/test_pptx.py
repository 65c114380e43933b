"""Slides: order, titles, lists, groups, tables, charts, diagrams, notes."""

from __future__ import annotations

import pytest
from officefiles import SPACES, packed, relations

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.pptx import convert


def para(text: str, properties: str = "") -> str:
    return f"<a:p><a:pPr{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"


def plain(*texts: str) -> str:
    return "".join(para(text, "/>") for text in texts)


def shape(text: str, place: str | None = None) -> str:
    """A shape; `place` is the type of its place on the layout."""
    ph = "" if place is None else f'<p:ph type="{place}"/>' if place else "<p:ph/>"
    return f"<p:sp><p:nvSpPr><p:nvPr>{ph}</p:nvPr></p:nvSpPr><p:txBody>{text}</p:txBody></p:sp>"


def slide(*shapes: str, root: str = "sld", more: str = "") -> str:
    inner = "".join(shapes)
    return f"<p:{root} {SPACES}{more}><p:cSld><p:spTree>{inner}</p:spTree></p:cSld></p:{root}>"


def show(slides: list[str], parts: dict[str, str] | None = None, **targets: tuple[str, str]) -> bytes:
    """A show of these slides; relations are those of the first."""
    entries = "".join(f'<p:sldId id="{256 + number}" r:id="s{number}"/>' for number in range(len(slides)))
    members = {
        "_rels/.rels": relations(r1=("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {SPACES}><p:sldIdLst>{entries}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            **{f"s{number}": ("slide", f"slides/slide{len(slides) - number}.xml") for number in range(len(slides))}
        ),
        f"ppt/slides/_rels/slide{len(slides)}.xml.rels": relations(**targets),
    }
    members |= {f"ppt/slides/slide{len(slides) - number}.xml": text for number, text in enumerate(slides)}
    return packed({**members, **(parts or {})})


def test_slides_stand_in_the_order_of_the_show_under_their_titles() -> None:
    made = convert(show([slide(shape(plain("b")), shape(plain("First"), "title")), slide(shape(plain("c")))]), "a.pptx")
    assert made.markdown == "## First\n\nb\n\n## Slide 2\n\nc\n"
    assert [(each.lines, each.location) for each in made.stretches] == [((1, 3), "slide 1"), ((5, 7), "slide 2")]


def test_the_order_of_names_serves_where_the_show_has_none() -> None:
    parts = {f"ppt/slides/slide{number}.xml": slide(shape(plain(str(number)))) for number in (10, 9, 1)}
    made = convert(packed(parts), "a.pptx").markdown
    assert [line for line in made.splitlines() if line.isdecimal()] == ["1", "9", "10"]


def test_the_main_text_is_a_list() -> None:
    text = plain("one") + para("inner", ' lvl="1"/>') + para("plain", "><a:buNone/></a:pPr>") + plain("two")
    assert convert(show([slide(shape(text, ""))]), "a.pptx").markdown.splitlines()[2:] == [
        "- one",
        "    - inner",
        "",
        "plain",
        "",
        "- two",
    ]


def test_automatic_numbers_count_by_level() -> None:
    number = '><a:buAutoNum type="{}"/></a:pPr>'
    text = "".join([
        para("a", number.format("arabicPeriod")),
        para("b", ' lvl="1"' + number.format("romanUcParenBoth")),
        para("c", ' lvl="1"' + number.format("romanUcParenBoth")),
        para("d", number.format("arabicPeriod")),
    ])  # fmt: skip
    assert convert(show([slide(shape(text))]), "a.pptx").markdown.splitlines()[2:] == [
        "1. a",
        "    - (I) b",
        "    - (II) c",
        "2. d",
    ]


def test_shapes_in_groups_are_read_and_numbers_of_slides_are_not() -> None:
    inner = f"<p:grpSp>{shape(plain('deep'))}</p:grpSp>"
    group = f"<p:grpSp>{shape(plain('outer'))}{inner}</p:grpSp>"
    odd = f"<p:unheardOf><p:txBody>{plain('odd')}</p:txBody></p:unheardOf>"
    made = convert(show([slide(group, shape(plain("7"), "sldNum"), odd)]), "a.pptx").markdown
    assert made == "## Slide 1\n\nouter\n\ndeep\n\nodd\n"


def test_what_stands_on_every_slide_is_said_once() -> None:
    made = convert(show([slide(shape(plain("Acme"), "ftr"))] * 2), "a.pptx").markdown
    assert made.count("Acme") == 1


def test_tables_with_merged_cells() -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<a:tc{more}><a:txBody>{plain(text)}</a:txBody></a:tc>"

    first = cell("wide", ' gridSpan="2"') + cell("", ' hMerge="1"')
    body = f"<a:tbl><a:tr>{first}</a:tr><a:tr>{cell('x')}{cell('y')}</a:tr></a:tbl>"
    frame = f"<p:graphicFrame><a:graphic><a:graphicData>{body}</a:graphicData></a:graphic></p:graphicFrame>"
    assert convert(show([slide(frame)]), "a.pptx").markdown.splitlines()[2:] == [
        "| wide |  |",
        "| --- | --- |",
        "| x | y |",
    ]


def test_charts_give_their_values() -> None:
    def points(kind: str, *values: str) -> str:
        found = "".join(f'<c:pt idx="{number}"><c:v>{value}</c:v></c:pt>' for number, value in enumerate(values))
        return f"<c:{kind}><c:strRef><c:strCache>{found}</c:strCache></c:strRef></c:{kind}>"

    series = f"<c:ser>{points('tx', 'Sales')}{points('cat', 'May', 'June')}{points('val', '3', '4')}</c:ser>"
    title = f"<c:title><c:tx><c:rich>{plain('By month')}</c:rich></c:tx></c:title>"
    chart = f"<c:chartSpace {SPACES}><c:chart>{title}{series}</c:chart></c:chartSpace>"
    frame = '<p:graphicFrame><c:chart r:id="c"/></p:graphicFrame>'
    data = show([slide(frame)], {"ppt/charts/chart1.xml": chart}, c=("chart", "../charts/chart1.xml"))
    assert convert(data, "a.pptx").markdown.splitlines()[2:] == [
        "Chart: By month",
        "",
        "|  | Sales |",
        "| --- | --- |",
        "| May | 3 |",
        "| June | 4 |",
    ]


def test_diagrams_give_their_texts() -> None:
    points = f"<d:ptLst><d:pt><d:t>{plain('Plan')}</d:t></d:pt></d:ptLst>"
    data = f"<d:dataModel xmlns:d='urn:d' {SPACES}>{points}</d:dataModel>"
    frame = '<p:graphicFrame><a:relIds r:dm="d"/></p:graphicFrame>'
    show_ = show([slide(frame)], {"ppt/diagrams/data1.xml": data}, d=("diagramData", "../diagrams/data1.xml"))
    assert convert(show_, "a.pptx").markdown == "## Slide 1\n\n- Plan\n"


def test_notes_and_comments_follow_their_slide() -> None:
    notes = slide(shape(plain("Speak up."), "body"), shape(plain("3"), "sldNum"), root="notes")
    comments = f"<p:cmLst {SPACES}><p:cm><p:text>Too long</p:text></p:cm></p:cmLst>"
    parts = {"ppt/notesSlides/n.xml": notes, "ppt/comments/c.xml": comments}
    uses = {"n": ("notesSlide", "../notesSlides/n.xml"), "c": ("comments", "../comments/c.xml")}
    made = convert(show([slide(shape(plain("Text"))), slide(shape(plain("Next")))], parts, **uses), "a.pptx").markdown
    assert made == "## Slide 1\n\nText\n\nNotes:\n\nSpeak up.\n\n> Comment: Too long\n\n## Slide 2\n\nNext\n"


def test_a_hidden_slide_says_so() -> None:
    assert convert(show([slide(shape(plain("x")), more=' show="0"')]), "a.pptx").markdown.startswith(
        "## Slide 1 (hidden)"
    )


def test_a_damaged_slide_costs_no_other() -> None:
    made = convert(show(["<broken", slide(shape(plain("whole")))]), "a.pptx")
    assert made.markdown == "## Slide 2\n\nwhole\n"
    assert "slide2.xml" in made.warnings[0]


@pytest.mark.parametrize("data", [packed({"a.xml": "<a/>"}), show(["<broken"]), b"PK", b""])
def test_without_slides_it_is_damaged(data: bytes) -> None:
    with pytest.raises(Unconvertible) as caught:
        convert(data, "a.pptx")
    assert caught.value.code == "damaged"
