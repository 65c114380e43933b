"""What one call of the program carries from its options to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs_rag.app.background import WorkerLock


@dataclass(slots=True)
class Session:
    """Filled in by the group and by the command; read by the commands and by the handler of failures."""

    folder: str | None = None
    """`-C` before the command."""
    config: str | None = None
    """`--config` before the command."""
    state_dir: str | None = None
    """The project's `.rag` once the project is opened and approved: where a bug is logged."""
    worker_lock: WorkerLock | None = None
    """The lock of the project's background process, where this process was started as one and has it."""
