"""How long the standings take: one changed note of a large vault, and the whole vault.

    python -m benchmarks.graph [--notes 25000] [--kept FOLDER]

The vault is generated, a tenth of its notes superseded by the one before. `edit` takes a superseded note in with a
successor more or less and works out what follows, as `serve` does when a file changed: the two times are told apart.
`whole` works every standing out again. With `--kept` the vault and its index are kept there for another run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.generated import write_vault

if TYPE_CHECKING:
    from docs_rag.adapters.sqlite.store import SqliteStore
    from docs_rag.config import Config

EDITS = 40
WHOLE = 5


def main() -> None:
    """Parse the arguments, make the vault and its index, measure, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=25_000)
    parser.add_argument("--kept", type=Path)
    arguments = parser.parse_args()
    if arguments.kept is not None:
        arguments.kept.mkdir(parents=True, exist_ok=True)
        _measure(arguments.kept / "vault", arguments.notes)
        return
    with tempfile.TemporaryDirectory() as scratch:
        _measure(Path(scratch) / "vault", arguments.notes)


def _measure(vault: Path, notes: int) -> None:
    from docs_rag import wiring  # noqa: PLC0415
    from docs_rag.app.indexing import IndexRequest  # noqa: PLC0415

    if not vault.exists():
        write_vault(vault, notes)
    found, _ = wiring.open_project(wiring.Options(vault=str(vault)), strict=True)
    config = replace(found, embed_model="none")
    store, _ = wiring.open_index_for_writing(config)
    with store:
        started = time.monotonic()
        wiring.open_indexer(config, store, None).run(IndexRequest())
        seconds = round(time.monotonic() - started, 2)
        megabytes = round((vault / ".rag" / "index.db").stat().st_size / 1e6, 1)
        _tell("index", {"notes": notes, "seconds": seconds, "megabytes": megabytes})
        _tell("edit", _edits(config, store))
        _tell("whole", _wholes(store))


def _edits(config: Config, store: SqliteStore) -> dict[str, float]:
    """Superseded notes all over the vault, each with one successor more or less."""
    from docs_rag import wiring  # noqa: PLC0415
    from docs_rag.app.intake import Intake  # noqa: PLC0415

    intake = Intake(wiring.open_vault(config), store, config.status_rules)
    superseded = [note.path for note in store.notes.listing() if note.superseded_by_text]
    chosen = superseded[:: max(1, len(superseded) // EDITS)][:EDITS]
    taken, resolved = [], []
    for path in chosen:
        file = Path(config.vault_path) / path
        text = file.read_text(encoding="utf-8")
        more, less = "superseded_by: ", f"superseded_by: {_before(path)}, "
        file.write_text(text.replace(less, more) if less in text else text.replace(more, less), encoding="utf-8")
        started = time.perf_counter()
        intake.take(path)
        read = time.perf_counter()
        intake.resolve()
        taken.append(read - started)
        resolved.append(time.perf_counter() - read)
    return {"edits": len(chosen), "readP50": _p50(taken), "graphP50": _p50(resolved), "graphMax": _ms(max(resolved))}


def _before(path: str) -> str:
    """The number of the note two before."""
    return f"{max(0, int(path.rpartition('/')[2][:5]) - 2):05d}"


def _wholes(store: SqliteStore) -> dict[str, float]:
    from docs_rag.core.recompute import recompute  # noqa: PLC0415

    seconds = []
    for _ in range(WHOLE):
        store.graph.touch(f"{n}" for n in range(2_000))
        started = time.perf_counter()
        recompute(store.graph)
        seconds.append(time.perf_counter() - started)
    return {"records": store.lookup.counts()[0], "milliseconds": _p50(seconds)}


def _p50(seconds: list[float]) -> float:
    return _ms(statistics.median(seconds))


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def _tell(part: str, figures: dict[str, float]) -> None:
    sys.stdout.write(f"{part} {json.dumps(figures)}\n")


if __name__ == "__main__":
    main()
