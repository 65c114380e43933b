"""The notes that a note's text links to: what tells two candidates for a reference apart."""

from __future__ import annotations

import re
from typing import Final

_OUTWARD: Final = r"(?![a-zA-Z][a-zA-Z0-9+.-]*:|#|//)"
_LINKS: Final = (
    ("[[", re.compile(r"(\[\[[^\[\]\n]{1,300}\]\])")),
    ("](", re.compile(rf"\]\(<?({_OUTWARD}[^()\s<>]{{1,300}})")),
    ("]: ", re.compile(rf"\]: <?({_OUTWARD}[^\s<>]{{1,300}})")),
)
"""What a form begins with, and the form: an expression with a fixed beginning is found many times faster."""
_PICTURE: Final = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|pdf|zip)(?:[?#].*)?$", re.IGNORECASE)
_MOST: Final = 100


def note_links(text: str) -> tuple[str, ...]:
    """The targets of links that stay in the vault, as written, at most 100: `[[Queue]]`, `../0002-queue.md`."""
    found: dict[str, None] = {}
    for mark, form in _LINKS:
        for link in form.finditer(text) if mark in text else ():
            if not _PICTURE.search(link[1]):
                found[link[1]] = None
            if len(found) == _MOST:
                return tuple(found)
    return tuple(found)
