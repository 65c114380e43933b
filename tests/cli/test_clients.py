"""`clients`: what it prints can be pasted as it is."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest
from commandline import CommandLine, write_config

from docs_rag.app.clients import CLIENTS


def test_the_table_names_every_client_and_its_files(docs_rag: CommandLine) -> None:
    result = docs_rag("clients")
    assert [line.split()[0] for line in result.out.splitlines()] == list(CLIENTS)
    assert "cursor          Cursor          .cursor/mcp.json       ~/.cursor/mcp.json\n" in result.out
    rows = docs_rag("clients", "--json").json
    assert [row["name"] for row in rows] == list(CLIENTS)
    assert rows[0]["userFile"] == (Path.home() / ".claude.json").as_posix()


@pytest.mark.parametrize("name", CLIENTS)
def test_each_snippet_is_a_file_that_can_be_read(name: str, vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("clients", name)
    assert result.status == 0
    held = tomllib.loads(result.out) if CLIENTS[name].format == "toml" else json.loads(result.out)
    for key in CLIENTS[name].keys:
        held = held[key]
    assert list(held) == ["vault-docs"]
    assert CLIENTS[name].then in result.err
    names_config = str(vault / ".rag" / "config.json").replace("\\", "\\\\") in result.out
    assert names_config is not CLIENTS[name].finds_project
    document = docs_rag("clients", name, "--json").json
    assert document["entry"] == held["vault-docs"]
    assert document["snippet"] == result.out
    assert document["keys"] == [*CLIENTS[name].keys, "vault-docs"]


def test_a_projects_file_names_nothing_of_this_machine(vault: Path, docs_rag: CommandLine) -> None:
    for name in ("claude-code", "codex", "opencode", "gemini"):
        assert str(vault) not in docs_rag("clients", name).out
        assert str(vault / ".rag") in docs_rag("clients", name, "--scope", "user").out
        assert sys.prefix in docs_rag("clients", name, "--local").out


def test_a_name_from_a_config_is_made_harmless(vault: Path, docs_rag: CommandLine) -> None:
    write_config(vault, serverName="a b</string>")
    assert '"a-b-string"' in docs_rag("clients", "cursor").out


def test_without_a_config_it_says_what_to_do(
    tmp_path: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = docs_rag("clients", "cursor")
    assert result.status == 0
    assert "there is no config here yet; docs-rag init writes one" in result.err
    assert str(tmp_path / ".rag" / "config.json") in result.out
    assert str(tmp_path / "x" / ".rag" / "config.json") in docs_rag("clients", "cursor", "-C", "x").out


def test_uvx_is_not_promised_when_it_is_not_known_from_where(vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("clients", "claude-code", "--runner", "uvx")
    assert result.status == 0 or "was installed from" in result.err
    assert '"docs-rag", "serve"' not in result.out or '"--from"' in result.out


@pytest.mark.parametrize("name", ["cron", "launchd", "windows"])
def test_schedules_run_the_index_of_this_config(name: str, vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("clients", "--schedule", name)
    assert result.status == 0
    assert str(vault / ".rag" / "config.json") in result.out
    assert result.err.count("\n") == 1
    document = docs_rag("clients", "--schedule", name, "--json").json
    assert document["block"] + "\n" == result.out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["emacs"], 2, "there is no client emacs"),
        (["cursor", "--schedule", "cron"], 2, "exclude each other"),
        (["windsurf", "--scope", "project"], 1, "Windsurf has no settings for one project; use --scope user"),
        (["cursor", "--runner", "npx"], 2, "npx"),
    ],
)
def test_what_cannot_be_shown(
    arguments: list[str], status: int, message: str, vault: Path, docs_rag: CommandLine
) -> None:
    result = docs_rag("clients", *arguments)
    assert (result.status, result.out) == (status, "")
    assert message in result.err


def test_nothing_is_written(vault: Path, docs_rag: CommandLine) -> None:
    before = sorted(vault.rglob("*"))
    for name in CLIENTS:
        docs_rag("clients", name)
    assert sorted(vault.rglob("*")) == before
