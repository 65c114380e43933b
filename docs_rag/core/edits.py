"""Changes to the files of a vault as values: what to write or move, and what must be there for it to be right.

An edit names the bytes that it expects by their digest. Whoever applies it refuses when something else is there, so
that nothing which was written meanwhile is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from docs_rag.core.digests import Digest, bytes_digest
from docs_rag.core.documents import DocPath


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Give a file new content, make it, or remove it."""

    path: DocPath
    before: Digest | None
    """Of the exact bytes that the file must have; None: there must be no such file."""
    after: bytes | None
    """What it holds then; None: it is gone."""


@dataclass(frozen=True, slots=True)
class MoveFile:
    """Give a file another place; nothing may be there."""

    path: DocPath
    before: Digest
    """Of the exact bytes that the file must have."""
    to: DocPath


Edit = WriteFile | MoveFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A change of one or more files as the undo journal keeps it."""

    id: str
    at: str
    """When, ISO, UTC."""
    what: str
    """In the words of whoever made it: `supersede a.md b.md`."""
    inverses: tuple[Edit, ...]
    """What takes it back, in the order in which that is done."""
    interrupted: bool = False
    """True when it was begun and not brought to its end: each file is as before it or as after it."""


class Files(Protocol):
    """The files of a vault as something that can be changed; `docs-rag undo` takes a change back."""

    def apply(self, edits: Sequence[Edit], what: str) -> Batch:
        """Make all of these edits or none.

        Raises `DocsRagError` when a file is not as an edit expects it, or cannot be written.
        """
        ...

    def last(self) -> Batch | None:
        """The newest change that was not taken back; None when there is none."""
        ...

    def due(self, batch: Batch) -> tuple[Edit, ...]:
        """What taking a change back would do now: an interrupted one did not come to all of its files.

        Raises `DocsRagError` when a file is no longer as the change left it.
        """
        ...

    def undo(self, batch: Batch) -> tuple[DocPath, ...]:
        """Take the newest change back; returns the paths that were written.

        Raises `DocsRagError` when it is no longer the newest, or a file is no longer as it left it.
        """
        ...

    def read(self, path: DocPath) -> bytes | None:
        """What a file holds now; None when there is none. Raises `DocsRagError`."""
        ...


def write(path: DocPath, old: bytes | None, new: bytes | None) -> WriteFile:
    """The edit that takes a file from one content to another; None stands for no file."""
    return WriteFile(path, None if old is None else bytes_digest(old), new)


def inverse(edit: Edit, old: bytes | None) -> Edit:
    """The edit that takes `edit` back; `old` is what the file held before it. Moves need no `old`."""
    if isinstance(edit, MoveFile):
        return MoveFile(edit.to, edit.before, edit.path)
    return WriteFile(edit.path, None if edit.after is None else bytes_digest(edit.after), old)


def touched(edits: Iterable[Edit]) -> tuple[DocPath, ...]:
    """Every path that the edits read, write or leave, in order and once."""
    paths: dict[DocPath, None] = {}
    for edit in edits:
        paths[edit.path] = None
        if isinstance(edit, MoveFile):
            paths[edit.to] = None
    return tuple(paths)
