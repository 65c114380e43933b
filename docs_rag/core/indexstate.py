"""The state of an index as `status` shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docs_rag.core.calibration import Calibration, Floor
from docs_rag.core.documents import Skipped
from docs_rag.core.overview import Run
from docs_rag.core.report import calibration_json, failures
from docs_rag.core.rootpaths import Roots


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState:
    """What is indexed, and what a search makes of it."""

    config: str | None
    """The config file; None under `--vault`."""
    vault: str
    roots: Roots = ()
    index: str
    updated_at: str | None
    documents: int
    chunks: int
    embedded: int
    """Sections that have their vector."""
    pending: int
    """Sections that wait for one."""
    stale: int
    """Notes whose file could not be read again."""
    ignored: Mapping[str, int]
    """Entries of the vault that were left out on purpose, by reason."""
    failed: tuple[Skipped, ...]
    by_status: Mapping[str, int]
    model: str
    """The model that questions are embedded with; `none` where words alone decide."""
    score: str
    """`cosine`, `centred`, or `none`."""
    mode: str
    """What the next search will be, in the words of an answer's `mode`."""
    calibration: Calibration | None
    floor: Floor | None
    """None where no score counts."""
    last_run: Run | None
    notices: tuple[str, ...] = ()
    """What the user should mend."""


def as_json(state: IndexState) -> dict[str, object]:
    """The state with the keys of the contract."""
    floor, run = state.floor, state.last_run
    return {
        "config": state.config,
        "vault": state.vault,
        **({"roots": dict(state.roots)} if state.roots else {}),
        "index": state.index,
        "documents": state.documents,
        "chunks": state.chunks,
        "embedded": state.embedded,
        "pending": state.pending,
        "stale": state.stale,
        "ignored": dict(state.ignored),
        "failed": failures(state.failed),
        "byStatus": dict(state.by_status),
        "model": state.model,
        "score": state.score,
        "mode": state.mode,
        "threshold": None if floor is None else floor.value,
        "thresholdSource": None if floor is None else floor.source,
        "calibration": calibration_json(state.calibration, floor),
        "lastRun": None if run is None else {"at": run.at, "ok": run.ok, "message": run.message},
    }
