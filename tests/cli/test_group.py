"""The table of commands, help, and calls that are wrong."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click
import pytest
from commandline import CommandLine, write_notes

from docs_rag import __version__
from docs_rag.cli import COMMANDS, Row

IN_A_VAULT = {
    "check",
    "convert",
    "eval",
    "history",
    "index",
    "list",
    "read",
    "scaffold",
    "search",
    "serve",
    "status",
    "supersede",
    "undo",
}


@pytest.mark.parametrize("row", COMMANDS.values(), ids=list(COMMANDS))
def test_every_row_leads_to_a_command(row: Row) -> None:
    module, _, name = row.place.partition(":")
    assert isinstance(getattr(import_module(module), name), click.Command)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_common_options(name: str, docs_rag: CommandLine) -> None:
    for flag in ("-h", "--help"):
        result = docs_rag(name, flag)
        assert result.status == 0
        assert result.out.startswith(f"Usage: docs-rag {name}")
        assert "--config" in result.out
        assert "-C DIR" in result.out
        assert ("--vault" in result.out) == (name in IN_A_VAULT)
        assert result.err == ""


@pytest.mark.parametrize("name", ["index", "search", "serve", "list", "status"])
def test_ci_may_trust_once(name: str, docs_rag: CommandLine) -> None:
    assert "--trust-once" in docs_rag(name, "-h").out


def test_help_shows_the_table(docs_rag: CommandLine) -> None:
    result = docs_rag("--help")
    assert result.status == 0
    listed = [line.split()[0] for line in result.out.partition("Commands:")[2].splitlines() if line.startswith("  ")]
    assert [name for name in listed if name in COMMANDS] == list(COMMANDS)


def test_version(docs_rag: CommandLine) -> None:
    assert docs_rag("--version").out == f"docs-rag {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no command given; see: docs-rag --help, or try: docs-rag demo"),
        (["serch", "x"], "there is no command serch; did you mean search?"),
        (["xyz"], "there is no command xyz; see: docs-rag --help"),
        (["--serch"], "there is no option --serch; see: docs-rag --help"),
        (["search", "--limt", "3", "x"], "there is no option --limt; did you mean --limit?"),
        (["index", "--strickt"], "there is no option --strickt; did you mean --strict?"),
        (
            ["search", "-x"],
            "there is no option -x; a question that begins with a dash goes after --: docs-rag search -- -x",
        ),
        (["search"], "the query is empty; ask for something: docs-rag search session expiry"),
        (["search", " ", "\t"], "the query is empty; ask for something: docs-rag search session expiry"),
        (["search", "--limit"], "option '--limit' requires an argument; see: docs-rag"),
        (["status", "tea"], "got unexpected extra argument (tea); see: docs-rag status --help"),
        (["search", "--vault", "a", "--config", "b", "x"], "--config and --vault exclude each other; give one of them"),
        (["search", "--vault", "", "x"], "--vault is empty; name the folder of notes"),
    ],
)
def test_case_45_a_wrong_call_is_told_in_one_line(
    arguments: list[str], message: str, docs_rag: CommandLine, vault: Path
) -> None:
    result = docs_rag(*arguments)
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith(f"docs-rag: {message}")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("limit", ["0", "51", "-1", "many"])
def test_a_limit_out_of_range_is_a_wrong_call(limit: str, docs_rag: CommandLine, vault: Path) -> None:
    result = docs_rag("search", "--limit", limit, "tea")
    assert result.status == 2
    assert result.err.startswith("docs-rag: invalid value for '-n' / '--limit'")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("before", [True, False])
def test_the_folder_may_be_named_before_or_after_the_command(
    before: bool, docs_rag: CommandLine, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder, rest = ["-C", str(vault)], ["index", "--json"]
    result = docs_rag(*folder, *rest) if before else docs_rag(*rest, *folder)
    assert result.json["added"] == 2


@pytest.mark.parametrize("before", [True, False])
def test_so_may_the_config(
    before: bool, docs_rag: CommandLine, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config, rest = ["--config", str(vault / ".rag" / "config.json")], ["index", "--json"]
    result = docs_rag(*config, *rest) if before else docs_rag(*rest, *config)
    assert result.json["added"] == 2


def test_the_nearer_word_counts(docs_rag: CommandLine, vault: Path, tmp_path: Path) -> None:
    write_notes(tmp_path, {"empty/.keep": ""})
    assert docs_rag("-C", tmp_path / "empty", "index", "-C", vault, "--json").json["added"] == 2


def test_no_config_names_what_to_do(docs_rag: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (["search", "x"], ["index"], ["status"], ["list"], ["trust"]):
        result = docs_rag(*name)
        assert result.status == 1
        assert result.out == ""
        assert "docs-rag init" in result.err
        assert result.err.count("\n") == 1
