"""Rows that embedding and calibration work on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs_rag.core.digests import Digest
    from docs_rag.core.documents import DocPath
    from docs_rag.core.ports import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A text that has no vector yet, as the parts it is made from."""

    digest: Digest
    path: DocPath
    title: str
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Sampled:
    """A section's vector with the note it belongs to."""

    note: int
    digest: Digest
    vector: Vector
