"""What an index was made with, and what another make invalidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PARSER_VERSION: Final = 2
"""Raise it with every change of what `parse_document` reads from a note: indexes read every note again."""


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
    """What reads the notes, versions and rules: another one means that every note must be read again."""

    parser: int
    chunker: int
    analyser: str
    rules: str = ""
    """Digest of the project's own rules on what a status means; empty for the default."""

    def __str__(self) -> str:
        """The form that the index keeps."""
        own = f", rules {self.rules}" if self.rules else ""
        return f"parser {self.parser}, chunker {self.chunker}, analyser {self.analyser}{own}"
