"""Progress where there is no terminal: a line that says how long, once, and only of long work."""

from __future__ import annotations

import pytest

from docs_rag.cli.progress import TerminalProgress, in_words


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(capsys: pytest.CaptureFixture[str], total: int, steps: list[tuple[float, int]]) -> str:
    """What is said of one phase; each step is (seconds it takes, count)."""
    clock = Clock()
    with TerminalProgress(clock) as progress:
        progress.begin("Embedding sections", total)
        for seconds, count in steps:
            clock.now += seconds
            progress.step(count)
    return capsys.readouterr().err


def test_long_work_is_announced_by_the_rate_of_its_first_batch(capsys: pytest.CaptureFixture[str]) -> None:
    said = told(capsys, 960, [(4.0, 32)] * 3)
    assert said == "Embedding sections: 960, 8.0 a second, about 2 min to go\n"


def test_short_work_is_not_spoken_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 40, [(0.3, 32), (0.1, 8)]) == ""
    assert told(capsys, 40, [(2.0, 32), (0.5, 8)]) == ""


def test_the_estimate_waits_for_a_rate_that_means_something(capsys: pytest.CaptureFixture[str]) -> None:
    said = told(capsys, 5000, [(0.01, 1)] * 150)
    assert said == "Embedding sections: 5000, 100.0 a second, about 49 s to go\n"


def test_every_phase_is_told_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with TerminalProgress(clock) as progress:
        for phase in ("Reading notes", "Embedding sections"):
            progress.begin(phase, 100)
            clock.now += 10
            progress.step(10)
        progress.say("and that is that")
    assert capsys.readouterr().err.splitlines() == [
        "Reading notes: 100, 1.0 a second, about 2 min to go",
        "Embedding sections: 100, 1.0 a second, about 2 min to go",
        "and that is that",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "5 s"), (89.4, "89 s"), (95, "2 min"), (3600, "60 min"), (7800, "2 h 10 min")]
)
def test_lengths_of_time(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
