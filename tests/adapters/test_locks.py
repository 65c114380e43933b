"""Locks between real processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docs_rag.adapters.locks import FileLock

posix = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")

HOLDER = """
import sys
from docs_rag.adapters.locks import FileLock
lock = FileLock(sys.argv[2])
print(lock.acquire(), flush=True)
sys.stdin.readline()
lock.release()
print("released", flush=True)
sys.stdin.readline()
"""


@contextmanager
def other_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that tries to take the lock; releases at the first line it is sent, ends at the second."""
    command = [sys.executable, "-c", HOLDER, "index", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def says(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.lock"


def test_one_process_at_a_time(path: Path) -> None:
    lock = FileLock(str(path))
    with other_process(path) as process:
        assert says(process) == "True"
        assert (lock.acquire(), lock.held) == (False, False)
        tell(process)
        assert says(process) == "released"
        assert (lock.acquire(), lock.held) == (True, True)
    lock.release()


def test_another_process_is_kept_out(path: Path) -> None:
    with FileLock(str(path)) as lock, other_process(path) as process:
        assert lock.held
        assert says(process) == "False"
    assert not lock.held


def test_two_locks_of_one_process_exclude_each_other(path: Path) -> None:
    first, second = FileLock(str(path)), FileLock(str(path))
    assert first.acquire()
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    first.release()
    assert not first.acquire()
    second.release()


def test_a_killed_holder_leaves_no_lock(path: Path) -> None:
    lock = FileLock(str(path))
    with other_process(path) as process:
        assert says(process) == "True"
        assert not lock.acquire()
        process.kill()
        process.wait()
        assert lock.acquire()
    lock.release()


def test_a_waiter_learns_whom_it_waits_for(path: Path) -> None:
    with other_process(path) as process:
        assert says(process) == "True"
        holder = FileLock(str(path)).holder()
        assert re.fullmatch(rf"{process.pid} -c index \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ", holder)
        tell(process)
        assert says(process) == "released"
        assert FileLock(str(path)).holder() == ""


def test_waiting_ends_when_the_holder_releases(path: Path) -> None:
    lock = FileLock(str(path))
    heard: list[str] = []
    with other_process(path) as process:
        assert says(process) == "True"
        started = threading.Event()

        def note(holder: str) -> None:
            heard.append(holder)
            started.set()

        waiter = threading.Thread(target=lambda: heard.append(str(lock.wait(None, note))))
        waiter.start()
        assert started.wait(30)
        tell(process)
        waiter.join(30)
    assert heard[-1] == "True"
    assert heard[0].startswith(f"{process.pid} ")
    lock.release()


def test_waiting_ends_when_the_holder_is_killed(path: Path) -> None:
    with other_process(path) as process:
        assert says(process) == "True"
        lock = FileLock(str(path))
        assert lock.wait(None, lambda holder: process.kill())
        lock.release()


def test_waiting_gives_up_when_the_time_is_up(path: Path) -> None:
    heard: list[str] = []
    with FileLock(str(path)) as holder:
        assert not FileLock(str(path)).wait(0.25, heard.append)
        assert heard == [holder.holder()]
        assert not FileLock(str(path)).wait(0, heard.append)
    assert FileLock(str(path)).wait(0, heard.append)
    assert len(heard) == 2


def test_a_holder_without_a_note_is_another_process(path: Path) -> None:
    heard: list[str] = []
    with FileLock(str(path)):
        path.write_text("", encoding="utf-8")
        FileLock(str(path)).wait(0, heard.append)
    assert heard == ["another process"]


def test_as_a_context_a_lock_that_is_taken_is_an_error(path: Path) -> None:
    with FileLock(str(path)) as first:
        second = FileLock(str(path))
        with pytest.raises(BlockingIOError, match=f"held by {os.getpid()} "), second:
            pytest.fail("two have the lock")
        assert first.held
        with first:
            assert first.held


def test_the_lock_is_given_back_when_the_work_fails(path: Path) -> None:
    with pytest.raises(RuntimeError), FileLock(str(path)):
        raise RuntimeError
    assert FileLock(str(path)).acquire()


def test_the_file_stays_and_is_the_users_own(path: Path) -> None:
    with FileLock(str(path)):
        assert path.exists()
    assert path.exists()
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600


@posix
def test_a_file_that_was_removed_meanwhile_is_made_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    real, removals = fcntl.flock, [path]

    def flock(descriptor: int, operation: int) -> None:
        if removals:
            removals.pop().unlink()
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    lock = FileLock(str(path))
    assert lock.acquire()
    assert path.exists()
    assert not FileLock(str(path)).acquire()
    lock.release()


@posix
def test_a_link_in_its_place_is_not_followed(path: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("keep", encoding="utf-8")
    path.symlink_to(precious)
    lock = FileLock(str(path))
    with pytest.raises(OSError, match="symbolic links"):
        lock.acquire()
    assert lock.holder() == ""
    assert precious.read_text(encoding="utf-8") == "keep"


@posix
def test_a_fifo_in_its_place_is_neither_locked_nor_waited_for(path: Path) -> None:
    os.mkfifo(path)
    lock = FileLock(str(path))
    with pytest.raises(OSError, match="not a regular file"):
        lock.acquire()
    assert lock.holder() == ""


def test_a_missing_folder_is_the_callers_error(tmp_path: Path) -> None:
    lock = FileLock(str(tmp_path / "absent" / "index.lock"))
    with pytest.raises(FileNotFoundError):
        lock.acquire()
    with pytest.raises(FileNotFoundError):
        lock.wait(1, print)
    assert lock.holder() == ""


def test_what_a_planted_file_says_cannot_harm_a_terminal(path: Path) -> None:
    path.write_bytes(b"12 \x1b[2Jindex \xe2\x80\xae\xff\nsecond line\n" + b"x" * 10_000)
    assert FileLock(str(path)).holder() == "12 \ufffd[2Jindex \ufffd\ufffd"


@posix
def test_no_descriptor_stays_open_and_none_is_inherited(path: Path) -> None:
    lowest = os.open(path.parent, os.O_RDONLY)
    os.close(lowest)
    with FileLock(str(path)):
        assert not os.get_inheritable(lowest)
        for _ in range(3):
            assert not FileLock(str(path)).acquire()
            FileLock(str(path)).holder()
    again = os.open(path.parent, os.O_RDONLY)
    os.close(again)
    assert again == lowest


def test_of_many_processes_one_is_inside(path: Path, tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from docs_rag.adapters.locks import FileLock\n"
        "lock = FileLock(sys.argv[1])\n"
        "for _ in range(300):\n"
        "    while not lock.acquire(): continue\n"
        "    os.close(os.open(sys.argv[2], os.O_CREAT | os.O_EXCL))\n"
        "    os.unlink(sys.argv[2])\n"
        "    lock.release()\n"
    )
    command = [sys.executable, "-c", program, str(path), str(tmp_path / "inside")]
    with FileLock(str(path)):
        processes = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4


def test_the_module_loads_nothing_slow() -> None:
    slow = {"typing", "dataclasses", "pathlib", "contextlib", "re", "enum"}
    program = f"import sys, docs_rag.adapters.locks; print(sorted({slow!r} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-S", "-c", program], check=True, capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])})  # fmt: skip
    assert loaded.stdout.strip() == "[]"


def test_the_time_a_lock_was_taken_is_universal_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "gmtime", lambda: time.struct_time((2026, 1, 2, 3, 4, 5, 4, 2, 0)))
    with FileLock(str(path)) as lock:
        assert lock.holder().endswith(" 2026-01-02T03:04:05Z")
