"""Sets of small files: all or none, links kept and never followed out of the project."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from docs_rag.adapters.files.anywhere import AnyFiles
from docs_rag.core.filechanges import FileChange
from docs_rag.errors import DocsRagError

posix = pytest.mark.skipif(os.name != "posix", reason="rights and links are another thing on Windows")


def change(path: Path, before: bytes | None, after: bytes | None, within: Path | None = None) -> FileChange:
    return FileChange(
        path=str(path), name=path.name, before=before, after=after, within=None if within is None else str(within)
    )


def names(folder: Path) -> list[str]:
    return sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*"))


def test_files_are_made_replaced_and_removed(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"old")
    (tmp_path / "c").write_bytes(b"gone")
    AnyFiles().apply(
        [
            change(tmp_path / "x" / "y" / "a", None, b"new"),
            change(tmp_path / "b", b"old", b"other"),
            change(tmp_path / "c", b"gone", None),
        ]
    )
    assert names(tmp_path) == ["b", "x", "x/y", "x/y/a"]
    assert (tmp_path / "b").read_bytes() == b"other"
    assert AnyFiles().read(str(tmp_path / "x" / "y" / "a")) == b"new"
    assert AnyFiles().read(str(tmp_path / "no" / "file")) is None


def test_one_file_that_has_changed_stops_all(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"edited")
    with pytest.raises(DocsRagError, match="has changed"):
        AnyFiles().apply([change(tmp_path / "x" / "a", None, b"new"), change(tmp_path / "b", b"old", b"other")])
    assert names(tmp_path) == ["b"]
    assert (tmp_path / "b").read_bytes() == b"edited"


@posix
def test_a_failure_half_way_puts_the_first_ones_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename that fails, as on a disk that goes read-only between two of them."""
    for name in ("a", "b", "d"):
        (tmp_path / name).write_bytes(b"old")
    real, calls = os.replace, iter(range(9))

    def replace(*arguments: Any, **options: Any) -> None:
        if next(calls) == 1:
            raise OSError(30, "Read-only file system")
        real(*arguments, **options)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(DocsRagError, match="read-only file system; nothing was changed"):
        AnyFiles().apply(
            [
                change(tmp_path / "a", b"old", b"new"),
                change(tmp_path / "d", b"old", None),
                change(tmp_path / "x" / "c", None, b"new"),
                change(tmp_path / "b", b"old", b"new"),
            ]
        )
    assert names(tmp_path) == ["a", "b", "d"]
    assert {(tmp_path / name).read_bytes() for name in ("a", "b", "d")} == {b"old"}


@posix
def test_files_that_cannot_be_put_back_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"old")
    real, calls = os.replace, iter(range(9))

    def replace(*arguments: Any, **options: Any) -> None:
        if next(calls):
            raise OSError(30, "Read-only file system")
        real(*arguments, **options)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(DocsRagError, match=r"could not all be written.*look at a$"):
        AnyFiles().apply([change(tmp_path / name, b"old", b"new") for name in ("a", "b")])
    assert names(tmp_path) == ["a", "b"]


@posix
def test_modes_stay_and_new_private_files_are_private(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"old")
    (tmp_path / "secret").chmod(0o600)
    private = FileChange(
        path=str(tmp_path / ".rag" / "record"), name="record", before=None, after=b"x", is_private=True
    )
    AnyFiles().apply([change(tmp_path / "secret", b"old", b"new"), private, change(tmp_path / "plain", None, b"x")])
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("secret", ".rag", ".rag/record", "plain")]
    assert modes == [0o600, 0o700, 0o600, 0o644]


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "settings.json").write_bytes(b"old")
    (tmp_path / "settings.json").symlink_to(dotfiles / "settings.json")
    AnyFiles().apply([change(tmp_path / "settings.json", b"old", b"new")])
    assert (tmp_path / "settings.json").is_symlink()
    assert (dotfiles / "settings.json").read_bytes() == b"new"


@posix
@pytest.mark.parametrize("through", ["file", "folder"])
def test_a_link_that_leads_out_of_the_project_is_refused(through: str, tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (outside / "mcp.json").write_bytes(b"{}")
    if through == "file":
        (project / "mcp.json").symlink_to(outside / "mcp.json")
        place = project / "mcp.json"
    else:
        (project / ".cursor").symlink_to(outside)
        place = project / ".cursor" / "mcp.json"
    with pytest.raises(DocsRagError, match="leads outside"):
        AnyFiles().read(str(place), within=str(project))
    with pytest.raises(DocsRagError, match="leads outside"):
        AnyFiles().apply([change(place, b"{}", b"new", project)])
    assert (outside / "mcp.json").read_bytes() == b"{}"


@posix
def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "gone")
    with pytest.raises(DocsRagError, match="leads nowhere"):
        AnyFiles().read(str(tmp_path / "a"))


@posix
def test_two_names_of_one_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"x")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    with pytest.raises(DocsRagError, match="one and the same"):
        AnyFiles().apply([change(tmp_path / "AGENTS.md", b"x", b"y"), change(tmp_path / "CLAUDE.md", b"x", b"y")])
    assert (tmp_path / "AGENTS.md").read_bytes() == b"x"


def test_a_folder_in_the_place_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(DocsRagError):
        AnyFiles().read(str(tmp_path / "a"))
    (tmp_path / "b").write_bytes(b"")
    with pytest.raises(DocsRagError):
        AnyFiles().apply([change(tmp_path / "b" / "c", None, b"x")])


def test_folders_that_are_empty_afterwards_go_when_asked(tmp_path: Path) -> None:
    AnyFiles().apply([change(tmp_path / "x" / "a", None, b"new"), change(tmp_path / "y" / "b", None, b"new")])
    AnyFiles().apply([change(tmp_path / "x" / "a", b"new", None)], leave=[str(tmp_path / "x"), str(tmp_path / "y")])
    assert names(tmp_path) == ["y", "y/b"]


def test_missing_folders_are_named_from_above(tmp_path: Path) -> None:
    found = AnyFiles().missing_folders(str(tmp_path / "x" / "y" / "a"))
    assert found == (str(tmp_path / "x"), str(tmp_path / "x" / "y"))


def test_what_a_killed_process_had_prepared_is_taken_away(tmp_path: Path) -> None:
    left = [tmp_path / ".docs-rag-0123456789abcdef-0.tmp", tmp_path / ".docs-rag-0123456789abcdef-0.tmp.back"]
    at_work = tmp_path / ".docs-rag-fedcba9876543210-0.tmp"
    others = tmp_path / ".docs-rag-notes.tmp"
    for each in (*left, at_work, others):
        each.write_text("x", encoding="utf-8")
    for each in (*left, others):
        os.utime(each, (0, 0))
    AnyFiles().apply([change(tmp_path / "new.json", None, b"{}")])
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([at_work.name, others.name, "new.json"])
