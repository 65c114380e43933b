"""A folder that is swapped for a link while it is read never gives away what lies behind the link."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from docs_rag.adapters.vault import FolderVault
from docs_rag.core.documents import DocPath
from docs_rag.core.ports import Unreadable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links without rights exist on POSIX alone")

READS = 1500
"""Long enough for the swaps below to fall between any two steps of a read."""


def _swap(place: Path, real: Path, link: Path, ended: threading.Event) -> None:
    """Let `place` be the folder and the link in turn."""
    while not ended.is_set():
        real.rename(place)
        place.rename(real)
        link.rename(place)
        place.rename(link)


def test_a_folder_that_is_swapped_for_a_link_gives_nothing_away(tmp_path: Path) -> None:
    outside, vault = tmp_path / "outside", tmp_path / "vault"
    for folder, text in ((outside, "secret"), (vault / "real", "open")):
        folder.mkdir(parents=True)
        (folder / "a.md").write_text(text, encoding="utf-8")
    (tmp_path / "link").symlink_to(outside)
    ended = threading.Event()
    swapping = threading.Thread(target=_swap, args=(vault / "sub", vault / "real", tmp_path / "link", ended))
    reader = FolderVault(str(vault), include=("**/*.md",), exclude=(), gitignore=False, max_bytes=1000)
    read: set[bytes] = set()
    swapping.start()
    try:
        for _ in range(READS):
            try:
                read.add(reader.read(DocPath("sub/a.md"))[1])
            except Unreadable:
                continue
    finally:
        ended.set()
        swapping.join()
    assert read <= {b"open"}
