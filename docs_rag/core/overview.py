"""How runs of `index` are remembered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """How one run of `index` ended."""

    at: str
    """ISO, UTC."""
    ok: bool
    message: str
