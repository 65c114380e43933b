"""A note as values: where it lies, what it says of itself, what is wrong with it.

The small ones are named tuples: there is one for every file of a vault, and a tuple is made in a quarter of the time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, NewType

if TYPE_CHECKING:
    from docs_rag.core.lifecycle import Lifecycle

DocPath = NewType("DocPath", str)
"""A note's identity: relative to the vault, `/` separated, NFC; spelt on disk perhaps otherwise."""


class FileStamp(NamedTuple):
    """What a directory listing tells of a file; another stamp means that the file must be read again."""

    path: DocPath
    mtime_ns: int
    ctime_ns: int
    """Change time, mixed in its last millisecond with what tells files apart that were written together.

    Catches a copy that keeps size and mtime, and a folder that took another one's place. 0 where the system has none.
    """
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
class Part:
    """One decision of a note that holds several: a log with a section for each."""

    anchor: str
    """What references call it within the note: `D-013`, else its heading; without `/` and `#`, unique in the note."""
    title: str
    """Its heading without markup and without what the heading says of its state."""
    lines: tuple[int, int]
    """First and last line in the file, 1-based, inclusive, sections below it included."""
    lifecycle: Lifecycle
    problems: tuple[Problem, ...] = ()


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
    parts: tuple[Part, ...] = ()
    """The decisions of a log, in order; they do not overlap. Empty for nearly every note."""
    links: tuple[str, ...] = ()
    """Where links in its text lead within the vault, as written; kept of notes that others may call by a number."""
    text: str
    """The whole file: decoded, without BOM, line ends `\\n`."""
    body_start: int = 0
    """How many lines of `text` belong to the frontmatter; the body begins with the line after them."""
    problems: tuple[Problem, ...] = ()


def part_path(path: str, anchor: str) -> DocPath:
    """How a part of a note is called wherever a note's path could stand: `log.md#D-013`."""
    return DocPath(f"{path}#{anchor}")


def note_path(path: str) -> DocPath:
    """The note that a path leads to, be it a note's or a part's."""
    found = _PART.fullmatch(path) if "#" in path else None
    return DocPath(path if found is None else found["note"])


_PART: Final = re.compile(r"(?P<note>.+\.\w{1,10})#(?P<anchor>[^/#]+)", re.DOTALL)
