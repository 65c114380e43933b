"""Text files, and files of rows: decoded, located, nothing hidden."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.adapters.converters import separated, textfiles
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.core.comments import visible
from docs_rag.core.converted import location_of


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp949", "gb18030", "utf-8-sig"])
def test_a_text_is_read_in_its_encoding(encoding: str) -> None:
    text = "회의록\n\n다음 주 월요일 오전 열 시에 모입니다.\n"
    if encoding == "gb18030":
        text = "会议记录\n\n会议定于星期一上午十点开始。\n"
    converted = textfiles.convert(text.encode(encoding), "minutes.txt")
    assert (converted.markdown, converted.warnings, converted.stretches) == (text, (), ())


def test_form_feeds_are_pages() -> None:
    converted = textfiles.convert(b"first page\nmore\n\fsecond page\n\f\n", "rfc.txt")
    assert converted.markdown.split("\n")[:4] == ["first page", "more", "", "second page"]
    assert location_of(converted.stretches, (4, 4)) == "p. 2"
    assert location_of(converted.stretches, (1, 4)) == "p. 1 to p. 2"


def test_what_a_note_would_hide_as_a_comment_is_seen() -> None:
    text = "before <!-- not a comment\nafter --> %% here %%%\n<!--\nlast\n-->\n"
    lines = textfiles.convert(text.encode(), "a.txt").markdown.split("\n")
    shown = "\n".join(visible(lines, 1).lines)
    assert all(word in shown for word in ("not a comment", "after", "here", "last"))


def test_an_empty_text_is_said_to_be_empty_and_a_binary_one_is_refused() -> None:
    assert textfiles.convert(b" \n", "a.txt").warnings == ("it holds no text",)
    with pytest.raises(Unconvertible, match="not text: a binary file") as failure:
        textfiles.convert(b"\x7fELF\x02\x01\x01\x00\x00", "a.txt")
    assert failure.value.code == "unsupported"


def test_broken_characters_are_counted() -> None:
    data = ("회의는 월요일에 시작한다. " * 40 + "다").encode()[:-1]
    assert textfiles.convert(data, "a.txt").warnings == ("1 characters are broken in its encoding, utf-8",)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    rows = [["이름", "값, 원", "memo"], ["가", "1;2", "a|b"], ["나", "3", 'say "no"'], ["다", "4", "two\nlines"]]
    target = io.StringIO()
    csv.writer(target, delimiter=delimiter).writerows(rows)
    converted = separated.convert(target.getvalue().encode("cp949"), "prices.csv")
    assert converted.markdown.split("\n") == [
        "| 이름 | 값, 원 | memo |",
        "| --- | --- | --- |",
        "| 가 | 1;2 | a\\|b |",
        '| 나 | 3 | say "no" |',
        "| 다 | 4 | two<br>lines |",
        "",
    ]
    assert location_of(converted.stretches, (1, 2)) == "row 1"
    assert location_of(converted.stretches, (4, 5)) == "row 3 to row 4"


def test_a_spreadsheet_may_name_its_delimiter_and_rows_may_be_uneven() -> None:
    converted = separated.convert(b"sep=;\na;b,c\n\n1;2,3;4\n", "x.csv")
    assert converted.markdown == "| a | b,c |  |\n| --- | --- | --- |\n| 1 | 2,3 | 4 |\n"


def test_a_comma_in_a_file_of_tabs_cuts_nothing() -> None:
    assert separated.convert(b"a,b\n1,2\n", "x.tsv").markdown == "| a,b |\n| --- |\n| 1,2 |\n"


def test_an_endless_quote_loses_nothing() -> None:
    text = separated.convert(b'a,b\n"1,2\n3,4\n', "x.csv").markdown
    assert all(digit in text for digit in "1234")


def test_a_database_is_cut_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separated, "_MOST_CELLS", 2_000)
    converted = separated.convert(b"1,2\n" * 1_001, "big.csv")
    assert converted.warnings == ("only its first 1,000 rows were read",)
    assert converted.markdown.count("\n") == 1_001


def test_a_file_without_rows_holds_no_text() -> None:
    assert separated.convert(b"\n \n", "x.csv").warnings == ("it holds no text",)


WORDS = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), min_size=1, max_size=8)


@given(st.lists(st.lists(WORDS, min_size=2, max_size=4), min_size=1, max_size=6))
def test_no_value_is_lost(rows: list[list[str]]) -> None:
    target = io.StringIO()
    csv.writer(target, quoting=csv.QUOTE_ALL).writerows(rows)
    text = separated.convert(target.getvalue().encode("utf-8-sig"), "x.csv").markdown
    bare = text.replace("\\", "")
    assert all(value.replace("\\", "") in bare for row in rows for value in row)
