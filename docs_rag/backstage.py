"""Joins the background runs and the hook's lists with the files that they are kept in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from docs_rag.core.hookfiles import DEAD_RECORDS, WORKER_LOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from docs_rag.app.background import Background, Ended, WorkerLock
    from docs_rag.core.listing import ListedNote


def open_background(state_dir: str, run: Callable[[], Ended], lock: WorkerLock | None) -> Background:
    """The background work of the project with this state folder, which must be there.

    `lock` is the project's worker lock where this process took it already; `run` indexes once.
    """
    from docs_rag.adapters.background.marks import Marks  # noqa: PLC0415
    from docs_rag.adapters.background.records import RunRecords  # noqa: PLC0415
    from docs_rag.adapters.locks import FileLock  # noqa: PLC0415
    from docs_rag.app.background import Background  # noqa: PLC0415

    held = lock or FileLock(os.path.join(state_dir, WORKER_LOCK))  # noqa: PTH118
    return Background(Marks(state_dir), held, RunRecords(state_dir), run)


def has_dead_records(state_dir: str) -> bool:
    """Whether a list of dead records was kept."""
    return os.path.lexists(os.path.join(state_dir, DEAD_RECORDS))  # noqa: PTH118


def keep_dead_records(state_dir: str, notes: Iterable[ListedNote]) -> str:
    """Keep the list of records that no longer hold, for the hook; returns why that was not possible."""
    from docs_rag.adapters.background.records import replace_state_file  # noqa: PLC0415
    from docs_rag.core.deadrecords import dead_records  # noqa: PLC0415

    try:
        replace_state_file(state_dir, DEAD_RECORDS, dead_records(notes))
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        return f"{DEAD_RECORDS} in {state_dir} cannot be written: {why}; the hook will not name dead records"
    return ""
