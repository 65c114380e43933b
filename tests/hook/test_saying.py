"""What the hook says is said once."""

from __future__ import annotations

import json
from pathlib import Path

from docs_rag.core.hookfiles import TOLD
from docs_rag.hook.saying import Session

FAILURE = ("2026-11-30T09:00:00Z", "the vault is gone")


def answer(session: Session, warning: tuple[str, str] | None = None, citation: str = "", note: str = "a.md") -> object:
    said = session.answer(warning=warning, citation=citation, note=note)
    return json.loads(said) if said else None


def test_a_warning_is_for_the_user_and_a_citation_for_the_agent(tmp_path: Path) -> None:
    assert answer(Session(str(tmp_path), "s"), FAILURE, "a.md cites 0012") == {
        "systemMessage": "the vault is gone (details: .rag/hook.log)",
        "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "a.md cites 0012"},
    }


def test_a_row_of_failures_is_told_once_in_a_session(tmp_path: Path) -> None:
    first, second = Session(str(tmp_path), "one"), Session(str(tmp_path), "two")
    assert answer(first, FAILURE)
    assert first.knows_failure(FAILURE[0])
    assert answer(first, FAILURE) is None
    assert not second.knows_failure(FAILURE[0])
    assert answer(second, FAILURE)
    assert answer(first, ("2026-12-01T09:00:00Z", "again"))


def test_a_citation_is_told_once_for_a_note_and_a_session(tmp_path: Path) -> None:
    session = Session(str(tmp_path), "one")
    assert answer(session, citation="a.md cites 0012")
    assert session.knows_citation("a.md")
    assert answer(session, citation="a.md cites 0012; 0013") is None
    assert answer(session, citation="b.md cites 0012", note="b.md")
    assert answer(Session(str(tmp_path), "two"), citation="a.md cites 0012")


def test_what_is_remembered_is_bounded(tmp_path: Path) -> None:
    place = tmp_path / TOLD
    place.write_bytes(b"s\tcitation\tsome-note.md\n" * 10_000)
    session = Session(str(tmp_path), "new")
    assert answer(session, FAILURE)
    assert place.read_bytes() == b"new\tfailure\t2026-11-30T09:00:00Z\n"
    assert session.knows_failure(FAILURE[0])


def test_odd_names_make_no_lines_of_their_own(tmp_path: Path) -> None:
    assert answer(Session(str(tmp_path), "a\nb\tc" * 100), citation="x", note="n\n\ud800.md")
    assert len((tmp_path / TOLD).read_bytes().splitlines()) == 1


def test_case_57_what_is_said_is_one_plain_line(tmp_path: Path) -> None:
    said = answer(Session(str(tmp_path), "s"), ("t", "gone\x1b[2J\n\u202efoo" + "x" * 5000))
    assert isinstance(said, dict)
    message = said["systemMessage"]
    assert message.startswith("gone\ufffd[2J \ufffdfoo")
    assert len(message) < 1000
