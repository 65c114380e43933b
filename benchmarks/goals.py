"""What we aim at, and how far a run is from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from benchmarks.results import Results


class Goal(NamedTuple):
    """A bound for one figure."""

    title: str
    part: str
    figure: str
    bound: float
    notes: int
    """For generated vaults of at least so many notes; the largest one is judged. With `over`, of just so many."""
    at_most: bool = True
    over: int | None = None
    """The figure is divided by that of the vault of so many notes."""


GOALS: Final = (
    Goal("nothing changed, times a bare walk", "noChange", "ratio", 1.8, 100_000),
    Goal("parsed and stored on one processor, MB a second", "oneProcessor", "megabytesPerCpuSecond", 3.5, 1_000, False),
    Goal("parsed and stored with parsing beside it, MB a second", "index", "megabytesPerSecond", 6, 1_000, False),
    Goal("peak memory of that, MiB", "index", "peakMiB", 200, 1_000),
    Goal("one edit, ms beyond 1.8 bare walks", "edit", "beyondAllowedWalksMilliseconds", 150, 100_000),
    Goal("one edit of a named note, ms", "edit", "namedMilliseconds", 50, 100_000),
    Goal("cold search by words, times that of 100 notes", "coldSearch", "milliseconds", 2, 10_000, over=100),
    Goal("cold search by meaning, times that of 100 notes", "coldMeaning", "milliseconds", 2, 10_000, over=100),
    Goal("scoring a million vectors, processor ms", "vectors", "cpuMilliseconds", 60, 100_000),
    Goal("memory for them, MiB", "vectors", "addedMiB", 400, 100_000),
    Goal("share of the exact ten best", "vectors", "recallAt10", 0.99, 100_000, False),
    Goal("model at work for `index`, share of it alone", "embed", "busyRatio", 0.95, 0, False),
)


def lines(results: Results) -> Iterator[str]:
    """A line for each goal that this run has something to say on."""
    for goal in GOALS:
        found = _found(goal, results)
        if found is None:
            continue
        notes, value = found
        is_met = value <= goal.bound if goal.at_most else value >= goal.bound
        sign = "<=" if goal.at_most else ">="
        far = "met" if is_met else f"missed, {value / goal.bound:.2f} of it"
        yield f"{goal.title:56} {value:>10,.2f} {sign} {goal.bound:<7,g} {far}  ({notes:,} notes)"


def _found(goal: Goal, results: Results) -> tuple[int, float] | None:
    for notes in sorted(results.generated(), reverse=True):
        value = results.value(str(notes), goal.part, goal.figure)
        if notes < goal.notes or value is None or (goal.over is not None and notes > goal.notes):
            continue
        if goal.over is None:
            return notes, value
        least = results.value(str(goal.over), goal.part, goal.figure)
        return (notes, value / least) if least else None
    return None
