"""One run of `index`: the lock, the index file, the model, and everything that the caller should be warned of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from docs_rag import backstage, wiring
from docs_rag.app.indexing import IndexRequest
from docs_rag.app.progress import Progress
from docs_rag.cli import output
from docs_rag.cli.targets import unmatched
from docs_rag.config import Config
from docs_rag.core.complaints import complaints
from docs_rag.core.documents import DocPath
from docs_rag.core.ports import Embedder
from docs_rag.core.report import IndexReport
from docs_rag.core.storage import Store
from docs_rag.errors import Busy, DocsRagError, EmbedderUnavailable, IndexDamaged, VaultError


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A finished run with what decides on the exit status."""

    report: IndexReport
    unavailable: str
    """Why the model could not be asked; empty when it could, or when none is wanted."""
    troubled: int
    """Notes with problems and files that could not be read, as far as they were counted."""


@contextmanager
def lock(config: Config, *, wait: bool) -> Iterator[None]:
    """Hold the lock of `index`, saying whom it waits for; raises `Busy` when it may not wait."""
    if not Path(config.project).is_dir():  # a name that was mistyped must not become a folder
        raise VaultError(f"there is no folder {config.project}", "correct --vault")
    held = wiring.index_lock(config)
    try:
        ours = held.wait(None, _say_who) if wait else held.acquire()
    except OSError as error:
        raise DocsRagError(f"cannot lock {config.state_dir}: {_why(error)}", "look at that folder") from error
    if not ours:
        raise Busy(f"another run is at work ({held.holder() or 'another process'})", "wait, or leave out --no-wait")
    try:
        yield
    finally:
        held.release()


def _say_who(holder: str) -> None:
    output.say(f"waiting for another run to end ({holder})")


def run(config: Config, request: IndexRequest, progress: Progress, *, strict: bool) -> Outcome:
    """Index once; under `full` a damaged index is moved away and the run begins again with a new one."""
    try:
        return _run(config, request, progress, strict)
    except IndexDamaged as error:
        if not request.full:
            raise
        output.warn(error.message)
    try:
        moved = wiring.replace_damaged_index(config)
    except OSError as error:
        raise DocsRagError(f"cannot move {config.index_path} away: {_why(error)}", "check its folder") from error
    output.say(f"the old index was moved to {moved}")
    return _run(config, request, progress, strict)


def _run(config: Config, request: IndexRequest, progress: Progress, strict: bool) -> Outcome:
    store, unknown = wiring.open_index_for_writing(config)
    with store, store.guarded():
        unavailable = ""
        embedder: Embedder | None = None
        try:
            embedder = wiring.choose_embedder(config, store)
        except EmbedderUnavailable as error:  # text and status are indexed all the same
            unavailable = str(error)
        before = [*store.folders.stamps_at(request.only)]
        report = wiring.open_indexer(config, store, embedder, progress).run(replace(request, reread=unknown))
        if embedder is not None and not report.measured:  # a model that answers is always measured
            unavailable = report.warnings[0]
            report = replace(report, warnings=report.warnings[1:])
        notes = [*store.notes.listing(troubled=not strict)] if strict or _changed(report) else []
        warnings = [
            *filter(None, [_tell(config, store)]),
            *_unmatched(request.only, [*before, *store.folders.stamps_at(request.only)]),
            *([] if report.chunks or store.lookup.counts()[0] else [_empty(config, report, store.ignored())]),
            *complaints(notes, report.failed),
        ]
    return Outcome(
        report=replace(report, warnings=(*report.warnings, *warnings)),
        unavailable=unavailable,
        troubled=sum(bool(note.problems) for note in notes),
    )


def _tell(config: Config, store: Store) -> str:
    """Let the hook know which records no longer hold, if that has changed; why that was not possible."""
    if store.is_told() and backstage.has_dead_records(config.state_dir):
        return ""
    store.begin_telling()
    untold = backstage.keep_dead_records(config.state_dir, store.notes.listing())
    if not untold:
        store.end_telling()
    return untold


def _changed(report: IndexReport) -> bool:
    return bool(report.added or report.modified or report.removed)


def _unmatched(only: Sequence[DocPath], known: Sequence[DocPath]) -> list[str]:
    return [f"{path}: no such note, or the config leaves it out" for path in unmatched(only, known)]


def _empty(config: Config, report: IndexReport, ignored: Mapping[str, int]) -> str:
    """Why there is nothing to search."""
    if report.failed:
        return f"no note of {config.vault_path} could be read"
    wanted = ", ".join(config.include)
    left_out = ", ".join(f"{count} {reason}" for reason, count in ignored.items())
    why = f" (left out: {left_out})" if left_out else ""
    return f"{config.vault_path} holds no note that include ({wanted}) asks for{why}; there is nothing to search"


def _why(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
