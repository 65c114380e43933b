"""What git had in a commit, asked of a real repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from docs_rag.adapters.git.tree import blobs
from docs_rag.errors import DocsRagError, UsageError

GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "r"
    (folder / "docs" / "가").mkdir(parents=True)
    (folder / "docs" / "가" / "b c.md").write_bytes(b"")
    (folder / "top.md").write_bytes(b"top")
    (folder / "docs" / "link.md").symlink_to("가/b c.md")
    for arguments in (["init"], ["add", "."], ["commit", "-m", "one"]):
        subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)
    return folder


def test_paths_count_from_the_folder_and_links_are_left_out(repository: Path) -> None:
    assert blobs(str(repository / "docs"), "HEAD") == {"가/b c.md": "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"}
    assert set(blobs(str(repository), "main")) == {"docs/가/b c.md", "top.md"}


def test_the_variables_of_a_hook_do_not_lead_to_another_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(repository / "nowhere"))
    monkeypatch.setenv("GIT_WORK_TREE", "/")
    assert len(blobs(str(repository), "HEAD")) == 2


@pytest.mark.parametrize("revision", ["-p", "--upload-pack=x", "", " "])
def test_what_cannot_be_a_revision(repository: Path, revision: str) -> None:
    with pytest.raises(UsageError):
        blobs(str(repository), revision)


@pytest.mark.parametrize("revision", ["nowhere", "a\0b", "HEAD:top.md"])
def test_a_revision_that_git_does_not_know(repository: Path, revision: str) -> None:
    with pytest.raises(DocsRagError, match="git can"):
        blobs(str(repository), revision)


def test_a_folder_of_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(DocsRagError, match="not a git repository"):
        blobs(str(tmp_path), "HEAD")


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DocsRagError, match="git is not installed"):
        blobs(str(tmp_path), "HEAD")
