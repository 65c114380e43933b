"""Everything that is written for this user alone has the mode that says so, whatever the umask was."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes
from hooked import event, feed, settle

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")

NOTES = {
    "0001-old.md": "---\nstatus: accepted\n---\n# Old\n\nSessions last a day.\n",
    "0002-new.md": "---\nstatus: accepted\ndate: 2026-03-01\n---\n# New\n\nSessions last an hour.\n",
    "table.csv": "name,price\nbread,2\n",
}


@pytest.fixture(autouse=True)
def generous_umask() -> Iterator[None]:
    """What others may do is left open by whoever calls."""
    before = os.umask(0o000)
    yield
    os.umask(before)


@pytest.fixture
def docs_rag(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A clone as git makes it under this umask: `.rag` and the config are open to all."""
    write_notes(tmp_path, NOTES)
    config = write_config(tmp_path, include=["**/*.md", "**/*.csv"])
    config.parent.chmod(0o777)
    config.chmod(0o666)
    return tmp_path


def open_to_others(folder: Path) -> list[str]:
    """What below a folder others could read, write or enter; the config is the project's."""
    found = [each for each in (folder, *folder.rglob("*")) if each.name != "config.json"]
    return [f"{each.name} {stat.S_IMODE(each.lstat().st_mode):o}" for each in found if each.lstat().st_mode & 0o077]


def test_everything_in_the_state_folder_is_private(project: Path, home: Path, docs_rag: CommandLine) -> None:
    for arguments in (
        ("index",),
        ("search", "sessions"),
        ("supersede", "0001-old.md", "0002-new.md", "--yes"),
        ("undo", "--yes"),
        ("convert", "table.csv"),
        ("check", "--write-baseline"),
        ("status",),
    ):
        result = docs_rag("-C", project, *arguments)
        assert result.status in (0, 1), result.err
    feed(event(project / "0001-old.md"))
    settle(project)
    assert open_to_others(project / ".rag") == []
    ours = home / ".local" / "state" / "docs-rag"
    assert ours.is_dir()
    assert open_to_others(ours) == []


def test_what_was_left_open_is_closed(project: Path, docs_rag: CommandLine) -> None:
    docs_rag("-C", project, "index")
    state = project / ".rag"
    for each in state.iterdir():
        each.chmod(0o777)
    state.chmod(0o777)
    docs_rag("-C", project, "index")
    assert open_to_others(state) == []


def test_the_config_stays_as_git_has_it(project: Path, docs_rag: CommandLine) -> None:
    docs_rag("-C", project, "index")
    assert stat.S_IMODE((project / ".rag" / "config.json").stat().st_mode) == 0o666


def test_what_a_link_in_the_state_folder_leads_to_keeps_its_mode(project: Path, docs_rag: CommandLine) -> None:
    """A cloned project may hold links; the mode of somebody's file elsewhere is no business of ours."""
    elsewhere = project.parent / f"{project.name}-elsewhere"
    elsewhere.write_text("mine", encoding="utf-8")
    elsewhere.chmod(0o644)
    (project / ".rag" / "link").symlink_to(elsewhere)
    os.mkfifo(project / ".rag" / "pipe")
    assert docs_rag("-C", project, "index").status == 0
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


def test_notes_keep_the_mode_they_had(project: Path, docs_rag: CommandLine) -> None:
    note = project / "0001-old.md"
    note.chmod(0o640)
    docs_rag("-C", project, "index")
    assert docs_rag("-C", project, "supersede", "0001-old.md", "0002-new.md", "--yes").status == 0
    assert stat.S_IMODE(note.stat().st_mode) == 0o640


def test_the_crash_log_is_private(project: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    docs_rag("-C", project, "index")
    monkeypatch.setattr("docs_rag.wiring.open_index", fail)
    assert docs_rag("-C", project, "search", "sessions").status == 3
    assert (project / ".rag" / "docs-rag.log").is_file()
    assert open_to_others(project / ".rag") == []
