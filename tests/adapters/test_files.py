"""Changing files: whole or not at all, never outside the vault, and back again."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.adapters.files import FolderFiles, journal
from docs_rag.core.digests import bytes_digest
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import Edit, MoveFile, write
from docs_rag.errors import DocsRagError

needs_posix = pytest.mark.skipif(os.name != "posix", reason="modes, owners and signals of POSIX")
A, B, C = DocPath("a.md"), DocPath("d/b.md"), DocPath("c.md")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / "d").mkdir(parents=True)
    (folder / "a.md").write_bytes(b"a\r\n")
    (folder / "d" / "b.md").write_bytes(b"\xef\xbb\xbfb")
    return folder


@pytest.fixture
def files(vault: Path) -> FolderFiles:
    return open_files(vault)


def open_files(vault: Path) -> FolderFiles:
    return FolderFiles(str(vault), str(vault.parent / "undo.jsonl"), now_ns=lambda: 0)


def content(vault: Path) -> dict[str, bytes]:
    return {str(each.relative_to(vault)): each.read_bytes() for each in vault.rglob("*") if each.is_file()}


def newest(files: FolderFiles) -> str:
    batch = files.last()
    return "" if batch is None else batch.what


def undo(files: FolderFiles) -> tuple[DocPath, ...]:
    batch = files.last()
    assert batch is not None
    return files.undo(batch)


def test_a_batch_is_made_and_taken_back(vault: Path, files: FolderFiles) -> None:
    before = content(vault)
    edits: list[Edit] = [
        write(A, b"a\r\n", b"A"), write(C, None, b"new"), MoveFile(B, bytes_digest(b"\xef\xbb\xbfb"), DocPath("b.md")),
    ]  # fmt: skip
    batch = files.apply(edits, "test")
    assert content(vault) == {"a.md": b"A", "c.md": b"new", "b.md": b"\xef\xbb\xbfb"}
    assert (batch.at, newest(files)) == ("1970-01-01T00:00:00Z", "test")
    assert not batch.interrupted
    undo(files)
    assert content(vault) == before
    assert newest(files) == ""


def test_changes_are_taken_back_one_after_the_other(vault: Path, files: FolderFiles) -> None:
    before = content(vault)
    files.apply([write(A, b"a\r\n", b"1")], "first")
    files.apply([write(A, b"1", None)], "second")
    assert newest(files) == "second"
    undo(files)
    assert (newest(files), (vault / "a.md").read_bytes()) == ("first", b"1")
    undo(files)
    assert content(vault) == before


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_bytes_are_restored_exactly(tmp_path_factory: pytest.TempPathFactory, old: bytes, new: bytes) -> None:
    folder = tmp_path_factory.mktemp("bytes") / "vault"
    folder.mkdir()
    (folder / "a.md").write_bytes(old)
    files = open_files(folder)
    files.apply([write(A, old, new)], "x")
    assert (folder / "a.md").read_bytes() == new
    undo(files)
    assert content(folder) == {"a.md": old}


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ([write(A, b"other", b"x")], "a.md has changed"),
        ([write(C, b"gone", b"x")], "c.md is gone"),
        ([write(A, None, b"x")], "a.md is there by now"),
        ([MoveFile(A, bytes_digest(b"a\r\n"), B)], "d/b.md is there already"),
    ],
)
def test_nothing_is_written_where_something_else_is_expected(
    vault: Path, files: FolderFiles, edits: list[Edit], told: str
) -> None:
    before = content(vault)
    with pytest.raises(DocsRagError, match=told):
        files.apply([write(B, b"\xef\xbb\xbfb", b"x"), *edits] if edits[0].path != B else edits, "x")
    assert content(vault) == before
    assert newest(files) == ""
    assert not (vault.parent / "undo.jsonl").exists()


def test_a_file_that_was_edited_since_is_not_taken_back(vault: Path, files: FolderFiles) -> None:
    files.apply([write(A, b"a\r\n", b"1"), write(B, b"\xef\xbb\xbfb", b"2")], "both")
    (vault / "a.md").write_bytes(b"mine")
    with pytest.raises(DocsRagError, match=r"a\.md is no longer as 'both' left it"):
        undo(files)
    assert content(vault) == {"a.md": b"mine", "d/b.md": b"2"}
    assert newest(files) == "both"


def test_only_the_newest_change_can_be_taken_back(files: FolderFiles) -> None:
    first = files.apply([write(A, b"a\r\n", b"1")], "first")
    files.apply([write(A, b"1", b"2")], "second")
    with pytest.raises(DocsRagError, match="changed meanwhile"):
        files.undo(first)


@needs_posix
def test_the_mode_is_kept_and_the_journal_is_private(vault: Path, files: FolderFiles) -> None:
    (vault / "a.md").chmod(0o640)
    files.apply([write(A, b"a\r\n", b"A"), write(C, None, b"c")], "x")
    assert stat.S_IMODE((vault / "a.md").stat().st_mode) == 0o640
    assert stat.S_IMODE((vault / "c.md").stat().st_mode) == 0o644
    assert stat.S_IMODE((vault.parent / "undo.jsonl").stat().st_mode) == 0o600


@needs_posix
def test_a_link_within_the_vault_is_written_through(vault: Path, files: FolderFiles) -> None:
    (vault / "link.md").symlink_to("d/b.md")
    files.apply([write(DocPath("link.md"), b"\xef\xbb\xbfb", b"through")], "x")
    assert (vault / "link.md").is_symlink()
    assert (vault / "d" / "b.md").read_bytes() == b"through"
    undo(files)
    assert (vault / "d" / "b.md").read_bytes() == b"\xef\xbb\xbfb"


@needs_posix
@pytest.mark.parametrize("target", ["../outside.md", ".git/config.md", "nowhere.md"])
def test_a_link_to_elsewhere_is_not_followed(vault: Path, files: FolderFiles, target: str) -> None:
    (vault / ".git").mkdir()
    for place in (vault.parent / "outside.md", vault / ".git" / "config.md"):
        place.write_bytes(b"x")
    (vault / "link.md").symlink_to(target)
    (vault / "folder").symlink_to("..")
    for path in ("link.md", "folder/outside.md"):
        with pytest.raises(DocsRagError):
            files.apply([write(DocPath(path), b"x", b"evil")], "x")
        with pytest.raises(DocsRagError):
            files.apply([write(DocPath(path), None, b"evil")], "x")
    assert (vault.parent / "outside.md").read_bytes() == (vault / ".git" / "config.md").read_bytes() == b"x"
    assert not (vault / "nowhere.md").exists()


@pytest.mark.parametrize("path", ["../x.md", "/etc/x.md", "", "d/../../x.md", ".git/x.md", "a\0.md", "d/.."])
def test_paths_that_lead_out_are_refused(files: FolderFiles, path: str) -> None:
    with pytest.raises(DocsRagError):
        files.apply([write(DocPath(path), None, b"x")], "x")
    with pytest.raises(DocsRagError):
        files.read(DocPath(path))


@needs_posix
def test_two_names_of_one_file_are_refused(vault: Path, files: FolderFiles) -> None:
    (vault / "link.md").symlink_to("a.md")
    with pytest.raises(DocsRagError, match="one and the same"):
        files.apply([write(A, b"a\r\n", b"1"), write(DocPath("link.md"), b"a\r\n", b"2")], "x")
    with pytest.raises(DocsRagError, match="is a link"):
        files.apply([MoveFile(DocPath("link.md"), bytes_digest(b"a\r\n"), C)], "x")


def test_names_that_are_spelt_otherwise_on_disk_are_found(vault: Path, files: FolderFiles) -> None:
    spelt = unicodedata.normalize("NFD", "노트.md")
    (vault / spelt).write_bytes(b"x")
    files.apply([write(DocPath(unicodedata.normalize("NFC", spelt)), b"x", b"y")], "x")
    assert (vault / spelt).read_bytes() == b"y"
    assert len(content(vault)) == 3


@needs_posix
def test_a_journal_that_is_a_link_is_not_written(vault: Path, files: FolderFiles) -> None:
    target = vault.parent / "precious"
    target.write_bytes(b"precious")
    (vault.parent / "undo.jsonl").symlink_to(target)
    with pytest.raises(DocsRagError, match="undo journal"):
        files.apply([write(A, b"a\r\n", b"x")], "x")
    assert (target.read_bytes(), (vault / "a.md").read_bytes()) == (b"precious", b"a\r\n")


def test_a_journal_from_elsewhere_is_not_believed(vault: Path, files: FolderFiles) -> None:
    files.apply([write(A, b"a\r\n", b"x")], "x")
    moved = vault.rename(vault.parent / "clone")
    assert newest(open_files(moved)) == ""


def test_damaged_lines_of_the_journal_are_passed_over(vault: Path, files: FolderFiles) -> None:
    files.apply([write(A, b"a\r\n", b"1")], "first")
    path = vault.parent / "undo.jsonl"
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    odd = [[{"path": 1}], [{"path": "\ud800.md", "before": None, "after": None}]]
    lines = [json.dumps({**line, "id": f"odd{number}", "inverses": each}).encode() for number, each in enumerate(odd)]
    broken = [b"[]", b"{}", b"\xff", b"nul", *lines, b'{"id": "cut']
    with path.open("ab") as file:
        file.write(b"\n".join(broken))
    files.apply([write(A, b"1", b"2")], "second")
    assert newest(files) == "second"
    undo(files)
    undo(files)
    assert (vault / "a.md").read_bytes() == b"a\r\n"


def test_the_journal_forgets_the_oldest_changes(
    vault: Path, files: FolderFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "KEPT_BYTES", 2_000)
    for number in range(20):
        (vault / "a.md").write_bytes(b"%03d" % number * 100)
        files.apply([write(A, b"%03d" % number * 100, b"x")], str(number))
    assert (vault.parent / "undo.jsonl").stat().st_size < 3_000
    undo(files)
    assert (vault / "a.md").read_bytes() == b"019" * 100


@needs_posix
def test_a_failure_in_the_middle_takes_back_what_was_done(
    vault: Path, files: FolderFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(vault)
    real, calls = os.replace, []

    def failing(*arguments: str, **options: Any) -> None:
        calls.append(arguments)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(*arguments, **options)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(DocsRagError, match="no space left on device; no note was changed"):
        files.apply([write(A, b"a\r\n", b"1"), write(B, b"\xef\xbb\xbfb", b"2")], "x")
    assert content(vault) == before
    assert newest(files) == ""


_KILLED: str = """
import itertools, os, shutil, signal, sys
from pathlib import Path
from docs_rag.adapters.files import FolderFiles
from docs_rag.core.digests import bytes_digest
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import MoveFile, write

CALLS = ("open", "write", "fsync", "replace", "link", "unlink", "rename")
BEFORE = {"a.md": b"a", "b.md": b"b", "d/m.md": b"m"}
AFTER = {"a.md": b"A", "b.md": b"B", "m.md": b"m", "c.md": b"c"}
EDITS = [write(DocPath("a.md"), b"a", b"A"), write(DocPath("c.md"), None, b"c"),
         MoveFile(DocPath("d/m.md"), bytes_digest(b"m"), DocPath("m.md")), write(DocPath("b.md"), b"b", b"B")]

def content(vault):
    return {each.relative_to(vault).as_posix(): each.read_bytes() for each in vault.rglob("*") if each.is_file()}

def dying(step, torn):
    count = itertools.count()
    def wrap(name, real):
        def call(*arguments, **options):
            if next(count) == step:
                if torn and name == "write":
                    real(arguments[0], arguments[1][: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)
        return call
    for name in CALLS:
        setattr(os, name, wrap(name, getattr(os, name)))

def killed(vault, step, torn, action):
    child = os.fork()
    if child == 0:
        dying(step, torn)
        action(FolderFiles(str(vault), str(vault.parent / "undo.jsonl")))
        os._exit(0)
    return os.waitpid(child, 0)[1] != 0

def check(vault, kind, step):
    files = FolderFiles(str(vault), str(vault.parent / "undo.jsonl"))
    for path, data in content(vault).items():
        if not path.rpartition("/")[2].startswith(".docs-rag-"):
            assert data in (BEFORE.get(path), AFTER.get(path)), (kind, step, path, data)
    last = files.last()
    if last is not None:
        files.undo(last)
    assert content(vault) == BEFORE, (kind, step, content(vault))
    assert files.last() is None
    files.apply(EDITS, "again")
    assert content(vault) == AFTER

base, steps = Path(sys.argv[1]), 0
for kind, torn in (("apply", False), ("apply", True), ("undo", False), ("undo", True)):
    for step in itertools.count():
        vault = base / f"{kind}-{torn}-{step}" / "vault"
        (vault / "d").mkdir(parents=True)
        for path, data in BEFORE.items():
            (vault / path).write_bytes(data)
        action = lambda files: files.apply(EDITS, "test")
        if kind == "undo":
            FolderFiles(str(vault), str(vault.parent / "undo.jsonl")).apply(EDITS, "test")
            action = lambda files: files.undo(files.last())
        died = killed(vault, step, torn, action)
        check(vault, kind, step)
        shutil.rmtree(vault.parent)
        steps += died
        if not died:
            break
print(steps)
"""


@pytest.mark.slow
@needs_posix
def test_whenever_it_is_killed_everything_can_be_taken_back_and_done_again(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def test_a_change_waits_for_the_lock(vault: Path) -> None:
    taken: list[str] = []

    class Lock:
        def __enter__(self) -> None:
            taken.append("in")

        def __exit__(self, *rest: object) -> None:
            taken.append("out")

    lock: Callable[[], Lock] = Lock
    files = FolderFiles(str(vault), str(vault.parent / "undo.jsonl"), lock=lock)
    files.apply([write(A, b"a\r\n", b"1")], "x")
    undo(files)
    assert taken == ["in", "out"] * 2
