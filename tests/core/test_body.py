"""The region in which a note's own text may speak of its state."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.body import Body
from docs_rag.core.declared import Source, statements
from docs_rag.core.frontmatter import read_frontmatter
from docs_rag.core.spellings import Role


def _source(text: str) -> Source:
    return Source("note.md", read_frontmatter(text), text)


def _body(text: str) -> Body:
    return _source(text).body


def _head(text: str) -> list[str]:
    return [block.text for block in _body(text).head]


def test_the_head_ends_at_the_first_heading_below_the_title() -> None:
    assert _head("above\n\n# Title\n\none\ntwo\n\n> quote\n\n## Next\n\nthree\n") == ["above", "one\ntwo", "quote"]


def test_a_note_without_a_title_has_its_first_heading_for_one() -> None:
    assert _head("## D-1\n\n- Status: draft\n\n## Next\n\ntext\n") == ["- Status: draft"]
    assert _head("text\n\n## Next\n\nmore\n") == ["text"]


def test_an_underlined_second_line_belongs_to_the_title() -> None:
    assert _head("NIP-1\n=====\n\nMessages\n--------\n\n`final`\n\n## Text\n") == ["`final`"]
    assert _head("# A\n\n## B\n\ntext\n") == []


def test_fences_comments_and_rules_are_no_lines_of_the_head() -> None:
    assert _head("# A\n\n```\nStatus: x\n```\n<!-- Status: y -->\none\n\n---\ntwo\n") == ["one", "two"]


def test_sections_named_after_keys_wherever_they_stand() -> None:
    text = (
        "# A\n\n## Context\n\ntext\n\n#### 2. Status:\n\nAccepted\n\n## Status\n\nRejected\n\n## Superseded by\n\nB\n"
    )
    found = [(section.role, section.line, [block.text for block in section.blocks]) for section in _body(text).sections]
    assert found == [(Role.STATUS, 7, ["Accepted"]), (Role.SUCCESSOR, 15, ["B"])]


def test_a_heading_that_is_more_than_a_key_is_none() -> None:
    assert _body("# A\n\n## Status of the queue\n\nx\n\n## Dates\n\ny\n\n## Status page: how to\n\nz\n").sections == ()


def test_preambles_open_the_note_or_stand_under_their_heading() -> None:
    assert len(_body("```\nStatus: x\n```\n# A\n").preambles) == 1
    assert len(_body("# A\n\n```\nStatus: x\n```\n").preambles) == 1
    assert len(_body("# A\n\ntext\n\n## Preamble\n\n```\nStatus: x\n```\n").preambles) == 1
    assert _body("# A\n\ntext\n\n```\nStatus: x\n```\n").preambles == ()


def test_links_by_label_are_written_out() -> None:
    body = _body(
        "# A\n\n[RFC 7][], [x][Two  Words], [none][], [link](there.md)\n\n[rfc 7]: 7.md\n[two words]: <2.md>\n"
    )
    assert body.expanded(body.head[0].text) == "[RFC 7](7.md), [x](2.md), [none][], [link](there.md)"


_HEADS = ["# A", "## Status", "A\n=", "", "text", "---", "```", "<!--", "-->", "> [!note] x", "`final`"]
_SAID = ["Status: superseded", "- Superseded by: [[B]]", "| Status | x |", "|---|---|", "**Date**: 2026-01-14"]
_PIECES = st.sampled_from([*_HEADS, *_SAID, "status:: draft", ":Status: x"])


@given(st.lists(_PIECES, max_size=25))
def test_statements_stand_on_lines_of_the_file(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    found = statements(_source(text))
    assert all(1 <= each.line <= text.count("\n") + 1 for each in found)
    assert all(each.values for each in found)


@given(st.text(max_size=300))
def test_nothing_is_raised_whatever_the_text(text: str) -> None:
    statements(_source(text))
