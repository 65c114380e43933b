"""The parts of the suite, a row each. Each is measured in a process of its own, in this order, on the same index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Final, NamedTuple

from benchmarks.columns import Column
from benchmarks.measuring import Figures


class Part(NamedTuple):
    """Something to measure."""

    name: str
    """As in the table and in JSON."""
    function: str
    """`module:function` of this package, `Column -> Figures`; no figures: it has nothing to say of this vault."""
    needs: tuple[str, ...] = ()
    """What must be there first: keys of `PREPARATIONS`."""
    columns: str = "every"
    """`every`, `generated`, `corpus`, or `first`: what does not hang on the vault is measured in one column."""


INDEX: Final = ("index",)
VECTORS: Final = ("index", "vectors")

PARTS: Final = (
    Part("floors", "indexing:floors"),
    Part("stages", "stages:stages"),
    Part("oneProcessor", "indexing:one_processor"),
    Part("index", "indexing:index"),
    Part("noChange", "indexing:no_change", INDEX),
    Part("edit", "indexing:edit", INDEX),
    Part("noChangeCommand", "commands:no_change", INDEX),
    Part("coldSearch", "commands:cold_search", INDEX),
    Part("server", "server:by_words", INDEX),
    Part("hook", "hook:measure", INDEX),
    Part("golden", "golden:measure", INDEX, "corpus"),
    Part("warmSearch", "warm:question", VECTORS),
    Part("coldMeaning", "commands:cold_meaning", VECTORS),
    Part("serverMeaning", "server:by_meaning", VECTORS),
    Part("vectors", "manyvectors:measure", columns="generated"),
    Part("embed", "embedding:measure", columns="first"),
)

PREPARATIONS: Final = {"index": "indexing:index", "vectors": "warm:fill"}
"""What several parts need, and what makes it; the part of the same function makes it too."""


def steps(column: Column, wanted: Sequence[str], *, is_first: bool) -> Iterator[tuple[str, str]]:
    """(part, function) in order; a preparation has no part's name. `wanted` empty: every part."""
    ready: set[str] = set()
    for part in PARTS:
        if (wanted and part.name not in wanted) or not _concerns(part, column, is_first=is_first):
            continue
        for need in part.needs:
            if PREPARATIONS[need] not in ready:
                ready.add(PREPARATIONS[need])
                yield "", PREPARATIONS[need]
        ready.add(part.function)
        yield part.name, part.function


def _concerns(part: Part, column: Column, *, is_first: bool) -> bool:
    is_corpus = column.questions is not None
    return {"every": True, "generated": not is_corpus, "corpus": is_corpus, "first": is_first}[part.columns]


def resolve(function: str) -> Callable[[Column], Figures]:
    """The function of a row."""
    module, _, name = function.partition(":")
    found: Callable[[Column], Figures] = getattr(import_module(f"benchmarks.{module}"), name)
    return found
