"""`docs-rag demo`: the product in one screen, on a vault that is gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from docs_rag import config as configs
from docs_rag import wiring
from docs_rag.app.indexing import IndexRequest
from docs_rag.cli import output
from docs_rag.cli.demovault import NOTES, SCENES
from docs_rag.cli.options import Project, in_project
from docs_rag.config import Config
from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.queries import Query
from docs_rag.errors import EXIT_DONE
from docs_rag.render import answer_lines

LINES: Final = 6
"""Lines of a passage: three answers have to fit one screen."""
HITS: Final = 2


@click.command()
@in_project(trusted=False)
def command(_: Project) -> int:
    """Try it: a small vault of decisions in a temporary folder, and three questions to it.

    Needs no config, no server and no network, and leaves nothing behind.
    """
    with TemporaryDirectory(prefix="docs-rag-demo-") as folder, _state_in(folder):
        vault = Path(folder, "notes")
        _write(vault)
        output.write(_show(replace(configs.for_vault(str(vault)), embed_model=BUILTIN_E5)))
    return EXIT_DONE


@contextmanager
def _state_in(folder: str) -> Iterator[None]:
    """Let what is remembered of the demo's index go with its folder, and not stay with the user's approvals."""
    before = os.environ.get("XDG_STATE_HOME")
    os.environ["XDG_STATE_HOME"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["XDG_STATE_HOME"]
        else:
            os.environ["XDG_STATE_HOME"] = before


def _write(vault: Path) -> None:
    for path, text in NOTES.items():
        place = vault / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")


def _show(config: Config) -> Iterator[str]:
    """Index the vault and answer the three questions; without a model by words alone, which is said."""
    store, _ = wiring.open_index_for_writing(config)
    with store, store.guarded():
        embedder = wiring.choose_embedder(config, store)
        report = wiring.open_indexer(config, store, embedder).run(IndexRequest())
        if not report.measured:
            embedder = None
            for warning in report.warnings:
                output.note(f"{warning}; until then words alone decide")
        model = "no model, words alone" if embedder is None else f"model {embedder.model.name}"
        yield f"{len(NOTES)} notes of an invented team: {report.chunks} sections in {report.seconds:.1f} s, {model}"
        answerer = wiring.open_answerer(config, store, embedder)
        for scene in SCENES:
            answer = answerer.answer(Query(text=scene.question, limit=HITS))
            yield from ("", scene.shows, f"$ docs-rag search {scene.question}")
            yield from answer_lines(answer, most_lines=LINES, see_hidden="--all")
    yield from ("", "Your own notes: go to their folder, then `docs-rag init` and `docs-rag index`.")
