"""Where a config is looked for, and where it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs_rag import locate

REPOSITORY = Path(__file__).resolve().parents[1]
IS_ROOT = os.name == "posix" and os.geteuid() == 0

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the paths here are POSIX paths")


def project(folder: Path, name: str = ".rag/config.json", text: str = '{"vaultPath": ".."}') -> Path:
    """Make a config in a folder; returns the file."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_finds_the_config_of_the_folder_itself_and_from_below(tmp_path: Path) -> None:
    file = project(tmp_path / "p")
    deep = tmp_path / "p" / "docs" / "deep"
    deep.mkdir(parents=True)
    assert locate.find_config(str(tmp_path / "p")) == str(file)
    assert locate.find_config(str(deep)) == str(file)
    assert locate.find_config(str(deep) + "/../deep/") == str(file)


def test_the_nearest_config_wins(tmp_path: Path) -> None:
    project(tmp_path / "p")
    inner = project(tmp_path / "p" / "sub")
    assert locate.find_config(str(tmp_path / "p" / "sub")) == str(inner)


def test_the_state_folder_comes_before_a_plain_config(tmp_path: Path) -> None:
    plain = project(tmp_path, "config.json")
    assert locate.find_config(str(tmp_path)) == str(plain)
    kept = project(tmp_path)
    assert locate.find_config(str(tmp_path)) == str(kept)


@pytest.mark.parametrize("text", ["{}", "", '{"port": 80}', "vaultPath"])
def test_a_config_of_another_program_is_passed_by(tmp_path: Path, text: str) -> None:
    ours = project(tmp_path)
    (tmp_path / "app").mkdir()
    project(tmp_path / "app", "config.json", text)
    assert locate.find_config(str(tmp_path / "app")) == str(ours)


def test_folders_pipes_and_dangling_links_are_no_config(tmp_path: Path) -> None:
    ours = project(tmp_path)
    here = tmp_path / "here"
    (here / ".rag" / "config.json").mkdir(parents=True)
    os.mkfifo(here / "config.json")
    there = here / "there"
    there.mkdir()
    (there / "config.json").symlink_to(tmp_path / "nowhere")
    assert locate.find_config(str(there)) == str(ours)


def test_nothing_is_found_from_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    project(tmp_path)
    assert locate.find_config(str(tmp_path / "gone")) is None
    assert locate.find_config(str(tmp_path / "nul\0")) is None


def test_the_walk_ends_with_the_home_folder(home: Path) -> None:
    project(home.parent)
    work = home / "work"
    work.mkdir()
    try:
        assert locate.find_config(str(work)) is None
        assert locate.folders_up(str(work)) == [str(work), str(home)]
        at_home = project(home)
        assert locate.find_config(str(work)) == str(at_home)
    finally:
        (home.parent / ".rag" / "config.json").unlink()


def test_the_walk_ends_with_a_mount_point(monkeypatch: pytest.MonkeyPatch) -> None:
    if not os.path.ismount("/proc"):
        pytest.skip("no second mount to look at")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert locate.folders_up("/proc") == ["/proc"]
    assert locate.folders_up("/usr")[-1] == "/"


def test_the_walk_ends_before_a_folder_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert locate.folders_up(str(tmp_path)) == []
    assert locate.find_config(str(tmp_path)) is None


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a folder away")
def test_a_config_above_in_a_folder_of_another_user_is_not_found(tmp_path: Path) -> None:
    project(tmp_path / "theirs")
    mine = tmp_path / "theirs" / "mine"
    mine.mkdir()
    os.chown(tmp_path / "theirs", 54321, 54321)
    assert locate.folders_up(str(mine)) == [str(mine)]
    assert locate.find_config(str(mine)) is None


def test_the_state_folder_is_always_called_rag() -> None:
    assert locate.state_folder("/p/.rag/config.json") == "/p/.rag"
    assert locate.state_folder("/p/.rag/other.json") == "/p/.rag"
    assert locate.state_folder("/p/config.json") == "/p/.rag"
    assert locate.state_folder("/config.json") == "/.rag"


def test_start_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    here = str(Path.cwd())
    assert locate.start_folders(serving=True) == (here,)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/usr")
    assert locate.start_folders(serving=True) == ("/usr", here)
    assert locate.start_folders(serving=False) == (here,)
    assert locate.start_folders(serving=True, folder="/var/./x") == ("/var/x",)
    assert locate.start_folders(serving=True, folder="sub/..") == (here,)


@pytest.mark.parametrize("value", ["", "relative", "/no/such/folder", "${CLAUDE_PROJECT_DIR}"])
def test_a_project_folder_that_is_none_is_not_used(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", value)
    assert locate.start_folders(serving=True) == (str(Path.cwd()),)


def test_a_deleted_working_directory_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert locate.working_folder() is None
    assert locate.start_folders(serving=False) == ()
    assert locate.start_folders(serving=False, folder="x") == ()
    assert locate.start_folders(serving=False, folder=str(tmp_path)) == (str(tmp_path),)
    assert locate.find_named("config.json") is None
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    assert locate.start_folders(serving=True) == (str(tmp_path),)
    assert locate.find_named("config.json") == str(tmp_path / "config.json")


def test_a_named_config(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = tmp_path / "p" / "below"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    above = project(tmp_path / "p", "notes.json")
    assert locate.find_named("/a/../b.json") == "/b.json"
    assert locate.find_named("~/c.json") == str(home / "c.json")
    assert locate.find_named("notes.json") == str(above)
    assert locate.find_named("missing.json") == str(below / "missing.json")
    assert locate.find_named("../notes.json") == str(above)
    elsewhere = project(tmp_path / "q", "notes.json")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "q"))
    assert locate.find_named("notes.json") == str(elsewhere)
    assert locate.find_named("below/only.json") == str(below / "below" / "only.json")
    assert locate.find_named("notes.json", folder=str(below)) == str(above)


def test_it_loads_nothing_but_os() -> None:
    code = "import os, sys; before = set(sys.modules); import docs_rag.locate; print(sorted(set(sys.modules) - before))"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert ran.stdout.strip() == "['docs_rag', 'docs_rag.locate']"
