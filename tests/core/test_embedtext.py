"""The text that is embedded."""

from __future__ import annotations

import pytest
from casefiles import Case, cases
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.embedtext import embed_text


@pytest.mark.parametrize("case", cases("embedtexts.txt"))
def test_case_by_case(case: Case) -> None:
    text = embed_text("Note", ("Note", "Queue"), f"## Queue\n\n{case.given}")
    assert text.split("\n") == ["Note", "Queue", *filter(None, case.expected.split("\n"))]


def test_title_and_path_come_first_and_once() -> None:
    assert embed_text("Use Kafka", ("Use Kafka", "Why", "Cost"), "### Cost\n\nIt is cheap.") == (
        "Use Kafka\nWhy > Cost\nIt is cheap."
    )
    assert embed_text("ADR 7", ("Use Kafka",), "# Use Kafka\n\nIt is cheap.") == "ADR 7\nUse Kafka\nIt is cheap."
    assert embed_text("Use Kafka", (), "It is cheap.") == "Use Kafka\nIt is cheap."


@pytest.mark.parametrize("text", ["# Use Kafka", "", "```\nmake\n```"])
def test_case_30_a_stub_is_embedded_by_its_title(text: str) -> None:
    assert embed_text("Use Kafka", ("Use Kafka",) if text.startswith("#") else (), text) == "Use Kafka"


def test_a_section_of_code_is_embedded_by_its_headings_but_its_later_parts_are_not() -> None:
    assert embed_text("Queue", ("Queue", "Install"), "## Install\n\n```\nmake\n```") == "Queue\nInstall"
    assert embed_text("Queue", ("Queue", "Install"), "```\nmake install\n```") == ""
    assert embed_text("Queue", ("Queue", "Install"), "the end of a very long block\n```") == ""


@given(st.text(st.characters(codec=None)) | st.text(alphabet="a`~*_[]()|<>!%$=-#>^:&;\\ \n\t"))
def test_any_text_has_an_embed_text_without_blank_lines(text: str) -> None:
    found = embed_text("Note", ("Part",), text)
    assert found == "" or found.split("\n")[:2] == ["Note", "Part"]
    assert all(line.strip() for line in found.split("\n")) or found == ""


@pytest.mark.parametrize(
    "piece", ["_a ", "**a", "`a``", "[a](", "[[a|", "<a ", "%% a ", "<!--\n", "```\n", "|\n", "> ", "=="]
)
def test_texts_of_one_mark_are_read_in_time_in_proportion(piece: str) -> None:
    """No limit of time is asserted: a pattern that looked at everything for each mark would not come to an end."""
    assert embed_text("Note", (), piece * (60_000 // len(piece))).startswith("Note")
