"""Upgrade and downgrade with the code of an earlier commit, where the repository has it."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest
from crash.versions import exchange

ROOT = Path(__file__).parents[2]
EARLIER = "6e3fc6b"
"""Its index has another schema (3)."""


def source_of(commit: str, folder: Path) -> Path:
    """The package of a commit below `folder`; skips where git or the commit is not to be had."""
    try:
        done = subprocess.run(["git", "archive", commit, "docs_rag"], cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(f"no git repository with {commit}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.mark.slow
def test_an_earlier_version_and_this_one_take_turns(tmp_path: Path) -> None:
    steps = list(exchange(source_of(EARLIER, tmp_path / "earlier"), ROOT, tmp_path))
    assert any("leaves the index as it is" in step for step in steps)
    assert len(steps) == 9
