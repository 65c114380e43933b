"""What a metadata value amounts to before anything is read into it: nothing, a placeholder, a list of choices."""

from __future__ import annotations

import re
from typing import Final

from docs_rag.core.spellings import EMPTY, NOTHING

_TAG: Final = re.compile(r"<[^<>\d/:@]*>")
_PLACEHOLDER: Final = re.compile(r"\{\{.*\}\}|<%.*%>|\{[^{}|]*\|[^{}]*\}|\$\{[^{}]*\}", re.DOTALL)
_EXPRESSION: Final = re.compile(r"\{\{|<%|\{[^{}|\n]*\|[^{}\n]*\}")
_NOTHING: Final = re.compile(NOTHING, re.IGNORECASE)
_LONGEST_EMPTY: Final = max(map(len, EMPTY))

_LONGEST_DENIAL: Final = 120
"""In characters."""


def is_empty(value: str) -> bool:
    """True for `null`, `-`, `n/a`, `TBD`, `<number>`, `(optional ...`, a placeholder and their like."""
    if len(value) > _LONGEST_EMPTY and value[0].isalnum():
        return False
    text = value.strip().strip("\"'").casefold()
    if text in EMPTY or text.startswith("(optional"):
        return True
    return text[0] in "<{$" and (_TAG.fullmatch(text) is not None or is_placeholder(text))


def names_nothing(value: str) -> bool:
    """True for a value that is there to name a record and names none: `nothing yet`, `_none_`, `n/a (still valid)`."""
    return is_empty(value) or _NOTHING.fullmatch(value[:_LONGEST_DENIAL].strip(" \t\n*_`\"'.")) is not None


def is_placeholder(value: str) -> bool:
    """True for a value that some tool or person is meant to fill in: `{{date}}`, `<% tp.date %>`, `{a | b}`."""
    text = value.strip().strip("\"'")
    return text[:1] in ("{", "<", "$") and _PLACEHOLDER.fullmatch(text) is not None


def holds_placeholder(text: str) -> bool:
    """True when a placeholder stands anywhere in the text."""
    return _EXPRESSION.search(text) is not None


def unfilled(values: tuple[str, ...]) -> bool:
    """True when none of the values says anything."""
    return all(is_empty(value) for value in values)
