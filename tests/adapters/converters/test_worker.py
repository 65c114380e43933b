"""The conversion process: what it gives back, and that nothing a document does to it reaches its parent."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from converting import ROW, SECONDS, odd_worker

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.worker import Worker
from docs_rag.core.converted import Picture, Stretch
from docs_rag.core.ports import Interrupted

TESTS = Path(__file__).parents[2]


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    made = odd_worker(tmp_path)
    yield made
    made.close()


def convert(worker: Worker, word: str) -> str:
    return worker.convert(".odd", word.encode(), "a.odd").markdown


def test_a_document_comes_back_whole(worker: Worker) -> None:
    found = worker.convert(".odd", "# 찻집/open?|and closed".encode(), "tea.odd")
    assert found.markdown == "# 찻집\nopen?\nand closed"
    assert found.stretches == (Stretch((1, 2), "p. 1"), Stretch((3, 3), "p. 2"))
    assert found.pictures == (Picture("a.png", b"\x00\x01"),)
    assert (found.title, found.warnings) == ("T", ("one",))


def test_one_process_converts_many_documents(worker: Worker) -> None:
    assert convert(worker, "pid") == convert(worker, "pid")


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("crash", "damaged"),
        ("deep", "damaged"),
        ("odd", "damaged"),
        ("locked", "encrypted"),
        ("unloadable", "missing-extra"),
        ("empty", "damaged"),
    ],
)
def test_a_document_that_fails_harms_no_other(worker: Worker, word: str, code: str) -> None:
    with pytest.raises(Unconvertible) as failure:
        convert(worker, word)
    assert failure.value.code == code
    assert "passwd" not in str(failure.value)
    assert "fine" in convert(worker, "fine")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold a process to such a limit")
def test_memory_has_a_limit(worker: Worker) -> None:
    with pytest.raises(Unconvertible) as failure:
        convert(worker, "greedy")
    assert failure.value.code == "too-large"
    assert "fine" in convert(worker, "fine")


def test_a_document_that_takes_for_ever_is_given_up(worker: Worker) -> None:
    started = time.monotonic()
    with pytest.raises(Unconvertible) as failure:
        worker.convert(".odd", b"hang", "a.odd", seconds=0.5)
    assert failure.value.code == "timeout"
    assert time.monotonic() - started < SECONDS
    assert "fine" in convert(worker, "fine")


def test_a_conversion_can_be_given_up_for_something_else(worker: Worker) -> None:
    with pytest.raises(Interrupted):
        worker.convert(".odd", b"hang", "a.odd", is_wanted=lambda: False)
    assert "fine" in convert(worker, "fine")


def test_what_a_library_leaves_behind_is_removed(worker: Worker) -> None:
    folder = convert(worker, "leave")
    assert (Path(folder) / "left.txt").exists()
    worker.close()
    assert not Path(folder).exists()


@pytest.mark.skipif(os.name != "posix", reason="looks for the process by its number")
def test_no_process_stays_behind(worker: Worker) -> None:
    number = int(convert(worker, "pid"))
    worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.skipif(os.name != "posix", reason="kills a process as only POSIX does")
def test_what_a_killed_run_leaves_behind_is_removed(tmp_path: Path) -> None:
    program = (
        f"import sys; sys.path[:0] = {[str(TESTS), str(tmp_path)]!r}\n"
        "from pathlib import Path\n"
        "from converting import odd_worker\n"
        f"worker = odd_worker(Path({str(tmp_path)!r}))\n"
        "print(worker.convert('.odd', b'leave', 'a.odd').markdown, flush=True)\n"
        "sys.stdin.read()\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        (sys.executable, "-c", program), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as run:
        assert run.stdout is not None
        folder = Path(run.stdout.readline().decode().strip())
        assert (folder / "left.txt").exists()
        run.kill()
    deadline = time.monotonic() + SECONDS
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not folder.exists()


@pytest.mark.parametrize(
    "said",
    [
        b'{"bytes": 1e999}\n',
        b'{"text": 1e999, "stretches": [], "pictures": [], "title": "", "warnings": [], "bytes": 0}\n',
        b'{"more": 1' + b"0" * 400 + b', "bytes": 0}\n{"bytes": 0}\n',
        b'{"more": NaN, "bytes": 0}\n{"more": -1e999, "bytes": 0}\nno message\n',
        b"[1]\n",
    ],
)
def test_what_a_process_says_that_a_document_has_taken_over_ends_its_conversion_alone(said: bytes) -> None:
    program = f"import sys; sys.stdout.buffer.write({said!r})"
    worker = Worker({".odd": ROW}, (sys.executable, "-c", program))
    try:
        with pytest.raises(Unconvertible, match="broke down") as failure:
            worker.convert(".odd", b"x", "a.odd")
        assert failure.value.code == "damaged"
    finally:
        worker.close()
