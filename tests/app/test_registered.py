"""Which clients start docs-rag for a project, by their files."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from docs_rag.app.clients import CLIENTS
from docs_rag.app.registered import Here, hook_facts, registrations
from docs_rag.core.diagnosis.facts import Registration, Unread
from docs_rag.core.hookentry import HOOK_ENTRY

HERE = Here(
    project="/home/anna/orchard",
    state_dir="/home/anna/orchard/.rag",
    config="/home/anna/orchard/.rag/config.json",
    vault="/home/anna/orchard/docs",
    platform="linux",
    folders={"HOME": "/home/anna"},
)
SERVE = {"command": "docs-rag", "args": ["serve"]}


@dataclass
class MemoryMachine:
    """Files by path, and the programs that can be started."""

    files: dict[str, str] = field(default_factory=dict)
    programs: tuple[str, ...] = ("docs-rag", "uvx", "/usr/bin/docs-rag")
    links: dict[str, str] = field(default_factory=dict)

    def read(self, path: str) -> bytes | None:
        return self.files[path].encode("utf-8") if path in self.files else None

    def starts(self, command: str) -> bool:
        return command in self.programs

    def exists(self, path: str) -> bool:
        return path in self.files

    def real(self, path: str) -> str:
        return self.links.get(path, path)


def machine(**files: object) -> MemoryMachine:
    return MemoryMachine({HERE.config: "{}"} | {path: _text(value) for path, value in files.items()})


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def in_mcp_json(**entry: object) -> MemoryMachine:
    return machine(**{"/home/anna/orchard/.mcp.json": {"mcpServers": {"x": {**SERVE, **entry}}}})


def the(found: MemoryMachine) -> Registration:
    (only,) = registrations(HERE, found)
    assert isinstance(only, Registration)
    return only


@pytest.mark.parametrize("name", [name for name, client in CLIENTS.items() if client.project is not None])
def test_every_client_with_a_file_in_the_project_is_looked_at(name: str) -> None:
    client = CLIENTS[name]
    entry = {"command": ["docs-rag", "serve"]} if name == "opencode" else SERVE
    held: object = {"docs": entry}
    for key in reversed(client.keys):
        held = {key: held}
    toml = '[mcp_servers.docs]\ncommand = "docs-rag"\nargs = ["serve"]\n'
    found = the(machine(**{f"/home/anna/orchard/{client.project}": toml if client.format == "toml" else held}))
    assert (found.client, found.name, found.server) == (client.title, name, "docs")
    assert found.is_here
    assert found.problem == ""
    assert not found.is_off


@pytest.mark.parametrize(
    ("args", "is_here"),
    [
        (["serve"], True),
        (["serve", "--config", "/home/anna/orchard/.rag/config.json"], True),
        (["serve", "--config=.rag/config.json"], True),
        (["serve", "--config", "~/orchard/.rag/config.json"], True),
        (["serve", "--config", "/home/anna/other/.rag/config.json"], False),
        (["serve", "--vault", "docs"], True),
        (["serve", "--vault", "/home/anna/other"], False),
        (["-C", "/home/anna/orchard/deep", "serve"], True),
        (["-C", "/home/anna/orchard2", "serve"], False),
    ],
)
def test_an_entry_serves_what_it_names(args: list[str], is_here: bool) -> None:
    assert the(in_mcp_json(args=args)).is_here is is_here


def test_another_way_to_the_config_is_the_same() -> None:
    found = in_mcp_json(args=["serve", "--config", "/projects/config.json"])
    found.links["/projects/config.json"] = HERE.config
    found.files["/projects/config.json"] = "{}"
    assert the(found).is_here
    assert the(found).problem == ""


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"command": "/opt/docs-rag"}, "starts /opt/docs-rag, which is not there"),
        ({"command": "uvx", "args": ["--from", "git+https://x", "docs-rag", "serve"]}, ""),
        ({"command": "pipx", "args": ["run", "docs-rag", "serve"]}, "starts pipx, which is not on the search path"),
        ({"command": "${HOME}/bin/docs-rag"}, ""),
        ({"args": ["serve", "--config", "/gone.json"]}, "names a config that is not there: /gone.json"),
    ],
)
def test_what_keeps_an_entry_from_working(entry: dict[str, object], problem: str) -> None:
    assert the(in_mcp_json(**entry)).problem == problem


@pytest.mark.parametrize(("extra", "is_off"), [({"enabled": False}, True), ({"disabled": True}, True), ({}, False)])
def test_an_entry_may_be_switched_off(extra: dict[str, object], is_off: bool) -> None:
    assert the(in_mcp_json(**extra)).is_off is is_off


def test_a_server_that_was_refused_in_claude_code_is_off() -> None:
    found = in_mcp_json()
    found.files["/home/anna/orchard/.claude/settings.local.json"] = '{"disabledMcpjsonServers": ["x"]}'
    assert the(found).is_off


def test_the_users_own_files_are_looked_at() -> None:
    found = machine(
        **{
            "/home/anna/.claude.json": {
                "mcpServers": {"all": SERVE, "other": {"command": "other"}},
                "projects": {
                    "/home/anna/orchard": {"mcpServers": {"mine": SERVE}},
                    "/home/anna/x": {"mcpServers": {"theirs": SERVE}},
                },
            },
            "/home/anna/.cursor/mcp.json": {"mcpServers": {"nowhere": SERVE}},
        }
    )
    assert {each.server: each.is_here for each in registrations(HERE, found) if isinstance(each, Registration)} == {
        "all": True,
        "mine": True,
        "nowhere": False,
    }


def test_a_file_with_comments_is_told_of_when_it_speaks_of_us() -> None:
    found = machine(
        **{
            "/home/anna/orchard/.zed/settings.json": '// mine\n{"context_servers": {"docs-rag": {}}}',
            "/home/anna/orchard/.vscode/mcp.json": "// nothing of ours\n{}",
        }
    )
    (only,) = registrations(HERE, found)
    assert isinstance(only, Unread)
    assert only.client == "Zed"
    assert "line 1" in only.why


@pytest.mark.parametrize("text", ['"docs-rag"', '{"mcpServers": ["docs-rag"]}', '{"mcpServers": {"docs-rag": 3}}'])
def test_odd_files_name_no_entry(text: str) -> None:
    found = list(registrations(HERE, machine(**{"/home/anna/orchard/.mcp.json": text})))
    assert all(isinstance(each, Unread) for each in found)


def hook_settings(**more: object) -> dict[str, object]:
    return {"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": []}, HOOK_ENTRY]}, **more}


def test_the_hook_is_found_in_the_personal_settings() -> None:
    place = "/home/anna/orchard/.claude/settings.local.json"
    seen = '{"at": "2026-11-30T09:00:00Z"}'
    found = hook_facts(HERE, machine(**{place: hook_settings(), "/home/anna/orchard/.rag/hook.json": seen}))
    assert found.files == (place,)
    assert found.state.seen_at == "2026-11-30T09:00:00Z"
    assert (found.problem, found.off_in) == ("", "")
    assert found.log == "/home/anna/orchard/.rag/hook.log"


def test_a_hook_without_its_program_has_a_problem() -> None:
    found = machine(**{"/home/anna/.claude/settings.json": hook_settings()})
    found.programs = ()
    assert hook_facts(HERE, found).problem == "starts docs-rag, which is not on the search path"


def test_hooks_may_be_turned_off_as_a_whole() -> None:
    off = {"disableAllHooks": True}
    settings = {
        "/home/anna/orchard/.claude/settings.local.json": hook_settings(),
        "/home/anna/.claude/settings.json": off,
    }
    assert hook_facts(HERE, machine(**settings)).off_in == "/home/anna/.claude/settings.json"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"hooks": 3}', '{"hooks": {"PostToolUse": {"a": 1}}}', "// x\n{}"])
def test_odd_settings_hold_no_hook(text: str) -> None:
    found = hook_facts(HERE, machine(**{"/home/anna/orchard/.claude/settings.json": text}))
    assert found.files == ()
    assert found.state.seen_at is None
