"""Notes and folders as people name them on the command line."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes

LONG = "x" * 5_000


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault in `docs`, below a project that is the working directory."""
    notes = {
        "docs/a.md": "---\nsuperseded_by: gone.md\n---\n",
        "docs/b.md": "# B\n",
        unicodedata.normalize("NFD", "docs/결정.md"): "# 결정\n",
    }
    write_notes(tmp_path, notes)
    write_config(tmp_path, vaultPath="../docs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", [("check", LONG), ("check", "~nobody-at-all/x"), ("index", "~nobody-at-all/x")])
def test_what_is_no_path_is_wrong_usage(arguments: tuple[str, ...], project: Path, docs_rag: CommandLine) -> None:
    result = docs_rag(*arguments)
    assert (result.status, result.out) == (2, "")
    assert "name notes or folders of the vault" in result.err


def test_a_name_longer_than_a_files_is_none(project: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("supersede", LONG, "b.md", "--yes")
    assert result.status == 1
    assert "no note is called" in result.err


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("folder", ["", "docs/"])
def test_a_name_is_found_however_its_letters_are_composed(
    form: str, folder: str, project: Path, docs_rag: CommandLine
) -> None:
    typed = unicodedata.normalize(form, f"{folder}결정.md")  # type: ignore[arg-type]
    result = docs_rag("supersede", "b.md", typed, "--dry-run", "--json")
    assert result.json["new"] == "결정.md"


@pytest.mark.parametrize("path", [".", "docs", "..", "/"])
def test_a_folder_that_holds_the_vault_is_all_of_it(path: str, project: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("check", path)
    assert result.status == 1
    assert "(3 notes checked)" in result.out
