"""Which project an edited file belongs to, and which files are its notes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from commandline import write_config

from docs_rag.core.sidecars import SIDECARS
from docs_rag.hook.project import BESIDE_NOTES, Project, find_project

posix = pytest.mark.skipif(os.name != "posix", reason="needs links")


def found(path: Path, config: Path | None = None) -> Project:
    project = find_project(str(path), None if config is None else str(config))
    assert project is not None
    return project


def notes(folder: Path, *names: str) -> list[str | None]:
    return [found(folder / name).note(str(folder / name)) for name in names]


def test_a_note_is_a_markdown_file_of_the_vault(tmp_path: Path) -> None:
    write_config(tmp_path)
    assert notes(tmp_path, "a.md", "sub/B.MD", "deep/gone/c.md") == ["a.md", "sub/B.MD", "deep/gone/c.md"]
    assert notes(tmp_path, "a.py", "a.md.txt", ".rag/x.md", ".obsidian/y.md", "sub/.z.md") == [None] * 5


def test_files_that_rule_over_notes_or_belong_to_them_count(tmp_path: Path) -> None:
    write_config(tmp_path)
    assert notes(tmp_path, ".gitignore", "sub/.ragignore", "kep/kep.yaml") == [
        ".gitignore",
        "sub/.ragignore",
        "kep/kep.yaml",
    ]
    assert set(SIDECARS.values()) == set(BESIDE_NOTES)


@pytest.mark.parametrize(
    ("include", "of_it", "not_of_it"),
    [
        (["**/*.txt", "adr/*.md"], ["a.txt", "b.md"], ["c.py"]),
        (["docs/"], ["a.md", "c.py"], []),
        (["*.{md,txt}"], ["a.txt"], []),
        ("**/*.txt", ["a.md"], ["a.txt"]),
    ],
)
def test_the_endings_are_those_of_include(
    include: object, of_it: list[str], not_of_it: list[str], tmp_path: Path
) -> None:
    write_config(tmp_path, include=include)
    assert notes(tmp_path, *of_it) == of_it
    assert notes(tmp_path, *not_of_it) == [None] * len(not_of_it)


def test_a_file_beside_the_vault_is_no_note(tmp_path: Path) -> None:
    write_config(tmp_path, vaultPath="../docs")
    assert notes(tmp_path, "docs/a.md", "README.md", "docs.md") == ["a.md", None, None]


def test_the_nearest_project_counts(tmp_path: Path) -> None:
    write_config(tmp_path)
    inner = tmp_path / "inner"
    inner.mkdir()
    write_config(inner)
    assert found(inner / "a.md").state_dir == str(inner / ".rag")


def test_without_a_project_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert find_project(str(tmp_path / "a.md"), None) is None


def test_a_config_without_a_state_folder_was_not_set_up_here(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"vaultPath": "."}', encoding="utf-8")
    assert find_project(str(tmp_path / "a.md"), None) is None
    (tmp_path / ".rag").mkdir()
    assert found(tmp_path / "a.md").note(str(tmp_path / "a.md")) == "a.md"


def test_of_a_damaged_config_its_run_must_tell(tmp_path: Path) -> None:
    write_config(tmp_path).write_text("{", encoding="utf-8")
    assert notes(tmp_path, "a.md", "b.py") == ["a.md", None]


def test_notes_elsewhere_are_reached_by_naming_the_config(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "notes").mkdir()
    config = write_config(tmp_path / "project", vaultPath="../../notes")
    assert find_project(str(tmp_path / "notes" / "a.md"), None) is None
    note = tmp_path / "notes" / "a.md"
    assert found(note, config).note(str(note)) == "a.md"


@posix
def test_case_46_a_state_folder_that_leads_out_of_the_project_is_left_alone(tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    write_config(elsewhere)
    (project / ".rag").symlink_to(elsewhere / ".rag")
    assert find_project(str(project / "a.md"), None) is None


@posix
def test_a_project_that_is_reached_through_a_link_is_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    write_config(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    note = tmp_path / "link" / "a.md"
    assert found(note).note(str(tmp_path / "real" / "a.md")) == "a.md"
