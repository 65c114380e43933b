"""Markdown in the making: lines, locations, code and metadata."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.comments import FENCE, after_fence
from docs_rag.core.converted import location_of
from docs_rag.core.frontmatter import read_frontmatter
from docs_rag.core.mddraft import NO_TEXT, Draft, Heading, fenced, metadata


def test_blocks_are_apart_and_located() -> None:
    draft = Draft()
    draft.block(["a", "b\nc"])
    draft.at("p. 1")
    draft.block(["d"])
    draft.block([])
    draft.block(["e"])
    draft.lines(["f"])
    draft.at("p. 2")
    draft.lines(["g"])
    converted = draft.finished(title=" T\nx ")
    assert converted.markdown == "a\nb\nc\n\nd\n\ne\nf\ng\n"
    assert [(each.lines, each.location) for each in converted.stretches] == [((5, 8), "p. 1"), ((9, 9), "p. 2")]
    assert location_of(converted.stretches, (1, 3)) == ""
    assert converted.title == "T x"


def test_sections_are_located_by_their_headings() -> None:
    draft = Draft()
    draft.sections([["lead"], Heading(2, "One"), ["text"]])
    converted = draft.finished()
    assert converted.markdown == "lead\n\n## One\n\ntext\n"
    assert [each.location for each in converted.stretches] == ["section One"]


def test_nothing_is_said_to_be_nothing() -> None:
    assert Draft().finished().warnings == (NO_TEXT,)
    assert Draft().finished(warnings=["why"]).warnings == ("why",)
    assert Draft().finished().markdown == ""


@given(st.text(alphabet="a`~ \n", max_size=40))
def test_a_code_block_ends_where_it_should(text: str) -> None:
    block = "\n".join(fenced(text, "x"))
    opening = FENCE.match(block)
    assert opening is not None
    assert after_fence(block, opening) == len(block)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=60).filter(str.strip))
def test_metadata_says_what_it_was_given(value: str) -> None:
    value = " ".join(value.split())
    found = read_frontmatter("\n".join([*metadata({"Sta:tus#": value}), "", "text"]))
    assert found.entries["status"].values == (value,)
    assert found.problems == ()


def test_metadata_without_values_is_none() -> None:
    assert metadata({}) == []
    assert metadata({"#": "x"}) == []
