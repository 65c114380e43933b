"""Many at one index: two servers, a run of `index` after the other, a storm of hook events, sixteen who search.

`python -m crash.crowd --seconds 300` with `tests` on the path is the long form. Prints one JSON object of counts.

The notes come in pairs that are written together by one rename each: `old` and `new` of a pair say the same number in
each of their sections. An answer that shows two numbers of one note was no committed state.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from commandline import spawn, write_config
from hooked import event, feed, is_at_work, worker
from hosts import Host, host

from docs_rag import wiring
from docs_rag.core.answers import as_json
from docs_rag.core.queries import Query

NOTES: Final = 60
CLIENTS: Final = 16
PROCESSES: Final = 4
"""Clients that start a process for each question; the others ask through connections of their own in one process."""
SECTIONS: Final = 3
WAL_BOUND: Final = 64_000_000
"""Bytes; what SQLite writes back at is 8 MB of pages of this size."""
EVERYBODY: Final = ("questions", "questions to servers", "searches", "runs of index", "hook events")
PATIENCE: Final = 60.0
"""Seconds."""
_NUMBER: Final = re.compile(r"number (\d+)")


class Crowd:
    """One project and everybody who uses it until the time is up."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.project = folder
        self.ends = time.monotonic() + seconds
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.largest_wal = 0
        self._lock = threading.Lock()

    def is_open(self) -> bool:
        """Until the time is up and everybody has had an answer; on a busy machine that may take longer."""
        late = time.monotonic() - self.ends
        return not self.faults and (late < 0 or (late < PATIENCE and not all(self.counts[each] for each in EVERYBODY)))

    def count(self, what: str, ok: bool, told: str) -> None:
        with self._lock:
            self.counts[what] += 1
            if not ok:
                self.faults.append(f"{what}: {told}"[:2000])

    def write(self, note: int, number: int) -> Path:
        """Replace a note as editors do: whole."""
        place = self.project / f"n{note}.md"
        state = f"---\nstatus: superseded by n{(note + 1) % NOTES}\n---\n" if number % 7 == 3 else ""
        sections = "".join(
            f"\n## Part {part} of page {note}\n\nThe ledger of page {note} has number {number}.\n"
            for part in range(SECTIONS)
        )
        temporary = self.project / f".n{note}.tmp"
        temporary.write_text(f"{state}# Page {note}\n{sections}", encoding="utf-8")
        temporary.replace(place)
        return place

    def check(self, what: str, answer: dict[str, Any]) -> None:
        """An answer comes from one state: all sections of a note tell the same number, and hidden notes are hidden."""
        numbers: dict[str, set[str]] = {}
        for hit in answer.get("hits", ()):
            numbers.setdefault(hit["path"], set()).update(_NUMBER.findall(hit["text"]))
        torn = {path: found for path, found in numbers.items() if len(found) > 1}
        dead = [hit["path"] for hit in answer.get("hits", ()) if hit.get("status") == "superseded"]
        self.count(what, not torn and not dead and "locked" not in str(answer), f"{torn} {dead} {answer}")
        with self._lock:
            self.counts[f"{what}, hits"] += len(answer.get("hits", ()))


def main() -> int:
    """Let them work; returns 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = os.environ["HOME"] = str(Path(folder, "home"))
        crowd = run(Path(folder, "project").resolve(), options.seconds)
    json.dump({**crowd.counts, "largest WAL": crowd.largest_wal, "faults": crowd.faults[:5]}, sys.stdout, indent=1)
    return 1 if crowd.faults else 0


def run(folder: Path, seconds: float) -> Crowd:
    """Make the project, and let everybody at it for so long."""
    folder.mkdir(parents=True)
    write_config(folder)
    crowd = Crowd(folder, seconds)
    for note in range(NOTES):
        crowd.write(note, 0)
    made = spawn("-C", folder, "index")
    assert made.status == 0, made.err
    with _servers(folder) as servers, ThreadPoolExecutor(CLIENTS + 8) as threads:
        crowd.ends = time.monotonic() + seconds
        roles: list[Callable[[], None]] = [lambda: _edit(crowd), lambda: _index(crowd), lambda: _watch(crowd)]
        roles += [lambda: _hook(crowd)] * 2
        roles += [lambda at=at: _ask(crowd, servers[at % 2]) for at in range(2)]  # type: ignore[misc]
        roles += [lambda at=at: _search(crowd, at) for at in range(PROCESSES)]  # type: ignore[misc]
        roles += [lambda at=at: _look(crowd, at) for at in range(PROCESSES, CLIENTS)]  # type: ignore[misc]
        for done in [threads.submit(each) for each in roles]:
            done.result()
    _settle(crowd)
    return crowd


@contextmanager
def _servers(folder: Path) -> Iterator[list[Host]]:
    with ExitStack() as stack:
        servers = [stack.enter_context(host(cwd=folder)) for _ in range(2)]
        for each in servers:
            each.initialize()
        yield servers


def _edit(crowd: Crowd) -> None:
    number = 1
    while crowd.is_open():
        for note in range(0, NOTES, 3):
            crowd.write((note + number) % NOTES, number)
        number += 1
        crowd.counts["edits"] += NOTES // 3
        time.sleep(0.2)


def _index(crowd: Crowd) -> None:
    full = 0
    while crowd.is_open():
        full += 1
        done = spawn("-C", crowd.project, "index", *(["--full"] if full % 4 == 0 else []))
        crowd.count("runs of index", done.status == 0, done.err)


def _hook(crowd: Crowd) -> None:
    while crowd.is_open():
        done = feed(event(crowd.project / "n1.md"))
        crowd.count("hook events", (done.status, done.err) == (0, ""), done.err)
        time.sleep(0.05)


def _ask(crowd: Crowd, server: Host) -> None:
    while crowd.is_open():
        found = server.ask("the number of the ledger", limit=50)
        if found.get("isError"):
            crowd.count("questions to servers", False, str(found))
        else:
            crowd.check("questions to servers", found["structuredContent"])


def _search(crowd: Crowd, at: int) -> None:
    while crowd.is_open():
        done = spawn("-C", crowd.project, "search", "--json", "-n", "50", f"ledger of page {at}")
        if done.status == 0:
            crowd.check("searches", done.json)
        else:
            crowd.count("searches", False, done.err)


def _look(crowd: Crowd, at: int) -> None:
    config, _ = wiring.open_project(wiring.Options(folder=str(crowd.project)), strict=True)
    while crowd.is_open():
        try:
            with wiring.open_index(config) as store, store.guarded():
                answerer = wiring.open_answerer(config, store, None)
                for _ in range(10):
                    answer = answerer.answer(Query(text=f"ledger of page {at}", limit=50))
                    crowd.check("questions", as_json(answer))
        except Exception as error:
            crowd.count("questions", False, f"{type(error).__name__}: {error}")


def _watch(crowd: Crowd) -> None:
    log = crowd.project / ".rag" / "index.db-wal"
    while crowd.is_open():
        try:
            crowd.largest_wal = max(crowd.largest_wal, log.stat().st_size)
        except FileNotFoundError:
            continue
        finally:
            time.sleep(0.02)


def _settle(crowd: Crowd) -> None:
    """When everybody has gone, one run brings everything to rest, and every note is found as it is."""
    pid = worker(crowd.project)
    if pid > 1:
        os.kill(pid, 15)
    deadline = time.monotonic() + 60
    while is_at_work(crowd.project):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    done = spawn("-C", crowd.project, "index")
    crowd.count("runs of index", done.status == 0, done.err)
    told = spawn("-C", crowd.project, "status", "--json").json
    crowd.count("status", told["documents"] == NOTES, str(told))
    crowd.count("log within bounds", crowd.largest_wal < WAL_BOUND, str(crowd.largest_wal))


if __name__ == "__main__":
    sys.exit(main())
