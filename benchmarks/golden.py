"""How well questions about real vaults are answered, by words alone and with a model.

    python -m benchmarks.golden QUESTIONS.json... [--model none --model builtin:multilingual-e5-small]
                                [--keep DIR] [--limit 8] [--wrong] [--plot] [--json DIR]

Each file names its corpus, a folder beside it (`root`), which is copied into a temporary folder, or into DIR, where
its index is found again by the next run. The questions go through `app/evaluating.py`, as those of `docs-rag eval`
do; the last table puts the corpora side by side, and all their questions together.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.columns import Column
from benchmarks.measuring import Figures
from docs_rag import wiring
from docs_rag.app.indexing import IndexRequest
from docs_rag.app.progress import NoProgress
from docs_rag.config import Config
from docs_rag.core.evaluation import plainjson, text
from docs_rag.core.evaluation.figures import TITLES, Evaluation, estimates
from docs_rag.core.evaluation.outcomes import Outcome
from docs_rag.core.questions import Question, read_questions
from docs_rag.wiring import Options

MODELS = ("none", "builtin:multilingual-e5-small")


def main() -> None:
    """Run every file with every model and print the figures."""
    parser = argparse.ArgumentParser(description="Evaluate corpora that come with questions.")
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--model", action="append", help="may be given more than once; default: both tracks")
    parser.add_argument("--keep", type=Path, help="where copies and indexes stay for the next run")
    parser.add_argument("--limit", type=int, default=8)
    parser.add_argument("--wrong", action="store_true", help="list what went wrong")
    parser.add_argument("--plot", action="store_true", help="the curve of risk and coverage")
    parser.add_argument("--json", type=Path, help="folder for one document a run, for docs-rag eval --compare")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        place = arguments.keep or Path(scratch)
        for model in arguments.model or MODELS:
            runs = {file.stem: run(file, place, model, arguments) for file in arguments.questions}
            print(f"\n{model}: all corpora\n", *side_by_side(runs), sep="\n")


def measure(column: Column) -> Figures:
    """How well the questions of a corpus are answered by words alone; without questions nothing."""
    if column.questions is None:
        return {}
    questions = read_questions([(column.questions.name, column.questions.read_text(encoding="utf-8"))])
    found = evaluate(replace(column.config(), auto_refresh=False), questions, limit=8)
    shown = {key: round(each.value, 3) for key, each in estimates(found.outcomes).items()}
    return {"questions": len(found.outcomes), **shown, "questionMilliseconds": round(found.milliseconds, 1)}


def run(file: Path, place: Path, model: str, arguments: argparse.Namespace) -> Evaluation:
    """Index a corpus if that is needed, ask its questions, print what came of it."""
    questions = file.read_text(encoding="utf-8")
    root = json.loads(questions)["root"]
    vault = place / root
    if not vault.exists():
        shutil.copytree(file.parent / root, vault, symlinks=True, copy_function=shutil.copyfile)
    found, _ = wiring.open_project(Options(vault=str(vault)), strict=True)
    config = replace(found, embed_model=model, auto_refresh=False)
    evaluation = evaluate(config, read_questions([(file.name, questions)]), arguments.limit)
    print(f"\n{file.stem}, {model}\n", *text.lines(evaluation), sep="\n")
    if arguments.plot:
        print("", *text.plot_lines(evaluation), sep="\n")
    if arguments.wrong:
        print(*text.wrong_lines(evaluation.outcomes), sep="\n")
    if arguments.json:
        document = json.dumps(plainjson.as_json(evaluation), ensure_ascii=False, indent=2)
        name = f"{file.stem}.{model.replace(':', '-')}.json"
        (arguments.json / name).write_text(document, encoding="utf-8")
    return evaluation


def evaluate(config: Config, questions: Sequence[Question], limit: int) -> Evaluation:
    """Bring the index up to date and ask."""
    store, _ = wiring.open_index_for_writing(config)
    with store:
        embedder = wiring.choose_embedder(config, store)
        report = wiring.open_indexer(config, store, embedder).run(IndexRequest())
        read = report.added + report.modified
        print(f"{read} notes read, {report.chunks} sections, in {report.seconds:.1f} s", file=sys.stderr)
        return wiring.open_evaluator(config, store, embedder, "", NoProgress()).run(questions, limit)


def side_by_side(runs: Mapping[str, Evaluation]) -> Iterator[str]:
    """Each figure for each corpus, and for the questions of all of them."""
    groups: dict[str, Sequence[Outcome]] = {name: run.outcomes for name, run in runs.items()}
    groups["together"] = [outcome for run in runs.values() for outcome in run.outcomes]
    found = {name: estimates(outcomes) for name, outcomes in groups.items()}
    rows = [["", *found]]
    for key, title in TITLES.items():
        cells = [each.get(key) for each in found.values()]
        shown = ("" if e is None else f"{e.value:.3f} ({e.low:.2f} - {e.high:.2f})" for e in cells)
        if any(cells):
            rows.append([title, *shown])
    return text.aligned(rows)


if __name__ == "__main__":
    main()
