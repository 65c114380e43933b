"""Texts made ready for an embedding model: in small groups, in characters it can take, and short enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

GROUP_TEXTS: Final = 8
GROUP_CHARS: Final = 16_000
"""Small requests: an answer comes before any timeout, a stopped run loses little, and halving finds a bad
text in few steps. Larger ones would not be faster: Ollama embeds one text at a time."""

SHRINK: Final = 0.7
"""What each step of `shorter` leaves of the one before."""
SHORTEST: Final = 64
"""Characters; a model that cannot take so many has another fault."""
CHARS_PER_TOKEN: Final = 4
"""About what English has; the first guess for a text that is too long, and other scripts take more steps."""


def sendable(text: str) -> str:
    """The text as UTF-8 and C strings can carry it: no half surrogate pairs, no NUL."""
    return text.replace("\0", " ").encode("utf-8", errors="replace").decode("utf-8")


def plain(text: str) -> str:
    """Printable characters only, in one line; white space and what was taken out become single blanks."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def tokens_at_most(text: str) -> int:
    """A number of tokens that ordinary text stays below: one for three bytes."""
    return len(text.encode("utf-8", errors="replace")) // 3


def groups(texts: Sequence[str], limit: int) -> Iterator[list[str]]:
    """The texts in order in small groups; one that may have `limit` tokens or more is a group of its own."""
    group: list[str] = []
    room = GROUP_CHARS
    for text in texts:
        alone = tokens_at_most(text) >= limit
        if group and (alone or len(group) == GROUP_TEXTS or len(text) > room):
            yield group
            group, room = [], GROUP_CHARS
        group.append(text)
        room = 0 if alone else room - len(text)
    if group:
        yield group


def shorter(text: str, limit: int) -> Iterator[str]:
    """Ever shorter beginnings of a text, from about `limit` tokens down, cut between words if possible."""
    size = min(len(text) * SHRINK, limit * CHARS_PER_TOKEN)
    while size >= SHORTEST:
        cut = text[: int(size)]
        yield cut[: cut.rindex(" ")] if " " in cut[SHORTEST:] else cut
        size *= SHRINK
