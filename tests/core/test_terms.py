"""Words of texts and of questions, checked against a real FTS5 table."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.terms import (
    MAX_TERMS,
    UnicodeAnalyser,
    fold,
    is_identifier,
    is_rare,
    is_unspaced,
    pieces_of,
    query_terms,
    rarity_limit,
    stop_words_of,
)

ANALYSER = UnicodeAnalyser()


def finds(text: str, query: str) -> list[str]:
    """The terms of `query` that a table holding `text` alone is found by."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')")
    db.execute("INSERT INTO t VALUES (?)", (ANALYSER.index_text(text),))
    terms = query_terms(query, ANALYSER)
    found = [term.text for term in terms if db.execute("SELECT 1 FROM t WHERE t MATCH ?", (term.match,)).fetchall()]
    db.close()
    return found


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我们决定使用队列端口映射", "队列"),
        ("我们决定使用队列端口映射", "端口映射"),
        ("我们决定使用队列端口映射", "射"),
        ("我们决定使用队列端口映射", "决"),
        ("인증 토큰은 30분마다 갱신한다", "토큰"),
        ("인증 토큰은 30분마다 갱신한다", "토큰을"),
        ("인증 토큰은 30분마다 갱신한다", "인증"),
        ("セッションの有効期限は三十分とする", "有効期限"),
        ("セッションの有効期限は三十分とする", "セッション"),
        ("การประชุมครั้งที่หนึ่ง", "ประชุม"),
        ("Use the ＡＰＩ gateway", "API"),
        ("Café opening hours", "cafe"),
        ("see DEC-0054 for the reason", "DEC-0054"),
        ("fixed in 1.0.21 of the client", "1.0.21"),
        ("raises ERR_TOKEN_EXPIRED then", "err_token_expired"),
        ("POST to /api/embed with a body", "/api/embed"),
        ("the decisions were overturned", "overturning decision"),
    ],
)
def test_case_16_words_of_every_script_are_found(text: str, query: str) -> None:
    assert finds(text, query) == [term.text for term in query_terms(query, ANALYSER)] != []


def test_case_16_an_absent_word_does_not_void_the_rest() -> None:
    assert finds("云工开物的说明", "云工开物 优惠券") != []


def test_a_long_unspaced_question_is_asked_pair_by_pair_without_the_endings() -> None:
    terms = [term.text for term in query_terms("セッションの有効期限はどこで決まりますか", ANALYSER)]
    assert "有効" in terms
    assert "期限" in terms
    assert "ます" not in terms


HOSTILE = [
    "DEC-0054", '"unbalanced', "C++", "C#", ".NET", "x:y", "a/b", "don't", "*", "(", "AND", "NOT x", "NEAR(a b)",
    "-foo", "^first", "foo*", "", "a\0b", "{x y}: z", 'he said "no" OR', "col:val AND (x", "'; DROP TABLE t; --",
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE)
def test_case_14_no_query_is_an_error_or_an_operator(query: str) -> None:
    assert finds("nothing of the sort stands in here", query) == []


@given(st.text(max_size=200))
def test_whatever_the_question_fts_takes_it(query: str) -> None:
    finds("some text", query)


def test_case_19_repetitions_and_length_are_bounded() -> None:
    assert len(query_terms("token token TOKEN", ANALYSER)) == 1
    assert len(query_terms(" ".join(f"word{n}" for n in range(400)), ANALYSER)) == MAX_TERMS
    assert query_terms("what is the how of it", ANALYSER) == ()


@pytest.mark.parametrize(
    ("frequency", "sections", "rare"),
    [(0, 8, False), (1, 8, True), (4, 8, True), (5, 8, False), (5, 1000, True), (10, 1000, True), (11, 1000, False)],
)
def test_case_19_the_rarity_gate(frequency: int, sections: int, rare: bool) -> None:
    assert is_rare(frequency, sections, 0.01) is rare


def test_the_only_section_of_a_vault_can_hold_a_rare_word() -> None:
    assert rarity_limit(1, 0.01) == 1


@pytest.mark.parametrize(
    "word",
    ["DEC-0054", "1.0.21", "ERR_TOKEN", "/api/embed", "minScore", "TLS", "sign-on", "v2", "OAuth2", "a.b", "C++"],
)
def test_forms_of_identifiers(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["token", "Token", "Kubernetes", "I", "", "two words", "..."])
def test_forms_that_are_no_identifiers(word: str) -> None:
    assert not is_identifier(word)


def test_capitals_tell_nothing_when_the_whole_question_shouts() -> None:
    assert not any(term.is_identifier for term in query_terms("WHERE ARE SESSIONS KEPT", ANALYSER))
    assert [term.text for term in query_terms("where is TLS", ANALYSER) if term.is_identifier] == ["TLS"]


def test_quotes_make_a_phrase() -> None:
    quoted = [term for term in query_terms('the "rotating refresh token" rule', ANALYSER) if term.is_quoted]
    assert [(term.text, term.match) for term in quoted] == [("rotating refresh token", '"rotating refresh token"')]


def test_a_symbol_that_the_tokenizer_drops_must_stand_in_the_text() -> None:
    assert [term.literal for term in query_terms("C++ C# .NET plain", ANALYSER)] == ["c++", "c#", ".net", ""]


def test_a_hyphenated_word_is_asked_as_a_whole_and_in_parts() -> None:
    terms = query_terms("key-controlled account", ANALYSER)
    assert [(term.text, term.is_word) for term in terms] == [
        ("key-controlled", False), ("key", True), ("controlled", True), ("account", True),
    ]  # fmt: skip


def test_ascii_text_is_handed_on_as_the_same_object() -> None:
    text = "plain words, nothing else"
    assert ANALYSER.index_text(text) is text


def test_fold_joins_spellings() -> None:
    assert fold("  ＡＤＲ 12\n Use   Kafka ") == fold("adr 12 use kafka")


def words(query: str) -> list[str]:
    return [term.text for term in query_terms(query, ANALYSER)]


def test_a_japanese_question_is_asked_for_by_its_words() -> None:
    assert words("古いブランチを消す時期はいつか") == ["古", "ブランチ", "消", "時期"]
    assert words("領収書発行の手順") == ["領収", "収書", "書発", "発行", "手順"]
    assert words("ダッシュボード") == ["ダッシュボード"]
    assert words("なくはない") == ["なく", "くは", "はな"]
    assert words("会議室") == ["会議室"]


def test_a_loanword_is_not_found_by_parts_of_others() -> None:
    assert finds("ダッシュとボードを使う", "ダッシュボードの作り方を書く") == []
    assert finds("ダッシュボードを使う", "ダッシュボードの作り方を書く") == ["ダッシュボード"]


def test_a_latin_name_in_a_japanese_question_is_a_name_wherever_it_stands() -> None:
    assert [term.text for term in query_terms("Datadogのダッシュボード", ANALYSER) if term.is_name] == ["Datadog"]
    assert not any(term.is_name for term in query_terms("Which dashboards are there", ANALYSER))


def test_everyday_words_are_words_but_known_as_such() -> None:
    terms = {term.text: term.is_everyday for term in query_terms("somebody started the Turbine again", ANALYSER)}
    assert terms == {"somebody": True, "started": True, "Turbine": False}


def names(query: str) -> list[str]:
    return [term.text for term in query_terms(query, ANALYSER) if term.is_name]


@pytest.mark.parametrize(
    "word", ["90-day", "30-day-trial", "100MB", "1.5h", "the 1990s", "11:30pm", "24/7", "1st", "1920x1080", "2-factor"]
)
def test_how_many_and_when_is_no_name(word: str) -> None:
    assert names(f"is there something for {word}") == []


@pytest.mark.parametrize("word", ["ADR-0034", "HR-27B", "v2", "OAuth2", "1.0.21", "0034-short.md", "Q3", "2024-05-01"])
def test_other_words_with_digits_are_names(word: str) -> None:
    assert names(f"is there something for {word}") == [word]


def test_a_quantity_is_asked_in_parts_too() -> None:
    assert words("the 30-day trial") == ["30-day", "30", "day", "trial"]


def test_stress_is_no_name() -> None:
    assert words("may I NOT enter the harbour OR leave") == ["enter", "harbour", "leave"]
    assert names("is the crane REALLY closed, PLEASE HELP") == []
    assert names("who asked WHO about TLS") == ["TLS"]
    assert names("IT") == ["IT"]
    assert names("rewrite modules for ES imports") == ["ES"]


def test_what_stands_at_the_beginning_of_a_sentence_or_is_an_everyday_word_is_no_name() -> None:
    assert names("The crane stopped. Restart it? Timber fell! Thanks, Anna") == ["Anna"]
    assert names("ask Dr. Livingstone") == ["Dr", "Livingstone"]


def test_german_nouns_are_no_names() -> None:
    assert names("wo liegt der Parkplatz für die Fahrräder") == []
    assert names("did the server die on Kubernetes") == ["Kubernetes"]


def test_one_of_two_words_is_no_path() -> None:
    assert [(term.text, term.is_word, term.is_name) for term in query_terms("a crane/winch", ANALYSER)] == [
        ("crane/winch", False, False), ("crane", True, False), ("winch", True, False),
    ]  # fmt: skip
    assert names("the src/app.py file") == ["src/app.py"]


def test_a_name_with_a_hyphen_is_one_name_and_may_be_written_in_one() -> None:
    assert names("the Wi-Fi password") == ["Wi"]
    assert finds("our wifi has a password", "the Wi-Fi password") == ["Wi-Fi", "Wi", "Fi", "password"]
    assert finds("sign in or set up", "sign-in") == ["sign-in", "sign"]


def test_stop_words_tell_the_language_of_a_question() -> None:
    assert stop_words_of("Wie wird der Teig geführt, und wie lange?") == ["wie", "wird", "der", "und"]
    assert stop_words_of("how do we prove the dough") == ["how", "do", "we", "the"]
    assert stop_words_of("会議室の予約") == []
    assert [is_unspaced(each) for each in ("Teig", "会議", "회의", "ประชุม")] == [False, True, True, True]


@pytest.mark.parametrize(
    "text",
    [
        "휴가는 인사 시스템에서 신청합니다.",
        "회의실 예약은 하루 전에 한다.",
        "会議室は前日までに予約する。",
        "请假需要经理的批准。",
        "การลางานต้องขออนุมัติ",
    ],
)
def test_pieces_of_a_script_stand_in_any_text_of_it(text: str) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')")
    db.execute("INSERT INTO t VALUES (?)", (ANALYSER.index_text(text),))
    assert any(db.execute("SELECT 1 FROM t WHERE t MATCH ?", (piece,)).fetchall() for piece in pieces_of(text))
    english = ANALYSER.index_text("Holidays are asked for in the staff system.")
    db.execute("UPDATE t SET text = ?", (english,))
    assert not any(db.execute("SELECT 1 FROM t WHERE t MATCH ?", (piece,)).fetchall() for piece in pieces_of(text))
    db.close()
