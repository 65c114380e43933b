"""More time for a document that is worth it: OCR of a book takes minutes, a broken file must not.

A converter asks page by page. In the conversion process the question goes to the program that waits; without one
(a converter called by itself) time is not limited.
"""

from __future__ import annotations

from collections.abc import Callable


class _Pace:
    """Whom to ask."""

    ask: Callable[[float], bool] | None = None


def more(seconds: float) -> bool:
    """Whether the document may take so many seconds from now on; if not, stop with what there is."""
    return _Pace.ask is None or _Pace.ask(seconds)


def ask_by(ask: Callable[[float], bool] | None) -> None:
    """Set what answers `more`."""
    _Pace.ask = ask
