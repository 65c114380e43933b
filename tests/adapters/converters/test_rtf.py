"""Rich text: characters of every script, paragraphs, tables, notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.rtf import convert
from docs_rag.adapters.converters.rtftokens import tokens


def escaped(text: str, encoding: str) -> bytes:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(encoding)).encode()


def text_of(data: bytes) -> str:
    return "".join(token.text for token in tokens(data) if token.kind == "text")


def shown(body: bytes, head: bytes = rb"{\rtf1\ansi") -> str:
    return convert(head + b" " + body + b"}", "a.rtf").markdown


FONTS = rb"{\fonttbl{\f0\fcharset129 Batang;}{\f1\fnil\fcharset204 Arial;}{\f2 Times;}}"


def test_the_document_has_a_code_page_and_fonts_have_character_sets() -> None:
    head = rb"{\rtf1\ansi\ansicpg932" + FONTS
    body = escaped("東京", "cp932") + rb"{\f0 " + escaped("한글", "cp949") + rb"}{\f1 " + escaped("Река", "cp1251")
    assert shown(body + b"}" + escaped("駅", "cp932"), head) == "東京한글Река駅\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (rb"\u54620?x", "한x"),
        (rb"\u54620? x", "한 x"),
        (rb"\uc2\u54620\'c7\'d1x", "한x"),
        (rb"{\uc0 \u54620}\u54620?x", "한한x"),
        (rb"\'5c\'7b", "\\{"),
        (rb"\'e9t\'e9", "été"),
        (b"caf\xe9", "café"),
        (rb"\ansicpg932\'83" + b"\r\nA", "ア"),
        (rb"\ansicpg949\'c7}", "\ufffd"),
        (rb"\ansicpg99999\'e9", "é"),
        (rb"\bin5 {\'c7x", "x"),
        (rb"}}\'e9", "é"),
        (b"", ""),
    ],
)
def test_characters(data: bytes, expected: str) -> None:
    assert text_of(data) == expected


def test_paragraphs_and_headings() -> None:
    styles = rb"{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\s2 Title;}}"
    body = styles + rb"\pard\s1 Hulls\par\pard Made of {\b oak}.\line And iron.\par\pard\outlinelevel1 Keels\par"
    assert shown(body) == "# Hulls\n\nMade of oak.\nAnd iron.\n\n## Keels\n"


def test_what_is_not_for_readers_is_left_out() -> None:
    body = (
        rb"{\colortbl;\red0;}{\*\generator Program;}{\info{\title Boats}{\author Kim}}{\header Top}a"
        rb'{\v hidden}{\deleted gone}{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}{\*\unheard of}\par'
    )
    made = convert(rb"{\rtf1 " + body + b"}", "a.rtf")
    assert (made.markdown, made.title) == ("alink\n", "Boats")


def test_halves_of_characters_are_joined() -> None:
    assert shown(rb"\u-10179?\u-8704?\par") == "😀\n"


def row(*cells: bytes, marks: tuple[bytes, ...] = (), edges: tuple[int, ...] = (1000, 2000)) -> bytes:
    found = [*marks, *[b""] * len(edges)]
    head = b"".join(mark + rb"\cellx%d" % edge for mark, edge in zip(found, edges, strict=False))
    return rb"\trowd" + head + rb"\pard\intbl " + b"".join(cell + rb"\cell " for cell in cells) + rb"\row "


def test_tables_stand_between_their_paragraphs() -> None:
    body = rb"before\par " + row(b"a", rb"b\par c") + row(b"d", b"e") + rb"\pard after\par"
    assert shown(body) == "before\n\n| a | b<br>c |\n| --- | --- |\n| d | e |\n\nafter\n"


def test_groups_around_cells_do_not_matter() -> None:
    body = rb"{\trowd\cellx1\cellx2\intbl{{{\pard\intbl a\par}\cell}{{\pard\intbl b\par}\cell}}\intbl\row}{\pard c\par}"
    assert shown(body) == "| a<br> | b |\n| --- | --- |\n\nc\n".replace("<br> ", " ")


def test_merged_cells() -> None:
    body = (
        row(b"wide", b"x", edges=(2000, 3000))
        + row(b"a", b"b", b"tall", edges=(1000, 2000, 3000), marks=(b"", b"", rb"\clvmgf"))
        + row(b"c", b"d", b"", edges=(1000, 2000, 3000), marks=(b"", b"", rb"\clvmrg"))
        + row(b"long", b"", b"e", edges=(1000, 2000, 3000), marks=(rb"\clmgf", rb"\clmrg", b""))
    )
    assert shown(body).splitlines() == [
        "| wide |  | x |",
        "| --- | --- | --- |",
        "| a | b | tall |",
        "| c | d |  |",
        "| long |  | e |",
    ]


def test_nested_tables() -> None:
    inner = rb"\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\cellx1\cellx2\nestrow}{\nonesttables\par}"
    assert shown(row(rb"a\par" + inner, b"b")).splitlines() == [
        "| a<br>(table below) | b |",
        "| --- | --- |",
        "",
        "| x | y |",
        "| --- | --- |",
    ]


def test_text_after_a_table_is_not_lost_whatever_its_properties_say() -> None:
    assert shown(row(b"a", b"b") + rb"rest\par more") == "| a | b |\n| --- | --- |\n\nrest\n\nmore\n"


def test_notes_comments_and_pictures_follow() -> None:
    body = (
        rb"Claim{\footnote\pard\plain {\pard Source.\par}}{\*\annotation Really?}"
        rb"{\*\shppict{\pict\pngblip 89504e47}}{\nonshppict{\pict\wmetafile8 00}}\par Next.\par"
    )
    made = convert(rb"{\rtf1 " + body + b"}", "a.rtf")
    assert made.markdown == "Claim[^1]\n\n[^1]: Source.\n\n> Comment: Really?\n\n![](image1.png)\n\nNext.\n"
    assert made.pictures[0].data == b"\x89PNG"


def test_what_is_no_rich_text_is_damaged() -> None:
    for data in (b"plain", b"", rb"{\rtf1" + b"{" * 100_000):
        with pytest.raises(Unconvertible) as caught:
            convert(data, "a.rtf")
        assert caught.value.code == "damaged"


PIECES = [
    rb"\cell ", rb"\row ", rb"\par ", rb"\trowd\cellx9 ", rb"\intbl ", rb"\itap2 ", rb"\nestcell ", rb"\nestrow ",
    rb"\pard ", b"w ", b"{", b"}", rb"\'c7", rb"{\footnote ", rb"\u-1?",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES)))
def test_whatever_is_broken_no_word_is_lost(pieces: list[bytes]) -> None:
    made = convert(rb"{\rtf1 " + b"".join(pieces), "a.rtf").markdown
    assert made.replace("(table below)", "").count("w") == pieces.count(b"w ")
