"""A project is set up, indexed, and answers an agent that starts the very command that `scaffold` wrote."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from commandline import SECONDS, write_notes
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="the stand-in for the installed program is a shell script"),
]

NOTE = "decisions/0001-hour.md"
NOTES = {
    NOTE: "# Sessions last an hour\n\nDate: 2026-01-02\n\n## Status\n\nAccepted\n\nA session lasts sixty minutes.\n",
    "guide/bread.md": "# Bread\n\nBread is baked on Monday, see ERR_TOKEN_EXPIRED.\n",
}


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`docs-rag` on the search path, as an installer puts it there."""
    place = tmp_path / "bin" / "docs-rag"
    place.parent.mkdir()
    place.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m docs_rag "$@"\n', encoding="utf-8")
    place.chmod(0o755)
    monkeypatch.setenv("PATH", str(place.parent), prepend=os.pathsep)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    return place


@pytest.fixture(params=["small", "govuk-forms"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A project that holds notes and nothing of ours."""
    folder = tmp_path / "forms"
    if request.param == "small":
        write_notes(folder, NOTES)
    else:
        shared: Path = request.getfixturevalue("shared")
        shutil.copytree(shared / "golden" / "govuk-forms", folder)
    (folder / "src" / "deep").mkdir(parents=True)
    yield folder


def docs_rag(project: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["docs-rag", *arguments], cwd=project, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def tune(project: Path) -> None:
    """Settings that must survive: no model, for speed, and none but the hook takes a changed note in."""
    place = project / ".rag" / "config.json"
    tuned = place.read_text(encoding="utf-8").replace('"auto"', '"none", "autoRefresh": false')
    place.write_text(tuned, encoding="utf-8")


def edit(project: Path, note: Path) -> None:
    """Add to a note as Claude Code does, and call its hook as the settings say."""
    note.write_text(f"{note.read_text(encoding='utf-8')}\nThe code is zyxw-4711.\n", encoding="utf-8")
    settings = json.loads((project / ".claude" / "settings.local.json").read_text(encoding="utf-8"))
    [group] = settings["hooks"]["PostToolUse"]
    [handler] = group["hooks"]
    event = {
        "session_id": "s1", "hook_event_name": "PostToolUse", "cwd": str(project), "tool_name": "Edit",
        "tool_input": {"file_path": str(note), "old_string": "", "new_string": "The code is zyxw-4711."},
        "tool_response": {"filePath": str(note), "success": True},
    }  # fmt: skip
    done = subprocess.run(
        [handler["command"], *handler["args"]], input=json.dumps(event).encode(), cwd=project, capture_output=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"")


def registered(project: Path) -> dict[str, Any]:
    servers = json.loads((project / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]
    [(name, entry)] = servers.items()
    assert name == "forms-docs"
    found: dict[str, Any] = entry
    return found


@pytest.mark.anyio
async def test_an_agent_in_a_deeper_folder_gets_answers_by_the_command_that_was_written(project: Path) -> None:
    docs_rag(project, "scaffold", ".", "--yes", "--hook", "--client", "cursor", "--client", "codex")
    tune(project)
    docs_rag(project, "scaffold", ".", "--yes", "--hook", "--client", "cursor", "--client", "codex")
    docs_rag(project, "index")
    note = next(path for path in sorted(project.rglob("*.md")) if path.parent != project)
    entry = registered(project)
    command = StdioServerParameters(
        command=entry["command"], args=entry["args"], env=dict(os.environ), cwd=project / "src" / "deep"
    )
    with anyio.fail_after(SECONDS):
        async with Client(stdio_client(command)) as client:
            first = await client.call_tool("search_notes", {"query": "zyxw-4711"})
            edit(project, note)
            second = await client.call_tool("search_notes", {"query": "zyxw-4711"})
            while second.structured_content["noRelevantResults"]:
                await anyio.sleep(0.2)
                second = await client.call_tool("search_notes", {"query": "zyxw-4711"})
    assert first.structured_content["noRelevantResults"] is True
    assert second.structured_content["hits"][0]["path"].endswith(note.name)
    assert second.structured_content["index"]["name"] == "forms-docs"


def test_all_of_it_is_taken_out_again(project: Path) -> None:
    before = set(project.rglob("*"))
    docs_rag(project, "scaffold", ".", "--yes", "--hook", "--agents", "--client", "cursor", "--client", "codex")
    assert (project / ".mcp.json").is_file()
    docs_rag(project, "scaffold", ".", "--yes", "--remove")
    assert set(project.rglob("*")) == before
