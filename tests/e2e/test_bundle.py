"""A bundle as a host runs it: unpacked into a folder, with the Python that runs the tests in place of uv's."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from commandline import spawn, write_notes
from hosts import SECONDS, Host

pytestmark = pytest.mark.slow  # two processes, of which one imports the SDK


def test_whoever_picks_a_folder_gets_answers(tmp_path: Path) -> None:
    write_notes(tmp_path / "notes", {"tea.md": "# Tea\n\nTea is drunk hot.\n"})
    assert spawn("bundle", tmp_path / "docs-rag.mcpb").status == 0
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(tmp_path / "docs-rag.mcpb") as archive:
        archive.extractall(unpacked)
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "main.py", str(tmp_path / "notes")]
    with subprocess.Popen(command, cwd=unpacked, env={**os.environ, "PYTHONUTF8": "1"}, **pipes) as process:
        try:
            host = Host(process)
            assert host.initialize()["serverInfo"]["name"] == "notes-docs"
            found = ask_until_there_is_an_index(host, "tea")
            assert [hit["path"] for hit in found["structuredContent"]["hits"]] == ["tea.md"]
            [hit] = found["structuredContent"]["hits"]
            read = host.reply(host.send("tools/call", name="read_note", arguments={"path": hit["id"]}))["result"]
            assert "    3  Tea is drunk hot." in read["structuredContent"]["text"]
            host.end_input()
            assert host.wait() == 0
        finally:
            process.kill()
    assert (tmp_path / "notes" / ".rag" / "index.db").is_file()
    # The index run may still be at work on vectors; it has to be gone before its folder is.
    assert spawn("index", "--vault", tmp_path / "notes").status == 0


def ask_until_there_is_an_index(host: Host, query: str) -> dict[str, Any]:
    deadline = time.monotonic() + SECONDS
    while True:
        found = host.ask(query)
        if not found.get("isError") or time.monotonic() > deadline:
            return found
        time.sleep(0.1)
