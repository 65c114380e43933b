"""`docs-rag convert`, and documents through the whole program: index, search, list, status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import spawn, write_config, write_notes


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A vault with a table as CSV and one broken PDF."""
    write_notes(tmp_path / "vault", {"tea.md": "# Tea\n\nTea is hot.\n"})
    (tmp_path / "vault" / "prices.csv").write_text("crate,price\nwalnut,17\n", encoding="utf-8")
    (tmp_path / "vault" / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing follows")
    write_config(tmp_path / "vault", include=["**/*.md", "**/*.csv", "**/*.pdf"])
    return tmp_path / "vault"


def test_the_text_of_a_document_is_shown(project: Path) -> None:
    done = spawn("convert", "prices.csv", "-C", project)
    assert done.status == 0, done.err
    assert "| walnut | 17 |" in done.out
    where = spawn("convert", "prices.csv", "--where", "-C", project)
    assert Path(where.out.strip()).read_text(encoding="utf-8") == done.out
    found = json.loads(spawn("convert", "prices.csv", "--json", "--again", "-C", project).out)
    assert (found["path"], found["textPath"], found["text"]) == ("prices.csv", where.out.strip(), done.out)


@pytest.mark.parametrize(("path", "status", "words"), [
    ("broken.pdf", 1, "broken.pdf cannot be read: damaged"),
    ("tea.md", 2, "no document of a known format"),
    ("none.csv", 1, "none.csv"),
    ("../outside.pdf", 2, "does not lie in the vault"),
])  # fmt: skip
def test_what_cannot_be_shown_says_why(project: Path, path: str, status: int, words: str) -> None:
    done = spawn("convert", path, "-C", project)
    assert (done.status, done.out) == (status, "")
    assert words in done.err


def test_documents_are_indexed_with_notes(project: Path) -> None:
    first = json.loads(spawn("index", "--json", "-C", project).out)
    assert (first["added"], [each["path"] for each in first["failed"]]) == (2, ["broken.pdf"])
    again = json.loads(spawn("index", "--json", "-C", project).out)
    assert (again["added"], again["modified"], again["unchanged"]) == (0, 0, 2)
    (hit,) = json.loads(spawn("search", "walnut", "--json", "-C", project).out)["hits"]
    assert hit["path"] == "prices.csv"
    lines = Path(hit["textPath"]).read_text(encoding="utf-8").split("\n")
    first_line, last_line = hit["lines"]
    assert hit["text"] == "\n".join(lines[first_line - 1 : last_line])
    (tea,) = json.loads(spawn("search", "tea hot", "--json", "-C", project).out)["hits"]
    assert tea["textPath"] == str(project / "tea.md")
    assert tea["location"] == ""


def test_what_could_not_be_read_is_listed(project: Path) -> None:
    spawn("index", "-C", project)
    problems = spawn("list", "--problems", "-C", project).out
    assert "broken.pdf" in problems
    assert "damaged: " in problems
    assert "damaged: " in spawn("status", "-C", project).out


def test_a_project_of_notes_alone_has_no_folder_of_texts(tmp_path: Path) -> None:
    write_notes(tmp_path, {"tea.md": "# Tea\n\nTea is hot.\n"})
    (tmp_path / "prices.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    write_config(tmp_path)
    spawn("index", "-C", tmp_path)
    assert not (tmp_path / ".rag" / "converted").exists()
    assert spawn("search", "tea", "-C", tmp_path).status == 0
