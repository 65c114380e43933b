"""The first index of a vault with a slow model: what answers meanwhile, and what is left when it is stopped."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from commandline import spawn, start, write_config, write_notes
from hooked import outcome, settle
from hosts import Host, host
from ollama_stub import OllamaStub, StubModel

from docs_rag.app.answering import BEING_INDEXED
from docs_rag.app.embedding import BATCH
from docs_rag.app.sessions import BEING_MADE
from docs_rag.errors import EXIT_DONE, EXIT_INTERRUPTED

pytestmark = pytest.mark.slow  # processes that work for seconds

COUNT = 160
SLOW = 0.15
"""Seconds that the model needs for a request."""
SOON = 30.0


def record(number: int) -> str:
    """A decision of its own day; every fifth was replaced by the next."""
    status = f"status: superseded by d{number + 1}\n" if number % 5 == 0 else ""
    day = f"{2000 + number // 12}-{1 + number % 12:02}-01"
    return f"---\n{status}date: {day}\n---\n# Record {number}\n\nThe ledger {number} is kept by team{number}.\n"


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[Path, OllamaStub]]:
    """A vault that was never indexed, and a model that takes its time."""
    write_notes(tmp_path, {f"decisions/d{number}.md": record(number) for number in range(COUNT)})
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as stub:
        stub.delay = SLOW
        write_config(tmp_path, embedModel="bge-m3", ollamaHost=stub.url, minScore=0.2)
        yield tmp_path, stub


def until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def numbers(stub: OllamaStub) -> list[int]:
    """The records whose texts the model was sent, in order."""
    texts = [text.split() for batch in stub.embedded for text in batch]
    return [int(words[1]) for words in texts if words[:1] == ["Record"] and len(words) > 2]


def status(folder: Path) -> Any:
    return spawn("status", "--json", cwd=folder).json


@contextmanager
def indexing(folder: Path, stub: OllamaStub) -> Iterator[Any]:
    """A run of `index` that has some vectors and lacks more."""
    with start("index", cwd=folder) as run:
        try:
            until(lambda: len(numbers(stub)) > BATCH)
            yield run
        finally:
            run.kill()


def ask_until(server: Host, query: str, enough: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask until the tool's result is what is waited for."""
    deadline = time.monotonic() + SOON
    while not enough(found := server.ask(query)):
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    return found


def is_whole(result: dict[str, Any]) -> bool:
    facts: dict[str, int] = result.get("structuredContent", {}).get("index", {})
    return facts.get("documents") == COUNT and facts.get("embedded", 0) > 0 and facts.get("pending") == 0


def test_words_and_states_answer_at_once_and_say_what_is_missing(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    stub.delay = 4 * SLOW
    with indexing(folder, stub) as run, host(cwd=folder) as server:
        server.initialize()
        shown = spawn("search", "--json", "team3", cwd=folder).json
        told = server.ask("who keeps the ledger 5")["structuredContent"]
        known = status(folder)
        page = spawn("status", cwd=folder).out
        assert run.poll() is None
    assert [hit["path"] for hit in shown["hits"]] == ["decisions/d3.md"]
    assert BEING_INDEXED in shown["notices"]
    assert not any("run: docs-rag index" in each for each in shown["notices"])
    assert 0 < shown["index"]["embedded"] < COUNT
    assert shown["index"]["embedded"] + shown["index"]["pending"] == COUNT
    assert [each["path"] for each in told["hiddenRecords"]] == ["decisions/d5.md"]
    assert 0 < known["embedded"] < COUNT
    assert known["byStatus"]["superseded"] == COUNT // 5
    assert "at work     docs-rag index" in page


def test_it_goes_on_where_it_was_killed_newest_first_and_replaced_last(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    with indexing(folder, stub) as run:
        run.kill()
        run.wait()
    kept = status(folder)["embedded"]
    assert len(numbers(stub)) - BATCH <= kept
    stub.delay = 0.0
    assert spawn("index", cwd=folder).status == EXIT_DONE
    sent = Counter(numbers(stub))
    assert set(sent) == set(range(COUNT))
    assert sum(sent.values()) - COUNT <= BATCH
    order = list(dict.fromkeys(numbers(stub)))
    newest = sorted(range(COUNT), key=lambda number: (number % 5 == 0, -number))
    assert all(abs(order.index(number) - place) < BATCH for place, number in enumerate(newest))


def test_an_interruption_says_how_far_it_came(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    with indexing(folder, stub) as run:
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
    told = err.decode().splitlines()[-1]
    assert (run.returncode, out) == (EXIT_INTERRUPTED, b"")
    assert f" of {COUNT}; what is done is kept; go on with: docs-rag index" in told
    done = int(told.partition("sections, ")[2].split()[0])
    assert done == status(folder)["embedded"] >= BATCH


def test_a_server_without_an_index_has_one_made(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    with host(cwd=folder) as server:
        server.initialize()
        first = server.ask("team3")
        if first.get("isError"):  # the run may have begun by now
            assert BEING_MADE in first["content"][0]["text"]
        some = ask_until(server, "team3", lambda found: bool(found.get("structuredContent", {}).get("hits")))
        assert BEING_INDEXED in some["structuredContent"]["notices"]
        stub.delay = 0.0
        ask_until(server, "team3", is_whole)
        settle(folder)
    assert outcome(folder)["ok"]
    assert max(Counter(numbers(stub)).values()) == 1


def test_nothing_begins_by_itself_where_that_is_not_wanted(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    write_config(folder, embedModel="bge-m3", ollamaHost=stub.url, autoRefresh=False)
    with host(cwd=folder) as server:
        server.initialize()
        found = server.ask("team3")
    assert found["isError"]
    assert found["content"][0]["text"].endswith("run: docs-rag index")
    assert not (folder / ".rag" / "index.db").exists()


def test_a_server_tells_why_no_index_could_be_made(slow: tuple[Path, OllamaStub]) -> None:
    folder, _ = slow
    (folder / ".rag" / "index.lock").mkdir()
    with host(cwd=folder) as server:
        server.initialize()
        found = ask_until(server, "team3", lambda found: BEING_MADE not in found["content"][0]["text"])
    assert found["isError"]
    assert "making one in the background failed: cannot lock" in found["content"][0]["text"]


def test_a_model_that_comes_later_is_put_to_work_by_the_server(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    model, stub.models, stub.delay = stub.models[0], [], 0.0
    assert spawn("index", cwd=folder).status != EXIT_DONE
    assert status(folder)["embedded"] == 0
    stub.models = [model]
    with host(cwd=folder) as server:
        server.initialize()
        ask_until(server, "team3", is_whole)


def test_two_servers_share_what_a_killed_run_left(slow: tuple[Path, OllamaStub]) -> None:
    folder, stub = slow
    with indexing(folder, stub) as run:
        run.kill()
        run.wait()
    before = Counter(numbers(stub))
    stub.delay = 0.02
    with host(cwd=folder) as first, host(cwd=folder) as second:
        for server in (first, second):
            server.initialize()
        threads = [threading.Thread(target=ask_until, args=(server, "team3", is_whole)) for server in (first, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert status(folder)["pending"] == 0
    sent = Counter(numbers(stub))
    assert set(sent) == set(range(COUNT))
    assert sum(sent.values()) - COUNT <= BATCH + (sum(before.values()) - len(before))
