"""What right notes and the best of all others score: headings asked as questions, and real questions beside them.

    python -m benchmarks.sides QUESTIONS.json... --keep DIR

Each file names its corpus, a folder beside it (`root`); DIR is the one that `benchmarks.golden --keep` made. Both
sides are those of the calibration (core/calibration.py), by the score in use and by the plain cosine. Questions about
records that a default search does not return are left out, on both sides.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from docs_rag import wiring
from docs_rag.adapters.sqlite.store import SqliteStore
from docs_rag.app.calibrating import QUERIES
from docs_rag.app.indexing import IndexRequest
from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.calibration import both_sides
from docs_rag.core.ports import Embedder
from docs_rag.core.queries import Hidden, Query, Scope
from docs_rag.core.questions import Question, read_questions
from docs_rag.core.sections import whole
from docs_rag.wiring import Options

Asked = tuple[str, Sequence[int]]
"""A question and the notes that are right."""


def main() -> None:
    """Print both sides for every file."""
    parser = argparse.ArgumentParser(description="Put right and wrong scores side by side.")
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--keep", type=Path, required=True, help="where benchmarks.golden keeps copies and indexes")
    arguments = parser.parse_args()
    for file in arguments.questions:
        print(f"\n{file.stem}", *compare(file, arguments.keep), sep="\n", flush=True)


def compare(file: Path, keep: Path) -> Iterator[str]:
    """A line for headings and for questions, by each score."""
    content = file.read_text(encoding="utf-8")
    vault = keep / json.loads(content)["root"]
    found, _ = wiring.open_project(Options(vault=str(vault)), strict=True)
    config = replace(found, embed_model=BUILTIN_E5)
    store, _ = wiring.open_index_for_writing(config)
    with store:
        embedder = wiring.choose_embedder(config, store)
        if embedder is None:
            raise SystemExit("the builtin model cannot run here")
        wiring.open_indexer(config, store, embedder).run(IndexRequest())
        headings = [(heading, [note]) for note, heading in store.vectors.headings(QUERIES)]
        questions = real(store, read_questions([(file.name, content)]))
        for label, is_centred in (("score in use", True), ("plain cosine", False)):
            score = scorer(store, embedder, is_centred=is_centred)
            yield f"  {label}, headings:  {line(headings, score)}"
            yield f"  {label}, questions: {line(questions, score)}"


def real(store: SqliteStore, questions: Sequence[Question]) -> list[Asked]:
    """The questions of a file that have an answer."""
    pairs = [(each.text, store.lookup.note_ids([right.path for right in each.answers])) for each in questions]
    return [(text, list(notes.values())) for text, notes in pairs if notes]


def scorer(
    store: SqliteStore, embedder: Embedder, *, is_centred: bool
) -> Callable[[Asked], tuple[float, float] | None]:
    """What finds a question's best score in right notes and in all others; None where no right one may answer."""
    active = store.vectors.active()
    if active is None:
        raise SystemExit("nothing was embedded")
    matrix, means = store.matrix(active.id), store.vectors.means(active.id) if is_centred else None
    admission = store.lookup.admission(Scope(Query(text="", limit=1), ()))

    def score(asked: Asked) -> tuple[float, float] | None:
        text, notes = asked
        scores = matrix.scores(embedder.embed_query(text), means)
        found = [scores.best_of(whole(note), admission) for note in notes if note not in admission.hidden]
        others = scores.top(replace(admission, hidden={**admission.hidden, **dict.fromkeys(notes, Hidden.EXCLUDED)}), 1)
        own = [best[1] for best in found if best is not None]
        return (max(own), others[0][1]) if own and others else None

    return score


def line(asked: Sequence[Asked], score: Callable[[Asked], tuple[float, float] | None]) -> str:
    """Both sides as text."""
    pairs = [pair for pair in map(score, asked) if pair is not None]
    sides = both_sides([own for own, _ in pairs], [other for _, other in pairs])
    if sides is None:
        return f"{len(pairs)}, not enough data"
    return f"{len(pairs):3}  own {sides.own:.3f}  others {sides.others:.3f}  overlap {sides.overlap:.2f}"


if __name__ == "__main__":
    main()
