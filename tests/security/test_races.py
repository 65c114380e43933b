"""A folder that is swapped for a link while it is read never gives away what lies behind the link."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from docs_rag.adapters.vault import FolderVault
from docs_rag.core.documents import DocPath
from docs_rag.core.ports import Unreadable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links without rights exist on POSIX alone")

READS = 20_000
"""Long enough for the swaps below to fall between any two steps of a read."""


_SWAP = """
import os, sys
place, real, link = sys.argv[1:]
while os.getppid() == %d:
    os.rename(real, place); os.rename(place, real); os.rename(link, place); os.rename(place, link)
"""
"""Lets `place` be the folder and the link in turn, in a process of its own: threads take turns too politely."""


def swapping(place: Path, real: Path, link: Path) -> subprocess.Popen[bytes]:
    """Begin to swap."""
    return subprocess.Popen([sys.executable, "-c", _SWAP % os.getpid(), place, real, link])


def test_a_folder_that_is_swapped_for_a_link_gives_nothing_away(tmp_path: Path) -> None:
    outside, vault = tmp_path / "outside", tmp_path / "vault"
    for folder, text in ((outside, "secret"), (vault / "real", "open")):
        folder.mkdir(parents=True)
        (folder / "a.md").write_text(text, encoding="utf-8")
    (tmp_path / "link").symlink_to(outside)
    reader = FolderVault(str(vault), include=("**/*.md",), exclude=(), gitignore=False, max_bytes=1000)
    read: set[bytes] = set()
    with swapping(vault / "sub", vault / "real", tmp_path / "link") as process:
        try:
            for _ in range(READS):
                with suppress(Unreadable):
                    read.add(reader.read(DocPath("sub/a.md"))[1])
        finally:
            process.kill()
    assert read == {b"open"}
