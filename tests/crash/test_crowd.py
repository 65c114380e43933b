"""The short form of `python -m crash.crowd`: many at one index for a few seconds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from crash.crowd import EVERYBODY, WAL_BOUND, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="ends processes by signals"),
]


def test_case_43_a_crowd_at_one_index(tmp_path: Path) -> None:
    crowd = run(tmp_path / "project", 6.0)
    assert crowd.faults == []
    assert crowd.largest_wal < WAL_BOUND
    for what in EVERYBODY:
        assert crowd.counts[what], what
