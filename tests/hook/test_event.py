"""What is read from an event, whatever it holds."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.hook.event import edited_file, parse

EDIT = {"hook_event_name": "PostToolUse", "tool_name": "Edit", "cwd": "/p", "tool_input": {"file_path": "/p/a.md"}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
posix = pytest.mark.skipif(os.name != "posix", reason="paths of POSIX")


@given(value=JSON)
def test_json_is_read_as_the_library_reads_it(value: object) -> None:
    assert parse(json.dumps(value).encode()) == value
    assert parse(json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8")) == value


@given(data=st.binary(max_size=200))
def test_whatever_else_is_nothing(data: bytes) -> None:
    try:
        expected = json.loads(data.decode("utf-8", "replace").lstrip("\ufeff"))
    except ValueError:
        expected = None
    assert repr(parse(data)) == repr(expected)


@pytest.mark.parametrize(
    "data", [b"", b"  ", b"{", b'{"a": 1} x', b'{"a" 1}', b"[" * 100_000, b'"\x01"', b"\xff\xfe", b"nul"]
)
def test_what_is_no_json_is_nothing(data: bytes) -> None:
    assert parse(data) is None


def test_a_byte_order_mark_is_passed_over() -> None:
    assert parse(b'\xef\xbb\xbf {"a": 1}\n') == {"a": 1}


@posix
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "/p/a.md"),
        ({"tool_name": "Write"}, "/p/a.md"),
        ({"tool_input": {"file_path": "sub/../b.md"}}, "/p/b.md"),
        ({"tool_input": {"file_path": "~/b.md"}}, None),
        ({"tool_input": {"notebook_path": "/p/n.ipynb"}, "tool_name": "NotebookEdit"}, "/p/n.ipynb"),
        ({"tool_input": {}, "tool_response": {"filePath": "/p/c.md"}}, "/p/c.md"),
        ({"tool_name": "Bash", "tool_input": {"command": "rm a.md"}}, ""),
        ({"tool_name": "Read"}, ""),
        ({"tool_name": 3}, ""),
        ({"tool_input": None}, ""),
        ({"tool_input": {"file_path": 7}}, ""),
        ({"tool_input": {"file_path": ""}}, ""),
        ({"tool_input": {"file_path": "/p/a\0.md"}}, ""),
        ({"tool_input": ["/p/a.md"]}, ""),
    ],
)
def test_case_55_the_edited_file(changes: dict[str, object], expected: str | None, home: Path) -> None:
    assert edited_file({**EDIT, **changes}) == (str(home / "b.md") if expected is None else expected or None)


@posix
def test_the_event_of_a_watched_file_names_it_itself() -> None:
    assert edited_file({"hook_event_name": "FileChanged", "file_path": "/p/a.md", "event": "change"}) == "/p/a.md"


def test_a_relative_path_without_a_folder_counts_from_the_working_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    event = {"tool_name": "Edit", "tool_input": {"file_path": "a.md"}, "cwd": "nowhere"}
    assert edited_file(event) == str(tmp_path / "a.md")


@given(event=JSON)
def test_no_event_is_too_odd(event: object) -> None:
    found = edited_file(event)
    assert found is None or Path(found).is_absolute()
