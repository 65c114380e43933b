"""Hostile documents through the process that converts: it gives text or a reason, and goes on with the next."""

from __future__ import annotations

import itertools

import pytest
from fuzz.documents import check, made
from fuzz.mutating import inputs
from fuzz.samples import SAMPLES

from docs_rag.adapters.converters.failing import CODES, Unconvertible
from docs_rag.adapters.converters.worker import Worker

COUNT = 12
"""Documents of each format."""


@pytest.mark.slow
def test_one_process_reads_them_all() -> None:
    worker = Worker()
    try:
        first = worker.convert(".txt", b"Tea is hot.\n", "a.txt")
        refused = 0
        for target in SAMPLES:
            for data in itertools.islice(inputs(target, seed=11), COUNT):
                try:
                    check(worker.convert(f".{target}", made(target, data), f"a.{target}"))
                except Unconvertible as error:
                    assert error.code in CODES - {"timeout"}
                    assert "broke down" not in str(error)
                    refused += 1
        assert 0 < refused < COUNT * len(SAMPLES)
        assert worker.convert(".txt", b"Tea is hot.\n", "a.txt") == first
    finally:
        worker.close()


@pytest.mark.parametrize("target", SAMPLES)
def test_the_sample_of_each_format_is_read(target: str) -> None:
    data = next(inputs(target, seed=0))
    worker = Worker()
    try:
        assert worker.convert(f".{target}", made(target, data), f"a.{target}").markdown.strip()
    except Unconvertible as error:
        if error.code != "missing-extra":
            raise
        pytest.skip(str(error))
    finally:
        worker.close()
