"""`scaffold` in projects whose files hold something already; with questions it is tested on a terminal below."""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine, write_config, write_notes
from terminal import on_terminal

from docs_rag.app.clients import CLIENTS

HOOK = ".claude/settings.local.json"


@pytest.fixture(autouse=True)
def no_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with notes; the working directory."""
    folder = tmp_path / "pay"
    write_notes(folder, {"docs/a.md": "# A\n\ntext\n"})
    monkeypatch.chdir(folder)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        each.relative_to(folder).as_posix(): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()
    }


def put(folder: Path, name: str, data: bytes) -> Path:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def loaded(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8-sig"))


def test_a_new_project(project: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("scaffold", ".", "--yes", "--hook")
    assert result.status == 0, result.err
    assert sorted(files(project)) == sorted(
        [".rag/.gitignore", ".rag/config.json", ".rag/scaffold.json", ".mcp.json", HOOK, ".gitignore", "docs/a.md"]
    )
    assert loaded(project, ".rag/config.json") == {"vaultPath": "../docs", "embedModel": "auto"}
    assert loaded(project, ".mcp.json") == {
        "mcpServers": {"pay-docs": {"type": "stdio", "command": "docs-rag", "args": ["serve"]}}
    }
    assert str(project).encode() not in (project / ".mcp.json").read_bytes()
    lines = [".rag/index.db*", ".rag/*.log*", ".claude/settings.local.json"]
    assert (project / ".gitignore").read_text(encoding="utf-8").splitlines() == ["# docs-rag", *lines]
    (entry,) = loaded(project, HOOK)["hooks"]["PostToolUse"]
    assert entry["matcher"] == "Write|Edit"
    assert entry["hooks"][0]["args"] == ["hook"]
    assert "docs-rag index" in result.out


def test_the_project_may_be_named_from_elsewhere(project: Path, docs_rag: CommandLine) -> None:
    other = project.parent
    assert docs_rag("scaffold", "pay", "-C", other, "--yes").status == 0
    assert (project / ".mcp.json").is_file()
    missing = docs_rag("scaffold", "nowhere", "--yes")
    assert missing.status == 2
    assert "there is no folder" in missing.err


@pytest.mark.parametrize("vault", ["notes", "pay/notes"])
def test_the_notes_may_be_named_from_either_folder(vault: str, project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {"notes/b.md": "# B\n"})
    assert docs_rag("scaffold", "pay", "-C", project.parent, "--yes", "--vault", vault).status == 0
    assert loaded(project, ".rag/config.json")["vaultPath"] == "../notes"


def test_notes_outside_of_the_project_are_approved_by_naming_them(project: Path, docs_rag: CommandLine) -> None:
    notes = project.parent / "notes"
    write_notes(notes, {"b.md": "# B\n"})
    assert docs_rag("scaffold", "--yes", "--vault", notes).status == 0
    assert loaded(project, ".rag/config.json")["vaultPath"] == str(notes)
    assert docs_rag("trust").out.endswith("You have approved this.\n")


def test_a_config_of_the_old_place_is_the_one(project: Path, docs_rag: CommandLine) -> None:
    put(project, "config.json", b'{"vaultPath": "docs", "embedModel": "none"}')
    assert docs_rag("scaffold", "--yes", "--include", "**/*.md").status == 0
    assert loaded(project, "config.json") == {"vaultPath": "docs", "embedModel": "none", "include": ["**/*.md"]}
    assert not (project / ".rag" / "config.json").exists()
    assert docs_rag("scaffold", "--yes", "--config", "config.json").out == "nothing to change\n"
    assert docs_rag("scaffold", "--yes", "--config", "docs/other.json").status == 2
    assert docs_rag("scaffold", "docs", "--yes", "--config", "config.json").status == 2
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    assert (project / "config.json").exists()


@pytest.mark.skipif(os.name != "posix", reason="rights are another thing on Windows")
def test_modes_of_what_it_makes(project: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("scaffold", "--yes").status == 0
    modes = [stat.S_IMODE((project / name).stat().st_mode) for name in (".rag", ".rag/scaffold.json", ".mcp.json")]
    assert modes == [0o700, 0o600, 0o644]


def test_a_dry_run_shows_everything_and_writes_nothing(project: Path, docs_rag: CommandLine) -> None:
    before = files(project)
    result = docs_rag("scaffold", "--hook", "--agents", "--client", "codex", "--dry-run")
    assert result.status == 0
    for name in (".rag/config.json", ".mcp.json", ".codex/config.toml", HOOK, ".gitignore", "AGENTS.md", "CLAUDE.md"):
        assert f"+++ b/{name}\n" in result.out
    assert files(project) == before


def test_without_a_terminal_it_does_not_wait(project: Path, docs_rag: CommandLine) -> None:
    before = files(project)
    result = docs_rag("scaffold")
    assert result.status == 2
    assert "--yes" in result.err
    assert files(project) == before


OTHER = '"other": {"command": "x", "args": []}'
AWKWARD = {
    ".mcp.json": {
        "other-server": f'{{"mcpServers": {{{OTHER}}}}}\n'.encode(),
        "tabs": f'{{\n\t"mcpServers": {{\n\t\t{OTHER}\n\t}}\n}}\n'.encode(),
        "crlf": f'{{\r\n  "mcpServers": {{\r\n    {OTHER}\r\n  }}\r\n}}\r\n'.encode(),
        "bom": b"\xef\xbb\xbf" + f'{{\n  "mcpServers": {{\n    {OTHER}\n  }}\n}}'.encode(),
        "four-spaces": f'{{\n    "mcpServers": {{\n        {OTHER}\n    }},\n    "z": 1, "a": [1,2]\n}}'.encode(),
        "no-byte": b"",
        "empty-object": b"{}",
        "empty-servers": b'{ "mcpServers": { } }\n',
        "no-servers": b'{"inputs": [ ]}',
        "odd-numbers": b'{"a": 1.0e2, "b": "\\u00e9\\/", "mcpServers": {}}\n',
        "surrogates": b'{"a": "\\ud83d\\ude00", "mcpServers": {}}\n',
    },
    HOOK: {
        "other-hooks": b'{"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": []}], "Stop": []}}\n',
        "permissions": b'{\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}\n',
        "empty-hooks": b'{"hooks": {}}',
        "empty-list": b'{\n\t"hooks": {"PostToolUse": []}\n}\n',
    },
    ".codex/config.toml": {
        "comments": b'# mine\nmodel = "x"  # fast\n\n[mcp_servers.other]\ncommand = "y"\n',
        "crlf-toml": b'model = "x"\r\n\r\n[tui]\r\ntheme = "dark"\r\n',
        "no-end": b"[a]\nb = 1",
    },
    ".gitignore": {"no-last-line-end": b"build/", "crlf-lines": b"build/\r\n", "latin-1": b"\xe9\n"},
    "CLAUDE.md": {"nothing": b"", "blank-line": b"\n"},
    "AGENTS.md": {"prose": b"# Rules\n\nBe kind.\n", "bom-prose": b"\xef\xbb\xbf# Rules", "latin": b"# R\xe8gles\r\n"},
}
ROWS = [(name, data) for name, rows in AWKWARD.items() for data in rows.values()]
IDS = [row for rows in AWKWARD.values() for row in rows]


@pytest.mark.parametrize(("name", "data"), ROWS, ids=IDS)
def test_case_56_what_a_file_holds_stays_and_taking_out_gives_it_back(
    name: str, data: bytes, project: Path, docs_rag: CommandLine
) -> None:
    place = put(project, name, data)
    before = files(project)
    options = ("--hook", "--agents", "--client", "codex", "--client", "cursor")
    result = docs_rag("scaffold", "--yes", *options)
    assert result.status == 0, result.err
    written = place.read_bytes()
    assert written != data
    assert docs_rag("scaffold", "--yes", *options).out == "nothing to change\n"
    kept = [line for line in data.splitlines() if line.strip(b" \t{}[],\r\n\xef\xbb\xbf")]
    if len(kept) > 1:
        assert all(line.rstrip(b",") in written for line in kept)
    assert written.startswith(b"\xef\xbb\xbf") is data.startswith(b"\xef\xbb\xbf")
    assert (b"\r\n" in written) is (b"\r\n" in data)
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    assert files(project) == before
    assert not (project / ".cursor").exists()


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        (".mcp.json", b'{\n  // mine\n  "mcpServers": {}\n}\n', "comments are not allowed (line 2)"),
        (".mcp.json", b'{"mcpServers": {},}', "a comma before a closing bracket"),
        (".mcp.json", b'{"mcpServers": ', "is not valid JSON"),
        (".mcp.json", b'{"mcpServers": [1]}', ".mcp.json"),
        (".mcp.json", b"[]", ".mcp.json"),
        (".mcp.json", b'{"a": 1, "a": 2}', ".mcp.json"),
        (".mcp.json", "{}".encode("utf-16"), ".mcp.json is not UTF-8"),
        (HOOK, b'{"hooks": []}', HOOK),
        (HOOK, b"/* x */ {}", "comments are not allowed"),
        (".codex/config.toml", b"a = \n", "is not valid TOML"),
        (".codex/config.toml", b"mcp_servers = 3\n", ".codex/config.toml"),
        ("AGENTS.md", b"<!-- docs-rag:begin -->\n", "not one pair"),
        (".gitignore", "a\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_that_cannot_be_merged_stops_everything(
    name: str, data: bytes, complaint: str, project: Path, docs_rag: CommandLine
) -> None:
    put(project, name, data)
    before = files(project)
    result = docs_rag("scaffold", "--yes", "--hook", "--agents", "--client", "codex")
    assert (result.status, result.out) == (1, "")
    assert complaint in result.err.splitlines()[-1]
    assert files(project) == before


def test_comments_get_the_lines_to_paste(project: Path, docs_rag: CommandLine) -> None:
    put(project, ".vscode/mcp.json", b'{\n  // servers of the team\n  "servers": {}\n}\n')
    result = docs_rag("scaffold", "--yes", "--client", "vscode")
    assert result.status == 1
    snippet = result.err[result.err.index("{") : result.err.rindex("}") + 1]
    assert json.loads(snippet)["servers"]["pay-docs"]["args"][0] == "serve"
    assert not (project / ".mcp.json").exists()


def test_tuned_settings_survive_and_only_given_keys_change(project: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("scaffold", "--yes", "--include", "**/*.md,notes/**").status == 0
    config = project / ".rag" / "config.json"
    tuned = b'{\n\t"vaultPath": "../docs",\n\t"minScore": 0.4,\n\t"include": ["a/**"], "embedModel": "none"\n}\n'
    config.write_bytes(tuned)
    entry = loaded(project, ".mcp.json")
    entry["mcpServers"]["pay-docs"] |= {"timeout": 9000, "env": {"OLLAMA_HOST": "x"}}
    put(project, ".mcp.json", json.dumps(entry).encode())
    assert docs_rag("scaffold", "--yes").out == "nothing to change\n"
    assert docs_rag("scaffold", "--yes", "--desc", "Payments.", "--client", "cursor").status == 0
    held = loaded(project, ".rag/config.json")
    assert held == {"vaultPath": "../docs", "minScore": 0.4, "include": ["a/**"], "embedModel": "none",
                    "toolDescription": "Payments."}  # fmt: skip
    assert config.read_bytes().startswith(tuned[:-3])
    assert loaded(project, ".mcp.json") == entry
    assert docs_rag("scaffold", "--yes", "--name", "money").status == 0
    renamed = loaded(project, ".mcp.json")["mcpServers"]
    assert renamed == {"money": entry["mcpServers"]["pay-docs"]}
    assert list(loaded(project, ".cursor/mcp.json")["mcpServers"]) == ["money"]
    assert docs_rag("trust").out.endswith("You have approved this.\n")
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    assert loaded(project, ".rag/config.json")["minScore"] == 0.4
    assert not (project / ".mcp.json").exists()


@pytest.mark.parametrize(
    ("option", "value"), [("--include", "/abs/**"), ("--name", "x" * 99), ("--desc", ""), ("--vault", "nowhere")]
)
def test_a_wrong_value_of_an_option_is_a_wrong_call(
    option: str, value: str, project: Path, docs_rag: CommandLine
) -> None:
    before = files(project)
    result = docs_rag("scaffold", "--yes", option, value)
    assert result.status == 2
    assert option in result.err
    assert files(project) == before


def test_a_name_that_stands_for_something_else_gets_a_number(project: Path, docs_rag: CommandLine) -> None:
    other = {"command": "docs-rag", "args": ["serve", "--config", "/elsewhere/.rag/config.json"]}
    put(project, ".mcp.json", json.dumps({"mcpServers": {"pay-docs": other}}).encode())
    result = docs_rag("scaffold", "--yes")
    assert "is called pay-docs-2" in result.err
    servers = loaded(project, ".mcp.json")["mcpServers"]
    assert servers["pay-docs"] == other
    assert servers["pay-docs-2"]["args"] == ["serve"]
    refused = docs_rag("scaffold", "--yes", "--name", "pay-docs")
    assert refused.status == 1
    assert "pay-docs is registered in .mcp.json for something else" in refused.err


def test_a_name_in_the_users_own_file_is_taken_too(project: Path, home: Path, docs_rag: CommandLine) -> None:
    put(home, ".claude.json", b'{"mcpServers": {"pay-docs": {"command": "x"}}}')
    assert docs_rag("scaffold", "--yes").status == 0
    assert list(loaded(project, ".mcp.json")["mcpServers"]) == ["pay-docs-2"]


def test_a_server_that_was_registered_by_hand_is_not_registered_twice(project: Path, docs_rag: CommandLine) -> None:
    mine = b'{"mcpServers": {"docs": {"type": "stdio", "command": "docs-rag", "args": ["serve"]}}}\n'
    put(project, ".mcp.json", mine)
    assert docs_rag("scaffold", "--yes").status == 0
    assert (project / ".mcp.json").read_bytes() == mine
    for _ in range(2):  # with its record, and without
        result = docs_rag("scaffold", "--remove", "--yes")
        assert "docs stays in .mcp.json" in result.err
        assert (project / ".mcp.json").read_bytes() == mine


def test_the_hook_is_there_once_and_other_handlers_beside_it_stay(project: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("scaffold", "--yes", "--hook").status == 0
    settings = loaded(project, HOOK)
    settings["hooks"]["PostToolUse"][0]["hooks"].append({"type": "command", "command": "mine"})
    put(project, HOOK, json.dumps(settings).encode())
    assert docs_rag("scaffold", "--yes", "--hook").out == "nothing to change\n"
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    (left,) = loaded(project, HOOK)["hooks"]["PostToolUse"]
    assert left["hooks"] == [{"type": "command", "command": "mine"}]


def test_a_hook_in_shared_settings_is_enough(project: Path, docs_rag: CommandLine) -> None:
    put(project, ".claude/settings.json",
        b'{"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "docs-rag hook"}]}]}}')  # fmt: skip
    assert "already" in docs_rag("scaffold", "--yes", "--hook").err
    assert not (project / HOOK).exists()


def test_a_config_that_came_with_the_project_is_not_approved_on_the_way(project: Path, docs_rag: CommandLine) -> None:
    write_config(project, vaultPath="../..")
    before = files(project)
    result = docs_rag("scaffold", "--yes")
    assert result.status == 1
    assert "docs-rag trust" in result.err
    assert files(project) == before


def test_a_config_with_a_mistake_stops_everything(project: Path, docs_rag: CommandLine) -> None:
    write_config(project, minscore=1)
    assert "did you mean minScore?" in docs_rag("scaffold", "--yes").err
    assert not (project / ".mcp.json").exists()


def test_a_config_of_init_stays_when_scaffold_goes(project: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("init", "--yes").status == 0
    before = files(project)
    assert docs_rag("scaffold", "--yes", "--hook").status == 0
    result = docs_rag("scaffold", "--remove", "--yes")
    assert "config.json stays" in result.err
    assert files(project) == before


def test_an_index_stays_when_scaffold_goes(project: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("scaffold", "--yes").status == 0
    put(project, ".rag/index.db", b"index")
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    assert set(files(project)) == {"docs/a.md", ".rag/index.db", ".rag/.gitignore"}


def test_in_a_clone_entries_go_by_their_looks(project: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("scaffold", "--yes", "--client", "codex", "--agents").status == 0
    put(
        project, ".mcp.json", (project / ".mcp.json").read_bytes().replace(b'{\n    "pay', b'{\n    "x": {},\n    "pay')
    )
    (project / ".rag" / "scaffold.json").unlink()
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    assert loaded(project, ".mcp.json") == {"mcpServers": {"x": {}}}
    assert set(files(project)) == {"docs/a.md", ".mcp.json", ".rag/config.json", ".rag/.gitignore"}


def test_removing_needs_no_config_that_can_be_read(project: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("scaffold", "--yes").status == 0
    put(project, ".rag/config.json", b"{ broken")
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    assert not (project / ".mcp.json").exists()
    assert (project / ".rag" / "config.json").read_bytes() == b"{ broken"


def test_removing_shows_first_and_can_be_a_dry_run(project: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("scaffold", "--yes").status == 0
    before = files(project)
    assert "--- a/.mcp.json" in docs_rag("scaffold", "--remove", "--dry-run").out
    assert docs_rag("scaffold", "--remove").status == 2
    assert docs_rag("scaffold", "--remove", "--hook").status == 2
    assert files(project) == before


def test_there_is_nothing_to_take_out_of_a_project_without(project: Path, docs_rag: CommandLine) -> None:
    before = files(project)
    assert docs_rag("scaffold", "--remove", "--yes").out == "nothing to change\n"
    assert files(project) == before


def test_files_of_the_user_are_kept_and_given_back(project: Path, home: Path, docs_rag: CommandLine) -> None:
    codex = put(home, ".codex/config.toml", b'# mine\nmodel = "x"\n')
    if os.name == "posix":
        codex.chmod(0o600)
    put(home, ".cursor/mcp.json", b'{"mcpServers": {}}')
    before = files(home)
    assert docs_rag("scaffold", "--yes", "--scope", "user", "--client", "codex", "--client", "cursor").status == 0
    assert not (project / ".mcp.json").exists()
    config = str(project / ".rag" / "config.json")
    assert loaded(home, ".cursor/mcp.json")["mcpServers"]["pay-docs"]["args"] == ["serve", "--config", config]
    assert b"# mine" in codex.read_bytes()
    if os.name == "posix":
        assert stat.S_IMODE(codex.stat().st_mode) == 0o600
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    assert {name: data for name, data in files(home).items() if "docs-rag" not in name} == before


def test_a_client_without_files_in_projects_needs_the_users(project: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("scaffold", "--yes", "--client", "windsurf")
    assert result.status == 2
    assert "--scope user" in result.err
    assert not (project / ".mcp.json").exists()


@pytest.mark.parametrize(
    ("origin", "source"),
    [
        ({"url": "https://example.org/x.git", "vcs_info": {"vcs": "git", "commit_id": "ab12"}},
         "git+https://example.org/x.git@ab12"),
        ({"url": "https://example.org/x.whl", "archive_info": {}}, "https://example.org/x.whl"),
    ],
)  # fmt: skip
def test_uvx_fetches_from_where_this_copy_came(
    origin: dict[str, Any], source: str, project: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert docs_rag("scaffold", "--yes").status == 0
    from docs_rag import wiring
    from docs_rag.core.installed import Installed

    here = Installed(program=None, on_path=None, uvx="/opt/uvx", origin=json.dumps(origin))
    monkeypatch.setattr(wiring, "installed", lambda: here)
    assert docs_rag("scaffold", "--yes", "--runner", "uvx", "--hook").status == 0
    entry = loaded(project, ".mcp.json")["mcpServers"]["pay-docs"]
    assert (entry["command"], entry["args"]) == ("uvx", ["--from", source, "docs-rag", "serve"])
    handler = loaded(project, HOOK)["hooks"]["PostToolUse"][0]["hooks"][0]
    assert (handler["command"], handler["args"]) == ("uvx", ["--from", source, "docs-rag", "hook"])
    assert docs_rag("scaffold", "--yes").out == "nothing to change\n"


def test_uvx_is_refused_where_nobody_knows_from_where(
    project: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from docs_rag import wiring
    from docs_rag.core.installed import Installed

    monkeypatch.setattr(wiring, "installed", lambda: Installed(program=None, on_path=None, uvx=None, origin=None))
    before = files(project)
    result = docs_rag("scaffold", "--yes", "--runner", "uvx")
    assert result.status == 1
    assert "not known where" in result.err
    assert files(project) == before


def test_an_entry_whose_program_is_gone_gets_a_new_one(project: Path, docs_rag: CommandLine) -> None:
    config = str(project / ".rag" / "config.json")
    gone = {"command": str(project / "venv" / "docs-rag"), "args": ["serve", "--config", config], "env": {"A": "1"}}
    held = json.dumps({"mcpServers": {"mine": gone}}, separators=(" , ", " : ")).encode()
    place = put(project, ".cursor/mcp.json", held)
    assert docs_rag("scaffold", "--yes").status == 0
    entry = loaded(project, ".cursor/mcp.json")["mcpServers"]["mine"]
    assert entry["command"] != gone["command"]
    assert place.read_bytes() == held.replace(str(gone["command"]).encode(), entry["command"].encode())


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
@pytest.mark.parametrize("name", [".mcp.json", ".rag", ".claude"])
def test_nothing_is_written_through_a_link_out_of_the_project(
    name: str, project: Path, tmp_path: Path, docs_rag: CommandLine
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    target = outside
    if name == ".mcp.json":
        target = put(outside, "mcp.json", b"{}")
    (project / name).symlink_to(target)
    before = files(outside)
    result = docs_rag("scaffold", "--yes", "--hook")
    assert result.status == 1
    assert any(why in result.err for why in ("leads outside", "is a link"))
    assert files(outside) == before
    assert not (project / ".gitignore").exists()


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_a_claude_file_that_is_agents_gets_the_block_once(project: Path, docs_rag: CommandLine) -> None:
    put(project, "AGENTS.md", b"# Rules\n")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    assert docs_rag("scaffold", "--yes", "--agents").status == 0
    assert (project / "AGENTS.md").read_bytes().count(b"docs-rag:begin") == 1
    assert (project / "CLAUDE.md").is_symlink()
    assert docs_rag("scaffold", "--remove", "--yes").status == 0
    assert (project / "AGENTS.md").read_bytes() == b"# Rules\n"


def test_an_ignored_config_is_told(project: Path, docs_rag: CommandLine) -> None:
    put(project, ".gitignore", b".rag/\n")
    assert "others who clone the project get no config" in docs_rag("scaffold", "--yes").err
    assert (project / ".gitignore").read_bytes() == b".rag/\n"


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "geteuid"), reason="no such rights on Windows")
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_stops_everything(project: Path, docs_rag: CommandLine) -> None:
    (project / ".claude").mkdir(mode=0o500)
    result = docs_rag("scaffold", "--yes", "--hook")
    assert result.status == 1
    assert not (project / ".mcp.json").exists()


def test_the_home_of_a_name_that_is_not_ascii(tmp_path: Path, docs_rag: CommandLine) -> None:
    folder = tmp_path / "문서 모음"
    write_notes(folder, {"a.md": "# A\n"})
    assert docs_rag("scaffold", folder, "--yes").status == 0
    assert list(loaded(folder, ".mcp.json")["mcpServers"]) == ["docs"]


@pytest.mark.skipif(os.name != "posix", reason="terminals of another kind")
@pytest.mark.parametrize(("agreed", "status"), [("y", 0), ("n", 1)])
def test_it_asks_shows_and_asks_again(agreed: str, status: int, project: Path) -> None:
    alone = {"OLLAMA_HOST": "127.0.0.1:9", "LC_ALL": "C.UTF-8"}
    typed = f"\nnone\nnobody\nclaude-code, codex\ny\nn\n{agreed}\n"
    found, shown = on_terminal(["scaffold"], typed, alone)
    assert found == status, shown
    assert "there is no client nobody" in shown
    assert "+++ b/.codex/config.toml" in shown
    assert (project / ".codex" / "config.toml").exists() is (status == 0)
    assert (project / HOOK).exists() is (status == 0)
    assert not (project / "AGENTS.md").exists()
    if status == 0:
        assert loaded(project, ".rag/config.json") == {"vaultPath": "../docs", "embedModel": "none"}


def test_a_host_that_opens_no_files_gets_the_reading_tools(
    project: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = replace(CLIENTS["cursor"], opens_files=False)
    monkeypatch.setitem(CLIENTS, "cursor", blind)
    assert docs_rag("scaffold", "--yes", "--client", "cursor").status == 0
    assert loaded(project, ".rag/config.json")["tools"] == "reader"
    (project / ".rag" / "config.json").unlink()
    assert docs_rag("scaffold", "--yes", "--client", "codex").status == 0
    assert "tools" not in loaded(project, ".rag/config.json")
