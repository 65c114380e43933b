"""`docs-rag index --background`: the run that the hook starts, which nobody watches."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from docs_rag import backstage
from docs_rag import config as configs
from docs_rag.app.background import Ended
from docs_rag.app.indexing import IndexRequest
from docs_rag.app.progress import NoProgress
from docs_rag.cli import failing, indexrun
from docs_rag.cli.options import Project
from docs_rag.cli.targets import in_vault
from docs_rag.config import Config
from docs_rag.core.documents import DocPath
from docs_rag.core.report import IndexReport
from docs_rag.errors import Busy, DocsRagError, UsageError
from docs_rag.locate import state_folder

MOST_HINTS: Final = 100
"""Of so many edits it is not worthwhile to know which came first."""


def work(project: Project) -> None:
    """Index for as long as edits are marked; how runs ended is told in the state folder. Raises `DocsRagError`."""
    if project.options.vault is not None:
        raise UsageError("--background works for a config, not for --vault", "leave one of them out")
    state_dir = state_folder(configs.find_path(config=project.options.config, folder=project.options.folder))
    if not Path(state_dir).is_dir():
        raise DocsRagError(f"there is no state folder {state_dir}", "run: docs-rag index")
    lock = project.session.worker_lock
    try:
        backstage.open_background(state_dir, lambda edited: _run(project, edited), lock).work()
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise DocsRagError(f"cannot use {state_dir}: {why}", "look at that folder") from error


def _run(project: Project, edited: Sequence[str]) -> Ended:
    """One run under the config as it is now; the only thing that it raises is an interruption."""
    try:
        config, _ = project.open(strict=True)
        with indexrun.lock(config, wait=False):
            request = IndexRequest(hints=_hints(config, edited), min_score=config.min_score)
            outcome = indexrun.run(config, request, NoProgress(), strict=False)
    except Busy as error:
        return Ended(ok=True, message=error.message, taken_in=False, is_busy=True)
    except DocsRagError as error:
        return Ended(ok=False, message=str(error), taken_in=False)
    except Exception as error:  # told in the log, and to the user by the hook
        failing.end(error, project.session)
        return Ended(ok=False, message=f"this is a bug: {type(error).__name__}: {error}", taken_in=False)
    if outcome.unavailable:
        return Ended(ok=False, message=f"{outcome.unavailable}; text and status of the notes are stored all the same")
    return Ended(ok=True, message=_summary(outcome.report))


def _hints(config: Config, edited: Sequence[str]) -> tuple[DocPath, ...]:
    """The edited files as the vault calls them; what lies elsewhere by now, or never was a path, is passed over."""
    found: list[DocPath] = []
    for path in edited[:MOST_HINTS]:
        with suppress(UsageError, ValueError, OSError):
            found.extend(in_vault(config.vault_path, [path], folder=None, roots=config.roots))
    return tuple(found)


def _summary(report: IndexReport) -> str:
    told = [f"{report.added} added, {report.modified} modified, {report.removed} removed"]
    told += [f"{each.path}: {each.message}" for each in report.failed[:5]]
    return "; ".join([*told, *report.warnings[:5]])
