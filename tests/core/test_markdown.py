"""Block structure, held against markdown-it's own rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs_rag.core import markdown
from docs_rag.core.markdown import Block, blocks

ORIGINAL_RULES = [
    "table",
    "code",
    "fence",
    "blockquote",
    "hr",
    "list",
    "html_block",
    "heading",
    "lheading",
    "paragraph",
]
ORIGINAL_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "table_open": "table",
    "tr_open": "row",
    "blockquote_open": "quote",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "hr": "rule",
}


Found = tuple[str, int, int, int, str]


@cache
def original() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 60})
    parser.block.ruler.enableOnly(ORIGINAL_RULES)
    return parser


def by_the_original(text: str) -> list[Found]:
    """What markdown-it finds with its own rules, in our terms."""
    tokens: list[Token] = []
    original().block.parse(text if text.endswith("\n") else text + "\n", original(), {}, tokens)
    found = []
    for place, token in enumerate(tokens):
        kind = ORIGINAL_KINDS.get(token.type)
        if kind and token.map:
            level, text = (int(token.tag[1]), tokens[place + 1].content) if kind == "heading" else (0, "")
            start, end = token.map
            found.append((kind, start, end, level, text))
    return found


def by_us(text: str) -> list[Found]:
    """The same of ours; a header row takes its delimiter along, which markdown-it gives to nobody."""
    found: list[Found] = []
    for block in blocks(text):
        end = block.start + 1 if block.kind == "row" else block.end
        found.append((block.kind, block.start, end, block.level, block.text))
    return found


@contextmanager
def believing_every_underline() -> Iterator[None]:
    """The one departure from CommonMark taken away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "_is_title", lambda *_: True)
        yield


PIECES = [
    *("a", "b c", "é", "中", "- ", "* ", "+ ", "1. ", "2) ", "# ", "## ", "#", " #", "```", "~~~", "````", "--", "==="),
    *("- - -", "***", "|", "| a | b |", "|---|---|", "---|---", "a | b", ":-:", "\\|", "    ", "  ", "   ", "\t"),
    *("<div>", "<!--", "-->", "</div>", "<b>", "<pre>", "</pre>", "[x]: y", "\\", "\n", "\n", "\n", "\n\n"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_the_shorter_rules_find_what_markdown_it_finds(text: str) -> None:
    with believing_every_underline():
        assert by_us(text) == by_the_original(text)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_in_quotes_too(text: str) -> None:
    marked = "\n".join(f"> {line}" for line in text.split("\n"))
    with believing_every_underline():
        assert by_us(marked) == by_the_original(marked)


def test_a_quote_that_ends_without_a_line_end_is_read() -> None:
    assert [block.kind for block in blocks("> - <pre>\n> ")] == ["quote", "list", "item", "html"]


@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_has_blocks_inside_it_and_in_order(text: str) -> None:
    found = blocks(text)
    assert all(0 <= block.start < block.end <= text.count("\n") + 1 for block in found)
    assert [block.start for block in found] == sorted(block.start for block in found)


def headings(text: str) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in blocks(text) if block.kind == "heading" and block.depth == 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n=====\n\nPart\n----\n", [(1, "Title"), (2, "Part")]),
        ("A title that\nruns on\n---", [(2, "A title that\nruns on")]),
        ("Now the steps.\n\nStep 2: install\n---", [(2, "Step 2: install")]),
        ("Chapter 1: start\n----------------", [(2, "Chapter 1: start")]),
        ("[Linked](x.md) title\n---", [(2, "[Linked](x.md) title")]),
    ],
)
def test_underlined_titles_are_headings(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Status: draft\n---\n",
        "Date: 2026-01-02\nOwner: Ann\n---\n",
        "# T\n\n**Status:** draft\n---\n",
        "status：草稿\n---\n",
        "![banner](banner.png)\n---\n",
        "[docs]: https://example.org\n---\n",
        "#work #later\n---\n",
        "This is how the whole story of the migration came to its end.\n---\n",
        "one\ntwo\nthree\nfour\n---\n",
        "one\ntwo\nthree\nfour\n===\n",
    ],
)
def test_a_rule_under_something_else_than_a_title_makes_no_heading(text: str) -> None:
    assert headings(text) == ([(1, "T")] if text.startswith("# T") else [])


def test_headings_keep_their_markup_and_lose_their_closing_marks() -> None:
    assert headings("## The `x` **flag** ##\n### C# #\n#\n#tag") == [(2, "The `x` **flag**"), (3, "C#"), (1, "")]


def test_items_and_rows_have_their_lines() -> None:
    text = "- one\n  more\n- two\n  - inner\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
    assert blocks(text) == [
        Block("list", 0, 5, 0),
        Block("item", 0, 2, 1),
        Block("paragraph", 0, 2, 2),
        Block("item", 2, 5, 1),
        Block("paragraph", 2, 3, 2),
        Block("list", 3, 5, 2),
        Block("item", 3, 5, 3),
        Block("paragraph", 3, 4, 4),
        Block("table", 5, 9, 0),
        Block("row", 5, 7, 1),
        Block("row", 7, 8, 1),
        Block("row", 8, 9, 1),
    ]


def test_a_line_without_a_mark_goes_on_with_the_quote_but_is_no_title() -> None:
    assert by_us("> said\nand more\n---\n> again") == [
        ("quote", 0, 2, 0, ""),
        ("paragraph", 0, 2, 0, ""),
        ("rule", 2, 3, 0, ""),
        ("quote", 3, 4, 0, ""),
        ("paragraph", 3, 4, 0, ""),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- " * 30 + "deep",
        "> " * 30 + "deep",
        "\n".join(" " * 2 * level + "- deep" for level in range(40)),
    ],
)
def test_very_deep_nesting_ends_in_paragraphs_and_what_follows_is_still_seen(text: str) -> None:
    found = blocks(f"{text}\n\n# After\n")
    assert max(block.depth for block in found) <= 20
    assert found[-1][:2] == ("heading", text.count("\n") + 2)


@pytest.mark.parametrize(
    "line",
    [
        ">",
        "> > > > > > - a\n",
        "- - - - - a\n",
        "[",
        "[\n",
        "- ```\n",
        "> ```\n\n",
        "> ```\na\n",
        "<!--\n",
        "|\n",
        "#\n",
    ],
)
def test_a_hundred_thousand_marks_do_not_take_longer_than_their_number_asks_for(line: str) -> None:
    """No limit of time is asserted: with a quadratic rule this test would run for hours."""
    assert blocks(line * (100_000 // len(line)))
