"""Decides which command a host runs to start the server, without naming a package that is not ours.

The name docs-rag is not published on a registry, where a stranger could take it: a command that fetches the program
therefore always says from where, and there is none when that is not known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal
from urllib.parse import unquote, urlsplit, urlunsplit

from docs_rag.app.clients import Client, Launch, Scope
from docs_rag.core.installed import Installed
from docs_rag.errors import DocsRagError

Runner = Literal["path", "uvx"]
RUNNERS: Final[tuple[Runner, ...]] = ("path", "uvx")
PROGRAM: Final = "docs-rag"

_SAFE: Final = frozenset({"https", "ssh"})
"""Schemes of addresses that may be written down for others to fetch a program from."""
_DRIVE: Final = re.compile(r"/[A-Za-z]:")


def launch_for(
    client: Client, installed: Installed, *, scope: Scope, config: str, runner: Runner = "path", local: bool = False
) -> Launch:
    """The command for a client's file.

    `config` is the absolute path of the config; it is named only where the server could not find it by itself, so that
    a project's file can be committed. `local` allows what holds on this machine alone: the script's own path, and a
    source folder for uvx. Raises `DocsRagError` when there is no such command.
    """
    serve = ("serve",) if scope == "project" and client.finds_project else ("serve", "--config", config)
    if runner == "uvx":
        return Launch(_uvx(client, installed), ("--from", source(installed.origin, local=local), PROGRAM, *serve))
    return Launch(_script(installed) if client.needs_path or local else PROGRAM, serve)


def doubts(client: Client, installed: Installed, launch: Launch) -> Iterator[str]:
    """What may keep a host from starting the command, in sentences."""
    if launch.command == PROGRAM and installed.on_path is None:
        yield f"{client.title} will look for docs-rag on the search path, where it is not: put it there, or use --local"
    elif launch.command == PROGRAM and installed.program not in (None, installed.on_path):
        yield f"docs-rag on the search path is another copy than this one: {installed.on_path}"
    elif launch.command == "uvx" and installed.uvx is None:
        yield "uvx is not on the search path: install uv, https://docs.astral.sh/uv/"


def source(origin: str | None, *, local: bool = False) -> str:
    """What `uvx --from` fetches to get this very copy; `origin` is the text of `direct_url.json`.

    Raises `DocsRagError` when it is not known where this copy came from, or when only this machine has it and `local`
    does not allow that.
    """
    said = _said(origin)
    url = str(said.get("url", ""))
    is_here = "dir_info" in said or urlsplit(url).scheme == "file"
    if is_here and not local:
        raise DocsRagError(
            f"this copy was installed from {_path(url)}, which others do not have",
            "add --local if the file is for this machine alone, or install from an address that others can reach",
        )
    if is_here and "vcs_info" not in said:
        return _path(url)
    if not (is_here or urlsplit(url).scheme in _SAFE) or not {"vcs_info", "archive_info"} & said.keys():
        raise _unknown()
    if "archive_info" in said:
        return _without_secrets(url)
    vcs = said["vcs_info"]
    if vcs.get("vcs") != "git" or not vcs.get("commit_id"):
        raise _unknown()
    folder = f"#subdirectory={said['subdirectory']}" if said.get("subdirectory") else ""
    return f"git+{_without_secrets(url)}@{vcs['commit_id']}{folder}"


def _said(origin: str | None) -> dict[str, Any]:
    try:
        said = json.loads(origin or "null")
    except ValueError as error:
        raise _unknown() from error
    if not isinstance(said, dict) or not isinstance(said.get("vcs_info", {}), dict):
        raise _unknown()
    return said


def _path(url: str) -> str:
    path = unquote(urlsplit(url).path)
    return path[1:] if _DRIVE.match(path) else path


def _unknown() -> DocsRagError:
    return DocsRagError(
        "it is not known where this copy of docs-rag was installed from",
        "install it with: pip install git+https://…, or leave --runner uvx out",
    )


def _without_secrets(url: str) -> str:
    """An address as it may be committed: the user's name stays where ssh needs it, passwords and tokens never."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    user = f"{user.partition(':')[0]}{at}" if parts.scheme == "ssh" else ""
    return urlunsplit(parts._replace(netloc=user + host))


def _uvx(client: Client, installed: Installed) -> str:
    if not client.needs_path:
        return "uvx"
    if installed.uvx is None:
        raise DocsRagError("uvx is not on the search path", "install uv: https://docs.astral.sh/uv/")
    return installed.uvx


def _script(installed: Installed) -> str:
    found = installed.program or installed.on_path
    if found is None:
        raise DocsRagError("the docs-rag program was not found", "install it, so that it has a path of its own")
    return found
