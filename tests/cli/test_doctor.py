"""`doctor` on real folders: what it says, that it changes nothing, and how it ends."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from commandline import CommandLine, Result, write_config, write_notes
from ollama_stub import OllamaStub, StubModel

from docs_rag import machine
from docs_rag.core.hookentry import HOOK_ENTRY


@pytest.fixture(autouse=True)
def on_path(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of that name, alone on the search path; and no Ollama."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / ("docs-rag.exe" if os.name == "nt" else "docs-rag")
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    return program


def checks(result: Result) -> dict[str, tuple[str, str, str | None]]:
    """Verdict, message and mend by check; the worst of each."""
    order = ["ok", "warn", "broken"]
    found = sorted(result.json["checks"], key=lambda each: order.index(each["verdict"]))
    return {each["check"]: (each["verdict"], each["message"], each["mend"]) for each in found}


def verdicts(result: Result) -> dict[str, str]:
    return {check: verdict for check, (verdict, _, _) in checks(result).items()}


def test_without_a_config_it_says_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, docs_rag: CommandLine
) -> None:
    monkeypatch.chdir(tmp_path)
    result = docs_rag("doctor")
    assert result.status == 1
    assert "broken  config     no config found" in result.out
    assert "-> run `docs-rag init`" in result.out
    assert "1 broken" in result.out.splitlines()[-1]
    assert result.err == ""
    assert docs_rag("doctor", "--json").json["config"] is None


def test_a_vault_that_was_not_indexed(vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("doctor", "--json")
    assert result.status == 1
    assert not result.json["ok"]
    assert result.json["config"] == str(vault / ".rag" / "config.json")
    found = checks(result)
    assert found["index"][0] == "broken"
    assert found["index"][2] == "docs-rag index"
    assert found["vault"][:2] == ("ok", f"2 notes in {vault}")
    assert "freshness" not in found


def test_a_setup_in_order_ends_with_0_and_is_left_as_it_was(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    write_notes(vault, {".mcp.json": json.dumps({"mcpServers": {"x": {"command": "docs-rag", "args": ["serve"]}}})})
    before = {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    result = docs_rag("doctor")
    assert result.status == 0, result.out
    assert f"ok      clients    Claude Code: x in {vault / '.mcp.json'}" in result.out
    assert "ok      freshness  the index knows every note as it is" in result.out
    assert "ok      model      none, as the config says" in result.out
    after = {path: path.read_bytes() for path in vault.rglob("*") if path.is_file() and "index.db-" not in path.name}
    assert after == {path: data for path, data in before.items() if "index.db-" not in path.name}


def test_changed_notes_are_a_warning(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    write_notes(vault, {"new.md": "# New\n", "tea.md": "# Tea\n\nIced.\n"})
    result = docs_rag("doctor", "--json")
    assert result.status == 0
    verdict, message, mend = checks(result)["freshness"]
    assert (verdict, mend) == ("warn", "docs-rag index")
    assert message.startswith("2 notes changed")


def test_a_config_that_was_not_approved_opens_nothing(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    write_config(vault, vaultPath="/", serverName="plums")
    result = docs_rag("doctor", "--json")
    assert result.status == 1
    assert set(verdicts(result)) == {"program", "sqlite", "config", "ollama", "builtin"}
    verdict, message, mend = checks(result)["config"]
    assert verdict == "broken"
    assert "needs your approval" in message
    assert mend is not None and mend.startswith("docs-rag trust --config ")


def test_mistakes_in_the_config_are_named_and_the_rest_is_looked_at(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    write_config(vault, minscore=0.5)
    found = checks(docs_rag("doctor", "--json"))
    assert found["config"][0] == "broken"
    assert "did you mean minScore?" in found["config"][1]
    assert found["index"][0] == "ok"


def test_a_vault_that_is_gone(vault: Path, docs_rag: CommandLine) -> None:
    write_notes(vault, {"docs/a.md": "# A\n"})
    write_config(vault, vaultPath="../docs")
    docs_rag("index")
    (vault / "docs" / "a.md").unlink()
    (vault / "docs").rmdir()
    found = checks(docs_rag("doctor", "--json"))
    assert found["vault"][0] == "broken"
    assert "is not there" in found["vault"][1]
    assert found["index"][0] == "ok"
    assert "freshness" not in found


def test_a_damaged_index_is_told(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    index = vault / ".rag" / "index.db"
    for each in index.parent.glob("index.db-*"):
        each.unlink()
    data = bytearray(index.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 20_000] = b"\xff" * 20_000
    index.write_bytes(data)
    verdict, message, mend = checks(docs_rag("doctor", "--json"))["index"]
    assert verdict == "broken"
    assert "damaged" in message
    assert mend == "docs-rag index --full"


def test_words_that_do_not_fit_the_notes_are_told(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    with closing(sqlite3.connect(vault / ".rag" / "index.db")) as connection, connection:
        connection.execute("DELETE FROM words_data WHERE id > 10")
    verdict, message, mend = checks(docs_rag("doctor", "--json"))["index"]
    assert (verdict, mend) == ("broken", "docs-rag index --full")
    assert "damaged" in message


def test_an_index_that_is_being_written_is_not_waited_for(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    with closing(sqlite3.connect(vault / ".rag" / "index.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert verdicts(docs_rag("doctor", "--json"))["index"] == "ok"
        connection.execute("ROLLBACK")


def test_ollama_and_its_model(vault: Path, docs_rag: CommandLine) -> None:
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as server:
        write_config(vault, embedModel="bge-m3", ollamaHost=server.url)
        docs_rag("index")
        found = checks(docs_rag("doctor", "--json"))
        assert found["ollama"] == ("ok", f"{server.url} has bge-m3", None)
        assert found["model"][:2] == ("ok", "bge-m3 answers")
        server.models[0].digest = "sha256:two"
        assert "is another version" in checks(docs_rag("doctor", "--json"))["model"][1]
        server.models.clear()
        verdict, message, mend = checks(docs_rag("doctor", "--json"))["model"]
        assert (verdict, mend) == ("broken", "run `ollama pull bge-m3`")
        assert "does not have bge-m3" in message
    result = docs_rag("doctor", "--json")
    assert result.status == 1
    assert {verdicts(result)[name] for name in ("ollama", "model")} == {"broken"}


def test_a_model_that_must_not_be_asked_is_not(vault: Path, docs_rag: CommandLine) -> None:
    write_config(vault, embedModel="some:cloud")
    verdict, message, _ = checks(docs_rag("doctor", "--json"))["model"]
    assert verdict == "broken"
    assert "runs on other people's machines" in message


def test_a_wrong_address_of_ollama(vault: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "ftp://x")
    result = docs_rag("doctor", "--json")
    assert result.status == 1
    assert checks(result)["ollama"][0] == "broken"
    assert "OLLAMA_HOST" in checks(result)["ollama"][1]


def test_a_synced_folder_and_its_copies(tmp_path: Path, docs_rag: CommandLine) -> None:
    vault = tmp_path / "Dropbox" / "orchard"
    write_notes(vault, {"a.md": "# A\n", "a (Anna's conflicted copy 2026-01-02).md": "# A\n"})
    write_config(vault)
    docs_rag("index", "-C", vault)
    found = checks(docs_rag("doctor", "--json", "-C", vault))
    assert found["sync"][0] == "warn"
    assert "Dropbox copies the index" in found["sync"][1]
    assert found["conflicts"][0] == "warn"
    assert "a (Anna's conflicted copy 2026-01-02).md" in found["conflicts"][1]


def test_the_hook_and_its_program(vault: Path, docs_rag: CommandLine, on_path: Path) -> None:
    docs_rag("index")
    write_notes(vault, {".claude/settings.local.json": json.dumps({"hooks": {"PostToolUse": [HOOK_ENTRY]}})})
    verdict, message, _ = checks(docs_rag("doctor", "--json"))["hook"]
    assert (verdict, message.partition(":")[0]) == ("warn", "installed, but it never ran here")
    (vault / ".rag" / "hook.json").write_text('{"at": "2026-11-30T09:00:00Z"}', encoding="utf-8")
    assert checks(docs_rag("doctor", "--json"))["hook"][:2] == ("ok", "installed, last ran 2026-11-30T09:00:00Z")
    on_path.unlink()
    assert checks(docs_rag("doctor", "--json"))["hook"][0] == "broken"
    assert checks(docs_rag("doctor", "--json"))["program"][0] == "warn"


def test_what_scaffold_writes_is_found(tmp_path: Path, docs_rag: CommandLine) -> None:
    project = tmp_path / "orchard"
    write_notes(project, {"docs/a.md": "# A\n", "docs/b.md": "# B\n"})
    clients = ["--client", "claude-code", "--client", "codex", "--client", "opencode", "--client", "gemini"]
    made = docs_rag("scaffold", project, "--yes", "--hook", *clients)
    assert made.status == 0, made.err
    found = docs_rag("doctor", "--json", "-C", project).json["checks"]
    entries = [each["message"].partition(":")[0] for each in found if each["check"] == "clients"]
    assert sorted(entries) == ["Claude Code", "Codex CLI", "Gemini CLI", "opencode"]
    assert {each["verdict"] for each in found if each["check"] == "clients"} == {"ok"}
    (hook,) = (each for each in found if each["check"] == "hook")
    assert hook["message"].startswith("installed, but it never ran here")


def test_names_of_files_cannot_forge_a_line(vault: Path, docs_rag: CommandLine) -> None:
    write_notes(vault, {"x\nbroken  y (conflicted copy).md": "# X\n"} if os.name == "posix" else {})
    docs_rag("index")
    assert not any(line.startswith("broken") for line in docs_rag("doctor").out.splitlines())


def test_a_read_only_look_at_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = machine.Files()
    assert files.read(str(tmp_path)) is None
    assert files.read(str(tmp_path / "missing")) is None
    assert files.read("\0") is None
    place = tmp_path / "a"
    place.write_bytes(b"x")
    assert files.read(str(place)) == b"x"
    assert (files.exists(str(place)), files.exists(str(tmp_path / "b"))) == (True, False)
    assert files.starts("docs-rag")
    assert not files.starts(str(place))


def test_a_place_in_the_home_folder_is_written_for_all_machines(home: Path, tmp_path: Path) -> None:
    assert machine.from_home(str(home / ".cache" / "x")) == "~/.cache/x"
    assert machine.from_home(str(tmp_path / "x")) == str(tmp_path / "x")
