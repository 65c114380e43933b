"""The table of MCP clients: every row leads to a file and an entry that a host can read."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

from docs_rag.app.clients import CLIENTS, Client, Launch, client_named
from docs_rag.core.merging import jsonfile, tomlfile
from docs_rag.errors import UsageError

LAUNCH = Launch("docs-rag", ("serve", "--config", "/p/.rag/config.json"), {"A": "1"})
FOLDERS = {"HOME": "/home/me"}
NAMES = ["claude-code", "claude-desktop", "codex", "cursor", "vscode", "zed", "opencode", "gemini", "windsurf"]


def test_the_clients_are_these() -> None:
    assert list(CLIENTS) == NAMES
    assert all(CLIENTS[name].name == name for name in NAMES)


@pytest.mark.parametrize("client", CLIENTS.values(), ids=NAMES)
def test_every_row_is_whole(client: Client) -> None:
    assert client.title and client.keys and client.seen
    assert client.then.endswith(".")
    assert client.project or client.user
    assert client.project is None or not client.project.startswith(("/", "~"))


@pytest.mark.parametrize("client", CLIENTS.values(), ids=NAMES)
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_a_users_file_is_absolute_wherever_there_is_one(client: Client, platform: str) -> None:
    place = client.file("user", platform, FOLDERS)
    if place is None:
        assert (client.name, platform) == ("claude-desktop", "linux")
    else:
        assert place.startswith("/home/me/")
        assert not set("{}~") & set(place)


@pytest.mark.parametrize("client", CLIENTS.values(), ids=NAMES)
def test_an_entry_is_written_and_read(client: Client) -> None:
    entry = client.entry(LAUNCH)
    written: Any
    if client.format == "toml":
        data = tomlfile.set_entry(None, client.place("docs"), entry)
        written = tomllib.loads(data.decode())
    else:
        written = json.loads(jsonfile.set_entry(None, client.place("docs"), entry))
    for key in client.place("docs"):
        written = written[key]
    assert written == entry
    assert "docs-rag" in json.dumps(entry) and "/p/.rag/config.json" in json.dumps(entry)
    assert {"A": "1"} in entry.values()


EXPECTED = {
    "claude-code": {"type": "stdio", "command": "docs-rag", "args": ["serve"]},
    "codex": {"command": "docs-rag", "args": ["serve"], "startup_timeout_sec": 30},
    "cursor": {"command": "docs-rag", "args": ["serve"]},
    "vscode": {"type": "stdio", "command": "docs-rag", "args": ["serve"]},
    "zed": {"source": "custom", "command": "docs-rag", "args": ["serve"]},
    "opencode": {"type": "local", "command": ["docs-rag", "serve"], "enabled": True},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_each_host_has_its_own_form(name: str) -> None:
    assert CLIENTS[name].entry(Launch("docs-rag", ("serve",))) == EXPECTED[name]


@pytest.mark.parametrize(
    ("name", "platform", "folders", "expected"),
    [
        ("codex", "linux", {"CODEX_HOME": "/opt/codex"}, "/opt/codex/config.toml"),
        ("codex", "linux", {"CODEX_HOME": ""}, "/home/me/.codex/config.toml"),
        ("zed", "linux", {"XDG_CONFIG_HOME": "/c"}, "/c/zed/settings.json"),
        (
            "claude-desktop",
            "win32",
            {"APPDATA": "C:\\Users\\me\\AppData\\Roaming"},
            "C:/Users/me/AppData/Roaming/Claude/claude_desktop_config.json",
        ),
        (
            "claude-desktop",
            "darwin",
            {},
            "/home/me/Library/Application Support/Claude/claude_desktop_config.json",
        ),
        ("vscode", "linux", {}, "/home/me/.config/Code/User/mcp.json"),
    ],
)
def test_variables_move_a_users_file(name: str, platform: str, folders: dict[str, str], expected: str) -> None:
    assert CLIENTS[name].file("user", platform, {**FOLDERS, **folders}) == expected


def test_a_home_folder_with_a_tilde() -> None:
    assert CLIENTS["codex"].file("user", "linux", {"HOME": "/home/a~b"}) == "/home/a~b/.codex/config.toml"


def test_a_projects_file_is_relative() -> None:
    assert CLIENTS["cursor"].file("project", "linux", FOLDERS) == ".cursor/mcp.json"
    assert CLIENTS["windsurf"].file("project", "linux", FOLDERS) is None


def test_an_unknown_client_is_told_the_names() -> None:
    assert client_named("zed") is CLIENTS["zed"]
    with pytest.raises(UsageError, match="there is no client emacs; known are: claude-code, "):
        client_named("emacs")
