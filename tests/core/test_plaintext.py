"""Inline markup taken off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.plaintext import plain, says_something


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no markup at all, 2 * 3", "no markup at all, 2 * 3"),
        ("**bold** and *soft* and ***both***", "bold and soft and both"),
        ("__bold__ and _soft_ and snake_case_name", "bold and soft and snake_case_name"),
        ("a*b*c and 2 ** 3", "a*b*c and 2 ** 3"),
        ("使用**消息队列**保存", "使用消息队列保存"),
        ("~~old~~ ==new== a == b", "old new a == b"),
        ("`**kwargs` and `__init__`", "**kwargs and __init__"),
        ("``a ` b`` and `open", "a ` b and `open"),
        ("[text](`lost`) <i `lost`> `kept` and \ue0007\ue001", "text   kept and "),
        ("`over\ntwo lines`", "over\ntwo lines"),
        ("[text](https://example.org/a_(b) 'title')", "text"),
        ("[text](<a b.md>) [text][ref] [text][]", "text text text"),
        ("[![badge](b.svg)](https://example.org) ![](x.png)!", "badge !"),
        ("<https://example.org/x> <b>bold</b>", "https://example.org/x  bold "),
        ("a < b and c > d", "a < b and c > d"),
        ("AT&amp;T &lt;x&gt; &#65; &nope;", "AT&T <x> A &nope;"),
        (r"\*not soft\* and \# and C:\path", "*not soft* and # and C:\\path"),
        ("[[note]] [[note|label]] ![[picture.png|300]]", "note label picture.png"),
        ("[[note#Part]] [[note#^id]]", "note Part note id"),
        (r"[[note\|label]]", "label"),
        ("#tag/sub and (#other) but C# and #1", "tag/sub and (other) but C# and #1"),
        ("[due:: 2026-01-01] and (by:: Ann) but std::vector", "due 2026-01-01 and by Ann but std::vector"),
        ("status:: done\nand more", "status done\nand more"),
        ("the end ^id-1\n^id-2\nx^2", "the end\n\nx^2"),
        ("Title {#anchor}", "Title"),
        ("a claim[^1] and\n[^1]: its proof", "a claim and\n its proof"),
        ("", ""),
    ],
)  # fmt: skip
def test_words_are_left(text: str, words: str) -> None:
    assert plain(text) == words


PIECES = ["a", " ", "\n", *"`*_~=[]()<>\\&;^:#|!{}", "**", "[[", "]]", "](", "::", "\ue000", "9", "\ue001", "é", "文"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(st.characters(codec=None)))
def test_any_text_keeps_its_lines(text: str) -> None:
    assert plain(text).count("\n") <= text.count("\n")


@given(st.lists(st.sampled_from(["word", "word ", " word", *"`*_~=[]()<>\\"]), max_size=40).map("".join))
def test_words_outside_of_links_and_tags_are_kept(text: str) -> None:
    if "](" not in text and "][" not in text and "<" not in text:
        assert plain(text).count("word") == text.count("word")


@pytest.mark.parametrize(
    "text", ["", "---", "Accepted", "Date: 2026-01-02", "![[a b c.png|300]]", "已接受", "상태: 승인됨"]
)
def test_two_words_say_nothing(text: str) -> None:
    assert not says_something(text) or "a b c" in text


@pytest.mark.parametrize(
    "text",
    ["We use it", "one, two, three", "- a1\n- b2\n- c3", "我们使用队列", "[one](a.md) [two](b.md) [three](c.md)"],
)
def test_three_words_say_something(text: str) -> None:
    assert says_something(text)
