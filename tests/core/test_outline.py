"""Headings and fences found without a markdown parser."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.markdown import blocks
from docs_rag.core.outline import outline


def _headings(text: str, body_start: int = 0) -> list[tuple[int, int, str]]:
    return [(each.level, each.line, each.words) for each in outline(text, body_start).headings]


def test_levels_lines_and_words() -> None:
    assert _headings("# A\n\ntext\n\n## B *c* ##\n###### D\n####### no\n#no\n") == [
        (1, 0, "A"),
        (2, 4, "B c"),
        (6, 5, "D"),
    ]


def test_underlined_headings() -> None:
    assert _headings("Top\n===\n\nBelow\n---\n") == [(1, 0, "Top"), (2, 3, "Below")]
    assert _headings("Status: draft\n---\n- item\n---\n> quote\n---\n\n---\n") == []


def test_what_is_no_prose_is_passed_over() -> None:
    text = "```sh\n# install\n```\n<!--\n# hidden\n-->\n%%\n# note\n%%\n$$\n# sum\n$$\n<pre>\n# x\n</pre>\n# Seen\n"
    assert _headings(text) == [(1, 15, "Seen")]
    kinds = [(each.kind, each.first, each.last) for each in outline(text, 0).stretches]
    assert kinds == [("fence", 0, 2), ("comment", 3, 5), ("comment", 6, 8), ("math", 9, 11), ("pre", 12, 14)]


def test_a_longer_fence_holds_a_shorter_one() -> None:
    assert _headings("````\n```\n# no\n```\n````\n# yes\n") == [(1, 5, "yes")]


def test_what_is_never_closed() -> None:
    assert _headings("# a\n```\n# b\n") == [(1, 0, "a")]
    assert _headings("# a\n$$\n# b\n") == [(1, 0, "a"), (1, 2, "b")]


def test_lines_are_those_of_the_file() -> None:
    assert _headings("---\nx: 1\n---\n# A\n\n## B\n", 3) == [(1, 3, "A"), (2, 5, "B")]


_LINES = st.sampled_from(["# A", "## B", "text", "", "- item", "    code", "# C d", "#no"])


@given(st.lists(_LINES, max_size=20))
def test_it_agrees_with_the_block_parser(lines: list[str]) -> None:
    text = "\n".join(lines)
    expected = [(b.level, b.start, b.text) for b in blocks(text) if b.kind == "heading" and b.depth == 0]
    assert _headings(text) == expected


@given(st.text(alphabet="#`~<>!-=%$ \n\tab", max_size=200), st.integers(0, 5))
def test_nothing_is_raised_and_lines_lie_in_the_text(text: str, start: int) -> None:
    found = outline(text, start)
    last = text.count("\n")
    assert all(0 <= each.line <= last for each in found.headings)
    assert all(0 <= each.first <= each.last <= last for each in found.stretches)
