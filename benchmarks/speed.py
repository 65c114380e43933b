"""How fast the index is built and kept, and what memory it takes.

    python -m benchmarks.speed [--notes 5000] [--folder DIR]

Without `--folder` a vault is generated. Every figure comes from a process of its own: index with no model, index
again with nothing changed (beside a bare walk of the same tree in the same process), and a search.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.generated import write_vault


def main() -> None:
    """Parse the arguments, run every part in a subprocess, print its line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--part", choices=sorted(PARTS))
    arguments = parser.parse_args()
    if arguments.part:
        print(json.dumps(PARTS[arguments.part](arguments.folder)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        vault = Path(scratch) / "vault"
        if arguments.folder is None:
            write_vault(vault, arguments.notes)
        else:
            shutil.copytree(arguments.folder, vault)
        for part in ("index", "again", "search"):
            command = [sys.executable, "-m", "benchmarks.speed", "--part", part, "--folder", str(vault)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            print(part, done.stdout.strip())


def index(vault: Path) -> dict[str, float]:
    """Build the index from nothing."""
    seconds, cpu, report = _run(vault)
    size = sum(path.stat().st_size for path in vault.rglob("*.md"))
    return {
        "notes": report["added"],
        "sections": report["chunks"],
        "megabytes": round(size / 1e6, 2),
        "seconds": round(seconds, 2),
        "megabytesPerSecond": round(size / 1e6 / seconds, 2),
        "megabytesPerCpuSecond": round(size / 1e6 / cpu, 2),
        "notesPerSecond": round(report["added"] / seconds),
        "peakMiB": _peak(),
        "indexMegabytes": round((vault / ".rag" / "index.db").stat().st_size / 1e6, 1),
    }


def again(vault: Path) -> dict[str, float]:
    """Nothing has changed: the run beside a bare walk."""
    walks = sorted(_walk(str(vault)) for _ in range(5))
    runs = sorted(_run(vault)[0] for _ in range(5))
    return {
        "milliseconds": round(1000 * runs[2], 1),
        "walkMilliseconds": round(1000 * walks[2], 1),
        "ratio": round(runs[2] / walks[2], 2),
        "peakMiB": _peak(),
    }


def search(vault: Path) -> dict[str, float]:
    """A lexical search as a whole process, five times."""
    command = [sys.executable, "-m", "docs_rag", "search", "--vault", str(vault), "token rotation of the gateway"]
    seconds = []
    for _ in range(6):
        started = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        seconds.append(time.monotonic() - started)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {"milliseconds": round(1000 * sorted(seconds[1:])[2], 1), "peakMiB": round(peak, 1)}


def indexed(vault: Path, path: str = "") -> float:
    """Seconds of one run, of the whole vault or for one note."""
    return _run(vault, path)[0]


def walked(vault: Path) -> float:
    """Seconds of a bare walk."""
    return _walk(str(vault))


def _run(vault: Path, path: str = "") -> tuple[float, float, dict[str, int]]:
    from docs_rag import wiring  # noqa: PLC0415
    from docs_rag.app.indexing import IndexRequest  # noqa: PLC0415
    from docs_rag.core.documents import DocPath  # noqa: PLC0415

    found, _ = wiring.open_project(wiring.Options(vault=str(vault)), strict=True)
    config = replace(found, embed_model="none")
    store, _ = wiring.open_index_for_writing(config)
    with store:
        indexer = wiring.open_indexer(config, store, None)
        started, cpu = time.monotonic(), time.process_time()
        report = indexer.run(IndexRequest(only=(DocPath(path),) if path else ()))
        return time.monotonic() - started, time.process_time() - cpu, {"added": report.added, "chunks": report.chunks}


def _walk(folder: str) -> float:
    started = time.monotonic()
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    entry.stat()
    return time.monotonic() - started


def _peak() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


PARTS = {"index": index, "again": again, "search": search}

if __name__ == "__main__":
    main()
