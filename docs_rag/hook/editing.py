"""What happens when a note was edited: the mark, a background run if none is at work, and what there is to say."""

# ruff: noqa: PLC0415, PTH118

import os

from docs_rag.adapters.background.marks import Marks
from docs_rag.adapters.locks import FileLock
from docs_rag.core.hookfiles import DEAD_RECORDS, OUTCOME, WORKER_LOCK
from docs_rag.hook.event import parse, text_of
from docs_rag.hook.project import Project, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from docs_rag.hook.saying import Session

_MOST_OUTCOME_BYTES = 10_000
_MOST_DEAD_BYTES = 2_000_000
_LEAST_DEAD_BYTES = 10
"""An empty list is smaller."""
_MOST_NOTE_BYTES = 1_000_000


def noticed(project: Project, path: str, note: str, event: object) -> str:
    """Take notice of an edited note; returns what goes to stdout. Raises `OSError`.

    `path` is absolute, `note` the same relative to the vault.

    The mark comes before the look at the lock: see `app.background`.
    """
    Marks(project.state_dir).mark(path)
    if _nobody_works(project):
        from docs_rag.hook.spawning import start

        start(project)
    from docs_rag.hook.saying import Session

    session = Session(project.state_dir, text_of(event, "session_id"))
    warning = _failure(project, session)
    citation = _citation(project, path, note, session) if text_of(event, "hook_event_name") == "PostToolUse" else ""
    return session.answer(warning=warning, citation=citation, note=note) if warning or citation else ""


def _nobody_works(project: Project) -> bool:
    lock = FileLock(os.path.join(project.state_dir, WORKER_LOCK))
    is_free = lock.acquire()
    lock.release()
    return is_free


def _failure(project: Project, session: "Session") -> tuple[str, str] | None:
    """What to tell once in a row of failing runs: (the row's first time, the sentence)."""
    found = parse(read_file(os.path.join(project.state_dir, OUTCOME), _MOST_OUTCOME_BYTES))
    if not isinstance(found, dict) or found.get("ok") is not False:
        return None
    since = text_of(found, "since")
    sentence = f"docs-rag: notes are not indexed as they should be since {since}: {text_of(found, 'message')}"
    return None if session.knows_failure(since) else (since, sentence)


def _citation(project: Project, path: str, note: str, session: "Session") -> str:
    """What to tell once for a note that cites records which no longer hold."""
    dead = read_file(os.path.join(project.state_dir, DEAD_RECORDS), _MOST_DEAD_BYTES)
    if len(dead) < _LEAST_DEAD_BYTES or session.knows_citation(note):
        return ""
    from docs_rag.hook.citing import cited

    return cited(parse(dead), note, read_file(path, _MOST_NOTE_BYTES).decode("utf-8", "replace"))
