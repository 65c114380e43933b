"""`history`: one record's line, found by whatever people type."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes
from gitrepo import ISOLATED, Repository

from docs_rag.cli import history

LOG = """# Decisions

## D-001 Drink coffee → Superseded by D-002

Once.

## D-002 Drink tea

Now.
"""


@pytest.fixture
def indexed(vault: Path, docs_rag: CommandLine) -> Path:
    write_notes(
        vault,
        {
            "decisions/ADR-0012-cups.md": "---\ntitle: Cups of clay\naliases: [crockery]\n"
            "status: superseded by ADR-0013\n---\n",
            "decisions/ADR-0013-mugs.md": "---\ntitle: Mugs\ndate: 2024-05-06\n---\n",
            "other/0012-beans.md": "# Beans\n",
            "log.md": LOG,
        },
    )
    assert docs_rag("index").status == 0
    return vault


@pytest.mark.parametrize(
    "typed",
    [
        "decisions/ADR-0012-cups.md", "./decisions/ADR-0012-cups.md", "ADR-0012-cups.md", "ADR-0012-cups", "ADR-12",
        "adr 12", "Cups of clay", "cups OF clay", "crockery", "[[ADR-0012-cups]]", "decisions/ADR-0012-cups",
    ],
)  # fmt: skip
def test_a_record_by_what_people_type(typed: str, indexed: Path, docs_rag: CommandLine) -> None:
    found = docs_rag("history", typed, "--json")
    assert found.err == ""
    assert found.json["record"]["path"] == "decisions/ADR-0012-cups.md"
    assert [each["path"] for each in found.json["successors"]] == ["decisions/ADR-0013-mugs.md"]
    assert found.json["currentEnd"] == ["decisions/ADR-0013-mugs.md"]


@pytest.mark.parametrize("typed", ["D-002", "d-2", "log.md#D-002", "D-002 drink tea"])
def test_a_decision_of_a_log(typed: str, indexed: Path, docs_rag: CommandLine) -> None:
    found = docs_rag("history", typed, "--json").json
    assert found["record"]["path"] == "log.md#D-002"
    assert [each["path"] for each in found["predecessors"]] == ["log.md#D-001"]


def test_the_number_of_a_title_may_be_left_out(indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed, {"more/0040-jars.md": "# ADR-0040: Jars are kept shut\n"})
    assert docs_rag("history", "jars are kept shut", "--json").json["record"]["path"] == "more/0040-jars.md"


def test_paths_count_from_where_the_user_stands(
    indexed: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(indexed / "decisions")
    for typed in ("ADR-0013-mugs.md", "../decisions/ADR-0013-mugs.md", indexed / "decisions" / "ADR-0013-mugs.md"):
        assert docs_rag("history", typed, "--json").json["record"]["path"] == "decisions/ADR-0013-mugs.md"
    monkeypatch.chdir(indexed.parent)
    assert docs_rag("history", "-C", indexed, "../vault/log.md#D-001").out.startswith("●  superseded")


def test_several_that_fit_are_named_and_none_is_chosen(indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed, {"more/0012-jars.md": "# Jars\n"})
    result = docs_rag("history", "12", "--json")
    assert (result.status, result.out) == (1, "")
    assert "'12' may be any of " in result.err
    assert "more/0012-jars.md" in result.err
    assert "other/0012-beans.md" in result.err


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("mug", "did you mean decisions/ADR-0013-mugs.md?"),
        ("crokery", "did you mean decisions/ADR-0012-cups.md?"),
        ("zzzzzzzz", "see: docs-rag list"),
        ("", "see: docs-rag list"),
        ("~nobody-at-all/x.md", "see: docs-rag list"),
        ("/etc/passwd", "see: docs-rag list"),
        ("x\0y", "see: docs-rag list"),
    ],
)
def test_none_that_fits(typed: str, hint: str, indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("history", typed)
    assert (result.status, result.out) == (1, "")
    assert result.err.strip().endswith(hint)


def test_a_changed_note_is_read_first(indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed, {"decisions/ADR-0014-jars.md": "---\nstatus: accepted\nsupersedes: ADR-0013\n---\n# Jars\n"})
    found = docs_rag("history", "ADR-13", "--json").json
    assert [each["path"] for each in found["successors"]] == ["decisions/ADR-0014-jars.md"]
    write_config(indexed, autoRefresh=False)
    write_notes(indexed, {"decisions/ADR-0015-pots.md": "---\nstatus: accepted\nsupersedes: ADR-0014\n---\n# Pots\n"})
    assert docs_rag("history", "ADR-14", "--json").json["successors"] == []


def test_without_an_index_it_says_what_to_do(vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("history", "tea")
    assert (result.status, result.out) == (1, "")
    assert "docs-rag index" in result.err


def test_dates_of_first_commits_are_marked(
    tmp_path: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ISOLATED.items():
        monkeypatch.setenv(name, value)
    repository = Repository(tmp_path / "repository")
    repository.commit("2023-01-02", old="---\nstatus: superseded by new.md\n---\n# Old\n")
    repository.commit("2024-03-04", new="---\nstatus: accepted\n---\n# New\n")
    write_config(repository.folder)
    monkeypatch.chdir(repository.folder)
    docs_rag("index")
    assert docs_rag("history", "old").out.splitlines() == [
        "●  superseded  2023-01-02 (git) – 2024-03-04  old.md  Old",
        "○  current     2024-03-04 (git)               new.md  New",
    ]
    listed = {each["path"]: each for each in docs_rag("list", "--json").json}
    assert (listed["new.md"]["date"], listed["new.md"]["dateSource"]) == ("2024-03-04", "git")
    assert "2024-03-04 (git)" in docs_rag("list").out
    (hit,) = docs_rag("search", "--json", "New").json["hits"]
    assert (hit["date"], hit["dateSource"]) == ("2024-03-04", "git")
    assert "[2024-03-04 (git)]" in docs_rag("search", "New").out
    write_config(repository.folder, gitDates=False)
    docs_rag("index")
    assert docs_rag("history", "old").out.splitlines()[0] == "●  superseded  old.md  Old"


@pytest.mark.parametrize(("encoding", "draws"), [("utf-8", True), ("ascii", False), ("latin-1", False), ("", True)])
def test_signs_that_the_terminal_knows(encoding: str, draws: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_rag.cli.output.is_terminal", lambda stream: True)
    monkeypatch.setattr("locale.getencoding", lambda: "utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    assert history._draws_lines() is draws


def test_colour_only_for_a_terminal(indexed: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = docs_rag("history", "ADR-12").out
    assert "\x1b" not in plain
    monkeypatch.setattr("docs_rag.cli.output.in_colour", lambda stream: True)
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    coloured = docs_rag("history", "ADR-12").out
    assert "\x1b[32m" in coloured or os.environ.get("NO_COLOR")
