"""Notes in several folders, from the command line."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes
from gitrepo import Repository

OLD = "# 1. Coal heats the house\n\nStatus: accepted\n\nThe cellar holds coal.\n"
NEW = "# 2. The sun heats the house\n\nStatus: accepted\n\nPanels lie on the roof.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a vault in `docs` and a root `archive2` beside the project; the working directory. Not indexed."""
    folder = tmp_path / "project"
    write_notes(folder / "docs", {"adr/0002-sun.md": NEW, "cellar.md": "# Cellar\n\nIt is damp.\n"})
    write_notes(
        tmp_path / "house",
        {"0001-coal.md": OLD, "deep/roof.md": "# Roof\n\nSlate from Wales.\n", "t.csv": "name,tons\ncoal,3\n"},
    )
    write_config(folder, vaultPath="../docs", roots={"house": "../../house"}, include=["**/*.md", "house/**/*.csv"])
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def indexed(project: Path, docs_rag: CommandLine) -> Path:
    assert docs_rag("trust", "--yes").status == 0
    assert docs_rag("index").status == 0
    return project


def found(docs_rag: CommandLine, *arguments: str) -> list[str]:
    result = docs_rag("search", *arguments, "--json")
    assert result.status == 0, result.err
    return [hit["path"] for hit in result.json["hits"]]


def listed(docs_rag: CommandLine) -> dict[str, bool]:
    return {each["path"]: each["indexed"] for each in docs_rag("list", "--json").json}


def test_nothing_of_a_root_is_opened_before_it_is_approved(project: Path, docs_rag: CommandLine) -> None:
    for command in (["index"], ["search", "coal"], ["check"], ["read", "house/0001-coal.md"]):
        result = docs_rag(*command)
        assert (result.status, result.out) == (1, "")
        assert "roots.house" in result.err


def test_hits_name_root_and_text_where_it_lies(indexed: Path, docs_rag: CommandLine) -> None:
    house = indexed.parent / "house"
    hit = docs_rag("search", "slate", "--json").json["hits"][0]
    assert (hit["path"], hit["textPath"]) == ("house/deep/roof.md", str(house / "deep" / "roof.md"))
    table = docs_rag("search", "tons", "--json").json["hits"][0]
    assert table["path"] == "house/t.csv"
    assert Path(table["textPath"]).is_relative_to(indexed / ".rag" / "converted" / "house")
    assert docs_rag("search", "slate", "-l").out.strip() == str(house / "deep" / "roof.md")
    assert found(docs_rag, "slate", "--within", "house") == ["house/deep/roof.md"]
    assert found(docs_rag, "slate", "--exclude", "house") == []


def test_a_note_may_be_named_by_its_path_wherever_it_is_typed(
    indexed: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = indexed.parent / "house"
    for typed in ("house/deep/roof.md", "../house/deep/roof.md", str(house / "deep/roof.md"), "Roof"):
        assert docs_rag("read", typed, "--json").json["path"] == "house/deep/roof.md"
    assert docs_rag("convert", "house/t.csv", "--json").json["path"] == "house/t.csv"
    assert [each["path"] for each in docs_rag("list", "house/deep/", "--json").json] == ["house/deep/roof.md"]
    assert [each["path"] for each in docs_rag("list", f"{house}/deep/", "--json").json] == ["house/deep/roof.md"]
    monkeypatch.chdir(house / "deep")
    config = str(indexed / ".rag" / "config.json")
    assert docs_rag("read", "roof.md", "--json", "--config", config).json["path"] == "house/deep/roof.md"
    assert docs_rag("history", "../0001-coal.md", "--config", config).status == 0
    (house / "deep" / "roof.md").write_text("# Roof\n\nTiles from Spain.\n", encoding="utf-8")
    report = docs_rag("index", "..", "--json", "--config", config).json
    assert (report["modified"], report["warnings"]) == (1, [])


def test_paths_that_leave_a_root_are_none_of_its_notes(indexed: Path, docs_rag: CommandLine) -> None:
    (indexed.parent / "secret.md").write_text("# Secret\n", encoding="utf-8")
    for typed in ("house/../secret.md", "house/../../secret.md", "../secret.md", str(indexed.parent / "secret.md")):
        assert docs_rag("read", typed).status == 1
        assert docs_rag("convert", typed).status == 2


def test_supersede_and_undo_write_where_the_notes_lie(indexed: Path, docs_rag: CommandLine) -> None:
    old, new = indexed.parent / "house" / "0001-coal.md", indexed / "docs" / "adr" / "0002-sun.md"
    result = docs_rag("supersede", "house/0001-coal.md", "adr/0002-sun.md", "--yes")
    assert result.status == 0, result.err
    assert "superseded by" in old.read_text(encoding="utf-8")
    assert "house/0001-coal.md" in new.read_text(encoding="utf-8")
    assert found(docs_rag, "coal in the cellar") != ["house/0001-coal.md"]
    tree = docs_rag("history", "adr/0002-sun.md").out
    assert "house/0001-coal.md" in tree
    assert docs_rag("check").status == 0
    assert docs_rag("undo", "--yes").status == 0
    assert (old.read_text(encoding="utf-8"), new.read_text(encoding="utf-8")) == (OLD, NEW)


def test_check_tells_of_a_root_as_seen_from_the_working_directory(indexed: Path, docs_rag: CommandLine) -> None:
    house = indexed.parent / "house"
    write_notes(house, {"bad.md": "---\nsuperseded_by: gone.md\n---\n# Bad\n"})
    result = docs_rag("check", "house/bad.md")
    assert result.status == 1
    assert result.out.startswith("house/bad.md\n")
    assert docs_rag("check", str(house)).status == 1
    assert docs_rag("check", str(indexed / "docs" / "cellar.md")).status == 0
    seen = docs_rag("check", "-C", str(indexed.parent), "--config", str(indexed / ".rag" / "config.json"), ".").out
    assert seen.startswith("house/bad.md\n")


def test_check_since_a_revision_needs_a_history_of_each_root(indexed: Path, docs_rag: CommandLine) -> None:
    Repository(indexed).commit("2026-01-01")
    result = docs_rag("check", "--diff", "HEAD")
    assert (result.status, result.out) == (1, "")
    assert "root house" in result.err
    house = Repository(indexed.parent / "house")
    house.commit("2026-01-01")
    house.write("bad.md", "---\nsuperseded_by: gone.md\n---\n# Bad\n")
    result = docs_rag("check", "--diff", "HEAD")
    assert result.status == 1
    assert result.out.startswith("house/bad.md\n")


def test_a_missing_root_keeps_its_notes_and_is_told(indexed: Path, docs_rag: CommandLine) -> None:
    house = indexed.parent / "house"
    before = listed(docs_rag)
    house.rename(indexed.parent / "away")
    message = f"the folder {house} of root house is not there"
    searched = docs_rag("search", "damp")
    assert "cellar.md" in searched.out
    assert message in searched.err
    result = docs_rag("index", "--json")
    assert (result.status, result.json["removed"]) == (0, 0)
    assert {"path": "house", "code": "missing-root", "message": message} in result.json["failed"]
    assert listed(docs_rag) == {**before, "house": False}
    assert message in docs_rag("list", "--problems").out
    assert message in docs_rag("status").out
    checked = docs_rag("check")
    assert (checked.status, message in checked.out) == (1, True)
    result = docs_rag("supersede", "house/0001-coal.md", "adr/0002-sun.md", "--yes")
    assert (result.status, message in result.err) == (1, True)
    assert docs_rag("index", "--accept-removals").status == 0
    assert listed(docs_rag) == {**before, "house": False}
    assert docs_rag("index", "--full").status == 1
    (indexed.parent / "away").rename(house)
    assert docs_rag("index").status == 0
    assert listed(docs_rag) == before
    assert found(docs_rag, "slate") == ["house/deep/roof.md"]


def test_a_root_that_was_emptied_costs_no_note_until_that_is_accepted(indexed: Path, docs_rag: CommandLine) -> None:
    for place in ("0001-coal.md", "deep/roof.md", "t.csv"):
        (indexed.parent / "house" / place).unlink()
    (indexed / "docs" / "cellar.md").unlink()
    write_notes(indexed / "docs", {"a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n"})
    searched = docs_rag("search", "panels")
    assert "3 of 3 indexed notes are missing from root house" in searched.err
    result = docs_rag("index")
    assert result.status == 1
    assert "3 of 3 indexed notes are no longer in root house" in result.err
    assert "--accept-removals" in result.err
    notes = listed(docs_rag)
    assert notes["house/deep/roof.md"] and "cellar.md" not in notes
    assert docs_rag("index", "--accept-removals").status == 0
    assert not any(path.startswith("house/") for path in listed(docs_rag))


def test_an_index_made_elsewhere_keeps_nothing_for_a_root_that_is_missing(indexed: Path, docs_rag: CommandLine) -> None:
    (indexed.parent / "house").rename(indexed.parent / "away")
    with sqlite3.connect(indexed / ".rag" / "index.db") as connection:
        connection.execute("UPDATE meta SET value = 'of somebody else' WHERE key = 'token'")
    connection.close()
    assert docs_rag("search", "slate").status == 1
    assert docs_rag("index").status == 0
    assert listed(docs_rag) == {"adr/0002-sun.md": True, "cellar.md": True, "house": False}


def test_status_and_doctor_show_the_roots(indexed: Path, docs_rag: CommandLine) -> None:
    house = indexed.parent / "house"
    assert docs_rag("status", "--json").json["roots"] == {"house": str(house)}
    assert f"house: {house}" in docs_rag("status").out
    assert f"3 notes of root house in {house}" in docs_rag("doctor").out
    house.rename(indexed.parent / "away")
    out = docs_rag("doctor").out
    assert f"the folder {house} of root house is not there" in out
    assert "correct roots.house in the config" in out


def test_a_name_that_a_folder_of_the_vault_takes_later_is_told(indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed / "docs", {"house/x.md": "# X\n"})
    result = docs_rag("index")
    assert result.status == 1
    assert "roots.house has the name of house in the vault" in result.err
    searched = docs_rag("search", "damp")
    assert "cellar.md" in searched.out
    assert "roots.house" in searched.err


def test_a_note_that_moves_into_a_root_is_not_missing(indexed: Path, docs_rag: CommandLine) -> None:
    for path in ("adr/0002-sun.md", "cellar.md"):
        place = indexed.parent / "house" / Path(path).name
        (indexed / "docs" / path).rename(place)
    report = docs_rag("index", "--json").json
    assert (report["added"], report["removed"]) == (2, 2)


def test_without_roots_nothing_of_them_is_loaded_or_said(vault: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("index").status == 0
    assert "roots" not in docs_rag("status", "--json").json
    assert json.loads(docs_rag("search", "tea", "--json").out)["hits"]
