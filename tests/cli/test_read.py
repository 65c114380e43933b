"""`read`: a part of a note, by all that people and answers call it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes

KEYS = [
    "path", "title", "standing", "status", "statusText", "date", "dateSource", "supersededBy", "currentEnd",
    "supersededOn", "partial", "parts", "indexIsCurrent", "message", "notices", "heading", "location", "textPath",
    "lines", "lineCount", "text", "truncated", "next", "previous", "outline",
]  # fmt: skip


@pytest.fixture
def indexed(vault: Path, docs_rag: CommandLine) -> Path:
    write_notes(
        vault,
        {
            "guide/brewing.md": "# Brewing\n\nBoil fresh water in a kettle.\n\n## Green tea\n\nWait for it to cool.\n",
            "old/kettle.md": "---\nstatus: superseded by tea.md\n---\n# Kettle\n\nA kettle of tin.\n",
            "long.md": "# Long\n\n" + "".join(f"Line {number}\n" for number in range(3, 1_001)),
        },
    )
    assert docs_rag("index").status == 0
    return vault


def test_the_document_has_every_key_in_order(indexed: Path, docs_rag: CommandLine) -> None:
    found = docs_rag("read", "guide/brewing.md:7", "--json")
    assert list(found.json) == KEYS
    assert found.json["textPath"] == str(indexed / "guide" / "brewing.md")
    assert (found.json["lines"], found.json["previous"], found.json["next"]) == ([5, 7], "1-4", None)
    assert found.json["text"] == "    5  ## Green tea\n    6\n    7  Wait for it to cool."
    assert found.json["heading"] == ["Brewing", "Green tea"]


def test_a_dead_note_says_so_in_its_second_line(indexed: Path, docs_rag: CommandLine) -> None:
    lines = docs_rag("read", "old/kettle.md").out.splitlines()
    assert lines[0] == "old/kettle.md  (lines 1-6 of 6)"
    assert lines[1] == "SUPERSEDED: no longer in force, replaced by tea.md"
    assert lines[-1] == "        6  A kettle of tin."


def test_a_hit_by_its_id_and_by_its_line_of_vimgrep(indexed: Path, docs_rag: CommandLine) -> None:
    (hit,) = docs_rag("search", "--json", "wait for it to cool").json["hits"]
    assert docs_rag("read", "--json", hit["id"]).json["lines"] == [5, 7]
    line = docs_rag("search", "--vimgrep", "wait for it to cool").out.strip()
    assert docs_rag("read", "--json", line).json["lines"] == [5, 7]


def test_paths_count_from_the_working_directory(
    indexed: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(indexed / "guide")
    for typed in (
        "brewing.md",
        "./brewing.md:3",
        "../guide/brewing.md",
        "guide/brewing.md",
        indexed / "guide/brewing.md",
    ):
        assert docs_rag("read", typed, "--json").json["path"] == "guide/brewing.md"
    assert docs_rag("-C", indexed / "old", "read", "kettle.md", "--json").json["path"] == "old/kettle.md"


def test_a_long_note_says_how_to_go_on_and_full_shows_all(indexed: Path, docs_rag: CommandLine) -> None:
    last = docs_rag("read", "long.md").out.splitlines()[-1]
    assert last == "lines 1-400 of 1000; the reply has no room for more: --lines 401-1000"
    assert docs_rag("read", "long.md", "--lines", "401-1000", "--json").json["lines"] == [401, 800]
    assert docs_rag("read", "long.md", "--full").out.splitlines()[-1] == "     1000  Line 1000"


def test_parts_of_a_note(indexed: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("read", "guide/brewing.md", "--heading", "green TEA", "--json").json["lines"] == [5, 7]
    assert docs_rag("read", "guide/brewing.md", "--lines", "3", "--json").json["lines"] == [3, 3]
    assert docs_rag("read", "guide/brewing.md:7", "--around", "1", "--json").json["lines"] == [1, 7]


@pytest.mark.parametrize(
    "options", [["--lines", "x"], ["--lines", "0"], ["--heading", "a", "--lines", "1"], ["--around", "-1"]]
)
def test_wrong_calls(options: list[str], indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("read", "tea.md", *options)
    assert (result.status, result.out) == (2, "")


@pytest.mark.parametrize("typed", ["/etc/passwd", "../../../etc/passwd", "~/x.md", ".rag/config.json", "x\0y", "guide"])
def test_case_26_nothing_but_notes_of_the_vault_is_read(typed: str, indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("read", typed, "--json")
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("docs-rag: ")


@pytest.mark.skipif(os.name != "posix", reason="links need rights there")
def test_case_26_a_link_is_followed_only_within_the_vault(indexed: Path, docs_rag: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n", encoding="utf-8")
    (indexed / "out.md").symlink_to(tmp_path / "secret.md")
    (indexed / "away").symlink_to(tmp_path)
    (indexed / "alias.md").symlink_to(indexed / "tea.md")
    docs_rag("index")
    for typed in ("out.md", "away/secret.md"):
        result = docs_rag("read", typed)
        assert (result.status, result.out) == (1, "")
        assert "Secret" not in result.err
    assert docs_rag("read", "tea.md").status == 0
    (indexed / "tea.md").unlink()
    (indexed / "tea.md").symlink_to(tmp_path / "secret.md")
    result = docs_rag("read", "tea.md")
    assert (result.status, result.out) == (1, "")


def test_a_note_that_was_written_just_now_can_be_read(indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed, {"new.md": "# New\n"})
    assert docs_rag("read", "new.md", "--json").json["indexIsCurrent"] is True
    write_config(indexed, autoRefresh=False)
    write_notes(indexed, {"newer.md": "# Newer\n", "new.md": "---\nstatus: rejected\n---\n# New\n"})
    assert docs_rag("read", "newer.md").status == 1
    assert docs_rag("read", "new.md", "--json").json["standing"].startswith("REJECTED")


def test_without_an_index_it_says_what_to_do(vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("read", "tea.md")
    assert (result.status, result.out) == (1, "")
    assert "docs-rag index" in result.err


def test_a_document_is_read_as_the_text_that_it_was_converted_to(indexed: Path, docs_rag: CommandLine) -> None:
    write_config(indexed, include=["**/*.md", "**/*.csv"])
    write_notes(indexed, {"prices.csv": "name;price\ngreen tea;4\nblack tea;3\n"})
    assert docs_rag("index").status == 0
    hit = next(each for each in docs_rag("search", "--json", "green tea").json["hits"] if each["path"] == "prices.csv")
    found = docs_rag("read", hit["id"], "--json").json
    assert found["indexIsCurrent"] is True
    assert found["textPath"] == hit["textPath"]
    text = Path(found["textPath"]).read_text(encoding="utf-8").split("\n")
    assert found["lineCount"] == len(text) - 1
    assert f"    {hit['lines'][0]}  {text[hit['lines'][0] - 1]}" in found["text"]
    assert hit["location"] in found["location"]
    write_notes(indexed, {"prices.csv": "name;price\nwhite tea;9\n"})
    assert "white tea" in docs_rag("read", "prices.csv").out
