"""The table of formats: every row leads to a function, and no name is lost on the way to it."""

from __future__ import annotations

import pickle

import pytest

from docs_rag.adapters.converters import CONVERTERS, resolve, row_of, suffix_of
from docs_rag.adapters.converters.failing import Unconvertible, missing_extra


@pytest.mark.parametrize("suffix", CONVERTERS)
def test_every_row_leads_to_a_function(suffix: str) -> None:
    row = CONVERTERS[suffix]
    assert callable(resolve(row))
    assert suffix == suffix.lower()
    assert suffix.startswith(".")
    assert row.version >= 1
    assert row.what


def test_a_format_is_known_by_the_suffix_whatever_its_case() -> None:
    assert suffix_of("Reports/Q3.PDF") == ".pdf"
    assert suffix_of("archive.tar/notes") == ""
    assert suffix_of(".hidden") == ""
    assert row_of("notes/tea.md") is None


def test_a_failure_survives_the_way_from_another_process() -> None:
    failure = pickle.loads(pickle.dumps(missing_extra("documents", "slides")))
    assert isinstance(failure, Unconvertible)
    assert (failure.code, str(failure)) == (
        "missing-extra",
        "slides need an extra: pip install 'docs-rag[documents]'",
    )
