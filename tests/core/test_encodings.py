"""Texts in the encodings that people's files have, short ones too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.encodings import Undecodable, declared_in, read_text

KOREAN = (
    "가격표",
    "회의록: 다음 주 월요일 오전 열 시에 모입니다.",
    "이 문서는 배포 절차를 설명한다.\n서버를 먼저 멈춘다.",
)
JAPANESE = ("会議は月曜日の午前十時に始まります。", "価格表", "カタカナのテスト", "東京都千代田区")
SIMPLIFIED = ("会议定于星期一上午十点开始。", "价格表", "数据库连接池的最大数量", "请先停止服务器，然后升级。")
TRADITIONAL = ("會議定於星期一上午十點開始。", "價格表", "請先停止伺服器，然後升級。")
RUSSIAN = ("Совещание начнётся в понедельник", "Прайс-лист", "Сначала остановите сервер.")
CENTRAL = ("Zażółć gęślą jaźń", "Książka o życiu w mieście", "Příliš žluťoučký kůň úpěl ďábelské ódy")
WESTERN = ("Café très cher, déjà vu", "naïve façade", "Die Größe der Straße", "Müller", "El niño comió paella mañana")

LEGACY = [
    *((text, encoding) for text in KOREAN for encoding in ("cp949", "iso2022_kr")),
    *((text, encoding) for text in JAPANESE for encoding in ("cp932", "euc_jp", "iso2022_jp")),
    *((text, encoding) for text in SIMPLIFIED for encoding in ("gb18030", "hz")),
    *((text, "big5") for text in TRADITIONAL),
    *((text, encoding) for text in RUSSIAN for encoding in ("cp1251", "koi8_r", "cp866")),
    *((text, encoding) for text in CENTRAL for encoding in ("cp1250", "iso8859_2")),
    *((text, "cp1252") for text in WESTERN),
    ("Η συνάντηση αρχίζει τη Δευτέρα το πρωί", "cp1253"),
    ("הפגישה תתחיל ביום שני בשעה עשר בבוקר", "cp1255"),
    ("يبدأ الاجتماع يوم الاثنين في الساعة العاشرة", "cp1256"),
    ("การประชุมจะเริ่มในวันจันทร์เวลาสิบนาฬิกา", "cp874"),
    ("Toplantı pazartesi günü saat onda başlıyor, ağaç", "cp1254"),
    ("회의록: 다음 주 월요일 오전 열 시에 모입니다.", "johab"),
]


@pytest.mark.parametrize(("text", "encoding"), LEGACY)
def test_the_language_tells_the_encoding(text: str, encoding: str) -> None:
    assert read_text(text.encode(encoding)).text == text


@pytest.mark.parametrize("text", [*KOREAN, *JAPANESE, *SIMPLIFIED, *RUSSIAN, *WESTERN, "plain"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-be"])
def test_unicode_with_and_without_a_mark(text: str, encoding: str) -> None:
    found = read_text(f"{text}\na\n".encode(encoding))
    assert (found.text, found.is_sure) == (f"{text}\na\n", True)


def test_mostly_english_with_a_few_words_of_korean() -> None:
    text = "# settings of the gateway\nport = 8080\n# 결제 서버 주소\nhost = pay.example\n" * 200
    assert read_text(text.encode("cp949")) == (text, "cp949", True)


def test_what_a_page_declares_goes_before_what_it_looks_like() -> None:
    data = b"<meta charset=ISO-8859-2>\xbb\xbb\xbb"
    assert declared_in(data) == "ISO-8859-2"
    assert read_text(data, "ISO-8859-2").encoding == "iso8859-2"
    assert declared_in(b"<?xml version='1.0' encoding='EUC-KR'?>") == "EUC-KR"
    assert declared_in(b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">') == "Shift_JIS"
    assert declared_in(b"<p>charset=none</p>") == ""


def test_a_declared_name_means_what_people_write_under_it() -> None:
    assert read_text("똠방각하".encode("cp949"), "euc-kr").text == "똠방각하"
    assert read_text("①髙".encode("cp932"), "Shift_JIS").text == "①髙"
    assert read_text(b"\x93so\x94", "iso-8859-1").text == "“so”"


@pytest.mark.parametrize("declared", ["no-such-thing", "base64", "utf-8", "rot13"])
def test_a_wrong_declaration_does_no_harm(declared: str) -> None:
    assert read_text("회의록입니다".encode("cp949"), declared).text == "회의록입니다"


def test_utf8_that_declares_something_else_is_utf8() -> None:
    assert read_text("회의".encode(), "euc-kr").text == "회의"


def test_utf8_with_a_broken_end_is_read_and_said_to_be_unsure() -> None:
    data = ("회의는 월요일에 시작한다. " * 40 + "다").encode()[:-1]
    found = read_text(data)
    assert (found.encoding, found.is_sure) == ("utf-8", False)
    assert found.text.startswith("회의는 월요일에")


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\x03", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", b"\xff\xfe" + b"\x00" * 64]
)
def test_binary_files_are_no_text(data: bytes) -> None:
    with pytest.raises(Undecodable, match="binary"):
        read_text(data)


def test_line_ends_become_one_kind() -> None:
    assert read_text(b"a\r\nb\rc\n").text == "a\nb\nc\n"
    assert read_text(b"").text == ""


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"])))
def test_utf8_is_never_mistaken(text: str) -> None:
    found = read_text(text.encode())
    assert found.text == text.removeprefix("\ufeff") or found.encoding == "hz"


@given(st.binary(max_size=200))
def test_any_bytes_give_a_text_or_a_reason(data: bytes) -> None:
    try:
        assert "\0" not in read_text(data).text
    except Undecodable as error:
        assert str(error)
