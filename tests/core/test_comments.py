"""What is cut out of a note before all else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.comments import visible


def lines_left(text: str) -> list[tuple[int, str]]:
    """Numbered lines that are still to be seen, the first of the text being line 1."""
    found = visible(text.split("\n"), 1)
    return list(zip(found.numbers, found.lines, strict=True))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("one\ntwo", [(1, "one"), (2, "two")]),
        ("one <!-- gone --> two", [(1, "one  two")]),
        ("one %%gone%% two %%gone%% three", [(1, "one  two  three")]),
        ("<!-- gone --> two", [(1, "two")]),
        ("  %%gone%% two", [(1, "  two")]),
        ("one\n%%\ngone\n%%\ntwo", [(1, "one"), (2, ""), (5, "two")]),
        ("one\n\n%%\ngone\n%%\n\ntwo", [(1, "one"), (2, ""), (6, ""), (7, "two")]),
        ("%%\ngone\n%%\ntwo", [(4, "two")]),
        ("one %%gone\ngone%% two", [(1, "one "), (2, "two")]),
        ("%%\na\n%% one %% b %% two", [(3, "one  two")]),
        ("<!-- a\n\nb --> one <!-- c --> two", [(3, "one  two")]),
        ("<!--> one", [(1, "one")]),
        ("- one\n- %%gone%%\n- two", [(1, "- one"), (2, "- "), (3, "- two")]),
        ("> %%\n> gone\n> %%\n> one", [(1, "> "), (2, ""), (4, "> one")]),
    ],
)
def test_comments_are_cut_out(text: str, left: list[tuple[int, str]]) -> None:
    assert lines_left(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "a share of 20%%",
        "20%% of one\n\nand 30%% of the other",
        "%% never closed\n\n# One",
        "<!-- never closed\n\n# One",
        "one <!-- two\n\nthree -->",
        "`%%` and `%%`",
        "``a ` %%`` and `%%`",
        "```\n%%\n```\ntext\n\n~~~\n%%\n~~~",
        "1. one\n   ```\n   <!-- -->\n   ```",
        "> ```\n> %% a %%\n\nafter the quote",
        "```\n%% a %%",
        r"\%% a \%%",
    ],
)
def test_what_is_code_or_never_closed_stays(text: str) -> None:
    assert "\n".join(line for _, line in lines_left(text)) == text


def test_a_fence_in_a_quote_ends_with_the_quote() -> None:
    assert lines_left("> ```\n> one\n\n%%gone%%\ntwo") == [(1, "> ```"), (2, "> one"), (3, ""), (5, "two")]


def test_the_first_line_may_have_any_number() -> None:
    found = visible(["<!-- -->", "one"], 7)
    assert (list(found.numbers), list(found.lines)) == ([8], ["one"])


def test_formulas_are_hidden_from_the_block_parser_alone() -> None:
    found = visible(["$$", "# x", "", "> y", "$$", "one"], 1)
    assert list(found.lines) == ["$$", "# x", "", "> y", "$$", "one"]
    assert found.structure == "$$\nx\nx\n> x\nx\none"


@given(st.lists(st.sampled_from(["a", "%%", "<!--", "-->", "$$", "`", "```", "~~~", "\n", "\n\n", "> ", "- ", " "])))
def test_what_is_left_is_in_order_and_in_its_lines(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = visible(text.split("\n"), 1)
    assert found.structure.count("\n") + 1 == max(1, len(found.lines))
    assert list(found.numbers) == sorted(set(found.numbers))
    for number, line in zip(found.numbers, found.lines, strict=True):
        remaining = iter(text.split("\n")[number - 1])
        assert all(character in remaining for character in line)
