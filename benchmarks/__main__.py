"""The suite: what the work of every day costs on vaults of growing size, beside the least that the system allows.

    python -m benchmarks [--notes 1000 --notes 10000] [--save FILE] [--compare FILE]

The vaults are generated, no model is asked (`benchmarks.embed` measures that alone; vectors are made up as in
`benchmarks.warm`). Each part runs in a process of its own. Times hang on the machine and on what else it does: compare
ratios, and runs that were made one after the other. Floors, taken in the same process as what they stand beside: a bare
walk (list every folder, ask for every file's status), a bare read of every note, one pass over all vectors in memory.
The long form is `--notes 100000`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks import speed, warm
from benchmarks.generated import write_vault

SIZES: Final = (1_000, 10_000)
EDITS: Final = 5

Figures = dict[str, float]
Run = dict[str, dict[str, Figures]]
"""Notes (as text) -> part -> figure -> value."""


def main() -> None:
    """Measure, print the table, save and compare."""
    parser = argparse.ArgumentParser(description="Measure docs-rag on generated vaults.")
    parser.add_argument("--notes", type=int, action="append", help="size of a vault; may be given more than once")
    parser.add_argument("--save", type=Path, help="where the figures go, as JSON")
    parser.add_argument("--compare", type=Path, help="figures of an earlier run")
    parser.add_argument("--part", choices=sorted(PARTS), help=argparse.SUPPRESS)
    parser.add_argument("--vault", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        print(json.dumps(PARTS[arguments.part](arguments.vault)))
        return
    run: Run = {str(notes): measured(notes) for notes in arguments.notes or SIZES}
    before = json.loads(arguments.compare.read_text(encoding="utf-8"))["sizes"] if arguments.compare else {}
    print(*table(run, before), sep="\n")
    if arguments.save:
        document = {"machine": platform.platform(), "python": platform.python_version(), "sizes": run}
        arguments.save.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def measured(notes: int) -> dict[str, Figures]:
    """Every part on a vault of so many notes, one after the other on the same index."""
    with tempfile.TemporaryDirectory() as scratch:
        vault = Path(scratch) / "vault"
        write_vault(vault, notes)
        return {part: _apart(part, vault) for part in PARTS}


def _apart(part: str, vault: Path) -> Figures:
    command = [sys.executable, "-m", "benchmarks", "--part", part, "--vault", str(vault)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: Figures = json.loads(done.stdout)
    return found


def floors(vault: Path) -> Figures:
    """Reading every note and making nothing of it, and parsing and cutting it without storing, per megabyte."""
    from docs_rag.core.chunks import chunk  # noqa: PLC0415
    from docs_rag.core.documents import DocPath  # noqa: PLC0415
    from docs_rag.core.parsing import parse_document  # noqa: PLC0415

    files = sorted(vault.rglob("*.md"))
    started = time.perf_counter()
    texts = [file.read_bytes() for file in files]
    reading = time.perf_counter() - started
    megabytes = sum(map(len, texts)) / 1e6
    started = time.process_time()
    for file, data in zip(files, texts, strict=True):
        chunk(parse_document(DocPath(file.name), data.decode()))
    parsing = time.process_time() - started
    return {
        "megabytes": round(megabytes, 2),
        "readMegabytesPerSecond": round(megabytes / reading, 1),
        "parseMegabytesPerCpuSecond": round(megabytes / parsing, 2),
    }


def edit(vault: Path) -> Figures:
    """One note of many changed, found by a walk, and named as the hook names it; beside a bare walk."""
    note = sorted(vault.rglob("*.md"))[-1]
    walks: list[float] = []
    runs: dict[bool, list[float]] = {False: [], True: []}
    for number in range(EDITS):
        for is_named in runs:
            with note.open("a", encoding="utf-8") as file:
                file.write(f"\nEdit {number}, {is_named}.\n")
            walks.append(speed.walked(vault))
            path = note.relative_to(vault).as_posix()
            runs[is_named].append(speed.indexed(vault, path if is_named else ""))
    walk = statistics.median(walks)
    found, named = (statistics.median(runs[is_named]) for is_named in (False, True))
    return {
        "walkMilliseconds": round(1000 * walk, 1),
        "milliseconds": round(1000 * found, 1),
        "beyondWalkMilliseconds": round(1000 * (found - walk), 1),
        "namedMilliseconds": round(1000 * named, 1),
    }


def question(vault: Path) -> Figures:
    """Many different questions to a warm process, by meaning and words."""
    return warm.measure(warm.with_vectors(vault))


PARTS: Final[dict[str, Callable[[Path], Figures]]] = {
    "floors": floors,
    "index": speed.index,
    "noChange": speed.again,
    "edit": edit,
    "coldSearch": speed.search,
    "warmSearch": question,
}


def table(run: Run, before: Run) -> Iterator[str]:
    """A line for each figure, a column for each size: how the cost grows; behind it the ratio to the earlier run."""
    sizes = list(run)
    yield f"{'':44}" + "".join(f"{int(size):>20,}" for size in sizes) + "  notes"
    for part, figures in run[sizes[0]].items():
        for name in figures:
            cells = (_cell(run[size][part].get(name), before.get(size, {}).get(part, {}).get(name)) for size in sizes)
            yield f"{part + ' ' + name:44}" + "".join(f"{cell:>20}" for cell in cells)
    yield f"{os.cpu_count()} processors, {platform.platform()}, Python {platform.python_version()}"


def _cell(value: float | None, earlier: float | None) -> str:
    if value is None:
        return ""
    shown = f"{value:,}"
    return f"{shown} ({value / earlier:.2f}x)" if earlier else shown


if __name__ == "__main__":
    main()
