"""Text as markdown that says no more than the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docs_rag.core.comments import visible
from docs_rag.core.mdwriting import heading, paragraph


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("  indented\n\n\tlines ", "indented\nlines"),
        ("# title", "\\# title"),
        ("#hashtag", "#hashtag"),
        ("a\n===", "a\n\\==="),
        ("a\n---\nb", "a\n\\---\nb"),
        ("```", "\\```"),
        ("100%% <!-- x", "100%\\% <\\!-- x"),
        ("* bullet, 1. number", "* bullet, 1. number"),
        ("", ""),
    ],
)
def test_a_paragraph(text: str, expected: str) -> None:
    assert paragraph(text) == expected


@given(st.text(alphabet="#=-`~%<! a\n>", max_size=30))
def test_no_paragraph_becomes_a_heading_or_hides_text(text: str) -> None:
    made = paragraph(text)
    kinds = {token.type for token in MarkdownIt("commonmark").parse(made) if token.level == 0}
    assert kinds.isdisjoint({"fence", "code_block", "heading_open", "blockquote_open"})
    lines = made.split("\n")
    assert list(visible(lines, 1).lines) == lines


def test_headings_are_one_line_of_six_levels() -> None:
    assert heading(2, " A\n b ") == "## A b"
    assert heading(9, "x") == "###### x"
    assert heading(1, " ") == ""
