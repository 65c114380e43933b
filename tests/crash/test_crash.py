"""docs-rag killed at its work: whatever step it dies at, each note is wholly old or new and the next run heals.

The short form of `python -m crash.rounds` (docs/robustness.md).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest
from crash.faulting import build

from docs_rag.adapters.background.records import replace_state_file
from docs_rag.statefiles import write_private

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="kills processes"),
]
ROOT = Path(__file__).parents[2]
SECONDS = 600
STORIES = ("index-first", "index-edits", "index-full", "worker", "hook", "convert", "search", "supersede", "undo")


@cache
def library(folder: Path) -> Path | None:
    return build(folder)


def rounds(folder: Path, *arguments: str) -> dict[str, int]:
    """Run the rounds in a process of their own; returns how often the work was killed, by kind."""
    paths = os.pathsep.join([str(ROOT / "tests"), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
    preloaded = library(folder.parent)
    if preloaded is not None:
        env["LD_PRELOAD"] = str(preloaded)
    command = [sys.executable, "-m", "crash.rounds", "--folder", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[int] | int] = json.loads(done.stdout)
    return {kind: counts[0] for kind, counts in found.items() if isinstance(counts, list)}


@pytest.mark.parametrize("story", STORIES)
def test_case_22_killed_at_a_statement(story: str, tmp_path: Path) -> None:
    assert rounds(tmp_path, "--story", story, "--kinds", "statements", "--most", "6")[f"{story} statements"] > 3


@pytest.mark.parametrize("story", STORIES)
def test_case_22_killed_at_a_call_of_the_system(story: str, tmp_path: Path) -> None:
    if library(tmp_path.parent) is None:
        pytest.skip("no compiler that makes a library to preload")
    found = rounds(tmp_path, "--story", story, "--kinds", "calls,torn", "--most", "4")
    assert min(found.values()) > 1


@pytest.mark.parametrize("story", STORIES)
def test_case_62_the_disk_fails_at_a_call_of_the_system(story: str, tmp_path: Path) -> None:
    if library(tmp_path.parent) is None:
        pytest.skip("no compiler that makes a library to preload")
    assert rounds(tmp_path, "--story", story, "--kinds", "full,broken-once,read-only", "--most", "3")


def test_what_a_killed_process_began_to_write_does_not_pile_up(tmp_path: Path) -> None:
    place = tmp_path / "state.json"
    for number in range(3):
        left = tmp_path / f"state.json.{number}-aaaaaaaa.tmp"
        left.write_bytes(b"half")
        os.utime(left, (time.time() - 7200,) * 2)
    at_work = tmp_path / "state.json.9-bbbbbbbb.tmp"
    at_work.write_bytes(b"half")
    write_private(str(place), b"whole")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["state.json", at_work.name]


def test_a_list_that_was_half_written_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "dead.json.tmp").write_bytes(b"half")
    replace_state_file(str(tmp_path), "dead.json", b"whole")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("dead.json", b"whole")]
