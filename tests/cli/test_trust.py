"""`trust`: shows what a config asks for, and takes its user's word."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes


@pytest.fixture
def outside(vault: Path, tmp_path: Path) -> Path:
    """A config that leaves its project."""
    write_notes(tmp_path / "elsewhere", {"plum.md": "# Plum\n\nPlums are blue.\n"})
    return write_config(vault, vaultPath=str(tmp_path / "elsewhere"), serverName="plums")


def test_a_config_that_asks_for_nothing(vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("trust")
    assert result.status == 0
    assert "asks for nothing" in result.out


def test_case_46_nothing_is_opened_before_it_is_approved(outside: Path, docs_rag: CommandLine) -> None:
    for command in (["index"], ["search", "plum"], ["status"], ["list"]):
        result = docs_rag(*command)
        assert (result.status, result.out) == (1, "")
        assert "docs-rag trust" in result.err
        assert result.err.count("\n") == 1
    assert not (outside.parent / "index.db").exists()


def test_without_a_terminal_it_asks_nothing_and_approves_nothing(outside: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("trust")
    assert result.status == 2
    assert "vaultPath" in result.out
    assert "--yes" in result.err
    assert docs_rag("index").status == 1


def test_yes_shows_every_request_and_approves(outside: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("trust", "--yes")
    assert result.status == 0
    assert "vaultPath: notes outside the project are read" in result.out
    assert '"plums"' in result.out
    assert docs_rag("index", "--json").json["added"] == 1
    assert "You have approved this." in docs_rag("trust").out


def test_the_advice_of_the_refusal_can_be_typed(
    outside: Path, docs_rag: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = docs_rag("index").err.rpartition(" with: ")[2]
    monkeypatch.chdir(tmp_path)
    assert docs_rag(*shlex.split(advice)[1:], "--yes").status == 0
    monkeypatch.chdir(outside.parent.parent)
    assert docs_rag("index").status == 0


def test_a_changed_wish_has_to_be_approved_again(outside: Path, docs_rag: CommandLine, tmp_path: Path) -> None:
    docs_rag("trust", "--yes")
    write_config(outside.parent.parent, vaultPath=str(tmp_path))
    assert docs_rag("index").status == 1


def test_once_is_once(outside: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("index", "--trust-once").status == 0
    assert docs_rag("index").status == 1


def test_a_config_with_a_mistake_can_be_looked_at(outside: Path, docs_rag: CommandLine) -> None:
    write_config(outside.parent.parent, serverName="plums", minscore=1)
    result = docs_rag("trust", "--yes")
    assert result.status == 0
    assert "did you mean minScore?" in result.err


def test_what_is_approved_is_shown_in_full(vault: Path, docs_rag: CommandLine) -> None:
    told = "decisions of the team " * 30 + "and the last words"
    write_config(vault, toolDescription=told)
    shown = " ".join(docs_rag("trust", "--yes").out.split())
    assert told in shown
