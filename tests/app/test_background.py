"""The loop of the background process: when it runs, when it waits, and that no edit is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from docs_rag.app.background import MOST_TRIES, WINDOW, Background, Ended
from docs_rag.core.hookstate import LastRun

WELL = Ended(ok=True, message="1 modified")
BROKEN = Ended(ok=False, message="no vault", taken_in=False)
LEXICAL = Ended(ok=False, message="no model")
BUSY = Ended(ok=True, message="another run is at work", taken_in=False, is_busy=True)
START = 1_000_000.0


@dataclass
class Desk:
    """Marks, lock, records, clock and indexer of one project, in memory."""

    ends: list[Ended] = field(default_factory=list)
    """How the next runs end; then they end well."""
    edits: list[str] = field(default_factory=list)
    in_work: list[str] | None = None
    held_by_another: bool = False
    seconds: float = START
    ran_at: list[float] = field(default_factory=list)
    taken: list[list[str]] = field(default_factory=list)
    kept: list[LastRun] = field(default_factory=list)
    kept_at: float = 0.0
    lines: list[str] = field(default_factory=list)
    during: Callable[[], None] = lambda: None
    when_released: Callable[[], None] = lambda: None

    def is_set(self) -> bool:
        return self.is_new() or self.in_work is not None

    def is_new(self) -> bool:
        return bool(self.edits)

    def take(self) -> list[str]:
        if self.edits:
            self.in_work, self.edits = self.edits, []
        return self.in_work or []

    def done(self) -> None:
        self.in_work = None

    def acquire(self) -> bool:
        return not self.held_by_another

    def release(self) -> None:
        self.when_released()

    def last(self) -> tuple[LastRun | None, float]:
        return (self.kept[-1] if self.kept else None), self.kept_at

    def keep(self, run: LastRun) -> None:
        self.kept.append(run)
        self.kept_at = self.seconds

    def log(self, line: str) -> None:
        self.lines.append(line)

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.seconds += seconds

    def run(self, edited: Sequence[str]) -> Ended:
        assert edited == (self.in_work or [])
        self.ran_at.append(self.seconds - START)
        self.taken.append([*(self.in_work or [])])
        during, self.during = self.during, lambda: None
        during()
        return self.ends.pop(0) if self.ends else WELL

    def work(self) -> Desk:
        Background(self, self, self, self.run, now=lambda: self.seconds, sleep=self.sleep).work()
        return self


def test_without_a_mark_nothing_is_done() -> None:
    assert Desk().work().ran_at == []


def test_the_first_edit_is_taken_in_at_once() -> None:
    desk = Desk(edits=["a.md"]).work()
    assert desk.ran_at == [0.0]
    assert not desk.is_set()
    assert desk.lines == ["1970-01-12T13:46:40Z a.md: 1 modified"]
    assert [run.ok for run in desk.kept] == [True]


def test_case_54_edits_during_a_run_are_one_run_a_window_later() -> None:
    desk = Desk(edits=["a.md"])
    desk.during = lambda: desk.edits.extend(["b.md", "c.md", "b.md"])
    desk.work()
    assert desk.ran_at == [0.0, WINDOW]
    assert desk.taken == [["a.md"], ["b.md", "c.md", "b.md"]]
    assert not desk.is_set()


def test_another_process_waits_out_the_window_of_the_one_before() -> None:
    desk = Desk(edits=["a.md"], kept_at=START - 10)
    assert desk.work().ran_at == [WINDOW - 10]


def test_a_clock_that_was_set_back_makes_nobody_wait() -> None:
    assert Desk(edits=["a.md"], kept_at=START + 5000).work().ran_at == [0.0]


def test_what_a_killed_process_left_is_taken_up() -> None:
    desk = Desk(in_work=["a.md"]).work()
    assert desk.taken == [["a.md"]]
    assert not desk.is_set()


def test_another_process_at_work_is_left_alone() -> None:
    desk = Desk(edits=["a.md"], held_by_another=True).work()
    assert (desk.ran_at, desk.edits) == ([], ["a.md"])


def test_case_54_an_edit_between_the_last_look_and_the_release_is_seen() -> None:
    desk = Desk(edits=["a.md"])

    def edited_once() -> None:
        desk.when_released = lambda: None
        desk.edits.append("late.md")

    desk.when_released = edited_once
    desk.work()
    assert desk.taken == [["a.md"], ["late.md"]]
    assert not desk.is_set()


def test_a_failure_is_written_down_and_its_edit_waits_for_the_next() -> None:
    desk = Desk(edits=["a.md"], ends=[BROKEN]).work()
    assert desk.ran_at == [0.0]
    assert desk.in_work == ["a.md"]
    assert [(run.ok, run.message) for run in desk.kept] == [(False, "no vault")]
    desk.edits.append("b.md")
    desk.work()
    assert not desk.is_set()
    assert desk.kept[-1].ok


def test_an_edit_during_a_failing_run_gets_a_run_of_its_own() -> None:
    desk = Desk(edits=["a.md"], ends=[BROKEN, BROKEN])
    desk.during = lambda: desk.edits.append("b.md")
    desk.work()
    assert desk.ran_at == [0.0, WINDOW]
    assert desk.is_set()
    assert desk.kept[0].since == desk.kept[1].since == desk.kept[0].at


def test_without_the_model_the_edit_is_in_and_the_user_is_told() -> None:
    desk = Desk(edits=["a.md"], ends=[LEXICAL]).work()
    assert not desk.is_set()
    assert not desk.kept[-1].ok


def test_while_another_index_is_at_work_it_looks_again_each_window() -> None:
    desk = Desk(edits=["a.md"], ends=[BUSY, BUSY]).work()
    assert desk.ran_at == [0.0, WINDOW, 2 * WINDOW]
    assert not desk.is_set()
    assert len(desk.kept) == 1


def test_it_does_not_wait_for_ever_and_leaves_the_mark() -> None:
    desk = Desk(edits=["a.md"], ends=[BUSY] * (MOST_TRIES + 5))
    desk.during = lambda: desk.edits.append("b.md")
    desk.work()
    assert len(desk.ran_at) == MOST_TRIES
    assert desk.is_set()


def test_an_interruption_leaves_the_mark_and_gives_the_lock_back() -> None:
    released: list[bool] = []
    desk = Desk(edits=["a.md"], when_released=lambda: released.append(True))

    def interrupt() -> None:
        raise KeyboardInterrupt

    desk.during = interrupt
    with pytest.raises(KeyboardInterrupt):
        desk.work()
    assert desk.is_set()
    assert released == [True]
