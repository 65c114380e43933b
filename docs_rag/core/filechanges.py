"""Changes to files of a project or of its user as values: what a file held, what it will hold.

Unlike the edits of notes they may lie anywhere, name their files by absolute paths, and are no part of the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from docs_rag.core.diffs import edit_lines
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import write


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One file's content before and after; None stands for no file."""

    path: str
    """Absolute."""
    name: str
    """As people know it: below the project, or with `~`."""
    before: bytes | None
    after: bytes | None
    within: str | None = None
    """The folder that the file must lie in once links are followed; None: anywhere, as for a user's own files."""
    is_private: bool = False
    """A new file is for its user alone, and so is the folder that is made for it."""

    @property
    def diff(self) -> list[str]:
        """What changes, as lines for people."""
        path = DocPath(self.name)
        return edit_lines(write(path, self.before, self.after), self.before)


class ProjectFiles(Protocol):
    """Files anywhere on the disk as something that can be read and changed."""

    def read(self, path: str, *, within: str | None = None) -> bytes | None:
        """What a file holds; None when there is none. Raises `DocsRagError`."""
        ...

    def exists(self, path: str) -> bool:
        """Whether something is there, if only a link that leads nowhere."""
        ...

    def real(self, path: str) -> str:
        """The path with its links resolved, in the form in which two names of one file are equal."""
        ...

    def is_link(self, path: str) -> bool:
        """Whether the file itself is a link."""
        ...

    def names(self, folder: str) -> tuple[str, ...]:
        """What lies in a folder; nothing for one that is not there."""
        ...

    def missing_folders(self, path: str) -> tuple[str, ...]:
        """The folders above a file that are not there, the uppermost first."""
        ...

    def apply(self, changes: Sequence[FileChange], *, leave: Sequence[str] = ()) -> None:
        """Make all of these changes or none, then remove those of the folders `leave` that are empty.

        Raises `DocsRagError` when a file is not as its change expects it, or cannot be written.
        """
        ...
