"""A note as values: where it lies, what it says of itself, what is wrong with it.

The small ones are named tuples: there is one for every file of a vault, and a tuple is made in a quarter of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NewType

if TYPE_CHECKING:
    from docs_rag.core.lifecycle import Lifecycle

DocPath = NewType("DocPath", str)
"""A note's identity: relative to the vault, `/` separated, NFC; spelt on disk perhaps otherwise."""


class FileStamp(NamedTuple):
    """What a directory listing tells of a file; another stamp means that the file must be read again."""

    path: DocPath
    mtime_ns: int
    ctime_ns: int
    """Change time: catches a copy that keeps size and mtime. 0 where the system has none."""
    size: int
    """Bytes."""


class Problem(NamedTuple):
    """Something about a note that its author should know; never a reason to lose the note."""

    code: str
    """One of the codes of `list --problems`, such as `yaml` or `dangling`."""
    message: str
    line: int | None = None
    """1-based line of the file, where one can be named."""


class Skipped(NamedTuple):
    """A file that was not read, and why."""

    path: DocPath
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One note after parsing."""

    path: DocPath
    title: str
    """Frontmatter `title`, else the first H1, else the file's stem; never empty."""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """Without `#`, as written; `a/b` nests."""
    lifecycle: Lifecycle
    text: str
    """The whole file: decoded, without BOM, line ends `\\n`."""
    body_start: int = 0
    """How many lines of `text` belong to the frontmatter; the body begins with the line after them."""
    problems: tuple[Problem, ...] = ()
