"""Scoring many made-up vectors without notes: ten for each note of the column, so that 100,000 mean a million."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks import vectors
from benchmarks.columns import Column
from benchmarks.measuring import Figures, run
from docs_rag.adapters.sqlite.store import SKETCHED_FROM

A_NOTE: Final = 10
QUESTIONS: Final = 20
FILL: Final = (
    "import sys; from pathlib import Path; from benchmarks import vectors; vectors.fill(Path(sys.argv[1]), {})"
)


def measure(column: Column) -> Figures:
    """Load them, ask, compare with the score of every one; another process fills the index, for the memory's sake."""
    count = A_NOTE * int(column.label)
    with tempfile.TemporaryDirectory(dir=column.vault.parent) as scratch:
        path = Path(scratch) / "index.db"
        run([sys.executable, "-c", FILL.format(count), str(path)])
        return vectors.measure(path, count, QUESTIONS, exact=count < SKETCHED_FROM)
