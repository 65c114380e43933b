"""What OCR made of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GOOD: Final = 70.0
"""From this confidence on nothing else is tried."""
POOR: Final = 40.0
"""What was read with less is noise, or another script taken for one that is known."""


CALL_SECONDS: Final = 120.0
"""For an engine and one page; two to ten is usual."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Text of one image file."""

    pages: tuple[tuple[str, ...], ...] = ()
    """Paragraphs of each of its pages (a TIFF can have several), as markdown."""
    confidence: float = 0.0
    """0 to 100, the engine's own, by letters; 0 where there is no text."""
