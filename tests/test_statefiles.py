"""Private files: where they lie, how they are replaced, who waits for whom."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import platformdirs
import pytest

from docs_rag import statefiles
from docs_rag.errors import Busy, DocsRagError

REPOSITORY = Path(__file__).resolve().parents[1]


def test_the_folder_is_the_platforms_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert statefiles.user_state_folder() == platformdirs.user_state_dir("docs-rag", appauthor=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "elsewhere"))
    assert statefiles.user_state_folder() == str(home / "elsewhere" / "docs-rag")
    monkeypatch.delenv("XDG_STATE_HOME")
    assert statefiles.user_state_folder() == platformdirs.user_state_dir("docs-rag", appauthor=False)


def test_a_relative_state_home_is_ignored(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "here")
    assert Path(statefiles.user_state_folder()).is_relative_to(home)


def test_the_cache_is_the_platforms_own_unless_another_one_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert statefiles.user_cache_folder() == str(home / ".cache" / "docs-rag")
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert Path(statefiles.user_cache_folder()).is_relative_to(home)
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert statefiles.user_cache_folder() == platformdirs.user_cache_dir("docs-rag", appauthor=False)


def test_write_replaces_the_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text("old and longer", encoding="utf-8")
    file.chmod(0o644)
    statefiles.write_private(str(file), b"new")
    assert statefiles.read_private(str(file)) == b"new"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_write_replaces_a_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("theirs", encoding="utf-8")
    (tmp_path / "x").symlink_to("target")
    statefiles.write_private(str(tmp_path / "x"), b"mine")
    assert (tmp_path / "target").read_text(encoding="utf-8") == "theirs"
    assert not (tmp_path / "x").is_symlink()


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "x" / "child").mkdir(parents=True)
    with pytest.raises(DocsRagError, match="cannot write"):
        statefiles.write_private(str(tmp_path / "x"), b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["x"]
    with pytest.raises(DocsRagError, match="no such file"):
        statefiles.write_private(str(tmp_path / "none" / "x"), b"new")


def test_what_is_not_believed(tmp_path: Path) -> None:
    file = tmp_path / "x"
    assert statefiles.read_private(str(file)) is None
    file.write_bytes(b"x")
    file.chmod(0o666)
    assert statefiles.read_private(str(file)) is None
    file.chmod(0o644)
    assert statefiles.read_private(str(file)) == b"x"
    (tmp_path / "link").symlink_to(file)
    assert statefiles.read_private(str(tmp_path / "link")) is None
    assert statefiles.read_private(str(tmp_path)) is None
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert statefiles.read_private(str(tmp_path / "pipe")) is None


def test_a_file_of_another_user_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x"
    statefiles.write_private(str(file), b"x")
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert statefiles.read_private(str(file)) is None


def test_a_folder_is_made_private(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert statefiles.private_folder(str(folder)) == str(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    statefiles.private_folder(str(folder))
    assert folder.stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(DocsRagError, match="cannot write"):
        statefiles.private_folder(str(tmp_path / "file"))


def test_put_aside(tmp_path: Path) -> None:
    file = tmp_path / "x"
    statefiles.put_aside(str(file))
    file.write_bytes(b"odd")
    statefiles.put_aside(str(file))
    assert [each.name for each in tmp_path.iterdir()] == ["x.damaged"]
    (tmp_path / "x.damaged").unlink()
    (tmp_path / "x.damaged" / "child").mkdir(parents=True)
    file.write_bytes(b"odd")
    with pytest.raises(DocsRagError, match="cannot write"):
        statefiles.put_aside(str(file))


def test_a_lock_keeps_others_out_until_it_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = str(tmp_path / "lock")
    monkeypatch.setattr(statefiles, "_LOCK_SECONDS", 0.05)
    with statefiles.locked(lock), pytest.raises(Busy, match="another docs-rag"), statefiles.locked(lock):
        raise AssertionError("both hold the lock")
    with statefiles.locked(lock):
        assert Path(lock).stat().st_mode & 0o777 == 0o600


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    lock = str(tmp_path / "lock")
    order: list[str] = []

    def second() -> None:
        with statefiles.locked(lock):
            order.append("second")

    with statefiles.locked(lock):
        waiting = threading.Thread(target=second)
        waiting.start()
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


def test_a_dead_process_holds_no_lock(tmp_path: Path) -> None:
    lock = str(tmp_path / "lock")
    code = "import os, sys; from docs_rag.statefiles import locked\nwith locked(sys.argv[1]): os._exit(7)"
    ran = subprocess.run([sys.executable, "-S", "-c", code, lock], cwd=REPOSITORY, check=False)
    assert ran.returncode == 7
    with statefiles.locked(lock):
        pass


def test_a_lock_is_not_made_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "victim")
    with pytest.raises(DocsRagError, match="cannot write"), statefiles.locked(str(tmp_path / "lock")):
        raise AssertionError("the link was followed")
    assert not (tmp_path / "victim").exists()
