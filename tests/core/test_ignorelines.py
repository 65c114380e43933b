"""The lines in `.gitignore`: what is there stays, and taking ours out gives the former bytes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.ignorelines import HOOK_LINE, STATE_LINES, add_lines, has_lines, hides_config, remove_lines
from docs_rag.errors import ConfigError

ALL = (*STATE_LINES, HOOK_LINE)
FILES = st.lists(st.sampled_from([b"build/", b"", b"# mine", b"*.pyc", b"\xff", b"# docs-rag"]), max_size=5)


def test_a_file_that_is_not_there_is_made() -> None:
    assert add_lines(None, STATE_LINES) == b"# docs-rag\n.rag/index.db*\n.rag/*.log*\n"


def test_case_56_lines_are_added_once_and_a_later_one_joins_them() -> None:
    once = add_lines(b"build/\n", STATE_LINES)
    assert once == b"build/\n\n# docs-rag\n.rag/index.db*\n.rag/*.log*\n"
    assert add_lines(once, STATE_LINES) == once
    assert add_lines(once, ALL) == once + b".claude/settings.local.json\n"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("data", [b"", b"a\n", b"a", b"a\n\n", b"\n", b"\xef\xbb\xbfa\n", b"a\nb \n", b"\xff\n"])
def test_taking_out_gives_the_former_bytes_back(data: bytes, end: bytes) -> None:
    data = data.replace(b"\n", end)
    added = add_lines(data, ALL)
    assert added is not None
    assert added != data
    assert added.startswith(data)
    assert remove_lines(added) == data


@given(FILES, st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_what_was_added_goes_again(lines: list[bytes], end: bytes, ended: bool) -> None:
    data = end.join(lines) + (end if ended else b"")
    added = add_lines(data, ALL)
    assert added is not None
    assert add_lines(added, ALL) == added
    assert remove_lines(added) == data


@pytest.mark.parametrize("line", [b".rag/", b"/.rag", b".rag/*"])
def test_what_a_wider_line_covers_is_not_added(line: bytes) -> None:
    assert add_lines(line + b"\n", STATE_LINES) == line + b"\n"


def test_a_line_of_the_users_own_is_not_added_again_and_not_taken_out() -> None:
    mine = b".claude/settings.local.json\n"
    added = add_lines(mine, ALL)
    assert added == mine + b"\n# docs-rag\n.rag/index.db*\n.rag/*.log*\n"
    assert remove_lines(added) == mine


def test_one_line_goes_alone() -> None:
    added = add_lines(None, ALL)
    assert added is not None
    assert remove_lines(added, [HOOK_LINE]) == add_lines(None, STATE_LINES)


def test_lines_that_the_user_wrote_below_stay() -> None:
    added = add_lines(b"a\n", ALL)
    assert added is not None
    assert remove_lines(added + b"b\n") == b"a\nb\n"


def test_a_heading_alone_is_nobodys() -> None:
    assert remove_lines(b"# docs-rag\nbuild/\n") == b"# docs-rag\nbuild/\n"
    assert not has_lines(b"# docs-rag\nbuild/\n")
    assert not has_lines(None)
    assert has_lines(add_lines(b"build/\r\n", ALL))


def test_utf16_is_refused() -> None:
    with pytest.raises(ConfigError, match="UTF-16"):
        add_lines("a\n".encode("utf-16"), ALL)


def test_a_line_that_hides_the_config_is_named() -> None:
    assert hides_config(b"a\n/.rag/\n") == ".rag/"
    assert hides_config(b".rag/*\n") is None
    assert hides_config(None) is None
