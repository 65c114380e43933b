"""First days of files, asked of real repositories."""

from __future__ import annotations

import os
import stat
import sys
import unicodedata
from pathlib import Path

import pytest
from gitrepo import ISOLATED, Repository, git

from docs_rag.adapters.git.origins import GitOrigins
from docs_rag.core.documents import DocPath

TEXT = "".join(f"This is line {number} of a note.\n" for number in range(20))


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ISOLATED.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def days(folder: Path, *paths: str) -> dict[DocPath, str]:
    return GitOrigins(str(folder)).first_days([DocPath(path) for path in paths])


def test_the_day_of_the_first_commit_counts_not_that_of_the_last(repository: Repository) -> None:
    repository.commit("2024-03-01", a="one\n")
    repository.commit("2025-06-02", a="two\n", b="one\n")
    assert days(repository.folder, "a.md", "b.md") == {"a.md": "2024-03-01", "b.md": "2025-06-02"}


def test_the_day_is_the_authors_in_the_authors_zone(repository: Repository) -> None:
    repository.commit("2024-03-02", at="00:30:00 +0900", a="it is still the first of March in Greenwich\n")
    assert days(repository.folder, "a.md") == {"a.md": "2024-03-02"}


def test_what_was_never_committed_has_no_day(repository: Repository) -> None:
    repository.commit("2024-03-01", a="one\n")
    repository.write("b.md", "not committed\n")
    repository.write("c.md", "staged\n")
    repository.git("add", "c.md")
    assert days(repository.folder, "b.md", "c.md") == {}


def test_a_renamed_file_keeps_its_first_day(repository: Repository) -> None:
    repository.commit("2024-03-01", a=TEXT)
    repository.git("mv", "a.md", "b.md")
    repository.commit("2024-04-01")
    (repository.folder / "sub").mkdir()
    repository.git("mv", "b.md", "sub/c.md")
    repository.commit("2024-05-01", **{"sub/c": TEXT + "and one more line, changed while it moved\n"})
    assert days(repository.folder, "sub/c.md") == {"sub/c.md": "2024-03-01"}


def test_another_file_under_a_former_name_is_another_file(repository: Repository) -> None:
    repository.commit("2024-03-01", a=TEXT)
    repository.git("mv", "a.md", "b.md")
    repository.commit("2024-04-01")
    repository.commit("2024-05-01", a="something else\n")
    assert days(repository.folder, "a.md", "b.md") == {"a.md": "2024-05-01", "b.md": "2024-03-01"}


def test_a_record_begun_from_the_same_template_is_no_renamed_one(repository: Repository) -> None:
    form = "# Title\n\n## Status\n\nproposed\n\n## Context\n\n## Decision\n\n## Consequences\n"
    repository.commit("2024-03-01", a=form + "".join(f"Tea is kept in box {number}.\n" for number in range(9)))
    (repository.folder / "a.md").unlink()
    repository.commit("2024-04-01", b=form + "".join(f"Cups are washed at {number}.\n" for number in range(9)))
    assert days(repository.folder, "b.md") == {"b.md": "2024-04-01"}


def test_a_file_that_was_dropped_and_brought_back_keeps_its_first_day(repository: Repository) -> None:
    repository.commit("2024-03-01", a=TEXT, z="z\n")
    (repository.folder / "a.md").unlink()
    repository.commit("2024-04-01")
    repository.commit("2024-05-01", a=TEXT)
    assert days(repository.folder, "a.md") == {"a.md": "2024-03-01"}


def test_a_vault_in_a_subfolder_that_was_renamed_as_a_whole(repository: Repository) -> None:
    repository.commit("2024-03-01", **{"docs/a": TEXT, "code/a": "other\n"})
    repository.git("mv", "docs", "notes")
    repository.commit("2024-04-01", **{"notes/b": "late\n", "b": "early, elsewhere\n"})
    assert days(repository.folder / "notes", "a.md", "b.md") == {"a.md": "2024-03-01", "b.md": "2024-04-01"}
    assert days(repository.folder / "notes", "missing.md") == {}


def test_files_that_came_on_a_branch_are_of_the_branchs_day(repository: Repository) -> None:
    repository.commit("2024-03-01", a="a\n")
    repository.git("checkout", "-q", "-b", "side")
    repository.commit("2024-04-01", b=TEXT)
    repository.git("mv", "b.md", "c.md")
    repository.commit("2024-05-01")
    repository.git("checkout", "-q", "main")
    repository.commit("2024-06-01", d="d\n")
    repository.git("merge", "-q", "--no-ff", "-m", "x", "side", day="2024-07-01")
    assert days(repository.folder, "a.md", "c.md", "d.md") == {
        "a.md": "2024-03-01",
        "c.md": "2024-04-01",
        "d.md": "2024-06-01",
    }


def test_a_file_that_only_a_merge_added(repository: Repository) -> None:
    repository.commit("2024-03-01", a="a\n")
    repository.git("checkout", "-q", "-b", "side")
    repository.commit("2024-04-01", b="b\n")
    repository.git("checkout", "-q", "main")
    repository.commit("2024-05-01", c="c\n")
    repository.git("merge", "-q", "--no-ff", "--no-commit", "side")
    repository.commit("2024-06-01", m="made while merging\n")
    assert days(repository.folder, "m.md", "b.md") == {"m.md": "2024-06-01", "b.md": "2024-04-01"}


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
@pytest.mark.parametrize("name", ["q\"uo'te.md", "new\nline.md", "tab\there.md", "=2020-01-01 .md", "A", "R100.md"])
def test_names_that_look_like_something_else(name: str, repository: Repository) -> None:
    (repository.folder / name).write_text("x\n", encoding="utf-8")
    repository.commit("2024-03-01", other="y\n")
    assert days(repository.folder, name, "other.md") == {name: "2024-03-01", "other.md": "2024-03-01"}


def test_hangul_that_git_knows_decomposed(repository: Repository) -> None:
    composed = "결정-0007.md"
    (repository.folder / unicodedata.normalize("NFD", composed)).write_text("x\n", encoding="utf-8")
    repository.git("-c", "core.precomposeUnicode=false", "add", "-A")
    repository.commit("2024-03-01")
    assert days(repository.folder, composed) == {composed: "2024-03-01"}


def test_the_version_changes_with_each_commit(repository: Repository) -> None:
    origins = GitOrigins(str(repository.folder))
    assert (origins.version(), origins.first_days([DocPath("a.md")])) == ("", {})
    repository.commit("2024-03-01", a="one\n")
    first = origins.version()
    repository.commit("2024-04-01", a="two\n")
    assert len(first) >= 40
    assert origins.version() not in ("", first)


def test_without_a_repository_nothing_is_known_and_nothing_said(tmp_path: Path) -> None:
    origins = GitOrigins(str(tmp_path))
    assert (origins.version(), origins.first_days([DocPath("a.md")]), origins.warning) == ("", {}, "")
    gone = GitOrigins(str(tmp_path / "gone"))
    assert (gone.version(), gone.warning) == ("", "")


def test_without_git_nothing_is_known_and_nothing_said(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repository.commit("2024-03-01", a="one\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    origins = GitOrigins(str(repository.folder))
    assert (origins.version(), origins.first_days([DocPath("a.md")]), origins.warning) == ("", {}, "")


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_a_git_that_lies_in_the_working_directory_is_not_run(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = Trap(repository.folder / "git")
    monkeypatch.chdir(repository.folder)
    monkeypatch.setenv("PATH", f".{os.pathsep}")
    assert GitOrigins(str(repository.folder)).version() == ""
    assert not trap.was_run


def test_a_worktree_has_the_history_of_its_branch(repository: Repository, tmp_path: Path) -> None:
    repository.commit("2024-03-01", a="one\n")
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    (tmp_path / "tree" / "b.md").write_text("x\n", encoding="utf-8")
    git(tmp_path / "tree", "add", "-A")
    git(tmp_path / "tree", "commit", "-q", "-m", "x", day="2024-04-01")
    assert days(tmp_path / "tree", "a.md", "b.md") == {"a.md": "2024-03-01", "b.md": "2024-04-01"}
    assert days(repository.folder, "a.md", "b.md") == {"a.md": "2024-03-01"}


def test_a_submodule_has_a_history_of_its_own(repository: Repository, tmp_path: Path) -> None:
    repository.commit("2024-03-01", a="one\n")
    outer = Repository(tmp_path / "outer")
    outer.commit("2024-04-01", a="another\n")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository.folder), "docs")
    outer.commit("2024-05-01")
    assert days(outer.folder / "docs", "a.md") == {"a.md": "2024-03-01"}
    assert days(outer.folder, "a.md", "docs/a.md") == {"a.md": "2024-04-01"}


def test_a_shallow_clone_knows_what_came_after_its_edge(repository: Repository, tmp_path: Path) -> None:
    repository.commit("2024-03-01", a="one\n")
    repository.commit("2024-04-01", a="two\n")
    repository.commit("2024-05-01", b="one\n")
    git(tmp_path, "clone", "-q", "--depth", "2", repository.folder.as_uri(), "clone")
    origins = GitOrigins(str(tmp_path / "clone"))
    assert origins.first_days([DocPath("a.md"), DocPath("b.md")]) == {"b.md": "2024-05-01"}
    assert origins.warning.startswith("a shallow clone: 1 notes without a date")
    assert origins.version()
    assert origins.warning == "", "the warning speaks of the last call"


def test_a_partial_clone_is_read_without_fetching(repository: Repository, tmp_path: Path) -> None:
    repository.commit("2024-03-01", a=TEXT, c=TEXT.replace("note", "letter"))
    repository.git("mv", "a.md", "b.md")
    repository.git("mv", "c.md", "d.md")
    repository.commit("2024-04-01", d=TEXT.replace("note", "letter") + "changed as it moved\n")
    repository.git("config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", repository.folder.as_uri(), "clone")
    assert days(tmp_path / "clone", "b.md", "d.md") == {"b.md": "2024-03-01", "d.md": "2024-04-01"}


def test_a_history_that_takes_too_long_is_given_up(repository: Repository) -> None:
    repository.commit("2024-03-01", a="one\n")
    origins = GitOrigins(str(repository.folder), seconds=30)
    assert origins.first_days([DocPath("a.md")])
    late = GitOrigins(str(repository.folder), seconds=0)
    assert late.first_days([DocPath("a.md")]) == {}


def test_a_damaged_history_is_told(repository: Repository) -> None:
    repository.commit("2024-03-01", a="one\n")
    first = repository.git("rev-parse", "HEAD").strip()
    repository.commit("2024-04-01", b="two\n")
    broken = repository.folder / ".git" / "objects" / first[:2] / first[2:]
    broken.chmod(0o600)
    broken.write_bytes(b"")
    origins = GitOrigins(str(repository.folder))
    assert origins.first_days([DocPath("a.md")]) == {}
    assert "gitDates: false" in origins.warning


@pytest.mark.parametrize("stamp", ["@0 +0000", "@99999999999999 +0000"])
def test_a_day_that_no_calendar_has_is_none(stamp: str, repository: Repository) -> None:
    repository.write("a.md", "x\n")
    repository.git("add", "-A")
    tree = repository.git("write-tree").strip()
    commit = f"tree {tree}\nauthor N <n@example.org> {stamp[1:]}\ncommitter N <n@example.org> {stamp[1:]}\n\nx\n"
    place = repository.folder.parent / "commit"
    place.write_text(commit, encoding="utf-8")
    made = repository.git("hash-object", "-t", "commit", "-w", str(place)).strip()
    repository.git("update-ref", "HEAD", made)
    found = days(repository.folder, "a.md")
    assert found in ({}, {"a.md": "1970-01-01"})


def test_variables_of_a_hook_do_not_lead_elsewhere(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit("2024-03-01", a="one\n")
    other = Repository(tmp_path / "other")
    other.commit("2020-01-01", a="other\n")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.folder / ".git" / "index"))
    assert days(repository.folder, "a.md") == {"a.md": "2024-03-01"}


class Trap:
    """A program that must not be run."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._mark = place.with_name(f"{place.name}-was-run")
        place.write_text(f"#!/bin/sh\ntouch '{self._mark}'\ncat\n", encoding="utf-8")
        place.chmod(place.stat().st_mode | stat.S_IXUSR)

    @property
    def was_run(self) -> bool:
        return self._mark.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
def test_nothing_that_the_config_of_a_repository_names_is_run(repository: Repository, tmp_path: Path) -> None:
    repository.write(".gitattributes", "*.md diff=evil filter=evil\n")
    repository.commit("2024-03-01", a=TEXT)
    repository.git("mv", "a.md", "b.md")
    repository.commit("2024-04-01", b=TEXT + "changed\n")
    trap = Trap(tmp_path / "program")
    for key in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "core.askPass", "diff.external", "diff.evil.command",
        "diff.evil.textconv", "filter.evil.smudge", "filter.evil.clean", "gpg.program", "pager.log", "core.editor",
    ):  # fmt: skip
        repository.git("config", key, str(trap.place))
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    hook = Trap(hooks / "post-index-change")
    for key, value in {
        "core.hooksPath": str(hooks), "log.showSignature": "true", "log.showRoot": "false", "log.follow": "true",
        "diff.renames": "false", "diff.relative": "true", "diff.orderFile": "missing", "log.date": "relative",
        "log.diffMerges": "off", "format.pretty": "raw", "color.ui": "always", "core.quotePath": "true",
        "log.decorate": "full", "diff.noprefix": "true", "log.mailmap": "true", "diff.renameLimit": "1",
    }.items():  # fmt: skip
        repository.git("config", key, value)
    assert days(repository.folder, "b.md") == {"b.md": "2024-03-01"}
    assert not trap.was_run
    assert not hook.was_run


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_a_promised_content_is_fetched_by_no_program_of_the_config(repository: Repository, tmp_path: Path) -> None:
    repository.commit("2024-03-01", a=TEXT)
    repository.git("mv", "a.md", "b.md")
    repository.commit("2024-04-01", b=TEXT + "changed\n")
    repository.git("config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", repository.folder.as_uri(), "clone")
    trap = Trap(tmp_path / "program")
    clone = tmp_path / "clone"
    git(clone, "config", "remote.origin.url", f"ext::{trap.place} %S")
    git(clone, "config", "remote.origin.uploadpack", str(trap.place))
    git(clone, "config", "protocol.ext.allow", "always")
    assert days(clone, "b.md") == {"b.md": "2024-04-01"}
    assert not trap.was_run


@pytest.mark.skipif(sys.platform == "win32", reason="owners are other there")
def test_the_repository_of_another_user_is_told(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit("2024-03-01", a="one\n")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "0")
    monkeypatch.setattr(
        "docs_rag.adapters.git.origins.environment",
        lambda: {**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "LC_ALL": "C"},
    )
    origins = GitOrigins(str(repository.folder))
    assert origins.version() == ""
    assert "belongs to another user" in origins.warning


def test_a_bare_repository_within_the_notes_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    git(tmp_path / "notes", "init", "-q", "--bare", ".")
    assert GitOrigins(str(tmp_path / "notes")).version() == ""
