"""A document of another format as markdown, and where in the document each stretch of it comes from.

Converters make it (`adapters/converters`), the index reads it like any note, and an answer names the place in the
document in words: `p. 7`, `slide 3`, `sheet Budget, A1:F20`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of the markdown that come from one place of the document."""

    lines: tuple[int, int]
    """First and last line of the markdown, 1-based, inclusive."""
    location: str
    """Where a person finds it in the document: `p. 7`, `slide 3`, `sheet Budget, A1:F20`, `chapter 2`."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that was in the document."""

    name: str
    """A file name without folders, unique in the document; the markdown refers to it by this name."""
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """What a converter makes of a document."""

    markdown: str
    """Complete; line ends `\\n`. Empty only for a document that holds no text at all, which is a warning."""
    stretches: tuple[Stretch, ...] = ()
    """In order, without overlap; a line may belong to none."""
    pictures: tuple[Picture, ...] = ()
    title: str = ""
    """As the document's metadata says, where it does."""
    warnings: tuple[str, ...] = ()
    """What is missing from the markdown and why, one line each: the document counts as read in part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """A converted document as it is kept on disk, pictures aside."""

    markdown: str
    """What `lines` of its sections count in."""
    stretches: tuple[Stretch, ...] = ()
    title: str = ""
    warnings: tuple[str, ...] = ()


def location_of(stretches: Sequence[Stretch], lines: tuple[int, int]) -> str:
    """Where lines of the markdown come from, in words: `p. 7`, or `p. 7 to p. 9`; empty where none is known."""
    first = bisect_left(stretches, lines[0], key=lambda each: each.lines[1])
    end = bisect_right(stretches, lines[1], key=lambda each: each.lines[0])
    if first >= end:
        return ""
    start, last = stretches[first].location, stretches[end - 1].location
    return start if start == last else f"{start} to {last}"
