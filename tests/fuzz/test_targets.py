"""The short form: every input of the corpus, what Hypothesis thinks of, and some hundred mutations for each way in.

The long form is `tests/fuzz/long.py`; docs/security.md says how many inputs it was given.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from fuzz.mutating import CORPUS, PIECES, inputs, seeds
from fuzz.targets import TARGETS, try_one
from hypothesis import given, settings
from hypothesis import strategies as st

MUTATIONS = 150
"""Inputs for each target."""

texts = st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))
hostile = st.binary(max_size=300) | st.lists(st.sampled_from(PIECES) | texts, max_size=30).map(b"".join)


def regressions() -> list[Path]:
    return sorted(CORPUS.glob("*/*"))


def test_every_target_begins_with_something() -> None:
    assert {file.parent.name for file in regressions()} <= set(TARGETS)
    assert all(map(seeds, TARGETS))


@pytest.mark.parametrize("file", regressions(), ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_corpus_holds(file: Path) -> None:
    try_one(file.parent.name, file.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=40)
@given(data=hostile)
def test_whatever_hypothesis_thinks_of(target: str, data: bytes) -> None:
    try_one(target, data)


@pytest.mark.parametrize("target", TARGETS)
def test_some_hundred_mutations(target: str) -> None:
    for data in itertools.islice(inputs(target, seed=7), MUTATIONS):
        try_one(target, data)
