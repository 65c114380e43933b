"""The index made and kept up to date, without a model, beside what reading and walking alone cost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from benchmarks.columns import Column, open_for_writing
from benchmarks.measuring import Figures, Spent, children_peak, in_turns, milliseconds, peak, spent, walk

if TYPE_CHECKING:
    from docs_rag.core.report import IndexReport

ALLOWED_WALKS: Final = 1.8
"""Bare walks that a run which changes little may take, as our goals put it."""


def floors(column: Column) -> Figures:
    """Reading every note and making nothing of it, and parsing and cutting the notes without storing them."""
    from docs_rag.core.chunks import chunk  # noqa: PLC0415
    from docs_rag.core.documents import DocPath  # noqa: PLC0415
    from docs_rag.core.parsing import decode, parse_document  # noqa: PLC0415

    sizes: list[int] = []
    files = column.notes()
    chunk(parse_document(DocPath(files[0].name), decode(files[0].read_bytes())))  # what loads and compiles
    reading = spent(lambda: sizes.extend(len(file.read_bytes()) for file in files))

    def parse() -> None:
        for file in files:
            chunk(parse_document(DocPath(file.name), decode(file.read_bytes())))

    parsing = spent(parse)
    megabytes = sum(sizes) / 1e6
    return {
        "megabytes": round(megabytes, 2),
        "readMegabytesPerSecond": round(megabytes / reading.clock, 1),
        "parseMegabytesPerCpuSecond": round(megabytes / (parsing.cpu - reading.cpu), 2),
    }


def one_processor(column: Column) -> Figures:
    """The index made from nothing while the system gives this process one processor."""
    with _one_processor():
        found = index(column)
    wanted = ("megabytesPerSecond", "megabytesPerCpuSecond", "peakMiB")
    return {name: found[name] for name in wanted}


@contextmanager
def _one_processor() -> Iterator[None]:
    """Where the system can be told so."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def index(column: Column) -> Figures:
    """The index made from nothing, with every processor that there is."""
    for file in column.config_file.parent.glob("index.db*"):
        file.unlink()
    report, taken = bring_up(column)
    size = sum(path.stat().st_size for path in column.notes()) / 1e6
    return {
        "notes": report.added,
        "sections": report.chunks,
        "megabytes": round(size, 2),
        "seconds": round(taken.clock, 2),
        "megabytesPerSecond": round(size / taken.clock, 2),
        "megabytesPerCpuSecond": round(size / taken.cpu, 2),
        "notesPerSecond": round(report.added / taken.clock),
        "peakMiB": peak(),
        "childPeakMiB": children_peak(),
        "indexMegabytes": round((column.config_file.parent / "index.db").stat().st_size / 1e6, 1),
    }


def no_change(column: Column) -> Figures:
    """A run that finds nothing changed, beside a bare walk."""
    found = in_turns({"walk": lambda: walk(column.vault), "run": lambda: bring_up(column)[1]})
    return {
        "milliseconds": milliseconds(found["run"].clock),
        "walkMilliseconds": milliseconds(found["walk"].clock),
        "ratio": round(found["run"].clock / found["walk"].clock, 2),
        "peakMiB": peak(),
    }


def edit(column: Column) -> Figures:
    """One note of many changed: found by a walk, and named as the hook names it; beside a bare walk."""
    note = column.notes()[-1]
    path = note.relative_to(column.vault).as_posix()

    def change() -> None:
        with note.open("a", encoding="utf-8") as file:
            file.write("\nOne more edit.\n")

    steps: dict[str, Callable[[], object]] = {
        "walk": lambda: walk(column.vault),
        "change": change,
        "found": lambda: bring_up(column)[1],
        "changeAgain": change,
        "named": lambda: bring_up(column, path)[1],
    }
    taken = in_turns(steps)
    bare, found = taken["walk"].clock, taken["found"].clock
    return {
        "walkMilliseconds": milliseconds(bare),
        "milliseconds": milliseconds(found),
        "beyondWalkMilliseconds": milliseconds(found - bare),
        "beyondAllowedWalksMilliseconds": milliseconds(found - ALLOWED_WALKS * bare),
        "namedMilliseconds": milliseconds(taken["named"].clock),
    }


def bring_up(column: Column, path: str = "") -> tuple[IndexReport, Spent]:
    """One run in this process, of the whole vault or for one note; opening and closing the index is not counted."""
    from docs_rag import wiring  # noqa: PLC0415
    from docs_rag.app.indexing import IndexRequest  # noqa: PLC0415
    from docs_rag.core.documents import DocPath  # noqa: PLC0415

    config = column.config()
    reports: list[IndexReport] = []
    request = IndexRequest(only=(DocPath(path),) if path else ())
    with open_for_writing(config) as store:
        indexer = wiring.open_indexer(config, store, None)
        taken = spent(lambda: reports.append(indexer.run(request)))
    return reports[0], taken
