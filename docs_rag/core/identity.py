"""What an index was made with, and what another make invalidates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredModel:
    """A model as the index knows it; its vectors are compared with its own queries only."""

    id: int
    name: str
    digest: str
    """Of the weights; empty where the host does not tell."""
    prefixes: tuple[str, str]
    """(query, document)."""
    dimensions: int
    """0 until the first vector came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Make:
    """The versions of what reads the notes: another one means that every note must be read again."""

    parser: int
    chunker: int
    analyser: str

    def __str__(self) -> str:
        """The form that the index keeps."""
        return f"parser {self.parser}, chunker {self.chunker}, analyser {self.analyser}"
