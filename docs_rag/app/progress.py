"""How long work tells of its progress; the terminal shows it, everything else ignores it."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told of phases one after the other."""

    def begin(self, phase: str, total: int) -> None:
        """A phase of `total` steps begins; the one before it is over."""
        ...

    def step(self, count: int = 1) -> None:
        """`count` steps are done."""
        ...

    def say(self, message: str) -> None:
        """A line for the person who waits."""
        ...


class NoProgress:
    """Tells nobody."""

    def begin(self, phase: str, total: int) -> None:
        """Ignore."""

    def step(self, count: int = 1) -> None:
        """Ignore."""

    def say(self, message: str) -> None:
        """Ignore."""
