"""`supersede`, `undo`, `history` and `check` where the records are documents that cannot carry their state."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import spawn, write_config, write_notes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two price lists, indexed."""
    (tmp_path / "prices-2025.csv").write_text("crate,price\nwalnut,17\n", encoding="utf-8")
    (tmp_path / "prices-2026.csv").write_text("crate,price\nwalnut,19\n", encoding="utf-8")
    write_config(tmp_path, include=["**/*.md", "**/*.csv"])
    assert spawn("index", "-C", tmp_path).status == 0
    return tmp_path


def supersede(folder: Path) -> None:
    done = spawn("supersede", "prices-2025.csv", "prices-2026.csv", "--yes", "--date", "2026-01-02", "-C", folder)
    assert done.status == 0, done.err


def check_superseded(folder: Path) -> None:
    found = spawn("search", "walnut price", "--json", "-C", folder).json
    assert [hit["path"] for hit in found["hits"] if hit["path"].endswith(".csv")] == ["prices-2026.csv"]
    listed = {each["path"]: each for each in spawn("list", "--json", "-C", folder).json}
    assert listed["prices-2025.csv"]["supersededBy"] == ["prices-2026.csv"]
    assert listed["prices-2026.csv"]["supersedes"] == ["prices-2025.csv"]
    history = spawn("history", "prices-2026.csv", "-C", folder).out
    assert "prices-2025.csv" in history
    checked = spawn("check", "-C", folder)
    assert checked.status == 0, checked.out


def test_companions_are_made_and_taken_back(folder: Path) -> None:
    supersede(folder)
    companion = (folder / "prices-2025.csv.md").read_text(encoding="utf-8")
    assert "prices-2026.csv" in companion
    assert "2026-01-02" in companion
    check_superseded(folder)
    assert spawn("undo", "--yes", "-C", folder).status == 0
    assert not (folder / "prices-2025.csv.md").exists()
    listed = {each["path"]: each for each in spawn("list", "--json", "-C", folder).json}
    assert listed["prices-2025.csv"]["status"] == "current"


def test_companions_that_are_there_are_marked(folder: Path) -> None:
    write_notes(folder, {"prices-2025.csv.md": "---\nstatus: accepted\nowner: Ann\n---\nHer prices.\n"})
    supersede(folder)
    companion = (folder / "prices-2025.csv.md").read_text(encoding="utf-8")
    assert "status: superseded" in companion
    assert "owner: Ann" in companion
    assert companion.endswith("Her prices.\n")
    check_superseded(folder)


def test_rows_of_a_table_are_marked(folder: Path) -> None:
    table = "documents:\n  prices-2025.csv: accepted\n  prices-2026.csv:\n    status: accepted\n"
    write_notes(folder, {"README.md": f"---\nowner: Ann\n{table}---\n# Prices\n"})
    supersede(folder)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "    status: superseded\n" in readme
    assert readme.startswith("---\nowner: Ann\ndocuments:\n  prices-2025.csv:\n")
    assert readme.endswith("---\n# Prices\n")
    assert not (folder / "prices-2025.csv.md").exists()
    check_superseded(folder)
