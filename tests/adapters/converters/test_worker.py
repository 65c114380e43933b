"""The conversion process: what it gives back, and that nothing a document does to it reaches its parent."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_rag.adapters.converters import Row
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.worker import Unwanted, Worker
from docs_rag.core.converted import Picture, Stretch

CONVERTER = """
import os, sys, time
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.core.converted import Converted, Picture, Stretch

def convert(data, name):
    word = data.decode("utf-8")
    print("libraries chat")
    if word == "hang":
        time.sleep(60)
    if word == "crash":
        os.abort()
    if word == "greedy":
        return Converted(markdown="x" * len(bytearray(3_000_000_000)))
    if word == "deep":
        return convert(data, name)
    if word == "odd":
        raise ValueError("/etc/passwd")
    if word == "locked":
        raise Unconvertible("encrypted", "it has a password")
    if word == "empty":
        return Converted(markdown=" \\n")
    if word == "leave":
        with open("left.txt", "w") as file:
            file.write(os.environ["TMPDIR"])
        return Converted(markdown=os.getcwd())
    if word == "pid":
        return Converted(markdown=str(os.getpid()))
    return Converted(markdown=f"# {name}\\n\\n{word}\\n", stretches=(Stretch((1, 3), "p. 1"),),
                     pictures=(Picture("a.png", b"\\x00\\x01"),), title="T", warnings=("one",))
"""
SECONDS = 20.0


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    """A worker whose process knows one format, `.odd`, and does what the document says."""
    (tmp_path / "odd_converter.py").write_text(CONVERTER, encoding="utf-8")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from docs_rag.adapters.converters import CONVERTERS, Row, child\n"
        f"CONVERTERS['.odd'] = Row('odd_converter:convert', 1, None, 'odd files', {SECONDS})\n"
        "sys.exit(child.main())\n"
    )
    rows = {".odd": Row("odd_converter:convert", 1, None, "odd files", SECONDS)}
    made = Worker(rows, (sys.executable, "-P", "-c", program))
    yield made
    made.close()


def convert(worker: Worker, word: str) -> str:
    return worker.convert(".odd", word.encode(), "a.odd").markdown


def test_a_document_comes_back_whole(worker: Worker) -> None:
    found = worker.convert(".odd", "찻집".encode(), "tea.odd")
    assert found.markdown == "# tea.odd\n\n찻집\n"
    assert found.stretches == (Stretch((1, 3), "p. 1"),)
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
    with pytest.raises(Unwanted):
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
