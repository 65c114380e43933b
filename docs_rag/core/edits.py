"""Changes to the files of a vault as values: what to write or move, and what must be there for it to be right.

An edit names the bytes that it expects by their digest. Whoever applies it refuses when something else is there, so
that nothing which was written meanwhile is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Step:
    """An edit together with what it replaced, so that it can be taken back."""

    edit: Edit
    old: bytes | None
    """What the file held before; None when there was none, or when the edit moves it as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Edits that belong together: all are made or none."""

    id: str
    at: str
    """When, ISO, UTC."""
    what: str
    """In the words of whoever made it: `supersede a.md b.md`."""
    steps: tuple[Step, ...]
    interrupted: bool = False
    """True when it was begun but not brought to its end: each file is as before or as after."""


def write(path: DocPath, old: bytes | None, new: bytes | None) -> WriteFile:
    """The edit that takes a file from one content to another; None stands for no file."""
    return WriteFile(path, None if old is None else bytes_digest(old), new)


def inverse(edit: Edit, old: bytes | None) -> Edit:
    """The edit that takes `edit` back; `old` is what the file held before it. Moves need no `old`."""
    if isinstance(edit, MoveFile):
        return MoveFile(edit.to, edit.before, edit.path)
    return WriteFile(edit.path, None if edit.after is None else bytes_digest(edit.after), old)


def inverses(steps: Iterable[Step]) -> Iterator[Edit]:
    """The edits that take a batch back, last one first."""
    for step in reversed(tuple(steps)):
        yield inverse(step.edit, step.old)


def touched(edits: Iterable[Edit]) -> tuple[DocPath, ...]:
    """Every path that the edits read, write or leave, in order and once."""
    paths: dict[DocPath, None] = {}
    for edit in edits:
        paths[edit.path] = None
        if isinstance(edit, MoveFile):
            paths[edit.to] = None
    return tuple(paths)
