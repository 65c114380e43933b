"""What only a process of its own shows: encodings, closed pipes, signals, terminals, two runs at once."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from commandline import SECONDS, spawn, start, write_config, write_notes
from ollama_stub import OllamaStub, StubModel
from terminal import on_terminal

from docs_rag.adapters.locks import FileLock

ALONE = {"OLLAMA_HOST": "127.0.0.1:9", "LC_ALL": "C.UTF-8"}
"""No Ollama, and English."""

posix = pytest.mark.skipif(os.name != "posix", reason="signals and terminals of another kind")


@pytest.fixture
def indexed(vault: Path) -> Path:
    write_notes(vault, {"차.md": "# 차\n\n차는 뜨겁게 마신다 — tea.\n"})
    assert spawn("index").status == 0
    return vault


@pytest.mark.parametrize(
    "locale",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}],
    ids=["ascii", "C"],
)
def test_the_locale_does_not_matter(locale: dict[str, str], indexed: Path) -> None:
    result = spawn("search", "tea", env=locale)
    assert result.status == 0
    assert "차는 뜨겁게 마신다 — tea." in result.out
    assert json.loads(spawn("search", "--json", "tea", env=locale).out)["hits"]
    refused = spawn("search", "-C", "없다", "tea", env=locale)
    assert refused.status == 1
    assert "Traceback" not in refused.err


@posix
def test_an_argument_that_is_no_utf8_does_no_harm(indexed: Path) -> None:
    with start("search", os.fsdecode(b"tea\xff")) as process:
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert b"Traceback" not in err
    assert out.decode("utf-8")


@posix
def test_a_closed_pipe_is_quiet(indexed: Path) -> None:
    write_notes(indexed, {f"n{number}.md": f"# Tea {number}\n\n{'tea ' * 300}\n" for number in range(60)})
    assert spawn("index").status == 0
    for arguments in (["list"], ["search", "-n", "50", "--json", "tea"]):
        reader, writer = os.pipe()
        os.close(reader)
        with start(*arguments, stdout=writer) as process:
            os.close(writer)
            _, err = process.communicate(timeout=SECONDS)
        assert (process.returncode, err) == (0, b"")


@posix
@pytest.mark.parametrize("name", ["search", "list"])
def test_a_closed_stdout_is_no_bug(name: str, indexed: Path) -> None:
    script = f'exec "{sys.executable}" -m docs_rag {name} {"tea" if name == "search" else ""} >&-'
    done = subprocess.run(["sh", "-c", script], capture_output=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told(indexed: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        result = spawn("search", "tea", stdout=full)
    assert result.status == 1
    assert result.err == "docs-rag: cannot write the result: no space left on device; look at what stdout leads to\n"


def test_there_is_no_colour_in_a_pipe(indexed: Path) -> None:
    assert "\x1b" not in spawn("search", "tea").out


@posix
@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_there_is_colour_on_a_terminal_unless_it_is_unwanted(
    env: dict[str, str], coloured: bool, indexed: Path
) -> None:
    status, shown = on_terminal(["search", "tea"], "", {"TERM": "xterm", **env})
    assert status == 0
    assert "tea.md" in shown
    assert ("\x1b[" in shown) == coloured


@posix
def test_init_asks_and_takes_the_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_notes(tmp_path, {"docs/a.md": "# A\n\none\n", "notes/b.md": "# B\n\ntwo\n"})
    monkeypatch.chdir(tmp_path)
    status, shown = on_terminal(["init"], "nowhere\nnotes\nnone\n", ALONE)
    assert status == 0, shown
    assert "there is no folder" in shown
    written = json.loads((tmp_path / ".rag" / "config.json").read_text(encoding="utf-8"))
    assert written == {"vaultPath": "../notes", "embedModel": "none"}


@posix
@pytest.mark.parametrize(
    ("answer", "within"),
    [("", ["adr/**"]), ("all", None), ("adr/**, rfcs/", ["adr/**", "rfcs/"]), ("../x\nadr", ["adr"])],
)
def test_init_asks_where_statuses_count(
    answer: str, within: list[str] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = {f"zettel/{n}.md": "---\nstatus: reading\n---\n# Z\n" for n in range(3)}
    write_notes(tmp_path, {"adr/1.md": "---\nstatus: accepted\n---\n# A\n", "index.md": "# I\n", **notes})
    monkeypatch.chdir(tmp_path)
    status, shown = on_terminal(["init"], f"\nnone\n{answer}\n", ALONE)
    assert status == 0, shown
    assert "1 say what became of a decision; 3 elsewhere say something else: reading" in shown
    written = json.loads((tmp_path / ".rag" / "config.json").read_text(encoding="utf-8"))
    assert written.get("lifecycleIn") == within


@posix
@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_trust_asks_and_takes_a_yes_alone(answer: str, status: int, vault: Path) -> None:
    write_config(vault, serverName="plums")
    assert on_terminal(["trust"], answer, {})[0] == status
    assert (spawn("index").status == 0) == (status == 0)


@posix
def test_an_interruption_ends_a_wait(vault: Path) -> None:
    lock = FileLock(str(vault / ".rag" / "index.lock"))
    with lock, start("index") as process:
        assert process.stderr is not None
        assert str(os.getpid()) in _line(process.stderr)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (130, b"", b"docs-rag: interrupted\n")


@posix
def test_an_interruption_during_the_embedding_keeps_text_and_status(orchard: Path) -> None:
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as server:
        server.alter = _sleep
        write_config(orchard, embedModel="bge-m3", ollamaHost=server.url)
        with start("index") as process:
            _wait_for(lambda: bool(server.embedded))
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=SECONDS)
        assert process.returncode == 130
        told = err.decode()
        assert re.match(r"docs-rag: interrupted while embedding sections, 0 of \d+; ", told), told
        assert told.endswith("what is done is kept; go on with: docs-rag index\n")
    write_config(orchard)
    answer = json.loads(spawn("search", "--json", "labels", "on", "crates").out)
    assert [hit["path"] for hit in answer["hits"]] == ["decisions/0009-rfid-crates.md"]


def test_a_second_run_waits_for_the_first_and_both_do_their_work(vault: Path) -> None:
    write_notes(vault, {f"n{number}.md": f"# N{number}\n\ntext {number}\n" for number in range(300)})
    with start("index", "--json") as first, start("index", "--json") as second:
        reports = [json.loads(process.communicate(timeout=SECONDS)[0]) for process in (first, second)]
    assert (first.returncode, second.returncode) == (0, 0)
    assert sum(report["added"] for report in reports) == 302
    assert sum(report["unchanged"] for report in reports) == 302


_BAR = """
from docs_rag.cli.progress import TerminalProgress
now = [0.0]
with TerminalProgress(lambda: now[0]) as progress:
    progress.begin("Embedding sections", 96)
    for _ in range(3):
        now[0] += 4
        progress.step(32)
        progress.say("one [b]batch[/b] more")
    progress.begin("Nothing", 0)
print("the end")
"""


@posix
def test_there_is_a_bar_on_a_terminal() -> None:
    status, shown = on_terminal(["-c", _BAR], "", {"TERM": "xterm", "COLUMNS": "100"}, module=False)
    assert status == 0
    assert "96/96" in shown
    assert "8.0/s" in shown
    assert shown.count("one [b]batch[/b] more") == 3
    assert shown.endswith("the end\r\n")


def _line(stream: IO[bytes]) -> str:
    return stream.readline().decode("utf-8")


def _sleep(_: object) -> None:
    time.sleep(SECONDS)


def _wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < until, "it never came to that"
        time.sleep(0.02)
