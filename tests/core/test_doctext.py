"""Text from documents made plain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.doctext import clean, literal, runs_on, without_inner_spaces
from docs_rag.core.markdown import blocks


@pytest.mark.parametrize(
    ("typeset", "plain"),
    [
        ("e\ufb03cient \ufb02ow", "efficient flow"),
        ("\uf53a글 문서", "한글 문서"),
        ("\u1112\u119e\u11ab글", "한글"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("\uffbe\uffc2", "하"),
        ("co\u00adoperate\u200b", "cooperate"),
        ("a\u00a0b\u2003c\u3000d", "a b c d"),
        ("\u2f00\u2f8f", "一行"),
        ("\ufefb\ufe8e", "لاا"),
        ("\U0001d465 + \U0001d7cf", "x + 1"),
        ("a\x00b\x07c\ufffe\uffff", "abc"),
        ("a\r\nb\rc\x0bd\u2028e", "a\nb\nc\nd\ne"),
        ("tab\tstays", "tab\tstays"),
        ("half a \ud83d", "half a "),
    ],
)
def test_what_typesetting_put_in_is_taken_out(typeset: str, plain: str) -> None:
    assert clean(typeset) == plain


@pytest.mark.parametrize("text", ["① 목적", "x²", "3 ㎏", "½", "№ 5", "ㄱㄴㄷ", "Ａ１", "™", "… →"])
def test_what_the_author_wrote_stays(text: str) -> None:
    assert clean(text) == text


@given(st.text(max_size=60))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    once.encode("utf-8")


@pytest.mark.parametrize(
    "line", ["# one", "###### six", "```", "~~~ x", "---", "===", "***", "[1]: http://x", "<!-- x"]
)
def test_plain_lines_do_not_become_markup(line: str) -> None:
    found = blocks(f"text\n{literal(line)}\nmore\n")
    assert [block.kind for block in found] == ["paragraph"]
    assert literal(line) == f"\\{line}"


@pytest.mark.parametrize(
    "line", ["#5 is open", "####### seven", "a # b", "- item", "1. item", "-5 degrees", "x < y", ""]
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert literal(line) == line


@pytest.mark.parametrize(
    ("before", "after", "joins"),
    [("日本", "語", True), ("第一。", "第二", True), ("한국", "어", False), ("word", "語", False), ("", "語", False)],
)
def test_lines_join_without_a_space_in_scripts_that_set_none(before: str, after: str, joins: bool) -> None:
    assert runs_on(before, after) is joins


def test_spaces_that_ocr_sets_between_characters() -> None:
    assert without_inner_spaces("東 京 は OCR で 読 む") == "東京は OCR で読む"
    assert without_inner_spaces("서울 지역") == "서울 지역"
