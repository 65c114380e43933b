"""How long one look through a vault takes, against the least that the system allows.

    python -m benchmarks.walk [FOLDER] [--notes N] [--gitignore LINES] [--repeat N]

Without FOLDER a tree of N notes is made in a temporary folder, with an ignore file of LINES lines if asked for. The
bare walk lists every folder and takes the status of every file, and makes nothing of it. Times are the best of all
repeats, in milliseconds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measuring import walk
from docs_rag.adapters.vault import FolderVault

FOLDERS = 100


def scan(root: str) -> int:
    """One scan as `docs-rag index` makes it; how many entries it told of."""
    vault = FolderVault(root, include=["**/*.md"], exclude=[], gitignore=True, max_bytes=10 * 1024 * 1024)
    return sum(1 for _ in vault.scan())


def best(action: Callable[[str], int], root: str, repeat: int) -> tuple[float, int]:
    """The shortest time of `repeat` runs in milliseconds, and what the action returned."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        count = action(root)
        times.append((time.perf_counter() - start) * 1000)
    return min(times), count


def make_tree(root: Path, notes: int, lines: int) -> None:
    """Fills `root` with notes in folders of two levels."""
    for number in range(notes):
        folder = root / f"area-{number % 10}" / f"topic-{number % FOLDERS}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"note-{number}.md").write_text("# Note\n", encoding="utf-8")
    if lines:
        forms = ("*.ext{}", "name{}", "folder{}/", "/anchored{}", "a/b{}/*.md")
        text = "\n".join(forms[number % len(forms)].format(number) for number in range(lines))
        (root / ".gitignore").write_text(text, encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--gitignore", type=int, default=0, metavar="LINES")
    parser.add_argument("--repeat", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        if options.folder is None:
            make_tree(Path(made), options.notes, options.gitignore)
        root = options.folder or made
        bare_time, files = best(walk, root, options.repeat)
        scan_time, told = best(scan, root, options.repeat)
    print(f"bare walk {bare_time:7.1f} ms  {files} files")
    print(f"scan      {scan_time:7.1f} ms  {told} entries  {scan_time / bare_time:.2f} times the bare walk")


if __name__ == "__main__":
    main()
