"""The state of an index as `status` shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.documents import Skipped

if TYPE_CHECKING:
    from docs_rag.core.calibration import Calibration, Floor


@dataclass(frozen=True, slots=True)
class Run:
    """How one run of `index` ended."""

    at: str
    """ISO, UTC."""
    ok: bool
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What is indexed, and what a search makes of it."""

    config: str | None
    """The config file; None under `--vault`."""
    vault: str
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


def as_json(overview: Overview) -> dict[str, object]:
    """The overview with the keys of the contract."""
    floor, run = overview.floor, overview.last_run
    return {
        "config": overview.config,
        "vault": overview.vault,
        "index": overview.index,
        "documents": overview.documents,
        "chunks": overview.chunks,
        "embedded": overview.embedded,
        "pending": overview.pending,
        "stale": overview.stale,
        "ignored": dict(overview.ignored),
        "failed": [{"path": each.path, "code": each.code, "message": each.message} for each in overview.failed],
        "byStatus": dict(overview.by_status),
        "model": overview.model,
        "score": overview.score,
        "mode": overview.mode,
        "threshold": None if floor is None else floor.value,
        "thresholdSource": None if floor is None else floor.source,
        "lastRun": None if run is None else {"at": run.at, "ok": run.ok, "message": run.message},
    }
