"""More time for a document that is worth it: OCR of a book takes minutes, a broken file must not.

A converter says page by page how long the next one may take. In the conversion process that goes to the program that
waits; in a converter called by itself time is not limited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class _Pace:
    """Whom to ask."""

    ask: Callable[[float], object] | None = None


def more(seconds: float) -> None:
    """Ask that the document may take so many seconds from now on."""
    if _Pace.ask is not None:
        _Pace.ask(seconds)


def ask_by(ask: Callable[[float], object] | None) -> None:
    """Set what `more` calls."""
    _Pace.ask = ask
