"""`docs-rag status`: what is indexed, what is missing, and what a search makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from docs_rag import wiring
from docs_rag.app.overview import Settings, overview
from docs_rag.cli import output
from docs_rag.cli.options import JSON, Project, in_project
from docs_rag.core import indexstate
from docs_rag.core.calibration import MINIMUM_SECTIONS, Calibration, Floor
from docs_rag.core.cleaning import one_line
from docs_rag.core.indexstate import IndexState
from docs_rag.errors import EXIT_DONE
from docs_rag.render import SOURCES, counted, failures_told, headings_line, number

_WIDTH = 12
"""Columns of the names on the left."""


@click.command()
@JSON
@in_project(vault=True)
def command(project: Project, as_json: bool) -> int:
    """Show what is indexed, embedded, stale, left out and failed, and the floor with its source."""
    config, notices = project.open()
    settings = Settings(
        config=config.path,
        vault=config.vault_path,
        index=config.index_path,
        min_score=config.min_score,
        roots=config.roots,
    )
    with wiring.open_index(config) as store, store.guarded():
        embedder, failure = wiring.choose_search_embedder(config, store)
        found = overview(store, embedder, settings, failure)
    for notice in (*notices, *found.notices):
        output.note(notice)
    if as_json:
        output.write_json(indexstate.as_json(found))
    else:
        output.write(_lines(found, is_at_work=wiring.is_being_indexed(config)))
    return EXIT_DONE


def _lines(found: IndexState, *, is_at_work: bool) -> Iterator[str]:
    for name, value in _rows(found, is_at_work):
        yield f"{name:<{_WIDTH}}{one_line(value)}"
    yield from failures_told(found.failed)[1]


def _rows(found: IndexState, is_at_work: bool) -> Iterator[tuple[str, str]]:
    yield "config", found.config or "none (--vault)"
    yield "vault", found.vault
    for name, folder in found.roots:
        yield "root", f"{name}: {folder}"
    yield "index", found.index + (f", changed {found.updated_at}" if found.updated_at else "")
    yield "notes", _counts(found.documents, found.by_status)
    yield "sections", f"{found.chunks}, {found.embedded} embedded, {found.pending} pending"
    yield "model", found.model if found.score == "none" else f"{found.model} ({found.score})"
    yield "search", found.mode
    yield from _measured(found.calibration, found.floor)
    yield "stale", counted(found.stale, "note") if found.stale else "none"
    yield "left out", ", ".join(f"{count} {reason}" for reason, count in found.ignored.items()) or "nothing"
    if is_at_work:
        yield "at work", "docs-rag index; what it has stored counts already"
    if found.last_run is not None:
        run = found.last_run
        yield "last run", f"{run.at}, {'done' if run.ok else 'failed'}: {run.message}"
    yield "failed", failures_told(found.failed)[0] + ":" if found.failed else "none"


def _measured(found: Calibration | None, floor: Floor | None) -> Iterator[tuple[str, str]]:
    """The floor, and what scores are worth on this vault; what was measured shows even while no model answers."""
    if floor is not None:
        besides = f"; an answer needs confidence {number(floor.confidence)} as well" if floor.confidence else ""
        yield "floor", f"{number(floor.value)}, {SOURCES[floor.source]}{besides}"
    if found is not None:
        yield "noise", f"p99 = {found.p99:.3f}, suggested minScore {number(found.suggested)}"
        yield "headings", headings_line(found)
    elif floor is not None:
        yield "noise", f"not enough data (fewer than {MINIMUM_SECTIONS} sections)"


def _counts(documents: int, by_status: Mapping[str, int]) -> str:
    parts = ", ".join(f"{count} {state}" for state, count in by_status.items())
    return f"{documents} ({parts})" if parts else str(documents)
