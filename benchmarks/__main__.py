"""The suite: what the work of every day costs on vaults of growing size, beside the least that the system allows.

    python -m benchmarks [--notes 100 --notes 1000 --notes 10000] [--only PART] [--golden DIR]
                         [--save FILE] [--compare FILE] [--draw FILE]

Vaults are generated; of corpora with questions (`../shared/golden` where it is there, or DIR) copies are measured too.
Vectors are made up but for the part `embed`, which asks the builtin model. Each part (benchmarks/parts.py has a row for
each) runs in a process of its own with a home folder of its own. Times hang on the machine and on what else it does:
compare ratios, and runs that were made one after the other. Floors, taken in turns with what they stand beside: a bare
walk (list every folder, ask for every file's status), a bare read of every note, a Python that does nothing, one pass
over all vectors in memory, the model alone. The long form is `--notes 100 --notes 10000 --notes 100000`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks import curves, goals
from benchmarks.columns import Column, corpora, generated
from benchmarks.measuring import Figures
from benchmarks.parts import PARTS, resolve, steps
from benchmarks.results import Results, Sizes, here, load, save
from benchmarks.table import table

SIZES: Final = (100, 1_000, 10_000)
GOLDEN: Final = Path(__file__).resolve().parents[2] / "shared" / "golden"


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print the table, the goals and the curves, save and compare."""
    arguments = _parser().parse_args(words)
    if arguments.function:
        column = Column(arguments.label, arguments.vault, arguments.questions)
        print(json.dumps(resolve(arguments.function)(column)))
        return
    before = load(arguments.compare) if arguments.compare else Results()
    now = Results()
    for now in _measured(arguments.notes or SIZES, arguments.golden, arguments.only or ()):
        if arguments.save:  # after each vault: a long run may be stopped
            save(now, arguments.save)
    print(*table(now, before), "", *goals.lines(now), "", *curves.plot(now), sep="\n")
    if arguments.draw:
        arguments.draw.write_text(curves.svg(now, before), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure docs-rag.")
    parser.add_argument("--notes", type=int, action="append", help="size of a vault; may be given more than once")
    parser.add_argument(
        "--only", choices=[part.name for part in PARTS], action="append", help="a part; may be repeated"
    )
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="folder of corpora with questions")
    parser.add_argument("--save", type=Path, help="where the figures go, as JSON")
    parser.add_argument("--compare", type=Path, help="figures of an earlier run")
    parser.add_argument("--draw", type=Path, help="where a picture of the growth goes, as SVG")
    for name, kind in (("--function", str), ("--label", str), ("--vault", Path), ("--questions", Path)):
        parser.add_argument(name, type=kind, help=argparse.SUPPRESS)
    return parser


def _measured(notes: Sequence[int], golden: Path, only: Sequence[str]) -> Iterator[Results]:
    """All that is known after each vault."""
    found: Sizes = {}
    for place, column in enumerate(_columns(notes, golden)):
        found[column.label] = measure(column, only, is_first=place == 0)
        yield here(found)


def _columns(notes: Sequence[int], golden: Path) -> Iterator[Column]:
    """One after the other, each in a temporary folder that goes when it was measured."""
    for count in notes:
        with tempfile.TemporaryDirectory() as scratch:
            yield generated(count, Path(scratch).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        yield from corpora(golden, Path(scratch).resolve())


def measure(column: Column, only: Sequence[str] = (), *, is_first: bool = True) -> dict[str, Figures]:
    """Every part, or some, one after the other on the same index; what has nothing to say, or fails, is left out."""
    found: dict[str, Figures] = {}
    for part, function in steps(column, only, is_first=is_first):
        print(f"{column.label}: {part or 'preparing'}", file=sys.stderr, flush=True)
        try:
            figures = _apart(column, function)
        except subprocess.CalledProcessError as error:  # its traceback was shown; the other parts can still be measured
            print(f"{column.label}: {part or function} failed with status {error.returncode}", file=sys.stderr)
            continue
        if part and figures:
            found[part] = figures
    return found


def _apart(column: Column, function: str) -> Figures:
    command = [sys.executable, "-m", "benchmarks", "--function", function, "--label", column.label]
    command += ["--vault", str(column.vault)]
    if column.questions is not None:
        command += ["--questions", str(column.questions)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=_environment(column))
    figures: Figures = json.loads(done.stdout)
    return figures


def _environment(column: Column) -> dict[str, str]:
    """That of this process, but nothing is found in or written to the user's own folders; bytecode is kept."""
    left_out = ("PYTHONDONTWRITEBYTECODE", "CLAUDE_PROJECT_DIR")
    kept = {key: value for key, value in os.environ.items() if key not in left_out and not key.startswith("XDG_")}
    place = column.vault.parent
    home = {"HOME": str(place / "home"), "PYTHONPYCACHEPREFIX": str(place / "bytecode")}
    root = str(Path(__file__).resolve().parents[1])
    return {**kept, **home, "PYTHONPATH": os.pathsep.join(filter(None, (root, kept.get("PYTHONPATH", ""))))}


if __name__ == "__main__":
    main()
