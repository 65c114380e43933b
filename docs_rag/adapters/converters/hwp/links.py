"""Targets of hyperlinks as Hancom writes them: `http\\://example.org/a;1;0;0;`."""

from __future__ import annotations

import re
from typing import Final

_TARGET: Final = re.compile(r"((?:https?|ftp|mailto)\\?:(?:\\.|[^;\\|\s<>])+)", re.IGNORECASE)


def target_of(command: str) -> str:
    """The address in a link's command; empty for a place in the document or a file beside it."""
    found = _TARGET.match(command)
    address = re.sub(r"\\(.)", r"\1", found[1]) if found else ""
    return address.partition("?")[0] if address.lower().startswith("mailto:") else address
