"""How much the scores of the same questions change while a vault grows, with the builtin model.

    python -m benchmarks.stability QUESTIONS.json... [--count 20]

Each file names its corpus, a folder beside it (`root`). A tenth of its notes is indexed, then half of them, then all,
in one index that is kept up to date as a user's would be; each time the same questions are asked. Compared with the
scores in the whole vault are those of each question's three best sections of then (the same sections, so that only the
means have moved), and the best score (which also rises where a better section came).
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from docs_rag import wiring
from docs_rag.adapters.sqlite.store import SqliteStore
from docs_rag.app.indexing import IndexRequest
from docs_rag.config import Config
from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.ports import Embedder
from docs_rag.core.queries import Query, Scope
from docs_rag.core.questions import read_questions
from docs_rag.wiring import Options

SHARES = (10, 2, 1)
"""Every tenth note, every second one, all."""
BEST = 3
"""Sections of a question that are followed."""

Found = dict[int, float]
"""The score of every section for one question, best first; ids of notes that did not change stay the same."""


def main() -> None:
    """Grow each corpus and print what became of the scores."""
    parser = argparse.ArgumentParser(description="Follow scores while a vault grows.")
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=20, help="questions of each file, spread over it")
    arguments = parser.parse_args()
    for file in arguments.questions:
        with tempfile.TemporaryDirectory() as scratch:
            print(f"\n{file.stem}", *grow(file, Path(scratch), arguments.count), sep="\n", flush=True)


def grow(file: Path, vault: Path, count: int) -> Iterator[str]:
    """One line for each share of the vault."""
    content = file.read_text(encoding="utf-8")
    texts = [question.text for question in read_questions([(file.name, content)])]
    texts = texts[:: max(1, len(texts) // count)][:count]
    corpus = file.parent / json.loads(content)["root"]
    runs: list[tuple[int, list[Found]]] = []
    for step in SHARES:
        copy(corpus, vault, step)
        found, _ = wiring.open_project(Options(vault=str(vault)), strict=True)
        runs.append(ask(replace(found, embed_model=BUILTIN_E5), texts))
    whole = runs[-1][1]
    for sections, before in runs[:-1]:
        yield f"{sections} -> {runs[-1][0]} sections, {len(texts)} questions"
        yield "  the same sections: " + spread(moved_sections(before, whole))
        yield "  the best score:    " + spread([best(new) - best(old) for old, new in zip(before, whole, strict=True)])


def copy(corpus: Path, vault: Path, step: int) -> None:
    """Every `step`-th note of the corpus, and everything that is no note."""
    notes = sorted(path for path in corpus.rglob("*") if path.is_file())
    for place, path in enumerate(notes):
        target = vault / path.relative_to(corpus)
        if (path.suffix.lower() != ".md" or place % step == 0) and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def ask(config: Config, texts: Sequence[str]) -> tuple[int, list[Found]]:
    """Bring the index up to date; its sections, and each question's scores for all of them, best first."""
    store, _ = wiring.open_index_for_writing(config)
    with store:
        embedder = wiring.choose_embedder(config, store)
        if embedder is None:
            raise SystemExit("the builtin model cannot run here")
        wiring.open_indexer(config, store, embedder).run(IndexRequest())
        score = scorer(store, embedder)
        return store.lookup.counts()[1], [score(text) for text in texts]


def scorer(store: SqliteStore, embedder: Embedder) -> Callable[[str], Found]:
    """What scores a question against every section, as a search does."""
    active = store.vectors.active()
    if active is None:
        raise SystemExit("nothing was embedded")
    matrix, means = store.matrix(active.id), store.vectors.means(active.id)
    everything = store.lookup.admission(Scope(Query(text="", limit=1, search_all=True), ()))
    return lambda text: dict(matrix.scores(embedder.embed_query(text), means).top(everything, len(matrix)))


def moved_sections(before: Sequence[Found], after: Sequence[Found]) -> list[float]:
    """The change of each question's `BEST` best sections of then."""
    return [new[key] - old[key] for old, new in zip(before, after, strict=True) for key in list(old)[:BEST]]


def best(found: Found) -> float:
    """The best score."""
    return max(found.values())


def spread(changes: Sequence[float]) -> str:
    """Median and largest change, without its sign, and the mean with it."""
    sizes = [abs(change) for change in changes]
    return (
        f"median {statistics.median(sizes):.3f}, largest {max(sizes):.3f}, mean {statistics.fmean(changes):+.3f}"
        f" ({len(changes)})"
    )


if __name__ == "__main__":
    main()
