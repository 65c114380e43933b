"""Differences as people read them."""

from __future__ import annotations

from docs_rag.core.diffs import edit_lines, unified
from docs_rag.core.digests import bytes_digest
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import MoveFile, write

PATH = DocPath("a.md")


def test_a_changed_line_stands_between_its_neighbours() -> None:
    assert unified("a.md", "one\ntwo\n", "one\n2\n") == [
        "--- a/a.md", "+++ b/a.md", "@@ -1,2 +1,2 @@", " one", "-two", "+2",
    ]  # fmt: skip


def test_nothing_changes_nothing_is_shown() -> None:
    assert unified("a.md", "x", "x") == []


def test_a_new_and_an_empty_file_are_told() -> None:
    assert unified("a.md", None, "x\n")[:2] == ["--- /dev/null", "+++ b/a.md"]
    assert unified("a.md", None, "") == ["--- /dev/null", "+++ b/a.md"]
    assert unified("a.md", "", None) == ["--- a/a.md", "+++ /dev/null"]


def test_a_missing_last_line_end_is_told() -> None:
    assert unified("a.md", "x", "x\n")[-2:] == ["-x \\ no newline at end of file", "+x"]


def test_notes_cannot_move_the_cursor() -> None:
    lines = unified("a\x1b[2J.md", "x\n", "\x1b[31mred\u202e\n")
    assert not any("\x1b" in line or "\u202e" in line for line in lines)


def test_edits_of_any_kind_are_shown() -> None:
    assert edit_lines(MoveFile(PATH, bytes_digest(b""), DocPath("b.md")), b"") == [
        "rename from a.md", "rename to b.md",
    ]  # fmt: skip
    assert edit_lines(write(PATH, b"\xff", b"x"), b"\xff") == ["Binary file a.md differs"]
    assert edit_lines(write(PATH, b"x\r\n", b"y\r\n"), b"x\r\n")[-2:] == ["-x", "+y"]
