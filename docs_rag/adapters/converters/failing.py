"""What a converter raises: the document could not be turned into text, and why."""

from __future__ import annotations

from typing import Final

CODES: Final = frozenset({"encrypted", "damaged", "too-large", "needs-ocr", "missing-extra", "unsupported", "timeout"})
"""Problem codes of documents; `list --problems` shows them."""


class Unconvertible(Exception):
    """A document without a text to show; `code` is one of `CODES`, `str()` says in one line what to do."""

    def __init__(self, code: str, message: str) -> None:
        """Keep the code beside the message."""
        super().__init__(code, message)  # both, so that it can be pickled
        self.code = code

    def __str__(self) -> str:
        """The message alone, on one line."""
        return " ".join(str(self.args[1]).split())


def missing_extra(extra: str, what: str) -> Unconvertible:
    """The failure that names the command which would mend it; `what` is what cannot be read: `PowerPoint slides`."""
    return Unconvertible("missing-extra", f"{what} need an extra: pip install 'docs-rag[{extra}]'")
