"""`docs-rag supersede` and `docs-rag undo` as people and scripts call them."""

from __future__ import annotations

import datetime
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from commandline import CommandLine, spawn, write_config, write_notes
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_rag.adapters.locks import FileLock
from docs_rag.cli import output, run

OLD = "# 1. Old\r\n\r\n## Status\r\n\r\nAccepted\r\n\r\n## Context\r\n\r\nHot tea  \r\n"
NEW = "# 2. New\n\n## Status\n\nAccepted"
needs_posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "records"
    write_notes(folder, {"adr/0001-old.md": OLD, "adr/0002-new.md": NEW})
    write_config(folder)
    monkeypatch.chdir(folder)
    return folder


def texts(folder: Path) -> list[str]:
    return [(folder / "adr" / name).read_bytes().decode("utf-8") for name in ("0001-old.md", "0002-new.md")]


def test_the_difference_is_shown_both_ends_are_written_and_undo_takes_it_back(
    records: Path, docs_rag: CommandLine
) -> None:
    result = docs_rag("supersede", "ADR-1", "adr/0002-new.md", "--date", "2026-08-13", "--yes")
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines()[5:9] == [
        " ", "-Accepted", "+Superseded by [2. New](0002-new.md) (2026-08-13)", " ",
    ]  # fmt: skip
    assert result.out.endswith("adr/0001-old.md is superseded by adr/0002-new.md; to take this back: docs-rag undo\n")
    assert texts(records) == [
        OLD.replace("Accepted", "Superseded by [2. New](0002-new.md) (2026-08-13)"),
        NEW + "\n\nSupersedes [1. Old](0001-old.md)",
    ]
    undone = docs_rag("undo", "--yes")
    assert undone.status == 0
    assert undone.out.startswith("supersede adr/0001-old.md adr/0002-new.md, ")
    assert undone.out.endswith("taken back\n")
    assert texts(records) == [OLD, NEW]
    assert docs_rag("undo", "--yes").status == 1


def test_without_a_terminal_it_asks_for_yes(records: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("supersede", "1", "2")
    assert result.status == 2
    assert "there is no terminal" in result.err
    assert "+Superseded by" in result.out
    assert docs_rag("supersede", "1", "2", "--json").out == ""
    assert texts(records) == [OLD, NEW]


def test_undo_asks_for_yes_too(records: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("supersede", "1", "2", "--yes").status == 0
    before = texts(records)
    result = docs_rag("undo")
    assert result.status == 2
    assert result.err.endswith("run it with --yes\n")
    assert "+Accepted" in result.out
    assert texts(records) == before


def test_a_dry_run_writes_nothing(records: Path, docs_rag: CommandLine) -> None:
    for arguments in (["--dry-run"], ["--dry-run", "--yes"], ["--dry-run", "--json"]):
        assert docs_rag("supersede", "1", "2", *arguments).status == 0
    assert texts(records) == [OLD, NEW]
    assert not (records / ".rag" / "undo.jsonl").exists()


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_on_a_terminal_it_asks(
    records: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch, answer: str, status: int
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda stream: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda text: answer.strip())
    assert docs_rag("supersede", "1", "2").status == status
    assert (texts(records) == [OLD, NEW]) is (status == 1)


def test_json_says_what_was_written(records: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("supersede", "1", "2", "--date", "2026-08-13", "--yes", "--json").json
    assert {key: result[key] for key in ("old", "new", "date", "written", "notices")} == {
        "old": "adr/0001-old.md", "new": "adr/0002-new.md", "date": "2026-08-13", "written": True, "notices": [],
    }  # fmt: skip
    assert [each["path"] for each in result["files"]] == ["adr/0001-old.md", "adr/0002-new.md"]
    again = docs_rag("supersede", "1", "2", "--yes", "--json").json
    assert (again["written"], again["undo"], again["files"]) == (False, None, [])
    undone = docs_rag("undo", "--yes", "--json").json
    assert (undone["undo"], undone["interrupted"]) == (result["undo"], False)
    assert [each["path"] for each in undone["files"]] == ["adr/0002-new.md", "adr/0001-old.md"]


def test_today_is_the_day_if_none_is_given(records: Path, docs_rag: CommandLine) -> None:
    before = datetime.date.today().isoformat()
    day = docs_rag("supersede", "1", "2", "--dry-run", "--json").json["date"]
    assert before <= day <= datetime.date.today().isoformat()


def test_the_new_records_own_day_goes_before_today(records: Path, docs_rag: CommandLine) -> None:
    def dated(day: str) -> str:
        new = records / "adr" / "0002-new.md"
        new.write_text(f"# 2. New\n\nDate: {day}\n\n## Status\n\nAccepted\n", encoding="utf-8")
        return str(docs_rag("supersede", "1", "2", "--dry-run", "--json").json["date"])

    assert dated("2026-05-01") == "2026-05-01"
    assert dated("2999-01-01") < "2999"
    old = records / "adr" / "0001-old.md"
    old.write_text("# 1. Old\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n", encoding="utf-8")
    assert dated("1999-01-01") > "2020"


@pytest.mark.parametrize("day", ["2026-02-30", "yesterday", "13.8.2026"])
def test_a_day_that_is_none_is_wrong_usage(records: Path, docs_rag: CommandLine, day: str) -> None:
    assert docs_rag("supersede", "1", "2", "--yes", "--date", day).status == 2


def test_paths_count_from_where_the_user_stands(
    records: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(records / "adr")
    result = docs_rag("supersede", "0001-old.md", "./0002-new.md", "--dry-run", "--json").json
    assert (result["old"], result["new"]) == ("adr/0001-old.md", "adr/0002-new.md")


def test_known_mistakes_are_told_in_a_line(records: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("supersede", "0001-odl.md", "2", "--yes")
    assert result.status == 1
    assert result.err == "docs-rag: no note is called '0001-odl.md'; did you mean adr/0001-old.md?\n"


def test_a_folder_without_a_config_will_do(tmp_path: Path, docs_rag: CommandLine) -> None:
    write_notes(tmp_path / "v", {"1.md": "# One\n", "2.md": "# Two\n"})
    result = docs_rag("supersede", "One", "Two", "--yes", "--vault", tmp_path / "v")
    assert result.status == 0
    assert result.out.endswith(f"; to take this back: docs-rag undo --vault {shlex.quote(str(tmp_path / 'v'))}\n")
    assert "superseded_by: 2.md" in (tmp_path / "v" / "1.md").read_text(encoding="utf-8")
    assert docs_rag("undo", "--yes", "--vault", tmp_path / "v").status == 0
    assert (tmp_path / "v" / "1.md").read_text(encoding="utf-8") == "# One\n"


def test_the_index_knows_at_once(records: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("index").status == 0
    assert docs_rag("supersede", "1", "2", "--date", "2026-08-13", "--yes").status == 0
    listed = {each["path"]: each for each in docs_rag("list", "--json").json}
    assert listed["adr/0001-old.md"]["status"] == "superseded"
    assert listed["adr/0001-old.md"]["supersededBy"] == ["adr/0002-new.md"]
    assert listed["adr/0001-old.md"]["supersededOn"] == "2026-08-13"
    assert not any(each["problems"] for each in listed.values())
    assert docs_rag("undo", "--yes").status == 0
    assert {each["status"] for each in docs_rag("list", "--json").json} == {"current"}


def test_what_was_edited_since_is_not_taken_back(records: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("supersede", "1", "2", "--yes").status == 0
    (records / "adr" / "0002-new.md").write_text("mine", encoding="utf-8")
    before = texts(records)
    result = docs_rag("undo", "--yes")
    assert result.status == 1
    assert "adr/0002-new.md is no longer as 'supersede adr/0001-old.md adr/0002-new.md' left it" in result.err
    assert texts(records) == before


def test_while_another_process_changes_notes_it_gives_up(
    records: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_rag.wiring.EDITS_SECONDS", 0.0)
    with FileLock(str(records / ".rag" / "edits.lock")):
        result = docs_rag("supersede", "1", "2", "--yes")
    assert result.status == 1
    assert "another process is changing notes" in result.err
    assert texts(records) == [OLD, NEW]


_KILLED = """
import os, signal, sys
real, calls = os.replace, []
def dying(*arguments, **options):
    if str(arguments[1]).endswith(".md"):
        calls.append(arguments)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **options)
os.replace = dying
from docs_rag.cli import run
run(sys.argv[1:])
"""


@needs_posix
def test_a_killed_run_is_taken_back_or_completed(records: Path, docs_rag: CommandLine) -> None:
    command = [sys.executable, "-c", _KILLED, "supersede", "1", "2", "--yes", "--date", "2026-08-13"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    half = texts(records)
    assert (half[0] != OLD, half[1]) == (True, NEW)
    completed = docs_rag("supersede", "1", "2", "--yes", "--date", "2026-08-13")
    assert completed.status == 0
    assert "an earlier change was interrupted" in completed.err
    assert texts(records)[1] != NEW
    for _ in range(2):
        assert docs_rag("undo", "--yes").status == 0
    assert texts(records) == [OLD, NEW]
    assert [each.name for each in (records / "adr").iterdir() if each.name.startswith(".")] == []


def test_it_works_as_a_program(records: Path) -> None:
    result = spawn("supersede", "1", "2", "--yes", cwd=records)
    assert (result.status, result.err) == (0, "")


_STATES = ("status: accepted\n", "status: [accepted]\n", "superseded_by:\n", "tags: [a, b]\n", "")
_BODIES = (
    "", "- Status: Accepted\n", "## Status\n\nAccepted\n", "**Status:** Accepted\n",
    "| Status | Accepted |\n|--|--|\n| Date | x |\n",
    ":Status: Final\n", "status:: accepted\n", "> [!warning] Deprecated\n", "- 상태: 승인\n", "## 状态\n\n已接受\n",
)  # fmt: skip


@st.composite
def notes(draw: st.DrawFn) -> bytes:
    front = draw(st.sampled_from(_STATES))
    text = (f"---\n{front}---\n" if front else "") + "# Title\n\n" + draw(st.sampled_from(_BODIES))
    text += draw(st.sampled_from(["", "\ntext  \n\ttab\n", "\nno end", "\n\n\n"]))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    codec, mark = draw(st.sampled_from([("utf-8", ""), ("utf-8", "\ufeff"), ("utf-16-le", "\ufeff")]))
    return (mark + text).encode(codec)


@settings(max_examples=40)
@given(notes(), notes())
def test_supersede_then_undo_restores_the_bytes(old: bytes, new: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, data in (("0001-old.md", old), ("0002-new.md", new)):
            (folder / path).write_bytes(data)
        assert run(["supersede", "0001-old.md", "0002-new.md", "--yes", "--json", "--force", "--vault", name]) == 0
        assert (folder / "0001-old.md").read_bytes() != old
        assert run(["undo", "--yes", "--json", "--vault", name]) == 0
        assert (folder / "0001-old.md").read_bytes() == old
        assert (folder / "0002-new.md").read_bytes() == new
        journal = [json.loads(line) for line in (folder / ".rag" / "undo.jsonl").read_bytes().splitlines()]
        assert [each.get("mark") for each in journal] == [None, "done", "undoing", "undone"]
