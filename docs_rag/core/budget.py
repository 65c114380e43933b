"""Keeps a reply within what hosts take: they cut, or put into a file, what is larger."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from docs_rag.core.answers import Answer, as_json
from docs_rag.core.snippets import FIRST_CHARS, OTHER_CHARS, passage

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_CHARS = 23_000
"""A little below the 24,000 characters that a reply may have, for what transports add."""
MAX_BYTES = 58_000
_SHARES = (1.0, 0.6, 0.35, 0.2, 0.1)
"""How far passages are shortened, step by step, before hits are left out."""


def fit(answer: Answer, words: Sequence[str]) -> Answer:
    """The answer with its passages cut to size around `words`; the last hits are left out where that is not enough."""
    for share in _SHARES:
        shortened = _shortened(answer, words, share)
        if _fits(shortened):
            return shortened
    hits = shortened.hits
    while hits and not _fits(shortened):
        hits = hits[:-1]
        left_out = len(answer.hits) - len(hits)
        notice = f"{left_out} more hits were left out to keep the reply short; ask with a smaller limit or `within`"
        shortened = replace(shortened, hits=hits, notices=(*answer.notices, notice))
    return shortened


def _shortened(answer: Answer, words: Sequence[str], share: float) -> Answer:
    hits = []
    for place, hit in enumerate(answer.hits):
        text, cut = passage(hit.text, words, int((OTHER_CHARS if place else FIRST_CHARS) * share))
        hits.append(replace(hit, text=text, truncated=hit.truncated or cut))
    return replace(answer, hits=tuple(hits))


def _fits(answer: Answer) -> bool:
    text = json.dumps(as_json(answer), ensure_ascii=False)
    return len(text) <= MAX_CHARS and len(text.encode("utf-8", "replace")) <= MAX_BYTES
