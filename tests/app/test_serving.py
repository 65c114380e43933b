from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Event, current_thread

import pytest
from desks import BenchIndex, BenchProject, asked, is_closed
from fakes import FakeEmbedder
from workbench import Workbench, note, workbench

from docs_rag.app.serving import Desk
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.errors import IndexMissing

LONG = 30.0
"""Seconds after which a test is lost; nothing here takes as long when it works."""


class SlowEmbedder(FakeEmbedder):
    """Waits in every call until `go` is set; `called` is set as soon as it waits."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.called = Event(), Event()
        self.go.set()
        self.threads: set[str] = set()

    def _reach(self) -> None:
        self.threads.add(current_thread().name)
        self.called.set()
        assert self.go.wait(LONG)
        super()._reach()


class SlowForSections(SlowEmbedder):
    """Waits for documents alone."""

    def embed_documents(self, texts: object) -> list[Vector | EmbedFailure]:
        self.called.set()
        assert self.go.wait(LONG)
        return FakeEmbedder().embed_documents(texts)  # type: ignore[arg-type]

    def _reach(self) -> None:
        self.threads.add(current_thread().name)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = workbench(tmp_path, {"sessions.md": note("# Sessions\n\nA session lasts an hour.")}, SlowEmbedder())
    bench.index()
    yield bench
    bench.store.close()


@pytest.fixture
def desk(bench: Workbench) -> Iterator[Desk]:
    desk = Desk(lambda: BenchProject(bench))
    desk.open()
    yield desk
    slow = bench.embedder
    assert isinstance(slow, SlowEmbedder)
    slow.go.set()
    desk.close(LONG)


def test_questions_are_answered_in_one_thread_of_its_own(bench: Workbench, desk: Desk) -> None:
    futures = [desk.ask(asked(f"session {number}")) for number in range(20)]
    assert {future.result(LONG).query for future in futures} == {f"session {number}" for number in range(20)}
    assert isinstance(bench.embedder, SlowEmbedder)
    assert bench.embedder.threads - {current_thread().name} == {"docs-rag desk"}


def test_it_is_there_before_the_model_is(bench: Workbench) -> None:
    slow = bench.embedder
    assert isinstance(slow, SlowEmbedder)
    slow.go.clear()
    desk = Desk(lambda: BenchProject(bench))
    desk.open()
    assert desk.overview(LONG).documents == 1
    answer = desk.ask(asked("session"))
    assert not answer.done()
    slow.go.set()
    assert answer.result(LONG).hits
    desk.close(LONG)


def test_known_errors_reach_whoever_asked(tmp_path: Path, bench: Workbench) -> None:
    def find() -> BenchProject:
        raise IndexMissing("there is no index", "run: docs-rag index")

    desk = Desk(find)
    desk.open()
    with pytest.raises(IndexMissing, match="docs-rag index"):
        desk.ask(asked("session")).result(LONG)
    desk.close(LONG)


def test_bugs_reach_whoever_asked_and_the_desk_lives(bench: Workbench, caplog: pytest.LogCaptureFixture) -> None:
    broken = [True]

    class Project(BenchProject):
        def open(self) -> BenchIndex:
            if broken:
                raise ZeroDivisionError("a bug")
            return super().open()

    desk = Desk(lambda: Project(bench))
    desk.open()
    with pytest.raises(ZeroDivisionError):
        desk.ask(asked("session")).result(LONG)
    assert "a bug" in caplog.text
    broken.clear()
    assert desk.ask(asked("session")).result(LONG).hits
    desk.close(LONG)


def test_a_cancelled_question_is_not_asked(bench: Workbench, desk: Desk) -> None:
    slow = bench.embedder
    assert isinstance(slow, SlowEmbedder)
    desk.ask(asked("session")).result(LONG)
    slow.go.clear()
    first, second = desk.ask(asked("session")), desk.ask(asked("never asked"))
    assert second.cancel()
    slow.go.set()
    first.result(LONG)
    desk.ask(asked("session")).result(LONG)
    assert "never asked" not in slow.queries


@pytest.fixture
def backlog(bench: Workbench) -> SlowForSections:
    """Ten sections that wait for their vectors, and a model that takes its time."""
    assert bench.embedder is not None
    bench.embedder.down = True
    for number in range(10):
        bench.vault.write(f"whale{number}.md", f"# Whale {number}\n\nWhale number {number} sings.\n")
    bench.index()
    bench.automatic = False
    bench.embedder = slow = SlowForSections()
    slow.go.clear()
    return slow


def test_a_question_waits_for_a_few_sections_at_most(bench: Workbench, backlog: SlowForSections) -> None:
    desk = Desk(lambda: BenchProject(bench))
    desk.open()
    assert backlog.called.wait(LONG)
    answer = desk.ask(asked("session"))
    backlog.go.set()
    assert answer.result(LONG).index.pending >= 8
    desk.close(LONG)


def test_case_53_closing_drops_what_is_queued_and_closes_the_index(bench: Workbench, desk: Desk) -> None:
    slow = bench.embedder
    assert isinstance(slow, SlowEmbedder)
    desk.ask(asked("session")).result(LONG)
    slow.called.clear()
    slow.go.clear()
    desk.ask(asked("session"))
    assert slow.called.wait(LONG)
    queued = [desk.ask(asked("session")) for _ in range(3)]
    bench.store.close()
    desk.close(0.0)
    slow.go.set()
    desk.close(LONG)
    assert is_closed(bench.store)
    for future in queued:
        with pytest.raises(CancelledError):
            future.result(LONG)


def test_case_53_a_model_that_hangs_does_not_keep_the_index_open(bench: Workbench, desk: Desk) -> None:
    slow = bench.embedder
    assert isinstance(slow, SlowEmbedder)
    desk.ask(asked("session")).result(LONG)
    bench.store.close()
    slow.called.clear()
    slow.go.clear()
    desk.ask(asked("session"))
    assert slow.called.wait(LONG)
    desk.close(0.05)
    assert is_closed(bench.store)


def test_case_53_closing_interrupts_the_embedding_of_sections(bench: Workbench, backlog: SlowForSections) -> None:
    desk = Desk(lambda: BenchProject(bench))
    desk.open()
    assert backlog.called.wait(LONG)
    bench.store.close()
    desk.close(0.0)
    backlog.go.set()
    desk.close(LONG)
    assert is_closed(bench.store)
