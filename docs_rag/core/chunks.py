"""A note cut into sections along its headings: what is shown, what is embedded, what is searched."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A section of a note, or a part of a long one."""

    ordinal: int
    """Place in the note, from 0."""
    headings: tuple[str, ...]
    """Heading path from the note's top heading down to this section; empty before the first heading."""
    lines: tuple[int, int]
    """First and last line in the file, 1-based, inclusive."""
    text: str
    """The section as written, its own heading line included; what a hit shows and the words are taken from."""
    names: str = ""
    """Further words that find this section: title, file name and aliases in a note's first chunk."""
