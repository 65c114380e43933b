from __future__ import annotations

import hwpfiles as h
import pytest

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp import convert
from docs_rag.core.converted import Converted, Picture

TWO_ROWS = (h.grid_cell(0, 0, h.run("이름")) + h.grid_cell(0, 1, h.run("값")), h.grid_cell(1, 0, h.run("합")))
OUTLINE = '<hh:paraPr id="0"><hh:heading type="OUTLINE" idRef="0" level="1"/></hh:paraPr>'
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def read(*sections: str, head: str = "", items: str = "", parts: dict[str, str | bytes] | None = None) -> Converted:
    return convert(h.hwpx(*sections, head=head, items=items, parts=parts), "a.hwpx")


def markdown(*sections: str, head: str = "") -> str:
    return read(*sections, head=head).markdown


def failure(data: bytes) -> Unconvertible:
    with pytest.raises(Unconvertible) as raised:
        convert(data, "a.hwpx")
    return raised.value


def test_paragraphs_stand_apart_and_empty_ones_leave_no_trace() -> None:
    assert markdown(h.run("하나") + h.run() + h.run(" ") + h.run("둘")) == "하나\n\n둘\n"


def test_mixed_content_keeps_what_follows_its_elements() -> None:
    assert (
        markdown(h.run("a<hp:tab/>b<hp:lineBreak/>c<hp:nbSpace/>d<hp:fwSpace/>e<hp:markpenEnd/>f")) == "a\tb\nc d ef\n"
    )


def test_deleted_text_is_gone_across_runs_and_inserted_text_stays() -> None:
    runs = "<hp:run><hp:t>남<hp:deleteBegin/>가</hp:t></hp:run><hp:run><hp:t>나<hp:deleteEnd/>다</hp:t></hp:run>"
    inserted = "<hp:run><hp:t><hp:insertBegin/>라<hp:insertEnd/></hp:t></hp:run>"
    assert markdown(f"<hp:p>{runs}{inserted}</hp:p>{h.run('다음')}") == "남다라\n\n다음\n"


def test_a_deletion_that_never_ends_costs_its_paragraph_alone() -> None:
    assert markdown(h.run("앞<hp:deleteBegin/>뒤") + h.run("다음")) == "앞\n\n다음\n"


def test_outline_shapes_and_styles_are_headings() -> None:
    head = OUTLINE + '<hh:paraPr id="1"/><hh:style id="0" name="바탕글"/><hh:style id="4" name="개요 3"/>'
    assert markdown(h.run("둘") + h.run("셋", shape=1, style=4), head=head) == "## 둘\n\n### 셋\n"


def test_numbers_are_counted_and_bullets_are_a_list() -> None:
    head = (
        '<hh:numbering id="1"><hh:paraHead level="1" numFormat="HANGUL_SYLLABLE">^1.</hh:paraHead></hh:numbering>'
        '<hh:paraPr id="0"><hh:heading type="NUMBER" idRef="1" level="0"/></hh:paraPr>'
        '<hh:paraPr id="1"><hh:heading type="BULLET" idRef="1" level="0"/></hh:paraPr>'
    )
    body = h.run("a") + h.run("b") + h.run("c", shape=1) + h.run("d", shape=1)
    assert markdown(body, head=head) == "가. a\n\n나. b\n\n- c\n- d\n"


def test_the_outline_counts_by_the_numbering_of_its_section() -> None:
    head = f'{OUTLINE}<hh:numbering id="3"><hh:paraHead level="2" start="5">제^2조</hh:paraHead></hh:numbering>'
    assert markdown(h.run("목적", '<hp:secPr outlineShapeIDRef="3"/>'), head=head) == "## 제5조 목적\n"


def test_a_table_stands_once_where_it_is_with_its_caption() -> None:
    body = h.run("앞") + h.run("", h.grid(*TWO_ROWS, caption=h.run("표 제목"))) + h.run("뒤")
    assert markdown(body) == "앞\n\n표 제목\n\n| 이름 | 값 |\n| --- | --- |\n| 합 |  |\n\n뒤\n"


def test_merged_cells_stand_in_their_places() -> None:
    rows = (
        h.grid_cell(0, 0, h.run("1"), spans=(2, 2)) + h.grid_cell(0, 2, h.run("2")),
        h.grid_cell(1, 2, h.run("3")),
        h.grid_cell(2, 0, h.run("5")) + h.grid_cell(2, 1, h.run("4"), spans=(1, 2)),
    )
    assert markdown(h.run("", h.grid(*rows))) == "| 1 |  | 2 |\n| --- | --- | --- |\n|  |  | 3 |\n| 5 | 4 |  |\n"


def test_a_table_in_a_cell_follows_the_table_around_it() -> None:
    outer = h.grid(h.grid_cell(0, 0, h.run("밖")) + h.grid_cell(0, 1, h.run("", h.grid(*TWO_ROWS))))
    assert markdown(h.run("", outer)).count("이름") == 1
    assert markdown(h.run("", outer)).startswith("| 밖 | (table below) |\n| --- | --- |\n\n| 이름 |")


def test_formulas_notes_and_glosses_are_in_the_line() -> None:
    def note(name: str, text: str) -> str:
        return f"<hp:ctrl><hp:{name}>{h.listed(h.run(text))}</hp:{name}></hp:ctrl>"

    formula = "<hp:equation><hp:shapeComment>수식입니다.</hp:shapeComment><hp:script>x^2</hp:script></hp:equation>"
    gloss = "<hp:dutmal><hp:mainText>본말</hp:mainText><hp:subText>덧말</hp:subText></hp:dutmal>"
    circle = '<hp:compose composeText="10"/>'
    body = h.run("글", formula, note("footNote", "각주"), note("endNote", "미주"), gloss, circle)
    assert markdown(body) == "글$x^{2}$[^1][^e1]본말(덧말)10\n\n[^1]: 각주\n\n[^e1]: 미주\n"


def test_a_formula_alone_has_its_number() -> None:
    number = '<hp:ctrl><hp:autoNum num="2" numType="EQUATION"/></hp:ctrl>'
    caption = f"<hp:caption>{h.listed(h.run('식 ', number))}</hp:caption>"
    formula = f"<hp:equation>{caption}<hp:script>1 over 2</hp:script></hp:equation>"
    assert markdown(h.run("", formula)) == "$$\\frac{1}{2} \\tag{2}$$\n\n식\n"


def test_headers_comments_and_memos_say_what_they_are() -> None:
    header = f"<hp:ctrl><hp:header>{h.listed(h.run('머리말'))}</hp:header></hp:ctrl>"
    comment = f"<hp:ctrl><hp:hiddenComment>{h.listed(h.run('설명'))}</hp:hiddenComment></hp:ctrl>"
    memo = f'<hp:ctrl><hp:fieldBegin type="MEMO">{h.listed(h.run("메모"))}</hp:fieldBegin></hp:ctrl>'
    made = markdown(h.run("글", header, comment, memo) + h.run("끝"))
    assert made == "글\n\nHidden comment: 설명\n\nMemo: 메모\n\n끝\n\nHeader: 머리말\n"


def test_forms_show_their_captions_and_texts() -> None:
    box, field = '<hp:checkBtn captionText="동의"/>', "<hp:edit><hp:text>서울</hp:text></hp:edit>"
    assert markdown(h.run("예 ", box, "<hp:t> / </hp:t>", field)) == "예 동의 / 서울\n"


def test_master_pages_are_shown_after_the_last_section_and_cost_nothing_when_broken() -> None:
    page = f'<hp:masterPage xmlns:hp="{h.HWPML}/paragraph">{h.listed(h.run("대외비"))}</hp:masterPage>'
    made = read(h.run("글"), parts={"Contents/masterpage0.xml": page, "Contents/masterpage1.xml": "<x"})
    assert made.markdown == "글\n\nPage background: 대외비\n"


def test_a_links_target_stands_below_its_text() -> None:
    begin = (
        '<hp:ctrl><hp:fieldBegin type="HYPERLINK"><hp:parameters><hp:stringParam name="Command">'
        r"https\://example.org;1;0;0;</hp:stringParam></hp:parameters></hp:fieldBegin></hp:ctrl>"
    )
    end = "<hp:ctrl><hp:fieldEnd/></hp:ctrl>"
    assert (
        markdown(h.run("", begin, "<hp:t>여기</hp:t>", end, "<hp:t> 끝</hp:t>")) == "여기 끝\n<https://example.org>\n"
    )


def test_text_boxes_in_text_boxes_are_read_once() -> None:
    inner = f"<hp:rect><hp:drawText>{h.listed(h.run('안'))}</hp:drawText></hp:rect>"
    outer = f"<hp:rect><hp:drawText>{h.listed(h.run('밖', inner))}</hp:drawText></hp:rect>"
    grouped = f"<hp:container>{outer}{inner}</hp:container>"
    assert markdown(h.run("글", grouped)) == "글\n\n밖\n\n안\n\n안\n"


def test_the_same_content_for_two_programs_is_read_once() -> None:
    cases = "<hp:switch><hp:case><hp:t>새</hp:t></hp:case><hp:default><hp:t>옛</hp:t></hp:default></hp:switch>"
    assert markdown(h.run("글 ", cases)) == "글 새\n"


def test_pictures_are_kept_and_objects_counted() -> None:
    shown = '<hp:pic><hc:img binaryItemIDRef="image1"/></hp:pic>'
    lost = '<hp:pic><hc:img binaryItemIDRef="image9"/></hp:pic>'
    items = '<item id="image1" href="BinData/../그림 1.PNG"/>'
    made = read(h.run("글", shown, lost, "<hp:ole/>"), items=items, parts={"BinData/../그림 1.PNG": b"png"})
    assert made.markdown == "글\n\n![](그림_1.png)\n"
    assert made.pictures == (Picture("그림_1.png", b"png"),)
    assert made.warnings == ("not read: 1 embedded object",)


def test_sections_follow_their_numbers_and_say_where_they_are() -> None:
    made = read(*(h.run(str(number)) for number in range(11)))
    assert made.markdown.split() == [str(number) for number in range(11)]
    assert (made.stretches[10].lines, made.stretches[10].location) == ((20, 21), "section 11")


def test_a_document_without_its_tables_is_read_as_text() -> None:
    parts: dict[str, str | bytes] = {"Contents/header.xml": "<broken", "Contents/content.hpf": ""}
    assert read(h.run("글"), parts=parts).markdown == "글\n"


def test_a_broken_section_is_named_and_the_others_are_read() -> None:
    made = read(h.run("앞"), h.run("뒤"), parts={"Contents/section1.xml": "<hs:sec"})
    assert made.markdown == "앞\n"
    assert "section1.xml is not well-formed" in made.warnings[0]


def test_a_text_that_is_broken_leaves_the_preview() -> None:
    made = read(parts={"Contents/section0.xml": "<hs:sec", "Preview/PrvText.txt": "처음 몇 줄"})
    assert made.markdown == "처음 몇 줄\n"
    assert made.warnings


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (h.hwpx(), "unsupported", "not a Hancom document"),
        (h.hwpx(h.run()), "unsupported", "no text in the document"),
        (h.hwpx(h.run("글"))[:-40], "damaged", "not complete"),
        (b"PK\x03\x04", "damaged", "not complete"),
        (h.hwpx(parts={"Contents/section0.xml": "<hs:sec"}), "damaged", "not well-formed"),
        (h.hwpx(parts={"Contents/section0.xml": f"{LAUGHS}<s>&b;</s>"}), "damaged", "declares entities"),
        (h.hwpx(parts={"Contents/section0.xml": b"<s>" + bytes(70_000_000)}), "too-large", "unpacks to far more"),
        (
            h.hwpx("", parts={"META-INF/manifest.xml": "<m><file-entry><encryption-data/></file-entry></m>"}),
            "encrypted",
            "password",
        ),
    ],
    ids=["no section", "empty", "cut", "head only", "broken", "laughs", "bomb", "encrypted"],
)
def test_what_cannot_be_read_says_why(data: bytes, code: str, says: str) -> None:
    raised = failure(data)
    assert raised.code == code
    assert says in str(raised)


def test_a_word_document_is_not_taken_for_one_of_hancoms() -> None:
    assert failure(h.hwpx(parts={"word/document.xml": "<w/>"})).code == "unsupported"


@pytest.mark.parametrize(("depth", "is_read"), [(10, True), (60, False)])
def test_tables_in_tables_are_read_as_deep_as_documents_go(depth: int, is_read: bool) -> None:
    body = h.run("깊은 곳")
    for _ in range(depth):
        body = h.run("", h.grid(h.grid_cell(0, 0, body)))
    made = read(h.run("겉") + body)
    assert ("깊은 곳" in made.markdown) is is_read
    assert any("nest deeper" in warning for warning in made.warnings) is not is_read


def test_drawings_that_nest_without_end_are_damage() -> None:
    body = "<hp:pic>" * 390 + "</hp:pic>" * 390
    assert failure(h.hwpx(h.run("글", body))).code == "damaged"


def test_both_forms_of_a_document_read_alike() -> None:
    cells = [h.cell(0, at, h.paragraph(text, level=2)) for at, text in enumerate(("이름", "값"))]
    packed = h.hwp(
        h.paragraph("앞"), h.paragraph(h.code(11), h.table(*cells)), h.paragraph(h.code(11), h.equation("x"))
    )
    rows = h.grid_cell(0, 0, h.run("이름")) + h.grid_cell(0, 1, h.run("값"))
    zipped = h.hwpx(
        h.run("앞") + h.run("", h.grid(rows)) + h.run("", "<hp:equation><hp:script>x</hp:script></hp:equation>")
    )
    assert convert(packed, "a.hwp").markdown == convert(zipped, "a.hwp").markdown
