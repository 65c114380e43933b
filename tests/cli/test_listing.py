"""`list`: every note with its state, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine, write_notes

KEYS = [
    "path",
    "title",
    "status",
    "statusText",
    "date",
    "dateSource",
    "supersededOn",
    "supersededBy",
    "currentEnd",
    "supersededByText",
    "supersedes",
    "partial",
    "indexed",
    "embedded",
    "problems",
]


@pytest.fixture
def indexed(orchard: Path, docs_rag: CommandLine) -> Path:
    docs_rag("index")
    return orchard


def test_the_document_has_the_keys_of_the_contract(indexed: Path, docs_rag: CommandLine) -> None:
    notes = docs_rag("list", "--json").json
    assert len(notes) == 11
    assert all(list(note) == KEYS for note in notes)
    assert [note["path"] for note in notes] == sorted(note["path"] for note in notes)


def test_case_4_a_chain_names_the_successor_and_the_live_end(indexed: Path, docs_rag: CommandLine) -> None:
    notes = {note["path"]: note for note in docs_rag("list", "--json").json}
    first = notes["decisions/0001-paper-labels.md"]
    assert first["status"] == "superseded"
    assert first["statusText"] == "superseded by ADR-0004"
    assert first["supersededBy"] == ["decisions/0004-printed-labels.md"]
    assert first["currentEnd"] == ["decisions/0009-rfid-crates.md"]
    assert first["supersededByText"] == ["ADR-0004"]
    dangling = notes["handbook/wifi.md"]
    assert (dangling["supersededBy"], dangling["supersededByText"]) == ([], ["handbook/wlan-new.md"])
    assert [problem["code"] for problem in dangling["problems"]] == ["dangling"]


@pytest.mark.parametrize("state", ["current", "draft", "rejected", "superseded", "archived"])
def test_one_state_alone(state: str, indexed: Path, docs_rag: CommandLine) -> None:
    notes = docs_rag("list", "--json", "--status", state).json
    assert notes
    assert {note["status"] for note in notes} == {state}


def test_a_state_that_is_none_is_a_wrong_call(indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("list", "--status", "dead")
    assert result.status == 2
    assert "superseded" in result.err


def test_problems_alone_with_files_that_could_not_be_read(indexed: Path, docs_rag: CommandLine) -> None:
    (indexed / "latin.md").write_bytes(b"Caf\xe9")
    docs_rag("index")
    notes = docs_rag("list", "--json", "--problems").json
    assert [(note["path"], note["indexed"]) for note in notes] == [("handbook/wifi.md", True), ("latin.md", False)]
    assert "latin.md\n    encoding: " in docs_rag("list", "--problems").out
    assert "not read" in docs_rag("list").out


def test_columns_stand_below_each_other_also_after_wide_characters(indexed: Path, docs_rag: CommandLine) -> None:
    lines = docs_rag("list").out.splitlines()
    wide = next(line for line in lines if line.startswith("결정/0007"))
    narrow = next(line for line in lines if line.startswith("handbook/cold"))
    hangul = sum("가" <= char <= "힣" for char in wide.partition("current")[0])
    assert wide.index("current") + hangul == narrow.index("current")


def test_an_empty_list_says_so_beside_the_result(indexed: Path, docs_rag: CommandLine) -> None:
    (indexed / "handbook" / "wifi.md").unlink()
    docs_rag("index")
    result = docs_rag("list", "--problems")
    assert (result.status, result.out, result.err) == (0, "", "nothing to list\n")
    assert docs_rag("list", "--problems", "--json").json == []


def test_a_name_cannot_move_the_cursor(vault: Path, docs_rag: CommandLine) -> None:
    write_notes(vault, {"a\x1b[2Jb.md": '---\ntitle: "x\\e[31my"\n---\ntext\n'})
    docs_rag("index")
    assert "\x1b" not in docs_rag("list").out


def test_a_changed_note_is_read_first(indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed, {"handbook/cold-store.md": "---\nstatus: archived\n---\n# Cold store\n"})
    assert "handbook/cold-store.md" in docs_rag("list", "--status", "archived").out


@pytest.mark.parametrize(
    ("prefix", "count"),
    [("decisions", 5), ("decisions/", 5), ("/Decisions/000", 4), ("결정/", 2), ("none", 0), ("..", 11)],
)
def test_what_paths_begin_with(prefix: str, count: int, indexed: Path, docs_rag: CommandLine) -> None:
    assert len(docs_rag("list", prefix, "--json").json) == count
