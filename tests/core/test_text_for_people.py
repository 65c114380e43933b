"""Cleaning, snippets and the size of a reply."""

import json

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.answers import Answer, Hit, IndexFacts, as_json, without_empty
from docs_rag.core.budget import MAX_BYTES, MAX_CHARS, fit
from docs_rag.core.cleaning import one_line, shown
from docs_rag.core.documents import DocPath
from docs_rag.core.sections import Section
from docs_rag.core.snippets import passage
from docs_rag.core.status import Status


def test_case_57_nothing_moves_a_cursor_or_hides() -> None:
    hostile = "a\x1b[31mred\x1b[0m\u202eback\u2066\U000e0041\x07\rb\tc\nd"
    assert shown(hostile) == "a\ufffd[31mred\ufffd[0m\ufffdback\ufffd\ufffd\ufffd\ufffdb\tc\nd"
    assert shown("한글, 漢字, é, 👩‍👩‍👧 stay") == "한글, 漢字, é, 👩‍👩‍👧 stay"
    assert one_line("two\n lines") == "two lines"


@given(st.text(max_size=300), st.text(max_size=10), st.integers(1, 100))
def test_a_passage_is_a_part_of_the_text(text: str, word: str, limit: int) -> None:
    found, cut = passage(text, [word], limit)
    assert found in text
    assert len(found) <= limit
    assert cut is (len(text) > limit)


def test_case_17_the_passage_holds_the_match() -> None:
    text = "\n".join(f"第{n}行没有什么" for n in range(300)).replace("第290行没有什么", "第290行端口映射")
    found, cut = passage(text, ["端口映射"], 400)
    assert "端口映射" in found
    assert cut


def answer(hits: int, text: str) -> Answer:
    section = Section(
        id=1, path=DocPath("a.md"), title="A", ordinal=0, headings=("A",), lines=(1, 2), text=text,
        status=Status.CURRENT,
    )  # fmt: skip
    facts = IndexFacts(
        name="n", vault="/v", updated_at=None, documents=1, chunks=1, embedded=1, pending=0, model="m",
        score="cosine", threshold_source="registry", mode="semantic+lexical",
    )  # fmt: skip
    return Answer(
        query="q", message="", notices=(), hits=(Hit(section=section, label="semantic", score=0.7, text=text),) * hits,
        hidden_records=(), hidden={"superseded": 0, "archived": 0, "excluded": 0}, best_rejected=None,
        threshold=0.5, index=facts,
    )  # fmt: skip


def test_a_reply_stays_small() -> None:
    for text in ("word " * 1000, "漢字" * 3000, '"\n' * 2000):
        small = fit(answer(50, text), ["word"])
        dumped = json.dumps(as_json(small), ensure_ascii=False)
        assert len(dumped) <= MAX_CHARS
        assert len(dumped.encode()) <= MAX_BYTES
        assert small.hits
        assert all(hit.truncated for hit in small.hits)


def test_first_and_other_hits_have_their_sizes() -> None:
    first, second = fit(answer(2, "word " * 1000), ["word"]).hits
    assert 2000 < len(first.text) <= 2400
    assert 1000 < len(second.text) <= 1200


def test_empty_fields_are_left_out_and_numbers_stay() -> None:
    slim = without_empty(as_json(answer(1, "t")))
    assert "message" not in slim
    assert slim["hidden"] == {"superseded": 0, "archived": 0, "excluded": 0}
    assert slim["noRelevantResults"] is False
