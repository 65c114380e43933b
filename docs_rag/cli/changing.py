"""What the commands that change notes have in common: show it, ask, bring the index up to date."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from docs_rag import wiring
from docs_rag.cli import output
from docs_rag.core.diffs import edit_lines
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import Edit, Files
from docs_rag.errors import DocsRagError, UsageError

if TYPE_CHECKING:
    from docs_rag.config import Config


@dataclass(frozen=True, slots=True)
class Differences:
    """What changes, file by file."""

    files: tuple[tuple[DocPath, tuple[str, ...]], ...]
    """Paths and the lines of their diffs."""

    def as_json(self) -> list[dict[str, str]]:
        """As an array of `{path, diff}`."""
        return [{"path": path, "diff": "".join(f"{line}\n" for line in lines)} for path, lines in self.files]

    def lines(self) -> list[str]:
        """All of it as text."""
        return [line for _, lines in self.files for line in lines]


def differences(edits: Iterable[tuple[Edit, bytes | None]]) -> Differences:
    """What edits do to files that hold these bytes."""
    return Differences(tuple((edit.path, tuple(edit_lines(edit, held))) for edit, held in edits))


def is_agreed(changes: Differences, *, as_json: bool, yes: bool, dry_run: bool | None = None) -> bool:
    """Show what would change and ask for it; False for a dry run, None where the command knows none.

    Under `--json` stdout is kept for the one document. Raises `UsageError` where nobody can be asked, and
    `DocsRagError` when the answer is no.
    """
    lines = changes.lines()
    if not as_json:
        output.write(lines)
        output.flush()
    if dry_run or yes:
        return not dry_run
    if not output.is_terminal(sys.stdin):
        instead = "run it with --yes" if dry_run is None else "run it with --yes, or with --dry-run"
        raise UsageError("there is no terminal to ask on; nothing was changed", instead)
    if as_json:
        for line in lines:
            output.say(line)
    if not click.confirm("Write this?", default=False, err=True):
        raise DocsRagError("nothing was changed", "as you said")
    return True


def tell_interrupted(files: Files) -> None:
    """A change that a crash cut short may have left one of two files as it was."""
    last = files.last()
    if last is not None and last.interrupted:
        output.warn(f"an earlier change was interrupted: '{last.what}', {last.at}; docs-rag undo takes it back")


def refresh(config: Config, paths: Sequence[DocPath]) -> None:
    """Let the index know, if there is one; a busy one learns of it with the next search."""
    problem = wiring.refresh_index(config, paths)
    if problem:
        output.note(f"the index was not brought up to date: {problem}")
