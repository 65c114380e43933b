"""The embedding models that are known, and how far each may be believed.

One row a model. A model that stands in no row works too: without prefixes, with a floor that nobody tested, and
the answers say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ScoreKind = Literal["cosine", "centred"]
"""The scale of floor and score: the plain cosine, or the cosine after taking the vault's means away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """An embedding model: how texts are handed to it and what its scores are worth."""

    name: str
    """As configured, without `:latest`; `builtin:NAME` runs in process."""
    dimensions: int | None = None
    """Length of its vectors; None until the host has told."""
    max_tokens: int | None = None
    query_prefix: str = ""
    document_prefix: str = ""
    score: ScoreKind = "cosine"
    min_score: float | None = None
    """Floor that was tested for this model and score; None: calibration decides."""
    fallback_score: float = 0.5
    """Floor when neither a tested one nor a calibration is there."""
    relative_cutoff: float | None = 0.88
    known: bool = True
    """False for a model that has no row."""
