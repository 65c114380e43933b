"""What a question costs a server that is warm, beside the least that scoring the index can cost.

    python -m benchmarks.warm [--sections 20000] [--profile]

A vault is generated and indexed, and each of its sections is given a made-up vector: random ones around a few hundred
topics, around one common direction as a real model's are. So no model is asked and any size can be had; what the
answers say means nothing. Times are medians in milliseconds, of the processor and of the clock. The floor is one
pass over the vectors in memory, float32, in the same minutes.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.columns import Column, generated, named, open_for_writing
from benchmarks.generated import WORDS, invented
from benchmarks.measuring import Figures, peak
from docs_rag import wiring
from docs_rag.adapters.sqlite.store import SqliteStore
from docs_rag.app.answering import Answerer
from docs_rag.app.indexing import IndexRequest
from docs_rag.config import Config
from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.models import Model, lookup
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.core.queries import Query

Floats = NDArray[np.float32]

DIMENSIONS: Final = 384
TOPICS: Final = 300
COMMON: Final = 1.5
"""Length of the common direction, as a share of a topic's."""
SECTIONS_A_NOTE: Final = 5.5
QUESTIONS: Final = 50
AMONG: Final = 2_000
"""Rarer words of questions are among the most frequent so many."""


class MadeUp:
    """Stands in for a model: vectors by number, or by the text of a question."""

    model: Model = lookup(BUILTIN_E5)
    last_truncated: frozenset[int] = frozenset()

    def __init__(self) -> None:
        """The same topics every time."""
        chance = np.random.default_rng(5)
        self._common = chance.standard_normal(DIMENSIONS).astype(np.float32) * COMMON
        self._topics = chance.standard_normal((TOPICS, DIMENSIONS)).astype(np.float32)

    def vectors(self, count: int, seed: int) -> Floats:
        """`count` vectors of unit length."""
        chance = np.random.default_rng(seed)
        topics = self._topics[chance.integers(0, TOPICS, count)]
        found = topics + self._common + chance.standard_normal((count, DIMENSIONS), np.float32)
        unit: Floats = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit

    @staticmethod
    def packed(vector: Floats) -> Vector:
        """In the form that an index keeps."""
        return Vector(vector.astype("<f4").tobytes())

    def embed_query(self, text: str) -> Vector:
        """A vector that belongs to this text."""
        return self.packed(self.vectors(1, sum(text.encode()))[0])

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        """The same for several."""
        return [self.embed_query(text) for text in texts]

    def digest(self) -> str | None:
        """No weights, no digest."""
        return None


def main() -> None:
    """Parse the arguments, make the index, print one line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sections", type=int, default=20_000)
    parser.add_argument("--profile", action="store_true", help="where the time goes")
    parser.add_argument("--keep", type=Path, help="where the vault and its index stay for the next run")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        config = with_vectors(prepared(arguments.keep or Path(scratch), arguments.sections))
        print(json.dumps(measure(config, profile=arguments.profile)))


def prepared(place: Path, sections: int) -> Column:
    """A vault of about so many sections, made below `place` if it is not there."""
    notes = round(sections / SECTIONS_A_NOTE)
    column = named(notes, place)
    return column if column.vault.exists() else generated(notes, place)


def question(column: Column) -> Figures:
    """Many different questions to a warm process, by meaning and words; every section has its vector."""
    return measure(replace(column.config(), auto_refresh=False))


def fill(column: Column) -> Figures:
    """Only that."""
    with_vectors(column)
    return {}


def with_vectors(column: Column) -> Config:
    """The vault's index brought up to date, and a vector for each section that has none."""
    config = replace(column.config(), auto_refresh=False)
    with open_for_writing(config) as store:
        wiring.open_indexer(config, store, None).run(IndexRequest())
        _fill(store)
    return config


def _fill(store: SqliteStore) -> None:
    model = MadeUp.model
    row = store.vectors.register(model.name, "", (model.query_prefix, model.document_prefix), DIMENSIONS)
    waiting = [digest for digest, _ in store.vectors.pending(row.id)]
    made_up = MadeUp()
    for start in range(0, len(waiting), 10_000):
        some = waiting[start : start + 10_000]
        vectors = (Vector(each.tobytes()) for each in made_up.vectors(len(some), start))
        store.vectors.put(row.id, dict(zip(some, vectors, strict=True)))
    store.vectors.keep_signs(row.id)


def questions(count: int) -> Iterator[str]:
    """So many questions, no two alike, of words that the vault's notes are made of."""
    chance = random.Random(11)
    for _ in range(count):
        common = chance.sample(WORDS, 3)
        rarer = [invented(min(int(AMONG ** chance.random()), AMONG)) for _ in range(3)]
        yield f"how does the {' '.join(common)} work with {' '.join(rarer)}"


def measure(config: Config, *, profile: bool = False) -> Figures:
    """Ask many different questions, the model left out, then score all vectors as often."""
    store = wiring.open_index(config)
    with store:
        answerer = wiring.open_answerer(config, store, MadeUp())
        started = time.perf_counter()
        answerer.answer(Query(text=next(questions(1)), limit=8))
        first = time.perf_counter() - started
        searches: list[tuple[float, float]] = []
        profiler = cProfile.Profile()
        for question in questions(QUESTIONS):
            if profile:
                profiler.enable()
            searches.append(_asked(answerer, question))
            profiler.disable()
        if profile:
            pstats.Stats(profiler).sort_stats("tottime").print_stats(30)
        return _figures(config, store, first, searches)


def _figures(config: Config, store: SqliteStore, first: float, searches: list[tuple[float, float]]) -> Figures:
    most = peak()  # before the floor holds every vector
    notes, sections = store.lookup.counts()
    clock = statistics.median(each for _, each in searches)
    floor = _pass(config)
    return {
        "notes": notes,
        "sections": sections,
        "firstMilliseconds": round(1000 * first, 1),
        "cpuMilliseconds": round(1000 * statistics.median(each for each, _ in searches), 2),
        "milliseconds": round(1000 * clock, 2),
        "passMilliseconds": round(1000 * floor, 2),
        "ratio": round(clock / floor, 2),
        "peakMiB": most,
    }


def _asked(answerer: Answerer, question: str) -> tuple[float, float]:
    clock, cpu = time.perf_counter(), time.process_time()
    answerer.answer(Query(text=question, limit=8))
    return time.process_time() - cpu, time.perf_counter() - clock


def _pass(config: Config) -> float:
    """Seconds of one pass over all vectors in memory."""
    pool, passes = _pool(config), []
    for question in pool[:QUESTIONS]:
        started = time.perf_counter()
        _ = pool @ question
        passes.append(time.perf_counter() - started)
    return statistics.median(passes)


def _pool(config: Config) -> Floats:
    connection = sqlite3.connect(f"file:{config.index_path}?mode=ro", uri=True)
    count = connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
    pool: Floats = np.empty((count, DIMENSIONS), np.float32)
    for place, (vector,) in enumerate(connection.execute("SELECT vector FROM vectors")):
        pool[place] = np.frombuffer(vector, "<f4")
    connection.close()
    return pool


if __name__ == "__main__":
    main()
