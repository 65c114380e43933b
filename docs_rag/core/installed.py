"""How this copy of docs-rag got here, as far as its own records and the search path tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What a host needs to know to start this copy, or one like it."""

    program: str | None
    """The absolute path of its console script; None when there is none beside the interpreter that runs."""
    on_path: str | None
    """The absolute path that `docs-rag` means on the search path; None when it means nothing."""
    uvx: str | None
    """The absolute path of uvx, which can fetch a program and run it."""
    origin: str | None
    """The text of `direct_url.json`, which installers write (PEP 610); None for a copy from a registry."""
