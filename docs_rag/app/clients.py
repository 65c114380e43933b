"""The MCP clients as one table: where each keeps its servers, how an entry looks, and what its user does then.

An entry is put at `keys` plus the server's name by `core.merging`, by the format of the file. The facts come from the
hosts' own documentation, as each row says; `seen` says what was tried with the host itself, and what was not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from docs_rag.errors import UsageError

Scope = Literal["project", "user"]
Format = Literal["json", "toml"]


@dataclass(frozen=True, slots=True)
class Launch:
    """How a host starts the server."""

    command: str
    args: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One MCP client."""

    name: str
    title: str
    project: str | None
    """Its file in a project, `/` between folders; None where it has none."""
    user: Mapping[str, str]
    """Its file for all projects, by `sys.platform` or `*`; `~` is the home folder, `{NAME}` one of `_FOLDERS`."""
    format: Format
    keys: tuple[str, ...]
    """What leads to the servers in that file."""
    entry: Callable[[Launch], dict[str, object]]
    """What stands there under the server's name."""
    needs_path: bool
    """True for a host that is no child of a shell: the program has to be named by its absolute path."""
    finds_project: bool
    """True when a server of a project's file can find the project itself, by a variable or its working directory."""
    then: str
    """What its user does afterwards, one sentence."""
    seen: str
    """Where these facts come from, and what of them was not checked."""
    opens_files: bool = True
    """False for a host whose agent sees of a note what the server gives it, and no more."""
    also: tuple[str, ...] = ()
    """Other names of the project's file: where one of them is there, that is the file."""

    def file(self, scope: Scope, platform: str, folders: Mapping[str, str]) -> str | None:
        """Its file, `/` between folders: relative for a project, absolute for a user; None where there is none.

        `folders` as `folders_of` gives them.
        """
        if scope == "project":
            return self.project
        place = self.user.get(platform, self.user.get("*"))
        resolved = None if place is None else _resolved(place, folders)
        return resolved.replace("\\", "/") if resolved is not None and platform == "win32" else resolved

    def place(self, server: str) -> tuple[str, ...]:
        """The keys of a server in the file."""
        return (*self.keys, server)


_FOLDERS: Final = {"APPDATA": "~/AppData/Roaming", "XDG_CONFIG_HOME": "~/.config", "CODEX_HOME": "~/.codex"}
"""Variables that move a client's folder, and where it is without them."""


def _plain(launch: Launch) -> dict[str, object]:
    return {"command": launch.command, "args": list(launch.args), **_env(launch)}


def _typed(launch: Launch) -> dict[str, object]:
    return {"type": "stdio", **_plain(launch)}


def _codex(launch: Launch) -> dict[str, object]:
    """A first start through uvx takes longer than the 10 s that Codex waits by default."""
    return {**_plain(launch), "startup_timeout_sec": 30}


def _zed(launch: Launch) -> dict[str, object]:
    return {"source": "custom", **_plain(launch)}


def _opencode(launch: Launch) -> dict[str, object]:
    environment = {"environment": dict(launch.env)} if launch.env else {}
    return {"type": "local", "command": [launch.command, *launch.args], "enabled": True, **environment}


def _env(launch: Launch) -> dict[str, object]:
    return {"env": dict(launch.env)} if launch.env else {}


_ROWS: Final = (
    Client(
        name="claude-code",
        title="Claude Code",
        project=".mcp.json",
        user={"*": "~/.claude.json"},
        format="json",
        keys=("mcpServers",),
        entry=_typed,
        needs_path=False,
        finds_project=True,
        then="Start Claude Code in the project and approve the server if it asks.",
        seen="code.claude.com/docs/en/mcp; tried with 2.1.197",
    ),
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        project=None,
        user={
            "darwin": "~/Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "{APPDATA}/Claude/claude_desktop_config.json",
        },
        format="json",
        keys=("mcpServers",),
        entry=_plain,
        needs_path=True,
        finds_project=False,
        then="Quit Claude Desktop wholly, not only its window, and start it again.",
        seen="modelcontextprotocol.io/docs/develop/connect-local-servers; not tried",
        opens_files=False,
    ),
    Client(
        name="codex",
        title="Codex CLI",
        project=".codex/config.toml",
        user={"*": "{CODEX_HOME}/config.toml"},
        format="toml",
        keys=("mcp_servers",),
        entry=_codex,
        needs_path=False,
        finds_project=True,
        then="Trust the project in Codex (a project's file counts only then) and start it again.",
        seen="github.com/openai/codex/blob/main/docs/config.md; tried with 0.171.0",
    ),
    Client(
        name="cursor",
        title="Cursor",
        project=".cursor/mcp.json",
        user={"*": "~/.cursor/mcp.json"},
        format="json",
        keys=("mcpServers",),
        entry=_plain,
        needs_path=True,
        finds_project=False,
        then="Switch the server on under Settings, MCP.",
        seen="docs.cursor.com/context/mcp; not tried",
    ),
    Client(
        name="vscode",
        title="VS Code",
        project=".vscode/mcp.json",
        user={
            "darwin": "~/Library/Application Support/Code/User/mcp.json",
            "win32": "{APPDATA}/Code/User/mcp.json",
            "*": "{XDG_CONFIG_HOME}/Code/User/mcp.json",
        },
        format="json",
        keys=("servers",),
        entry=_typed,
        needs_path=True,
        finds_project=False,
        then="Open the file in VS Code, press Start above the entry, and trust the server when it asks.",
        seen="code.visualstudio.com/docs/copilot/chat/mcp-servers; not tried, the place of the user's file not checked",
    ),
    Client(
        name="zed",
        title="Zed",
        project=".zed/settings.json",
        user={"win32": "{APPDATA}/Zed/settings.json", "*": "{XDG_CONFIG_HOME}/zed/settings.json"},
        format="json",
        keys=("context_servers",),
        entry=_zed,
        needs_path=True,
        finds_project=False,
        then="Look in the Agent panel's settings: the dot beside the server turns green.",
        seen="zed.dev/docs/ai/mcp; not tried, the place of the user's file on Windows not checked",
    ),
    Client(
        name="opencode",
        title="opencode",
        project="opencode.json",
        user={"*": "{XDG_CONFIG_HOME}/opencode/opencode.json"},
        format="json",
        keys=("mcp",),
        entry=_opencode,
        needs_path=False,
        finds_project=True,
        then="Start opencode again.",
        seen="opencode.ai/docs/mcp-servers, the form of version 1; tried with 1.18.33",
        also=("opencode.jsonc",),
    ),
    Client(
        name="gemini",
        title="Gemini CLI",
        project=".gemini/settings.json",
        user={"*": "~/.gemini/settings.json"},
        format="json",
        keys=("mcpServers",),
        entry=_plain,
        needs_path=False,
        finds_project=True,
        then="Start Gemini CLI in the project, trust the folder when it asks, and look at /mcp.",
        seen="geminicli.com/docs/tools/mcp-server; tried with 0.61.0",
    ),
    Client(
        name="windsurf",
        title="Windsurf",
        project=None,
        user={"*": "~/.codeium/windsurf/mcp_config.json"},
        format="json",
        keys=("mcpServers",),
        entry=_plain,
        needs_path=True,
        finds_project=False,
        then="Press Refresh in the list of MCP servers of Cascade.",
        seen="docs.windsurf.com/windsurf/cascade/mcp; not tried",
    ),
)

CLIENTS: Final[dict[str, Client]] = {row.name: row for row in _ROWS}
"""Every client, in the order in which they are listed."""


def client_named(name: str) -> Client:
    """The row of a name. Raises `UsageError`, which lists the names."""
    if name not in CLIENTS:
        raise UsageError(f"there is no client {name}", f"known are: {', '.join(CLIENTS)}")
    return CLIENTS[name]


def folders_of(environ: Mapping[str, str], home: str) -> dict[str, str]:
    """What `Client.file` has to know of the machine: the home folder, and the variables that move a client's folder."""
    return {"HOME": home, **{name: environ[name] for name in _FOLDERS if environ.get(name)}}


def _resolved(place: str, folders: Mapping[str, str]) -> str:
    for name, default in _FOLDERS.items():
        place = place.replace(f"{{{name}}}", folders.get(name) or default)
    return place.replace("~", folders["HOME"], 1) if place.startswith("~") else place
