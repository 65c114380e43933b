"""How well questions about a real vault are answered.

    python -m benchmarks.golden QUESTIONS.json [--model none] [--limit 8] [--wrong]

The questions file names its corpus, a folder beside it. The vault is copied to a temporary folder first: the index
goes into it. Reported: the right note first (hit@1), among the first five (hit@5) and among all hits; leaks, that
is default answers that return a record which must not come back; unanswerable questions that got an answer.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from docs_rag import wiring
from docs_rag.app.answering import Answerer
from docs_rag.app.indexing import IndexRequest
from docs_rag.core.answers import Answer
from docs_rag.core.queries import Query
from docs_rag.wiring import Options


@dataclass(slots=True)
class Tally:
    """What was counted over one questions file."""

    questions: int = 0
    first: int = 0
    five: int = 0
    anywhere: int = 0
    refused: int = 0
    leaks: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)


def measure(questions: dict[str, Any], answerer: Answerer, limit: int) -> Tally:
    """Ask every question of a file."""
    tally = Tally()
    for each in questions["queries"]:
        answer = ask(answerer, each["query"], limit, search_all=each["mode"] != "default")
        count(tally, each, answer)
    for each in questions["no_answer"]:
        answer = ask(answerer, each["query"], limit, search_all=False)
        if answer.hits:
            tally.answered.append(f"{each['query']} -> {shown(answer)}")
    return tally


def ask(answerer: Answerer, text: str, limit: int, *, search_all: bool) -> Answer:
    """One answer."""
    return answerer.answer(Query(text=text, limit=limit, search_all=search_all))


def count(tally: Tally, question: dict[str, Any], answer: Answer) -> None:
    """Compare one answer with what is right."""
    right = {each["path"] for each in question["answers"]}
    paths = [str(hit.section.path) for hit in answer.hits]
    places = [place for place, path in enumerate(dict.fromkeys(paths)) if path in right]
    best = places[0] if places else None
    tally.questions += 1
    tally.first += best == 0
    tally.five += best is not None and best < 5
    tally.anywhere += best is not None
    tally.refused += not answer.hits
    if best is None:
        tally.missed.append(f"{question['query']} -> {shown(answer)}; wanted {sorted(right)}")
    if question["mode"] == "default":
        tally.leaks += [f"{question['query']} -> {path}" for path in paths if path in question["must_not"]]


def shown(answer: Answer) -> str:
    """The hits on one line."""
    found = [f"{hit.section.path} ({hit.label} {hit.score})" for hit in answer.hits[:3]]
    return ", ".join(found) or answer.message


def main() -> None:
    """Run one questions file and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("--model", default="builtin:multilingual-e5-small")
    parser.add_argument("--limit", type=int, default=8)
    parser.add_argument("--wrong", action="store_true", help="list what went wrong")
    arguments = parser.parse_args()
    questions = json.loads(arguments.questions.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        vault = Path(scratch) / questions["root"]
        shutil.copytree(arguments.questions.parent / questions["root"], vault, symlinks=True)
        run(questions, vault, arguments)


def run(questions: dict[str, Any], vault: Path, arguments: argparse.Namespace) -> None:
    """Index the copied vault, ask, print."""
    found, _ = wiring.open_project(Options(vault=str(vault)), strict=True)
    config = replace(found, embed_model=arguments.model, auto_refresh=False)
    store, _ = wiring.open_index_for_writing(config)
    with store:
        embedder = wiring.choose_embedder(config, store)
        report = wiring.open_indexer(config, store, embedder).run(IndexRequest())
        print(f"indexed {report.added} notes, {report.chunks} sections in {report.seconds:.1f} s")
        print(f"floor {report.floor}, calibration {report.calibration}")
        started = time.monotonic()
        tally = measure(questions, wiring.open_answerer(config, store, embedder), arguments.limit)
        seconds = time.monotonic() - started
    asked = len(questions["queries"]) + len(questions["no_answer"])
    print(f"hit@1 {tally.first}/{tally.questions}, hit@5 {tally.five}/{tally.questions}, "
          f"among {arguments.limit}: {tally.anywhere}/{tally.questions}, refused {tally.refused}")  # fmt: skip
    print(f"leaks {len(tally.leaks)}, unanswerable answered {len(tally.answered)}/{len(questions['no_answer'])}, "
          f"{1000 * seconds / asked:.1f} ms a question")  # fmt: skip
    if arguments.wrong:
        for title, lines in (("missed", tally.missed), ("leaks", tally.leaks), ("answered", tally.answered)):
            print(f"\n{title}:", *lines, sep="\n  ")


if __name__ == "__main__":
    main()
