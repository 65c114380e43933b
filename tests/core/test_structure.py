"""Headings that are found without the parser, held against the parser."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docs_rag.core.markdown import Block, blocks
from docs_rag.core.structure import Structure, plain_headings

PIECES = [
    *(
        "a",
        "b c",
        "é",
        "- ",
        "* ",
        "1. ",
        "# ",
        "## ",
        "#",
        "#x",
        " #",
        "  # ",
        "```",
        "~~~",
        "````",
        "--",
        "---",
        "===",
    ),
    *("   ```", "  ```\n", "  x\n", "- - -", "***", "|", "| a | b |", "|---|---|", "a | b", ":-:", "    ", "  ", "\t"),
    *(
        "<div>",
        "</div>",
        "<b>",
        "<b x",
        "<!--",
        "-->",
        "<pre>",
        "</pre>",
        "<?",
        "<https://a.b>",
        "> ",
        ">",
        "\\",
        "x\n",
    ),
    *("\n", "\n", "\n", "\n", "\n\n", "\n\n", "\n# h\n", "\n## T | x\n", "\n```\n", "\n- a\n  ```\n  b\n  ```\n"),
]


def top_headings(text: str) -> list[Block]:
    return [each for each in blocks(text) if each.kind == "heading" and each.depth == 0]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("- a\n  ```\n# b\n  ```\n# c\n")
@example("a  \n---\n")
@example("``` a | b\n|---|---|\n# c\n")
@example("<b>\n# a\n\n# b\n")
@example("   ```\n   # a\n   ```\n# b")
@example("1. a\n   ```\n\n   # a\n  ```\n# b")
def test_what_is_found_without_the_parser_is_what_the_parser_finds(text: str) -> None:
    found = plain_headings(text)
    assert found is None or found == top_headings(text)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_the_blocks_between_headings_are_those_of_the_whole(text: str) -> None:
    structure = Structure(text)
    cuts = sorted({0, *(each.start for each in structure.headings), text.count("\n") + 1})
    assert [each for cut in pairwise(cuts) for each in structure.within(*cut)] == blocks(text)


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\ntext\n\n- one\n- two\n\n## B ##\n#tag\n",
        "a\n\n---\n\n# A\n***\n",
        "```sh\n# no heading\n---\n```\n# A\n",
        "~~~\n# open to the end\n",
        "1. step\n\n   ```sh\n   # no heading\n\n   more\n   ```\n2. step\n# A\n",
        "<details>\n<summary>More</summary>\n\n# A\n\n</details>\n",
        "<https://example.org>\n# A\n",
        "> # quoted\n# A | B\ntext\n",
    ],
)
def test_notes_as_people_write_them_need_no_parser(text: str) -> None:
    assert plain_headings(text) == top_headings(text)


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=====\n",
        "Part\n---\n",
        "<!--\n# no heading\n-->\n",
        "<pre>\n\n# no heading\n</pre>\n",
        "<div>\n# no heading\n",
        "# a | b\n--|--\n",
        "- ```\n  a\n ```\n # A\n",
    ],
)
def test_what_can_be_read_in_two_ways_is_parsed(text: str) -> None:
    assert plain_headings(text) is None
    assert Structure(text).headings == top_headings(text)


@pytest.mark.parametrize(
    "line", ["<b>\n", "```\n", "   ```\n", "  ~~~\n\n", "a\n---\n", "\n---\n", "#\n", "# a|\n", " \n"]
)
def test_a_hundred_thousand_lines_do_not_take_longer_than_their_number_asks_for(line: str) -> None:
    """No limit of time is asserted: with a quadratic rule this test would run for hours."""
    Structure(line * 50_000)
