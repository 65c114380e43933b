"""Real processes beside this one: what they reply, and what becomes of them and of their tasks when one breaks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import docs_rag
from docs_rag.adapters.helpers.pool import HelperPool, processors

UPPER = """
import os
from docs_rag.adapters.helpers.answering import answer

def prepare(first):
    def work(task):
        if task == b"die":
            os._exit(1)
        print("nobody may take this for a reply")
        return first + task.upper()
    return work

answer(prepare)
"""
OWNER = """
import os, sys, time
from docs_rag.adapters.helpers.pool import HelperPool
pool = HelperPool(sys.argv[1], b"", 2, (sys.executable, "-c"))
replies = pool.work(iter([b"a"] * 1000))
next(replies)
print(*(each._process.pid for each in pool._helpers), flush=True)
time.sleep(60)
"""


def pool(count: int = 2, program: str = UPPER) -> HelperPool:
    return HelperPool(program, b"> ", count, (sys.executable, "-c"))


def test_replies_come_in_the_order_of_the_tasks() -> None:
    tasks = [b"%d" % number * (1 + number * 997 % 5000) for number in range(100)]
    assert list(pool().work(tasks)) == [b"> " + task.upper() for task in tasks]


def test_messages_larger_than_any_pipe_block_nobody() -> None:
    tasks = [bytes([97 + number]) * 3_000_000 for number in range(6)]
    assert list(pool(1).work(tasks)) == [b"> " + task.upper() for task in tasks]


def test_no_task_is_no_reply() -> None:
    assert list(pool().work([])) == []


def test_tasks_are_asked_for_ahead_but_not_all_at_once() -> None:
    asked = 0

    def tasks() -> Iterator[bytes]:
        nonlocal asked
        for _ in range(1000):
            asked += 1
            yield b"x"

    replies = pool().work(tasks())
    next(replies)
    assert 2 <= asked < 50
    replies.close()


def test_what_one_that_broke_down_had_to_do_is_left_and_the_others_go_on() -> None:
    replies = list(pool().work([b"a", b"die", b"b", b"c", b"d", b"e"]))
    assert replies == [b"> A", None, b"> B", None, b"> D", None]


@pytest.mark.parametrize("program", ["raise SystemExit(3)", "print('no frame at all' * 1000)", "import no_such_thing"])
def test_helpers_that_cannot_work_leave_everything(program: str) -> None:
    assert list(pool(2, program).work([b"a", b"b", b"c" * 1_000_000])) == [None] * 3


def test_a_program_that_is_not_there_leaves_everything() -> None:
    assert list(HelperPool("x", b"", 2, ("/no/such/program",)).work([b"a", b"b"])) == [None, None]


def test_closing_ends_the_processes() -> None:
    ours = pool()
    replies = ours.work([b"a"] * 100)
    next(replies)
    processes = [each._process for each in ours._helpers]
    ours.close()
    assert [each.poll() is None for each in processes] == [False, False]


def test_there_is_a_processor() -> None:
    assert processors() >= 1


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_helpers_end_with_an_owner_that_is_killed_and_hold_none_of_its_streams() -> None:
    source = str(Path(docs_rag.__file__).parents[1])
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, UPPER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": source},
    ) as owner:
        assert owner.stdout is not None
        helpers = [int(each) for each in owner.stdout.readline().split()]
        assert len(helpers) == 2
        owner.send_signal(signal.SIGKILL)
        assert owner.stdout.read() == b""  # comes only when nobody else holds it
    while any(map(is_alive, helpers)):
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that ended and waits to be collected does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z")
