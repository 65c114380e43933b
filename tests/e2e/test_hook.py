"""`docs-rag hook` in processes of its own, as Claude Code starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import SECONDS, spawn, start, write_config, write_notes
from hooked import (
    NOTES,
    end_worker,
    event,
    feed,
    indexed,
    is_at_work,
    is_marked,
    make_project,
    open_window,
    outcome,
    said,
    settle,
    wait_for_worker,
    worker,
)
from hosts import host
from ollama_stub import OllamaStub, StubModel

from docs_rag.adapters.locks import FileLock
from docs_rag.core.hookfiles import DEAD_RECORDS, EDITS, LOG, SEEN, TOLD, WORKER_LOCK

pytestmark = pytest.mark.slow  # processes that start processes
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX processes")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    folder = make_project(tmp_path / "project")
    yield folder
    end_worker(folder)


def test_an_edited_note_is_indexed_in_the_background(project: Path) -> None:
    write_config(project, autoRefresh=False)
    assert said(event(project / "guide.md")) is None
    assert settle(project)["message"].startswith("3 added")
    assert indexed(project, "bread") == ["guide.md"]
    write_notes(project, {"guide.md": "# Guide\n\nCake is baked on Friday.\n"})
    assert indexed(project, "cake") == []
    open_window(project)
    assert said(event(project / "guide.md", tool="Write")) is None
    settle(project)
    assert indexed(project, "cake") == ["guide.md"]


def test_the_running_server_answers_from_the_edited_note(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", autoRefresh=False)
    assert spawn("-C", project, "index").status == 0
    with host(cwd=project) as server:
        server.initialize()
        assert "hits" not in server.ask("cake friday")["structuredContent"]
        write_notes(project, {"guide.md": "# Guide\n\nCake is baked on Friday.\n"})
        said(event(project / "guide.md"))
        settle(project)
        [hit] = server.ask("cake friday")["structuredContent"]["hits"]
        assert (hit["path"], hit["text"]) == ("guide.md", "# Guide\n\nCake is baked on Friday.")
        server.end_input()
        server.wait()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"tool_name": "Bash", "tool_input": {"command": "ls"}}',
        b'{"tool_name": "Edit"}',
        b'{"tool_name": "Edit", "tool_input": {"file_path": "relative.md"}}',
        b'{"tool_name": "Edit", "tool_input": {"file_path": "C:\\\\notes\\\\a.md"}}',
        b'{"tool_name": "Edit", "tool_input": {"file_path": "\\u0000.md"}}',
        b'{"tool_name": "Edit", "tool_input": {"file_path": "/\\ud800/a.md"}}',
        b"\xff\xfe\x00",
        b"[" * 1_000_000,
        b'{"tool_name": "Write", "tool_input": {"content": "' + b"x" * 5_000_000,
    ],
)
def test_case_55_whatever_comes_in_nothing_goes_out(data: bytes, tmp_path: Path) -> None:
    result = feed(data, cwd=tmp_path)
    assert (result.status, result.out) == (0, "")


def test_case_55_files_that_are_no_notes_start_nothing(project: Path, tmp_path: Path) -> None:
    for path in (project / "a.py", tmp_path / "outside.md", project / ".rag" / "x.md", project / ".obsidian" / "y.md"):
        assert said(event(path)) is None
    assert not (project / ".rag" / EDITS).exists()
    assert not (project / ".rag" / WORKER_LOCK).exists()
    assert json.loads((project / ".rag" / SEEN).read_text(encoding="utf-8"))["at"].startswith("20")


def test_case_55_a_note_that_was_deleted_since_leaves_the_index(project: Path) -> None:
    said(event(project / "guide.md"))
    settle(project)
    (project / "guide.md").unlink()
    open_window(project)
    assert said(event(project / "guide.md")) is None
    assert "1 removed" in settle(project)["message"]


@posix
def test_case_55_closed_streams_are_no_harm(project: Path) -> None:
    command = f'exec "{sys.executable}" -m docs_rag hook <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], timeout=SECONDS, check=False).returncode == 0
    data = project / "event.json"
    data.write_bytes(event(project / "guide.md"))
    command = f'exec "{sys.executable}" -m docs_rag hook < "{data}" >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], timeout=SECONDS, check=False).returncode == 0
    assert settle(project)["ok"]
    assert "3 added" in (project / ".rag" / LOG).read_text(encoding="utf-8")


@posix
def test_a_working_folder_that_is_gone_is_no_harm(project: Path, tmp_path: Path) -> None:
    data = project / "event.json"
    data.write_bytes(event(project / "guide.md"))
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f'rmdir "{gone}"; exec "{sys.executable}" -P -m docs_rag hook < "{data}"'
    done = subprocess.run(["sh", "-c", command], timeout=SECONDS, check=False, cwd=gone, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"")
    assert settle(project)["ok"]


@posix
def test_case_55_the_background_run_holds_nothing_of_the_hooks(project: Path) -> None:
    """A pipe that the hook inherited ends with the hook, though the run that it started lives on."""
    reader, writer = os.pipe()
    with FileLock(str(project / ".rag" / "index.lock")):
        started = time.monotonic()
        with start("hook", stdin=subprocess.PIPE, pass_fds=(writer,)) as process:
            os.close(writer)
            process.communicate(event(project / "guide.md"), timeout=SECONDS)
        assert os.read(reader, 1) == b""
        wait_for_worker(project)
        if sys.platform.startswith("linux"):
            look_at_worker(project, time.monotonic() - started)
    os.close(reader)


def look_at_worker(project: Path, seconds: float) -> None:
    """Its own session, no stream of a terminal or pipe, no folder that it keeps busy."""
    process = Path("/proc", str(worker(project)))
    streams = [os.readlink(process / "fd" / str(number)) for number in range(3)]  # noqa: PTH115
    assert streams == [os.devnull, os.devnull, str(project / ".rag" / LOG)]
    assert not [link for link in map(os.readlink, (process / "fd").iterdir()) if "pipe" in link]
    assert os.getsid(worker(project)) == worker(project)
    assert os.readlink(process / "cwd") == "/"  # noqa: PTH115
    assert seconds < SECONDS


@posix
def test_modules_of_a_project_are_not_imported(project: Path) -> None:
    (project / "docs_rag").mkdir()
    (project / "docs_rag" / "__init__.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    (project / "click.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    assert feed(event(project / "guide.md"), cwd=project.parent).status == 0
    assert settle(project)["ok"]


def test_while_another_index_is_at_work_the_edit_waits(project: Path) -> None:
    with FileLock(str(project / ".rag" / "index.lock")):
        said(event(project / "guide.md"))
        deadline = time.monotonic() + SECONDS
        while "another run is at work" not in read(project / ".rag" / LOG):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert is_marked(project)
        end_worker(project)
    assert is_marked(project)
    said(event(project / "guide.md"))
    assert settle(project)["ok"]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_a_failing_run_warns_once_in_a_session(project: Path) -> None:
    write_config(project, minscore=1)
    assert said(event(project / "guide.md")) is None
    deadline = time.monotonic() + SECONDS
    while not (project / ".rag" / "background.json").exists() or is_at_work(project):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert outcome(project)["ok"] is False
    first = said(event(project / "guide.md"))
    assert first is not None
    assert list(first) == ["systemMessage"]
    assert "did you mean minScore?" in first["systemMessage"]
    assert ".rag/hook.log" in first["systemMessage"]
    assert said(event(project / "guide.md")) is None
    assert said(event(project / "guide.md", session="session-2")) is not None
    write_config(project)
    take_in_now(project)
    assert said(event(project / "guide.md", session="session-3")) is None


def take_in_now(project: Path) -> None:
    """End the process that waits out its window, and do its work."""
    end_worker(project)
    open_window(project)
    assert spawn("index", "--background", "--config", project / ".rag" / "config.json").status == 0
    assert settle(project)["ok"]


def test_an_unapproved_config_is_not_approved_by_the_hook(project: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.db"
    write_config(project, indexPath=str(elsewhere))
    said(event(project / "guide.md"))
    deadline = time.monotonic() + SECONDS
    while not (project / ".rag" / "background.json").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert "needs your approval" in outcome(project)["message"]
    assert not elsewhere.exists()
    warning = said(event(project / "guide.md"))
    assert warning is not None
    assert "docs-rag trust" in warning["systemMessage"]


def test_case_55_without_the_model_text_is_taken_in_and_the_user_is_told(project: Path) -> None:
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as stub:
        url = stub.url
    write_config(project, embedModel="bge-m3", ollamaHost=url)
    said(event(project / "guide.md"))
    settled = settle(project)
    assert settled["ok"] is False
    assert "text and status of the notes are stored all the same" in settled["message"]
    assert indexed(project, "bread")[:1] == ["guide.md"]


def test_a_note_that_cites_a_dead_record_is_told_of_once(project: Path) -> None:
    assert spawn("-C", project, "index").status == 0
    write_notes(project, {"guide.md": "# Guide\n\nSee [[0012-cookies]].\n"})
    assert said(event(project / "guide.md")) == {
        "hookSpecificOutput": {
            "hookEventName": "PostToolUse",
            "additionalContext": "guide.md cites 0012, superseded by 0034",
        }
    }
    assert said(event(project / "guide.md")) is None
    assert said(event(project / "guide.md", session="session-2")) is not None
    assert said(event(project / "adr/0034-tokens.md")) is None
    assert len((project / ".rag" / TOLD).read_text(encoding="utf-8").splitlines()) == 2


def test_the_list_of_dead_records_follows_the_notes(project: Path) -> None:
    assert spawn("-C", project, "index").status == 0
    place = project / ".rag" / DEAD_RECORDS
    assert [each["path"] for each in json.loads(place.read_bytes())] == ["adr/0012-cookies.md"]
    text = NOTES["adr/0012-cookies.md"].replace("superseded by 0034", "accepted")
    write_notes(project, {"adr/0012-cookies.md": text})
    assert spawn("-C", project, "index").status == 0
    assert json.loads(place.read_bytes()) == []


def test_notes_elsewhere_are_indexed_by_naming_the_config(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", vaultPath="../../notes")
    write_notes(tmp_path / "notes", NOTES)
    config = str(project / ".rag" / "config.json")
    assert spawn("trust", "--config", config, "--yes").status == 0
    assert said(event(tmp_path / "notes" / "guide.md"), "--config", config) is None
    assert settle(project)["message"].startswith("3 added")


@linux
def test_on_a_terminal_it_says_what_it_reads(tmp_path: Path) -> None:
    main, other = os.openpty()
    with start("hook", stdin=other, cwd=tmp_path) as process:
        out, err = process.communicate(timeout=SECONDS)
    os.close(main)
    os.close(other)
    assert (process.returncode, out) == (0, b"")
    assert b"reads an event of Claude Code from stdin" in err
