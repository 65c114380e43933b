"""Cuts that are found line by line, held against the parser."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docs_rag.core.markdown import blocks
from docs_rag.core.plaincuts import plain_cuts

PIECES = [
    *("a", "b c", "é", "**b** x", "_u_", "`c`", "#t", "2026 x", "- ", "* ", "1. ", "2. ", "2) ", "-   a\n", "# ", "#"),
    *("```", "~~~", "---", "===", "> ", "|", "a | b", "|---|", "  ", "   ", "    ", "\t", "<b>", "\n", "\n", "\n\n"),
    *("- a\n", "- b\n", "1. a\n", "2. b\n", "  c\n", "   c\n", "  - d\n", "  ```\n", "text\n", "text\n", "  # n\n"),
    *("\n```\ncode\n```\n", "## h\n", "\n\n- a\n\n", "\n\ntext\n\n"),
]


def cuts_of_the_parser(text: str) -> list[int]:
    """Where outermost blocks begin but behind headings, as a section is cut by the parser's blocks."""
    lines = text.split("\n")
    cuts: list[int] = []
    behind = -1
    for block in blocks(text):
        behind = block.end if block.kind == "heading" else behind
        if block.depth == 0 and block.start != behind:
            cuts.append(sum(len(line) + 1 for line in lines[: block.start]))
    return cuts


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("- a\n  # b\n- c\n")
@example("- a\n  ```\n  b\n  ```\nc")
@example("text\n2. no list\n")
@example("1. a\nlazy\n2. b\n3) c\n")
def test_what_is_cut_without_the_parser_is_cut_as_by_it(text: str) -> None:
    found = plain_cuts(text)
    assert found is None or found == cuts_of_the_parser(text)


@pytest.mark.parametrize(
    "text",
    [
        "## Part\n\nWords and *more*.\n**Bold** goes on.\n\n- one\n  more\n\n  and more\n- two\n  - inner\n\n1. a\n",
        "text\n```sh\n# no heading\n\n```\n\n~~~\nopen to the end\n",
        "- a\n- b\n* c\n\n# H\ntext [[x]] at 10:30 (see *y*)\n2026 was late\n",
    ],
)
def test_sections_as_people_write_them_need_no_parser(text: str) -> None:
    assert plain_cuts(text) == cuts_of_the_parser(text)


@pytest.mark.parametrize(
    "text",
    ["a\n---\n", "> q\n", "a | b\n--|--\n", "<b>\n", "    code\n", "- a\n  b\nc\n", "a\n2. b\n", "- a\n b\n", "\ta\n"],
)
def test_what_can_be_read_in_two_ways_is_left_to_the_parser(text: str) -> None:
    assert plain_cuts(text) is None
