"""Obsidian's settings on disk."""

from __future__ import annotations

from pathlib import Path

from commandline import write_notes

from docs_rag.adapters.obsidian import config_folder, filters


def test_the_usual_folder_goes_first(tmp_path: Path) -> None:
    write_notes(tmp_path, {".aaa/app.json": "{}", ".aaa/workspace.json": "{}", ".obsidian/x": ""})
    assert config_folder(str(tmp_path)) == ".obsidian"


def test_a_renamed_folder_is_found(tmp_path: Path) -> None:
    write_notes(tmp_path, {".phone/app.json": "{}", ".phone/appearance.json": "{}", ".git/config": "", "a.md": "# A"})
    assert config_folder(str(tmp_path)) == ".phone"


def test_a_folder_of_notes_is_no_vault_of_obsidian(tmp_path: Path) -> None:
    write_notes(tmp_path, {"a.md": "# A", ".git/config": "", ".obsidian.md": "a file"})
    assert config_folder(str(tmp_path)) is None
    assert config_folder(str(tmp_path / "missing")) is None


def test_filters_are_read_with_a_byte_order_mark(tmp_path: Path) -> None:
    write_notes(tmp_path, {".obsidian/app.json": '\ufeff{"userIgnoreFilters": ["templates/"]}'})
    assert filters(str(tmp_path), ".obsidian") == ("templates/",)


def test_settings_that_cannot_be_read_say_nothing(tmp_path: Path) -> None:
    (tmp_path / ".obsidian" / "app.json").mkdir(parents=True)
    assert filters(str(tmp_path), ".obsidian") == ()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "app.json").write_bytes(b'{"userIgnoreFilters": ["\xff/"]}')
    assert filters(str(tmp_path), "b") == ("\ufffd/",)
    (tmp_path / "b" / "app.json").write_bytes(b'{"userIgnoreFilters": ["a/"]}' + b" " * 1_000_000)
    assert filters(str(tmp_path), "b") == ()
