"""What scoring a large index costs: time, memory and how many of the exact ten best sections are found.

    python -m benchmarks.vectors [--count 200000] [--questions 20] [--exact]

An index is filled with rows that have no text and with made-up vectors (see `benchmarks.warm`), of 384 dimensions.
Each question asks for the 64 best, the best hidden ones and the best below a floor, as a search does. `--exact`
measures the matrix that holds every vector whatever the size. The floor is one pass over float32 vectors in memory,
taken after the memory was measured. `keepSeconds` is what a run of `index` takes to keep the signs, `loadSeconds` what
a process then takes to read them, `changedMilliseconds` what it takes after one note has changed.
"""

from __future__ import annotations

import argparse
import json
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.warm import DIMENSIONS, Floats, MadeUp
from docs_rag.adapters.sqlite.sketch import Sketch
from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.adapters.sqlite.vectors import VectorMatrix
from docs_rag.core.queries import Admission, Hidden
from docs_rag.core.sections import section_id
from docs_rag.core.terms import UnicodeAnalyser

A_NOTE: Final = 6
BLOCK: Final = 20_000
KEEP: Final = (
    "import sqlite3, sys; from docs_rag.adapters.sqlite.signs import SignRows;"
    "SignRows(sqlite3.connect(sys.argv[1], isolation_level=None), 1).complete()"
)
HIDDEN: Final = 10
"""Every tenth note is superseded."""


def main() -> None:
    """Parse the arguments, fill the index, print one line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--keep", type=Path, help="where the index stays for the next run")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        path = (arguments.keep or Path(scratch)) / f"vectors-{arguments.count}.db"
        if not path.exists():
            fill(path, arguments.count)
        print(json.dumps(measure(path, arguments.count, arguments.questions, exact=arguments.exact)))


def blocks(count: int) -> Iterator[tuple[int, Floats]]:
    """The same vectors every time, with the place of the first of each block."""
    made_up = MadeUp()
    for start in range(0, count, BLOCK):
        yield start, made_up.vectors(min(BLOCK, count - start), start)


def fill(path: Path, count: int) -> None:
    """Rows of sections and their vectors, without notes or text."""
    with open_store(str(path), UnicodeAnalyser(), create=True) as store:
        model = store.vectors.register("made-up", "", ("", ""), DIMENSIONS).id
    db = sqlite3.connect(path)
    for start, vectors in blocks(count):
        keys = [(section_id(1 + n // A_NOTE, n % A_NOTE), b"%032d" % n) for n in range(start, start + len(vectors))]
        db.executemany("INSERT INTO chunks VALUES (?, '[]', 1, 1, '', '', '', NULL, ?)", keys)
        rows = ((model, digest, vector.tobytes()) for (_, digest), vector in zip(keys, vectors, strict=True))
        db.executemany("INSERT INTO vectors (model, digest, vector) VALUES (?, ?, ?)", rows)
        db.commit()
    db.close()


def measure(path: Path, count: int, questions: int, *, exact: bool) -> dict[str, float]:
    """Load, ask, and compare with every score."""
    with open_store(str(path), UnicodeAnalyser()) as store:
        started = time.perf_counter()
        if not exact:
            _keep_signs(path)
        kept = time.perf_counter() - started
        before, started = _peak(), time.perf_counter()
        matrix = (VectorMatrix if exact else Sketch)(store._db, 1)  # whichever is asked for
        loaded = time.perf_counter() - started
        scope = Admission({note: Hidden.SUPERSEDED for note in range(1, count // A_NOTE + 2, HIDDEN)})
        asked = MadeUp().vectors(questions, 987)
        times: list[tuple[float, float]] = []
        found: list[list[int]] = []
        for question in asked:
            clock, cpu = time.perf_counter(), time.process_time()
            scores = matrix.scores(MadeUp.packed(question), None)
            best = scores.top(scope, 64)
            scores.hidden(scope, 0.5, 64)
            scores.best_below(scope, best[0][1])
            times.append((time.process_time() - cpu, time.perf_counter() - clock))
            found.append([key for key, _ in best])
        peak = _peak()
        _change(store)
        started = time.perf_counter()
        matrix.load()
        changed = time.perf_counter() - started
    wanted, passes = _exact(count, asked, scope)
    clock = statistics.median(each for _, each in times)
    return {
        "vectors": count,
        "keepSeconds": round(kept, 2),
        "loadSeconds": round(loaded, 3),
        "changedMilliseconds": round(1000 * changed, 1),
        "cpuMilliseconds": round(1000 * statistics.median(each for each, _ in times), 1),
        "milliseconds": round(1000 * clock, 1),
        "passMilliseconds": round(1000 * passes, 1),
        "ratio": round(clock / passes, 2),
        "recallAt10": round(_share(found, wanted, 10), 4),
        "recallAt64": round(_share(found, wanted, 64), 4),
        "addedMiB": round(peak - before),
        "peakMiB": round(peak),
    }


def _keep_signs(path: Path) -> None:
    """As `index` does at its end; in a process of its own, for the memory's sake."""
    subprocess.run([sys.executable, "-c", KEEP, str(path)], check=True)


def _change(store: SqliteStore) -> None:
    """What a changed note does to the signs: those of its block are gone."""
    store._db.execute("DELETE FROM sketches WHERE block = (SELECT max(block) / 2 FROM sketches)")


def _exact(count: int, asked: Floats, scope: Admission) -> tuple[list[list[int]], float]:
    """By question the 64 best sections, and the seconds that one pass over all vectors takes for one of them."""
    columns: list[Floats] = []
    seconds = 0.0
    for _, vectors in blocks(count):
        started = time.perf_counter()
        _ = vectors @ asked[0]
        seconds += time.perf_counter() - started
        columns.append(vectors @ asked.T)
    scores = np.concatenate(columns)
    notes = 1 + np.arange(count) // A_NOTE
    scores[np.isin(notes, list(scope.hidden))] = -2
    best = np.argsort(-scores, axis=0)[:64].T
    return [[section_id(int(n) // A_NOTE + 1, int(n) % A_NOTE) for n in row] for row in best], seconds


def _share(found: list[list[int]], wanted: list[list[int]], count: int) -> float:
    pairs = zip(found, wanted, strict=True)
    return statistics.mean(len({*one[:count]} & {*other[:count]}) / count for one, other in pairs)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
