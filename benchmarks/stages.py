"""Where the time of a first run goes: reading, parsing and cutting, storing, states; in one process, without a model.

Notes are taken in as a run does it, some in one transaction, into an index of their own. What reaches the vault and the
index by their ports is timed there; all else that happens to a note counts as parsing: cutting, the texts that would
be embedded, digests.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.columns import Column, open_for_writing
from benchmarks.measuring import Figures

MOST: Final = 4_000
"""Notes that are taken, evenly spread."""


class Metered:
    """Stands before an object and adds up the processor seconds of its calls, and of those of its parts."""

    def __init__(self, target: Any, seconds: dict[str, float], name: str) -> None:
        """Calls of `target` count for `name` in `seconds`."""
        self._target, self._seconds, self._name = target, seconds, name

    def __getattr__(self, attribute: str) -> Any:
        """A timed call, or a part of the object that stands behind such a one."""
        value = getattr(self._target, attribute)
        if attribute == "batch":
            return lambda: self._batch(value)
        return self._timed(value) if callable(value) else Metered(value, self._seconds, self._name)

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            with self._counted():
                return call(*arguments, **named)

        return timed

    @contextmanager
    def _batch(self, open_batch: Callable[[], Any]) -> Iterator[None]:
        """What begins and ends a transaction counts, not what happens in it."""
        with self._counted():
            batch = open_batch()
            batch.__enter__()
        yield
        with self._counted():
            batch.__exit__(None, None, None)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        started = time.process_time()
        try:
            yield
        finally:
            self._seconds[self._name] += time.process_time() - started


def stages(column: Column) -> Figures:
    """Processor milliseconds for a megabyte of notes, by stage."""
    notes = column.notes()
    notes = notes[:: -(-len(notes) // MOST)]
    megabytes = sum(note.stat().st_size for note in notes) / 1e6
    paths = [note.relative_to(column.vault).as_posix() for note in notes]
    with tempfile.TemporaryDirectory(dir=column.vault.parent) as state:
        seconds = _taken(column, Path(state), paths)
    shown = {f"{name}CpuMillisecondsPerMegabyte": round(1000 * each / megabytes, 1) for name, each in seconds.items()}
    return {
        "notes": len(notes),
        "megabytes": round(megabytes, 2),
        **shown,
        "megabytesPerCpuSecond": round(megabytes / sum(seconds.values()), 2),
    }


def _taken(column: Column, state: Path, paths: list[str]) -> dict[str, float]:
    from docs_rag import wiring  # noqa: PLC0415
    from docs_rag.app.intake import Intake, in_batches  # noqa: PLC0415
    from docs_rag.core.documents import DocPath  # noqa: PLC0415

    config = column.config(state)
    seconds: dict[str, float] = defaultdict(float)
    with open_for_writing(config) as store:
        vault: Any = Metered(wiring.open_vault(config), seconds, "read")
        index: Any = Metered(store, seconds, "store")
        intake = Intake(vault, index, config.status_rules)
        intake.take(DocPath(paths[0]))  # what loads and compiles
        seconds.clear()
        started = time.process_time()
        for some in in_batches(intake.ready((DocPath(path), False) for path in paths[1:])):
            with index.batch():
                for each in some:
                    intake.settle(each)
        parsing = time.process_time() - started - sum(seconds.values())
        stored, started = seconds["store"], time.process_time()
        intake.resolve()
        states = time.process_time() - started
    return {"read": seconds["read"], "parse": parsing, "store": stored, "states": states}
