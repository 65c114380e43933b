"""What of a record's own words bears on others: whether the graph has to hear it at all."""

from __future__ import annotations

from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.status import Status
from docs_rag.core.wording import read_status


def references_of(life: Lifecycle) -> tuple[str, ...]:
    """Every reference to another record, as written."""
    return (*life.successors, *life.claims, *life.partial, *life.partial_claims)


def is_partly_superseded(life: Lifecycle) -> bool:
    """Whether a record says that parts of it were replaced, be it without a word on what by."""
    if life.partial:
        return True
    text = life.status_text
    is_word = text.isascii() and text.isalpha() and text[:4].lower() != "part"
    return bool(text) and not is_word and read_status(text).partial


def speaks(life: Lifecycle) -> bool:
    """Whether a record may stand otherwise than its own status says, or has something to say of others."""
    if life.status is Status.SUPERSEDED or life.template or references_of(life):
        return True
    return life.status in (Status.CURRENT, Status.DRAFT) and is_partly_superseded(life)
