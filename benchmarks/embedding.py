"""The builtin model at work for `index`, beside the model alone on the same texts.

Alone: a thread for each processor takes the next text, the longest first, until none is left; nothing is read or kept.
`index` reads the texts from the index, embeds them and keeps their vectors. How busy the model is, is the time inside
it, over all threads, as a share of threads times clock: that says the same on a machine that does other work too. What
a first run does after the last text (headings are asked as questions) is told apart.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final

from benchmarks.columns import Column, generated, open_for_writing
from benchmarks.measuring import Figures, Spent, spent

if TYPE_CHECKING:
    from docs_rag.adapters.embedders.builtin import BuiltinEmbedder
    from docs_rag.adapters.sqlite.store import SqliteStore

NOTES: Final = 17
"""About a hundred sections: three batches and the beginning of a fourth."""


class Watched:
    """Stands before the model and adds up the seconds that its texts take, over all threads."""

    def __init__(self, engine: Any) -> None:
        """Nothing is embedded yet."""
        self._engine, self._lock, self.seconds = engine, Lock(), 0.0

    def __getattr__(self, name: str) -> Any:
        """Everything else is the model's own."""
        return getattr(self._engine, name)

    def passage(self, text: str) -> Any:
        """The model's form of a text of a document."""
        started = time.perf_counter()
        try:
            return self._engine.passage(text)
        finally:
            with self._lock:
                self.seconds += time.perf_counter() - started

    def busy(self, threads: int, call: Callable[[], object]) -> tuple[Spent, float]:
        """What a call takes, and the share of the threads' time that the model was at work in."""
        self.seconds = 0.0
        taken = spent(call)
        return taken, self.seconds / (threads * taken.clock)


def measure(_column: Column) -> Figures:
    """Both on a small vault of its own, whatever the column; nothing where the model is not installed."""
    from docs_rag.adapters.embedders.builtin import BuiltinEmbedder, is_available  # noqa: PLC0415

    if not is_available():
        return {}
    with tempfile.TemporaryDirectory() as scratch:
        small = generated(NOTES, Path(scratch))
        with open_for_writing(small.config()) as store:
            return _both(small, store, BuiltinEmbedder())


def _both(column: Column, store: SqliteStore, embedder: BuiltinEmbedder) -> Figures:
    from docs_rag import wiring  # noqa: PLC0415
    from docs_rag.adapters.embedders.builtin import thread_count  # noqa: PLC0415
    from docs_rag.app.embedding import EmbeddingRun  # noqa: PLC0415
    from docs_rag.app.indexing import IndexRequest  # noqa: PLC0415

    wiring.open_indexer(column.config(), store, None).run(IndexRequest())
    embedder.embed_query("what loads the model")
    engine: Any = Watched(embedder._load())
    embedder._engine = engine
    texts = _texts(store, embedder)
    threads = min(thread_count(), len(texts))
    alone, alone_busy = engine.busy(threads, lambda: _alone(engine.passage, texts, threads))
    run = EmbeddingRun(store, embedder)
    row = run._register(embedder)
    kept, kept_busy = engine.busy(threads, lambda: run._embed(embedder, row, None, _batch()))
    calibrating = spent(lambda: run.run(full=False, now=int(time.time())))
    return {
        "texts": len(texts),
        "aloneTextsPerSecond": round(len(texts) / alone.clock, 2),
        "indexTextsPerSecond": round(len(texts) / kept.clock, 2),
        "cpuRatio": round(kept.cpu / alone.cpu, 3),
        "aloneBusy": round(alone_busy, 3),
        "indexBusy": round(kept_busy, 3),
        "busyRatio": round(kept_busy / alone_busy, 3),
        "calibratingSeconds": round(calibrating.clock, 2),
    }


def _batch() -> int:
    from docs_rag.app.embedding import BATCH  # noqa: PLC0415

    return BATCH


def _texts(store: SqliteStore, embedder: BuiltinEmbedder) -> list[str]:
    """What a run would send to the model, each text once."""
    from docs_rag.app.embedding import EmbeddingRun  # noqa: PLC0415
    from docs_rag.core.embedtext import embed_text  # noqa: PLC0415

    waiting = store.vectors.pending(EmbeddingRun(store, embedder)._register(embedder).id)
    pending = store.vectors.pending_texts([section for _, section in waiting])
    return [embed_text(each.title, each.headings, each.text) for each in pending]


def _alone(passage: Callable[[str], object], texts: Sequence[str], threads: int) -> None:
    waiting = sorted(texts, key=len)

    def work() -> None:
        while True:
            try:
                text = waiting.pop()
            except IndexError:
                return
            passage(text)

    helpers = [Thread(target=work) for _ in range(threads)]
    for helper in helpers:
        helper.start()
    for helper in helpers:
        helper.join()
