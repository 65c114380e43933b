"""The block for agents: replaced in place, taken out without a trace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.agentsblock import BEGIN, END, TEXT, has_block, imports_agents, put_block, remove_block
from docs_rag.errors import ConfigError

NAME = "AGENTS.md"


def test_a_new_file_is_the_block() -> None:
    assert put_block(None, NAME) == TEXT.encode()


def test_it_tells_what_must_be_told() -> None:
    assert "Before you decide" in TEXT
    assert "search_notes" in TEXT
    assert "Never cite a superseded" in TEXT
    assert "No relevant results" in TEXT


@pytest.mark.parametrize("data", [b"# Mine\n", b"# Mine", b"# Mine\n\n", b"a\r\nb\r\n", b"a\r\nb", b"\xff\n", b"\n"])
def test_taking_out_gives_the_former_bytes_back(data: bytes) -> None:
    written = put_block(data, NAME)
    assert written.startswith(data)
    assert has_block(written)
    assert put_block(written, NAME) == written
    assert remove_block(written, NAME) == data


@given(st.lists(st.sampled_from(["# A", "", "text", "\ufeff", "é"]), max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_any_text_comes_back(lines: list[str], end: str) -> None:
    data = end.join(lines).encode()
    assert remove_block(put_block(data, NAME), NAME) == data


def test_a_former_block_is_replaced_where_it_stands() -> None:
    old = f"# Mine\n\n{BEGIN}\nof an older version\n{END}\n\n## More\n".encode()
    assert put_block(old, NAME) == f"# Mine\n\n{TEXT}\n## More\n".encode()
    assert put_block(old.replace(b"\n", b"\r\n"), NAME).count(b"\r\n") == put_block(old, NAME).count(b"\n")


@pytest.mark.parametrize("text", [BEGIN, END, f"{END}\n{BEGIN}", f"{TEXT}\n{TEXT}"])
def test_marks_that_are_no_pair_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="not one pair"):
        put_block(text.encode(), NAME)
    with pytest.raises(ConfigError, match="not one pair"):
        remove_block(text.encode(), NAME)


def test_utf16_is_refused() -> None:
    with pytest.raises(ConfigError, match="UTF-16"):
        put_block("a\n".encode("utf-16"), NAME)


def test_a_file_without_the_block_stays() -> None:
    assert remove_block(b"# Mine\n", NAME) == b"# Mine\n"


@pytest.mark.parametrize(
    ("text", "found"), [("@AGENTS.md\n", True), ("# A\n\n- @./agents.md\n", True), ("see AGENTS.md", False)]
)
def test_an_import_of_agents_is_seen(text: str, found: bool) -> None:
    assert imports_agents(text.encode()) is found
