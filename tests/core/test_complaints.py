"""Problems of notes as warnings."""

from __future__ import annotations

from docs_rag.core.complaints import MOST, complaints
from docs_rag.core.documents import DocPath, Problem, Skipped
from docs_rag.core.listing import ListedNote


def note(path: str, *problems: Problem, indexed: bool = True) -> ListedNote:
    return ListedNote(path=DocPath(path), title=path, problems=problems, indexed=indexed)


def test_each_problem_is_a_line_with_note_code_and_words() -> None:
    notes = [note("a.md", Problem("dangling", "'x.md' is no note", 3)), note("b.md")]
    assert complaints(notes, []) == ["a.md: dangling: 'x.md' is no note"]


def test_a_problem_that_notes_share_is_said_once_with_a_count() -> None:
    shared = Problem("unknown-status", "'seedling' is no known status")
    notes = [note(f"{name}.md", shared) for name in "abc"]
    assert complaints(notes, []) == ["a.md (and 2 more): unknown-status: 'seedling' is no known status"]


def test_what_is_said_elsewhere_is_not_said_again() -> None:
    notes = [
        note("a.md", Problem("encoding", "not UTF-8")),
        note("b.md", Problem("embed-failed", "NaN"), Problem("truncated", "cut")),
        note("c.md", Problem("too-large", "12 MB"), indexed=False),
    ]
    assert complaints(notes, [Skipped(DocPath("a.md"), "encoding", "not UTF-8")]) == []


def test_there_are_not_more_lines_than_a_person_reads() -> None:
    notes = [note(f"{number}.md", Problem("date", f"'{number}' is no date")) for number in range(MOST + 5)]
    lines = complaints(notes, [])
    assert len(lines) == MOST + 1
    assert lines[-1] == "5 more problems; docs-rag list --problems shows them"
    assert len(complaints(notes[:MOST], [])) == MOST


def test_a_line_is_a_line() -> None:
    assert complaints([note("a\x1b.md", Problem("yaml", "bad\nindent"))], []) == ["a\ufffd.md: yaml: bad indent"]
