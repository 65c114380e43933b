"""How this copy of docs-rag got here and what it is, as far as its own records and the search path tell."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """What this copy consists of, and what it needs."""

    version: str
    python: str
    """The Python that it needs: `>=3.11`."""
    requires: tuple[str, ...]
    """Its dependencies, as its metadata has them, without those of extras."""
    files: Mapping[str, bytes]
    """The files of its package by path within it."""
