"""Whole commands, as a user starts them, from start to end of the process; beside a Python that does nothing."""

from __future__ import annotations

from typing import Final

from benchmarks.columns import Column
from benchmarks.measuring import BARE, Figures, children_peak, docs_rag, in_turns, milliseconds, run, walk
from docs_rag.adapters.embedders.builtin import is_available

QUESTION: Final = "token rotation of the gateway"


def no_change(column: Column) -> Figures:
    """`docs-rag index` with nothing to do."""
    command = docs_rag("index", "--config", str(column.config_file))
    calls = {"python": lambda: run(BARE), "command": lambda: run(command), "walk": lambda: walk(column.vault)}
    found = in_turns(calls)
    return {
        "milliseconds": milliseconds(found["command"].clock),
        "cpuMilliseconds": milliseconds(found["command"].cpu),
        "pythonMilliseconds": milliseconds(found["python"].clock),
        "walkMilliseconds": milliseconds(found["walk"].clock),
    }


def cold_search(column: Column) -> Figures:
    """`docs-rag search` by words alone."""
    return _search(docs_rag("search", "--config", str(column.config_file), QUESTION))


def cold_meaning(column: Column) -> Figures:
    """The same with a vector for each section, the builtin model's own for the question; nothing without it."""
    if not is_available():
        return {}
    return _search(docs_rag("search", "--vault", str(column.vault), QUESTION))


def _search(command: list[str]) -> Figures:
    found = in_turns({"python": lambda: run(BARE), "search": lambda: run(command)})
    return {
        "milliseconds": milliseconds(found["search"].clock),
        "cpuMilliseconds": milliseconds(found["search"].cpu),
        "pythonMilliseconds": milliseconds(found["python"].clock),
        "peakMiB": children_peak(),
    }
