"""The notes that a note's text links to: what tells two candidates for a reference apart."""

from __future__ import annotations

import re
from typing import Final

_LINK: Final = re.compile(
    r"(?P<wiki>\[\[[^\[\]\n]{1,300}\]\])|\]\(<?(?P<href>(?![a-zA-Z][a-zA-Z0-9+.-]*:|#|//)[^()\s<>]{1,300})>?"
    r"|^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]*<?(?P<target>(?![a-zA-Z][a-zA-Z0-9+.-]*:|#|//)[^\s<>]{1,300})",
    re.MULTILINE,
)
_PICTURE: Final = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|pdf|zip)(?:[?#].*)?$", re.IGNORECASE)
_MOST: Final = 100


def note_links(text: str) -> tuple[str, ...]:
    """The targets of links that stay in the vault, as written, at most 100: `[[Queue]]`, `../0002-queue.md`."""
    if "](" not in text and "[[" not in text and "]:" not in text:
        return ()
    found: dict[str, None] = {}
    for link in _LINK.finditer(text):
        target = link["wiki"] or link["href"] or link["target"]
        if not _PICTURE.search(target):
            found[target] = None
            if len(found) == _MOST:
                break
    return tuple(found)
