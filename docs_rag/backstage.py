"""Joins the background runs and the hook's lists with the files that they are kept in."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from docs_rag.core.hookfiles import DEAD_RECORDS, EMBEDDING_LOCK, WORKER_LOCK

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from docs_rag.app.background import Background, Ended, WorkerLock
    from docs_rag.core.listing import ListedNote

FAILED_LATELY = 60.0
"""Seconds after a background run that failed in which nobody but the hook begins another."""


def open_background(state_dir: str, run: Callable[[Sequence[str]], Ended], lock: WorkerLock | None) -> Background:
    """The background work of the project with this state folder, which must be there.

    `lock` is the project's worker lock where this process took it already; `run` indexes once, the files that are
    named first.
    """
    from docs_rag.adapters.background.marks import Marks  # noqa: PLC0415
    from docs_rag.adapters.background.records import RunRecords  # noqa: PLC0415
    from docs_rag.adapters.locks import FileLock  # noqa: PLC0415
    from docs_rag.app.background import Background  # noqa: PLC0415

    held = lock or FileLock(os.path.join(state_dir, WORKER_LOCK))  # noqa: PTH118
    return Background(Marks(state_dir), held, RunRecords(state_dir), run)


def begin_run(config: str, state_dir: str) -> str:
    """Have a background run look at the whole vault, started for it unless one is at work; why not, where none can be.

    For a process that lives on. `config` is the config's file; the state folder must be there.
    """
    from docs_rag.adapters.background.marks import Marks  # noqa: PLC0415
    from docs_rag.adapters.background.records import RunRecords  # noqa: PLC0415
    from docs_rag.adapters.background.starting import start_process  # noqa: PLC0415
    from docs_rag.adapters.locks import FileLock  # noqa: PLC0415

    lock = FileLock(os.path.join(state_dir, WORKER_LOCK))  # noqa: PTH118
    try:
        if lock.holder() and not lock.acquire():
            return ""
        lock.release()
        last, ended = RunRecords(state_dir).last()
        if last is not None and not last.ok and 0 <= time.time() - ended < FAILED_LATELY:
            return last.message
        Marks(state_dir).mark("")
        process = start_process(config, state_dir)
    except OSError as error:
        return f"{state_dir}: {(error.strerror or type(error).__name__).lower()}"
    _wait_for(process)
    return ""


def _wait_for(process: subprocess.Popen[bytes]) -> None:
    """Beside everything else: a process that has ended stays in the system's list until somebody asks for it."""
    from threading import Thread  # noqa: PLC0415

    Thread(target=process.wait, name="docs-rag background run", daemon=True).start()


@contextmanager
def embedding_turn(state_dir: str) -> Iterator[bool]:
    """Whether this process is the one that embeds what waits; others of its kind wait until the block is left.

    Two of them would embed the same sections. Where there can be no lock each may.
    """
    from docs_rag.adapters.locks import FileLock  # noqa: PLC0415

    lock = FileLock(os.path.join(state_dir, EMBEDDING_LOCK))  # noqa: PTH118
    try:
        ours = lock.acquire()
    except OSError:
        ours = True
    try:
        yield ours
    finally:
        lock.release()


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
