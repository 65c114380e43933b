"""Many edits at once, two projects, and workers that are killed: no edit is lost, and no crowd of processes is left."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from commandline import spawn, write_config, write_notes
from hooked import end_worker, event, indexed, is_at_work, is_marked, open_window, said, settle, wait_for_worker, worker

from docs_rag.app.background import WINDOW
from docs_rag.core.hookfiles import LOG

pytestmark = pytest.mark.slow  # a window of half a minute is waited out

THREADS, EDITS = 3, 40
PATIENCE = 4 * WINDOW


def make(folder: Path) -> Path:
    """A project whose searches read nothing themselves, so that only background runs can bring an edit in."""
    write_notes(folder, {f"n{number}.md": f"# Note {number}\n\nempty\n" for number in range(10)})
    write_config(folder, autoRefresh=False)
    assert spawn("-C", folder, "index").status == 0
    return folder


@pytest.fixture
def projects(tmp_path: Path) -> list[Path]:
    return [make(tmp_path / name) for name in ("one", "two")]


def edit(folder: Path, number: int) -> str:
    """One save of an agent, with its event; returns the word that it wrote."""
    word = f"zebra{number}x"
    note = folder / f"e{number}.md"
    note.write_text(f"# Edit {number}\n\nThe word is {word}.\n", encoding="utf-8")
    said(event(note))
    return word


def storm(projects: list[Path]) -> list[tuple[Path, int, str]]:
    """So many edits from so many threads, in both projects by turns."""
    with ThreadPoolExecutor(THREADS) as threads:
        work = [(projects[number % 2], number) for number in range(EDITS)]
        return [(*each, word) for each, word in zip(work, threads.map(lambda it: edit(*it), work), strict=True)]


def assert_all_in(written: list[tuple[Path, int, str]]) -> None:
    lost = [number for folder, number, word in written if indexed(folder, word) != [f"e{number}.md"]]
    assert lost == []


def runs(folder: Path) -> int:
    """Background runs that ended, by the log."""
    return len(re.findall(r"^\d{4}-.* (?:added|modified)", (folder / ".rag" / LOG).read_text(encoding="utf-8"), re.M))


def test_case_54_a_storm_in_two_projects_is_two_runs_in_each(projects: list[Path]) -> None:
    written = storm(projects)
    for folder in projects:
        assert settle(folder, PATIENCE)["ok"]
    assert_all_in(written)
    assert [1 <= runs(folder) <= 3 for folder in projects] == [True, True]
    assert not any(is_at_work(folder) or is_marked(folder) for folder in projects)


@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_case_54_killed_workers_lose_no_edit(projects: list[Path]) -> None:
    over = threading.Event()
    killed = [0]

    def kill() -> None:
        while not over.is_set():
            for folder in projects:
                killed[0] += end_worker(folder)
            time.sleep(0.2)

    killer = threading.Thread(target=kill)
    killer.start()
    written = storm(projects)
    over.set()
    killer.join()
    assert killed[0] > 0
    for folder in projects:
        end_worker(folder)
        assert is_marked(folder) or runs(folder)
        open_window(folder)
        written.append((folder, 100, edit(folder, 100)))
        assert settle(folder, PATIENCE)["ok"]
    assert_all_in(written)


@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_a_worker_killed_in_the_middle_of_a_run_is_followed_by_another(projects: list[Path]) -> None:
    folder = projects[0]
    write_notes(folder, {f"many/m{number}.md": f"# M{number}\n\nword{number} quagga\n" for number in range(3000)})
    said(event(folder / "many" / "m0.md"))
    wait_for_worker(folder)
    while not (folder / ".rag" / "running").exists():
        assert worker(folder)
    assert end_worker(folder)
    assert is_marked(folder)
    word = edit(folder, 7)
    assert settle(folder, PATIENCE)["ok"]
    assert indexed(folder, word) == ["e7.md"]
    assert len(indexed(folder, "-n", "20", "quagga")) == 20


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts processes in /proc")
def test_of_many_starts_one_worker_is_left(projects: list[Path]) -> None:
    folder = projects[0]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: edit(folder, number), range(16)))
    wait_for_worker(folder)
    deadline = time.monotonic() + 20
    while workers(folder) != [worker(folder)]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    end_worker(folder)


def workers(folder: Path) -> list[int]:
    """The background processes of a project that there are."""
    config = os.fsencode(folder / ".rag" / "config.json")
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"--background" in words and config in words:
            found.append(int(place.parent.name))
    return found
