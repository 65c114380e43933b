"""`docs-rag serve` when other things go on or wrong: a run of `index`, a killed host, a folder that is gone."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import start, write_config, write_notes
from hosts import INITIALIZE, SECONDS, Host, frame, host

from docs_rag.app.answering import BEING_INDEXED
from docs_rag.cli import run
from docs_rag.errors import EXIT_DONE

pytestmark = pytest.mark.slow

posix = pytest.mark.skipif(os.name != "posix", reason="processes and folders of another kind")

QUESTION = "how long does a session last"
NOTES = {"hour.md": "# Sessions last an hour\n\nA session lasts sixty minutes.\n"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write_notes(folder, NOTES)
    write_config(folder)
    assert run(["-C", str(folder), "index"]) == EXIT_DONE
    return folder


def test_it_answers_while_a_run_starts_from_nothing(project: Path) -> None:
    more = {
        f"more/{number:03}.md": f"# Session {number}\n\nA session of {number} minutes.\n" * 9 for number in range(300)
    }
    write_notes(project, more)
    assert run(["-C", str(project), "index"]) == EXIT_DONE
    with host(cwd=project) as server:
        server.initialize()
        before = server.ask(QUESTION)["structuredContent"]
        with start("index", "--full", cwd=project) as indexing:
            answers = []
            while indexing.poll() is None:
                answers.append(server.ask(QUESTION))
            assert indexing.wait() == EXIT_DONE
        after = server.ask(QUESTION)["structuredContent"]
    assert [hit["path"] for hit in after["hits"]] == [hit["path"] for hit in before["hits"]]
    assert answers
    for answer in answers:
        assert not answer.get("isError"), answer
        found = answer["structuredContent"]
        if found["noRelevantResults"]:  # the run had not come to any note, and that is what the agent is told
            assert BEING_INDEXED in found["notices"] or "writing to the index" in str(found["notices"]), found
            assert BEING_INDEXED in answer["content"][0]["text"] or "writing" in answer["content"][0]["text"]


LAUNCHER = """
import subprocess, sys, time
server = subprocess.Popen([sys.executable, "-m", "docs_rag", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(sys.stdin.buffer.readline())
server.stdin.flush()
sys.stdout.buffer.write(server.stdout.readline())
sys.stdout.buffer.flush()
time.sleep(600)
"""


@posix
def test_case_53_it_goes_with_the_host_that_was_killed(project: Path) -> None:
    alive, held = os.pipe()
    command = [sys.executable, "-c", LAUNCHER.replace("stdin=sub", f"pass_fds=({held},), stdin=sub")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=project, pass_fds=(held,), **pipes) as parent:  # type: ignore[call-overload]
        os.close(held)
        parent.stdin.write(frame("initialize", 1, **INITIALIZE))
        parent.stdin.flush()
        assert json.loads(parent.stdout.readline())["id"] == 1
        parent.send_signal(signal.SIGKILL)
        # Both held the pipe open; its end shows when the last of them is gone.
        assert select.select([alive], [], [], SECONDS)[0]
        assert os.read(alive, 1) == b""
    os.close(alive)


@posix
@pytest.mark.parametrize("has_project", [True, False])
def test_without_a_working_folder(has_project: bool, project: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    env = {"CLAUDE_PROJECT_DIR": str(project)} if has_project else {}
    with host(cwd=gone, env=env, preexec_fn=lambda: shutil.rmtree(gone)) as server:
        server.initialize()
        found = server.ask(QUESTION)
        if has_project:
            assert found["structuredContent"]["hits"]
        else:
            assert found["isError"]
            assert "working directory" in found["content"][0]["text"]


def test_the_command_that_makes_the_index_can_be_typed_where_the_server_runs(tmp_path: Path) -> None:
    folder = tmp_path / "a project"
    write_notes(folder, NOTES)
    config = write_config(folder, autoRefresh=False)
    with host("--config", config, cwd=tmp_path) as server:
        server.initialize()
        found = server.ask(QUESTION)
        assert found["isError"]
        assert f"docs-rag index --config '{config}'" in found["content"][0]["text"]
        assert run(["index", "--config", str(config)]) == EXIT_DONE
        assert server.ask(QUESTION)["structuredContent"]["hits"]


@posix
def test_a_signal_to_one_of_two_copies_does_not_touch_the_other(project: Path) -> None:
    with host(cwd=project) as first, host(cwd=project) as second:
        for server in (first, second):
            server.initialize()
            assert server.ask(QUESTION)["structuredContent"]["hits"]
        first.process.send_signal(signal.SIGKILL)
        first.wait()
        assert run(["-C", str(project), "index", "--full"]) == EXIT_DONE
        assert second.ask(QUESTION)["structuredContent"]["hits"]
        second.process.send_signal(signal.SIGTERM)
        assert second.wait() == EXIT_DONE


def test_what_comes_before_initialize_is_answered_and_ends_nothing(project: Path) -> None:
    with host(cwd=project) as server:
        early = server.reply(server.call(QUESTION))
        assert "error" in early or early["result"]["isError"]
        server.initialize()
        assert server.ask(QUESTION)["structuredContent"]["hits"]
        again = server.reply(server.send("initialize", **INITIALIZE))
        assert "result" in again or "error" in again
        assert server.ask(QUESTION)["structuredContent"]["hits"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A server for tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("shared")
    write_notes(folder, NOTES)
    write_config(folder)
    assert run(["-C", str(folder), "index"]) == EXIT_DONE
    with host(cwd=folder) as server:
        server.initialize()
        yield server


@pytest.mark.parametrize(
    "noise",
    [
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {"a": 1}}}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": null}}',
        b'{"jsonrpc": "2.0", "id": 5, "result": {}}',
        b'{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": true, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}',
        rb'{"jsonrpc": "1.0", "id": "\ud800", "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": 9, "method": "tools/list", "params": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "tools/list"}',
    ],
)
def test_frames_that_cannot_be_answered_end_nothing(server: Host, noise: bytes) -> None:
    server.write(noise + b"\n")
    assert server.ask(QUESTION)["structuredContent"]["hits"]


@pytest.mark.parametrize(
    "request_",
    [
        b'{"jsonrpc": "1.0", "id": "odd", "method": "tools/list"}',
        b'{"id": "odd", "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": "odd", "method": "tools/call", "params": [1, 2]}',
        b'{"jsonrpc": "2.0", "id": "odd", "method": 7}',
    ],
)
def test_a_request_that_breaks_the_rules_is_refused_and_not_left_waiting(server: Host, request_: bytes) -> None:
    server.write(request_ + b"\n")
    found = server.receive()
    assert (found["id"], found["error"]["code"]) == ("odd", -32600)
    assert server.ask(QUESTION)["structuredContent"]["hits"]
