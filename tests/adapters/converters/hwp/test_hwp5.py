from __future__ import annotations

import struct
import sys

import hwpfiles as h
import pytest

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp import convert, storage
from docs_rag.core.converted import Converted, Picture

BULLET, NUMBER, OUTLINE = 3, 2, 1


def read(*body: bytes, info: bytes = b"") -> Converted:
    return convert(h.hwp(*body, info=info), "a.hwp")


def markdown(*body: bytes, info: bytes = b"") -> str:
    return read(*body, info=info).markdown


def failure(data: bytes) -> Unconvertible:
    with pytest.raises(Unconvertible) as raised:
        convert(data, "a.hwp")
    return raised.value


def test_paragraphs_stand_apart_and_empty_ones_leave_no_trace() -> None:
    assert markdown(h.paragraph("하나"), h.paragraph(), h.paragraph(" "), h.paragraph("둘")) == "하나\n\n둘\n"


def test_codes_in_the_text_become_what_they_stand_for() -> None:
    text = f"a{h.code(9)}b\nc\x18d\x1ee\x1ff\x19"
    assert markdown(h.paragraph(text)) == "a\tb\nc-d e f\n"


def test_a_lone_code_of_damaged_text_eats_nothing() -> None:
    assert markdown(h.paragraph("ab\x09cdefghijkl")) == "ab\tcdefghijkl\n"


def test_a_long_text_is_read_whole() -> None:
    assert markdown(h.paragraph("가나다라 " * 1000)) == ("가나다라 " * 1000).strip() + "\n"


def test_padding_is_narrowed_and_hancoms_own_letters_are_plain() -> None:
    assert markdown(h.paragraph("2026년       1월   \uf53a글 \U000f02b1")) == "2026년 1월 한글 ①\n"


def test_text_that_looks_like_markdown_stays_text() -> None:
    assert markdown(h.paragraph("# 참고\n-----")) == "\\# 참고\n\\-----\n"


def test_outline_shapes_are_headings_down_to_the_sixth_level() -> None:
    info = b"".join(h.shape(OUTLINE, level) for level in range(7))
    body = [h.paragraph(f"제목{level}", shape=level) for level in range(7)]
    lines = markdown(*body, info=info).splitlines()[::2]
    assert lines == [f"{'#' * min(level + 1, 6)} 제목{level}" for level in range(7)]


@pytest.mark.parametrize("style", [h.style("개요 2"), h.style("x", "Outline 2"), h.style("개요2")])
def test_a_style_of_the_outline_makes_a_heading(style: bytes) -> None:
    assert markdown(h.paragraph("제목"), info=h.shape() + style) == "## 제목\n"


def test_outline_shapes_of_long_text_are_numbered_paragraphs() -> None:
    info = h.numbering(("^1.", 8)) + h.shape(OUTLINE, 0, 1)
    assert markdown(h.paragraph("글" * 121), info=info) == f"가. {'글' * 121}\n"


def test_a_number_that_names_a_heading_is_part_of_it_and_a_count_is_not() -> None:
    info = h.numbering(("제^1장", 0), ("^2.", 0)) + h.shape(OUTLINE, 0, 1) + h.shape(OUTLINE, 1, 1)
    body = [h.paragraph("총칙"), h.paragraph("목적", shape=1), h.paragraph("보칙")]
    assert markdown(*body, info=info) == "# 제1장 총칙\n\n## 목적\n\n# 제2장 보칙\n"


def test_the_outline_counts_by_the_numbering_of_its_section() -> None:
    section = h.control("secd", bytes(14) + struct.pack("<H", 2) + bytes(20))
    info = h.numbering(("^1.", 0)) + h.numbering(("제^1편", 0)) + h.shape(OUTLINE)
    assert markdown(h.paragraph(h.code(2) + "서론", section), info=info) == "# 제1편 서론\n"


def test_numbered_paragraphs_show_their_numbers() -> None:
    info = h.numbering(("^1.", 0), ("^2)", 8)) + h.shape(NUMBER, 0, 1) + h.shape(NUMBER, 1, 1)
    body = [h.paragraph("a"), h.paragraph("b", shape=1), h.paragraph("c", shape=1), h.paragraph("d")]
    assert markdown(*body, info=info) == "1. a\n\n가) b\n\n나) c\n\n2. d\n"


def test_bullets_are_a_list_without_gaps_in_its_levels() -> None:
    info = h.shape(BULLET) + h.shape(BULLET, 3)
    body = [h.paragraph("a"), h.paragraph("b\nc", shape=1), h.paragraph("d")]
    assert markdown(*body, info=info) == "- a\n  - b\n    c\n- d\n"


def test_a_table_stands_between_its_paragraphs_with_merged_cells_in_place() -> None:
    cells = [
        h.cell(0, 0, h.paragraph("제목", level=2), spans=(1, 2)),
        h.cell(0, 2, h.paragraph("a|b", level=2), spans=(2, 1)),
        h.cell(1, 0, h.paragraph("1", level=2), h.paragraph("2", level=2)),
        h.cell(1, 1, h.paragraph(level=2)),
    ]
    body = [h.paragraph("앞"), h.paragraph(h.code(11), h.table(*cells)), h.paragraph("뒤")]
    assert markdown(*body) == "앞\n\n| 제목 |  | a\\|b |\n| --- | --- | --- |\n| 1<br>2 |  |  |\n\n뒤\n"


def test_a_caption_comes_before_its_table_with_its_number() -> None:
    number = h.control("atno", struct.pack("<IHHHH", 4, 7, 0, 0, 0), level=3)
    caption = h.record(h.LIST, 2, bytes(30)) + h.paragraph(f"표 {h.code(18)} 예산", number, level=2)
    cells = [h.cell(0, column, h.paragraph(str(column), level=2)) for column in (0, 1)]
    made = markdown(h.paragraph(h.code(11), h.table(*cells, caption=caption)))
    assert made == "표 7 예산\n\n| 0 | 1 |\n| --- | --- |\n"


def test_a_table_in_a_cell_follows_the_table_around_it() -> None:
    inner = h.table(*(h.cell(0, at, h.paragraph(f"안{at}", level=4), level=4) for at in (0, 1)), level=3)
    cells = [h.cell(0, 0, h.paragraph("밖", level=2)), h.cell(0, 1, h.paragraph(h.code(11), inner, level=2))]
    made = markdown(h.paragraph(h.code(11), h.table(*cells)))
    assert made == "| 밖 | (table below) |\n| --- | --- |\n\n| 안0 | 안1 |\n| --- | --- |\n"


def test_a_frame_around_text_is_text() -> None:
    info = h.shape() + h.shape(OUTLINE)
    cell = h.cell(0, 0, h.paragraph("제목 상자", level=2, shape=1), h.paragraph("본문", level=2))
    assert markdown(h.paragraph(h.code(11), h.table(cell)), info=info) == "# 제목 상자\n\n본문\n"


def test_a_page_in_a_column_is_text_and_a_short_column_is_a_table() -> None:
    pages = [h.cell(row, 0, *[h.paragraph("긴 글 " * 80, level=2)] * 2) for row in (0, 1)]
    assert "|" not in markdown(h.paragraph(h.code(11), h.table(*pages)))
    short = [h.cell(row, 0, h.paragraph(str(row), level=2)) for row in (0, 1)]
    assert markdown(h.paragraph(h.code(11), h.table(*short))) == "| 0 |\n| --- |\n| 1 |\n"


def test_cells_that_claim_the_impossible_are_kept_as_text() -> None:
    cells = [h.cell(65535, 65535, h.paragraph("끝", level=2)), h.cell(0, 0, h.paragraph("처음", level=2))]
    assert markdown(h.paragraph(h.code(11), h.table(*cells))) == "처음\n\n끝\n"


def test_notes_stand_after_the_paragraph_that_refers_to_them() -> None:
    body = [
        h.paragraph(f"글{h.code(17)}과{h.code(17)} 끝", h.noted("fn  ", "각주"), h.noted("en  ", "미주")),
        h.paragraph("다음"),
    ]
    assert markdown(*body) == "글[^1]과[^e1] 끝\n\n[^1]: 각주\n\n[^e1]: 미주\n\n다음\n"


def test_a_note_without_text_is_none() -> None:
    assert markdown(h.paragraph(f"글{h.code(17)}", h.noted("fn  ", ""))) == "글\n"


def test_headers_are_shown_once_after_their_section() -> None:
    first, again = (h.paragraph(f"{h.code(16)}글{at}", h.noted("head", "기밀")) for at in (1, 2))
    assert markdown(first, again) == "글1\n\n글2\n\nHeader: 기밀\n"


def test_hidden_comments_say_that_they_are() -> None:
    assert markdown(h.paragraph(f"글{h.code(15)}", h.noted("tcmt", "확인"))) == "글\n\nHidden comment: 확인\n"


def test_memos_and_page_backgrounds_follow_the_last_paragraph_of_a_section() -> None:
    background = h.record(h.LIST, 1, bytes(16)) + h.paragraph("대외비", level=1)
    memos = [
        h.record(h.MEMO, 1, bytes(4)) + h.record(h.LIST, 1, bytes(16)) + h.paragraph(text, level=1)
        for text in ("하나", "둘")
    ]
    made = markdown(h.paragraph("글"), background, *memos)
    assert made == "글\n\nMemo: 하나\n\nMemo: 둘\n\nPage background: 대외비\n"


def test_formulas_are_latex_apart_or_within_the_line() -> None:
    alone = h.paragraph(h.code(11), h.equation("{a} over {b}"))
    within = h.paragraph(f"값 {h.code(11)} 은", h.equation("x^2"))
    assert markdown(alone, within) == "$$\\frac{a}{b}$$\n\n값 $x^{2}$ 은\n"


def test_the_number_of_a_formula_is_its_tag() -> None:
    number = h.control("atno", struct.pack("<IH6x", 5, 3), level=3)
    caption = h.record(h.LIST, 2, bytes(30)) + h.paragraph(f"수식 {h.code(18)} 넓이", number, level=2)
    made = markdown(h.paragraph(h.code(11), h.equation("A", caption)))
    assert made == "$$A \\tag{3}$$\n\n수식 넓이\n"


def test_glosses_and_overlaid_letters_are_in_the_text() -> None:
    gloss = h.control("tdut", h.counted("본말") + h.counted("덧말"))
    circle = h.control("tcps", h.counted("㉠"))
    assert markdown(h.paragraph(f"앞 {h.code(23)} 뒤{h.code(23)}", gloss, circle)) == "앞 본말(덧말) 뒤㉠\n"


def test_a_links_target_stands_below_its_text() -> None:
    def link(command: str) -> bytes:
        return h.paragraph(
            f"{h.code(3)}여기{h.code(4)}를 보라", h.control("%hlk", bytes(5) + h.counted(command) + bytes(4))
        )

    assert markdown(link(r"https\://example.org/a;1;0;0;")) == "여기를 보라\n<https://example.org/a>\n"
    assert markdown(link("mailto:a@example.org?subject=x|y;2;0;0;")) == "여기를 보라\n<mailto:a@example.org>\n"
    assert markdown(link(r"C\:\\문서.hwp;1;0;0;")) == "여기를 보라\n"


def test_text_boxes_follow_the_text_they_hang_on() -> None:
    box = h.boxed(h.record(h.LIST, 3, bytes(16)), h.paragraph("상자", level=3))
    assert markdown(h.paragraph(f"앞{h.code(11)}뒤", box)) == "앞뒤\n\n상자\n"


def test_pictures_are_kept_under_safe_names() -> None:
    data = h.hwp(
        h.paragraph(f"그림{h.code(11)}", h.boxed(h.picture(1))),
        h.paragraph(f"{h.code(11)}", h.boxed(h.picture(2))),
        info=h.embedded(1, "PNG") + h.embedded(2, "exe"),
        streams={"BinData/BIN0001.PNG": h.packed(b"png"), "BinData/BIN0002.exe": h.packed(b"MZ")},
    )
    made = convert(data, "a.hwp")
    assert made.markdown == "그림\n\n![](bin0001.png)\n"
    assert made.pictures == (Picture("bin0001.png", b"png"),)


@pytest.mark.parametrize(("attributes", "stored"), [(0x01, h.packed(b"png")), (0x11, h.packed(b"png")), (0x21, b"png")])
def test_pictures_are_unpacked_as_they_say(attributes: int, stored: bytes) -> None:
    info = h.record(h.BIN_DATA, 1, struct.pack("<HH", attributes, 10) + h.counted("png"))
    body = h.paragraph(f"그림{h.code(11)}", h.boxed(h.picture(1)))
    made = convert(h.hwp(body, info=info, streams={"BinData/BIN000A.png": stored}), "a.hwp")
    assert made.pictures[0].data[:3] == b"png"


def test_pictures_that_unpack_to_too_much_do_not_cost_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_MOST_PICTURE", 1000)
    body = [h.paragraph(f"그림{h.code(11)}", h.boxed(h.picture(1))), h.paragraph("글")]
    data = h.hwp(*body, info=h.embedded(1, "png"), streams={"BinData/BIN0001.png": h.packed(bytes(5000))})
    made = convert(data, "a.hwp")
    assert (made.markdown, made.pictures) == ("그림\n\n글\n", ())
    assert made.warnings == ("a picture could not be read",)


def test_a_picture_that_cannot_be_unpacked_is_missing_and_named_so() -> None:
    body = h.paragraph(f"그림{h.code(11)}", h.boxed(h.picture(1)))
    made = convert(h.hwp(body, info=h.embedded(1, "png"), streams={"BinData/BIN0001.png": b"\xff" * 9}), "a.hwp")
    assert (made.markdown, made.warnings) == ("그림\n", ("a picture could not be read",))


def test_embedded_objects_are_counted_as_not_read() -> None:
    made = read(h.paragraph(f"글{h.code(11)}", h.boxed(h.record(h.OLE_OBJECT, 3, bytes(26)))))
    assert made.warnings == ("not read: 1 embedded object",)


def test_sections_follow_their_numbers_and_say_where_they_are() -> None:
    names = [f"BodyText/Section{number}" for number in (0, 10, 2)]
    texts = {name: h.packed(h.paragraph(name[-2:])) for name in names}
    made = convert(h.hwp(streams=texts), "a.hwp")
    assert made.markdown == "n0\n\nn2\n\n10\n"
    assert [(each.lines, each.location) for each in made.stretches] == [
        ((1, 1), "section 1"),
        ((2, 3), "section 2"),
        ((4, 5), "section 3"),
    ]


def test_a_document_that_is_not_packed_is_read() -> None:
    parts = {"FileHeader": h.file_header(0), "DocInfo": h.record(16, 0, bytes(26))}
    data = h.compound(parts | {"BodyText/Section0": h.paragraph("그대로")})
    assert convert(data, "a.hwp").markdown == "그대로\n"


def distribution(body: bytes) -> bytes:
    """A document whose text is encoded, with the placeholder that such documents have in its place."""
    ciphers = pytest.importorskip("cryptography.hazmat.primitives.ciphers")
    from docs_rag.adapters.converters.hwp.distribution import key_of

    hidden = struct.pack("<I", 20260101) + bytes(range(252))
    plain = h.packed(body)
    encryptor = ciphers.Cipher(ciphers.algorithms.AES(key_of(hidden)), ciphers.modes.ECB()).encryptor()
    encoded = encryptor.update(plain.ljust(-(-len(plain) // 16) * 16, b"\0")) + encryptor.finalize()
    streams = {"ViewText/Section0": h.record(28, 0, hidden) + encoded, "PrvText": "자리표시".encode("utf-16-le")}
    return h.hwp(h.paragraph("상위 버전의 배포용 문서입니다"), flags=5, streams=streams)


def test_a_distribution_document_is_decoded_and_its_placeholder_never_shown() -> None:
    assert convert(distribution(h.paragraph("본문 " * 500 + "끝")), "a.hwp").markdown.endswith("본문 끝\n")


def test_a_distribution_document_without_the_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    data = distribution(h.paragraph("본문"))
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers", None)
    raised = failure(data)
    assert raised.code == "missing-extra"
    assert "pip install 'docs-rag[documents]'" in str(raised)


def test_a_broken_distribution_document_shows_no_placeholder() -> None:
    streams = {"ViewText/Section0": b"\x07" * 600, "PrvText": "자리표시".encode("utf-16-le")}
    assert failure(h.hwp(h.paragraph("자리표시"), flags=5, streams=streams)).code == "damaged"


@pytest.mark.parametrize("flags", [0b11, 0b10001, 0x101])
def test_locked_documents_are_refused(flags: int) -> None:
    assert failure(h.hwp(h.paragraph("글"), flags=flags)).code == "encrypted"


def test_unknown_flags_do_not_stop_reading() -> None:
    assert convert(h.hwp(h.paragraph("글"), flags=0x20021), "a.hwp").markdown == "글\n"


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (b"HWP Document File V3.00 \x1a\x01\x02", "unsupported", "HWP 3.0"),
        (b"HWP Document File V2.00 \x1a\x01\x02", "unsupported", "HWP 2"),
        (b'<?xml version="1.0"?><HWPML Version="2.8"></HWPML>', "unsupported", "HWPML"),
        ('\ufeff<?xml version="1.0"?><HWPML/>'.encode("utf-16-le"), "unsupported", "HWPML"),
        (b"%PDF-1.7", "damaged", "a.hwp is not a Hancom document"),
        (b"", "damaged", "a.hwp"),
        (h.compound({"WordDocument": b"x"}), "unsupported", "not a Hancom document"),
        (h.hwp(h.paragraph("글"))[:600], "damaged", "not complete"),
        (h.hwp(h.paragraph("글"))[:512], "damaged", "not complete"),
        (h.hwp(), "damaged", "no text part"),
        (h.hwp(h.paragraph()), "unsupported", "no text in the document"),
        (h.hwp(streams={"BodyText/Section0": b"\xff" * 99}), "damaged", "cannot be unpacked"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, code: str, says: str) -> None:
    raised = failure(data)
    assert raised.code == code
    assert says in str(raised)


def test_a_document_cut_short_anywhere_harms_nothing() -> None:
    whole = h.hwp(h.paragraph("글" * 4000), h.paragraph(h.code(11), h.table(h.cell(0, 0, h.paragraph("칸", level=2)))))
    for end in range(0, len(whole), 97):
        assert failure(whole[:end]).code == "damaged"


def test_pictures_alone_are_no_text() -> None:
    body = h.paragraph(h.code(11), h.boxed(h.picture(1)))
    data = h.hwp(body, info=h.embedded(1, "png"), streams={"BinData/BIN0001.png": h.packed(b"png")})
    assert str(failure(data)) == "no text in the document, only 1 picture"


def test_a_record_that_claims_more_than_there_is_ends_the_reading() -> None:
    lie = struct.pack("<II", 66 | 0xFFF << 20, 0xFFFFFFF0)
    made = read(h.paragraph("앞"), lie, h.paragraph("뒤"))
    assert made.markdown == "앞\n"
    assert "damaged" in made.warnings[0]


def test_a_text_that_cannot_be_unpacked_leaves_the_preview() -> None:
    preview = "처음 몇 줄\r\n# 둘째".encode("utf-16-le")
    made = convert(h.hwp(streams={"BodyText/Section0": b"\xff" * 99, "PrvText": preview}), "a.hwp")
    assert made.markdown == "처음 몇 줄\n\n\\# 둘째\n"
    assert "cannot be unpacked" in made.warnings[0]


def test_a_stream_that_unpacks_to_too_much_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "MOST_BYTES", 1_000_000)
    assert failure(h.hwp(bytes(2_000_000))).code == "too-large"


def nested(depth: int) -> bytes:
    """A table in a table, so many times; level by level of records."""
    text = h.paragraph("깊은 곳", level=2 * depth)
    for level in range(2 * depth - 1, 0, -2):
        text = h.paragraph(h.code(11), h.table(h.cell(0, 0, text, level=level + 1), level=level), level=level - 1)
    return text


@pytest.mark.parametrize(("depth", "is_read"), [(8, True), (60, False), (500, False)])
def test_tables_in_tables_are_read_as_deep_as_documents_go(depth: int, is_read: bool) -> None:
    made = read(h.paragraph("겉"), nested(depth))
    assert ("깊은 곳" in made.markdown) is is_read
    assert any("nest deeper" in warning for warning in made.warnings) is not is_read


def test_forms_show_their_captions_and_texts() -> None:
    def form(properties: str) -> bytes:
        return h.control("form", bytes(42), h.record(h.FORM, 2, bytes(14) + properties.encode("utf-16-le")))

    box = form("CommonSet:set:50:Name:wstring:3:box Caption:wstring:5:동의 함? Value:int:1 ")
    field = form("Name:wstring:15:MyText:wstring:1 Text:wstring:2:서울")
    other = form("Name:wstring:3:bar ")
    text = f"예{h.code(11)} / {h.code(11)}{h.code(11)}"
    assert markdown(h.paragraph(text, box, field, other)) == "예동의 함? / 서울\n"


def test_unknown_controls_show_the_text_below_them() -> None:
    unknown = h.noted("xyz1", "안")
    assert markdown(h.paragraph(f"밖{h.code(11)}", unknown)) == "밖\n\n안\n"
