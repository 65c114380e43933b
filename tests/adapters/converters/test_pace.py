"""More time for a document: a converter that gets on is not ended, one that hangs or may not ask is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_rag.adapters.converters import Row, pace
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.worker import Worker

ROW = Row("slow_converter:convert", 1, None, "slow files", 1.0)
CONVERTER = """
import time
from docs_rag.adapters.converters.pace import more
from docs_rag.core.converted import Converted

def convert(data, name):
    for page in range(2):
        more(3)
        time.sleep(0.7)
    more(0.3)
    if data == b"hang":
        time.sleep(60)
    return Converted(markdown="done")
"""


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    (tmp_path / "slow_converter.py").write_text(CONVERTER, encoding="utf-8")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from docs_rag.adapters.converters import CONVERTERS, Row, child\n"
        "CONVERTERS['.slow'] = Row('slow_converter:convert', 1, None, 'slow files', 1.0)\n"
        "sys.exit(child.main())\n"
    )
    made = Worker({".slow": ROW}, (sys.executable, "-P", "-c", program))
    yield made
    made.close()


@pytest.mark.slow
def test_a_document_that_gets_on_has_more_than_the_time_of_its_row(worker: Worker) -> None:
    assert worker.convert(".slow", b"pages", "a.slow").markdown == "done"


def test_a_caller_in_a_hurry_gives_no_more_time(worker: Worker) -> None:
    with pytest.raises(Unconvertible) as failure:
        worker.convert(".slow", b"pages", "a.slow", seconds=0.9)
    assert failure.value.code == "timeout"


@pytest.mark.slow
def test_a_request_never_shortens_the_time_that_was_given(worker: Worker) -> None:
    with pytest.raises(Unconvertible, match=r"longer than [34]"):
        worker.convert(".slow", b"hang", "a.slow")


def test_without_anybody_waiting_time_is_not_limited() -> None:
    asked: list[float] = []
    pace.more(5)
    pace.ask_by(asked.append)
    pace.more(7)
    pace.ask_by(None)
    assert asked == [7]
