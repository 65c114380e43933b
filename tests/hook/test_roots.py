"""Edits below a root are edits of notes."""

from __future__ import annotations

from pathlib import Path

from commandline import write_config

from docs_rag.hook.project import find_project


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_note_of_a_root_begins_with_its_name(tmp_path: Path) -> None:
    config = write_config(
        made(tmp_path / "p"), vaultPath="../docs", roots={"in": "../own", "out": str(tmp_path / "away")}
    )
    project = find_project(str(tmp_path / "away" / "a.md"), str(config))
    assert project is not None
    assert project.note(str(tmp_path / "away" / "deep" / "a.md")) == "out/deep/a.md"
    assert project.note(str(tmp_path / "p" / "own" / "kep.yaml")) == "in/kep.yaml"
    assert project.note(str(tmp_path / "p" / "docs" / "a.md")) == "a.md"
    for other in ("away/a.py", "away/.git/a.md", "elsewhere/a.md", "p/a.md"):
        assert project.note(str(tmp_path / other)) is None


def test_roots_that_are_none_are_passed_over(tmp_path: Path) -> None:
    written: tuple[object, ...] = ([], {"a": 3}, "x", None)
    for roots in written:
        config = write_config(tmp_path, roots=roots)
        project = find_project(str(tmp_path / "a.md"), str(config))
        assert project is not None
        assert project.roots == ()
        assert project.note(str(tmp_path / "a.md")) == "a.md"
