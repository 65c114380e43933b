"""No command turns to any address but the configured one, and to none at all where no model is configured."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from commandline import spawn, write_config, write_notes
from hooked import event, feed, settle
from hosts import host
from ollama_stub import OllamaStub, StubModel
from security.watched import Watch

from docs_rag.cli import COMMANDS

pytestmark = pytest.mark.slow  # every command in a process of its own

NOTES = {
    "0001-old.md": "---\nstatus: accepted\n---\n# Old\n\nSessions last a day. ![x](http://192.0.2.7/x.png)\n",
    "0002-new.md": "# New\n\nSessions last an hour. <img src='https://192.0.2.7/y.png'>\n\n[[http://192.0.2.7/]]\n",
    "page.html": "<html><head><link rel=stylesheet href='http://192.0.2.7/a.css'><base href='http://192.0.2.7/'>"
    "</head><body><h1>Page</h1><img src='b.png'><iframe src='http://192.0.2.7/'></iframe><p>Text</p></body></html>",
    "data.yaml": "a: !!python/object/apply:os.system ['true']\n",
    "questions/q.yaml": "questions:\n  - question: how long does a session last\n    answers: 0002-new.md\n",
}
RUNS: Sequence[tuple[str, ...]] = (
    ("index",),
    ("index", "--full"),
    ("search", "how long does a session last"),
    ("search", "sessions", "--json", "--explain", "--all"),
    ("read", "0001-old.md"),
    ("convert", "page.html", "--again"),
    ("list",),
    ("history", "0001-old.md"),
    ("check",),
    ("eval", "questions/q.yaml"),
    ("status",),
    ("doctor",),
    ("clients", "codex"),
    ("bundle", "x.mcpb"),
    ("supersede", "0001-old.md", "0002-new.md", "--yes"),
    ("undo", "--yes"),
    ("trust",),
    ("completion", "bash"),
    ("scaffold", ".", "--yes"),
    ("--version",),
)
ELSEWHERE = {
    "init": "test_init_asks_this_machine_alone",
    "serve": "test_a_server_and_its_hook_turn_to_nobody",
    "hook": "test_a_server_and_its_hook_turn_to_nobody",
    "demo": "test_the_demo_turns_to_nobody",
}
"""Commands that have a test of their own."""


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    return Watch(tmp_path / "watch")


def make(folder: Path, **config: object) -> Path:
    folder.mkdir()
    write_notes(folder, NOTES)
    write_config(folder, include=["**/*.md", "**/*.html", "data.yaml"], **config)
    return folder


def run_all(folder: Path, watch: Watch, runs: Sequence[tuple[str, ...]] = RUNS) -> None:
    for arguments in runs:
        result = spawn("-C", folder, *arguments, env=watch.environment, cwd=folder)
        assert result.status in (0, 1), (arguments, result.err)
        assert "Traceback" not in result.err


def test_every_command_is_watched() -> None:
    assert {name for name in COMMANDS if not any(run[0] == name for run in RUNS)} == set(ELSEWHERE)
    assert set(ELSEWHERE.values()) <= set(globals())


def test_without_a_model_nobody_is_turned_to(tmp_path: Path, watch: Watch) -> None:
    folder = make(tmp_path / "project", ollamaHost="http://127.0.0.1:9")
    runs = [each for each in RUNS if each != ("doctor",)]
    run_all(folder, watch, runs)
    assert watch.addresses() == set()
    assert watch.processes() > len(runs)  # the workers that convert documents as well
    run_all(folder, watch, [("doctor",)])  # it tells what could be had there
    assert watch.addresses() == {json.dumps(["127.0.0.1", 9]), json.dumps("127.0.0.1")}


def test_with_a_model_only_its_host_is_turned_to(tmp_path: Path, watch: Watch) -> None:
    with OllamaStub(StubModel("nomic-embed-text")) as stub:
        run_all(make(tmp_path / "project", embedModel="nomic-embed-text", ollamaHost=stub.url), watch)
        port = int(stub.url.rpartition(":")[2])
    assert watch.addresses() == {json.dumps(["127.0.0.1", port]), json.dumps("127.0.0.1")}


def test_a_server_and_its_hook_turn_to_nobody(tmp_path: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(tmp_path / "project")
    for name, value in watch.environment.items():
        monkeypatch.setenv(name, value)
    spawn("-C", folder, "index")
    with host(cwd=folder) as server:
        server.initialize()
        assert "hits" in server.ask("how long does a session last")["structuredContent"]
    feed(event(folder / "0001-old.md"))
    settle(folder)
    assert watch.addresses() == set()
    assert any("--background" in str(said) or "--config" in str(said) for _, _, said in watch.events())


def test_the_demo_turns_to_nobody(tmp_path: Path, watch: Watch) -> None:
    with OllamaStub() as stub:  # it looks for the user's own models at most
        spawn("demo", env={**watch.environment, "OLLAMA_HOST": stub.url}, cwd=tmp_path)
        port = int(stub.url.rpartition(":")[2])
    assert watch.addresses() <= {json.dumps(["127.0.0.1", port]), json.dumps("127.0.0.1")}
    assert watch.processes() >= 1


def test_init_asks_this_machine_alone(tmp_path: Path, watch: Watch) -> None:
    write_notes(tmp_path / "notes", NOTES)
    result = spawn("init", "--yes", env=watch.environment, cwd=tmp_path / "notes")
    assert result.status == 0, result.err
    ours = {json.dumps(each) for each in (["127.0.0.1", 11434], "127.0.0.1")}
    assert watch.addresses() <= ours


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.socket().connect_ex(('127.0.0.1', 9))",
        "import urllib.request as u; u.urlopen('http://127.0.0.1:9', timeout=1)",
        "import httpx; httpx.get('http://127.0.0.1:9')",
        "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "import subprocess, sys; subprocess.run([sys.executable, '-P', '-c',"
        " 'import socket; socket.getaddrinfo(\"127.0.0.1\", 9)'])",
    ],
)
def test_the_watch_sees_what_would_be_wrong(code: str, watch: Watch) -> None:
    import os

    subprocess.run([sys.executable, "-c", code], env={**os.environ, **watch.environment}, check=False, timeout=60,
                   capture_output=True)  # fmt: skip
    assert watch.addresses() != set()
