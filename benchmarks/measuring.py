"""What the parts of the suite measure with: clocks, processes of their own, peak memory.

Other work on the machine only ever makes a run longer, so the best of several is kept, and things that are compared
take turns.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

Figures = dict[str, float]
"""Figure -> value; the unit is the end of the name."""

ROUNDS = 5
"""How often a thing is measured of which the best is kept."""
BARE: Final = (sys.executable, "-c", "pass")
"""A Python that does nothing: the floor of every command."""


class Spent(NamedTuple):
    """What something took, in seconds."""

    clock: float
    cpu: float
    """Of the processor, by this process or by those that it waited for."""


def spent(call: Callable[[], object]) -> Spent:
    """What a call takes in this process and in processes that it starts and waits for."""
    clock, cpu = time.perf_counter(), _cpu()
    call()
    return Spent(time.perf_counter() - clock, _cpu() - cpu)


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run(command: Sequence[str], data: bytes = b"", environment: Mapping[str, str] | None = None) -> None:
    """Run a command to its end and throw away what it says; raises `CalledProcessError` where it fails."""
    subprocess.run(command, input=data, env=environment, check=True, capture_output=True)


def docs_rag(*arguments: str) -> list[str]:
    """The command line of a docs-rag process."""
    return [sys.executable, "-m", "docs_rag", *arguments]


def in_turns(calls: Mapping[str, Callable[[], object]], rounds: int | None = None) -> dict[str, Spent]:
    """By name the best of `rounds` (None: `ROUNDS`), clock and processor each, after one round that does not count.

    A call that returns what it spent has measured a part of itself, and that is what counts.
    """
    found: dict[str, list[Spent]] = {name: [] for name in calls}
    for number in range((rounds or ROUNDS) + 1):
        for name, call in calls.items():
            taken = _counted(call)
            if number:
                found[name].append(taken)
    return {name: best(all_spent) for name, all_spent in found.items()}


def _counted(call: Callable[[], object]) -> Spent:
    told: list[object] = []
    taken = spent(lambda: told.append(call()))
    return told[0] if isinstance(told[0], Spent) else taken


def best(all_spent: Sequence[Spent]) -> Spent:
    """The least clock and the least processor time."""
    return Spent(min(each.clock for each in all_spent), min(each.cpu for each in all_spent))


def milliseconds(seconds: float) -> float:
    """Rounded to a tenth."""
    return round(1000 * seconds, 1)


def peak() -> float:
    """The most memory that this process has held, in MiB.

    The kernel's own account where there is one: what `getrusage` says begins with what the parent process held.
    """
    return peak_of("self") or _mebibytes(resource.RUSAGE_SELF)


def peak_of(process: int | str) -> float:
    """The same of a running process, by its number; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    line = next((each for each in status.splitlines() if each.startswith("VmHWM:")), "")
    return round(int(line.split()[1]) / 1024, 1) if line else 0.0


def children_peak() -> float:
    """The most memory that one of the processes held that this one has waited for, in MiB; 0 without any."""
    return _mebibytes(resource.RUSAGE_CHILDREN)


def _mebibytes(whose: int) -> float:
    most = resource.getrusage(whose).ru_maxrss
    return round(most / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


def walk(folder: Path | str) -> int:
    """A bare walk: every folder is listed, every file's status asked for; how many files there are."""
    count = 0
    folders = [str(folder)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    count += 1
    return count
