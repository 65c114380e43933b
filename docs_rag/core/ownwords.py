"""Status words of one's own, found in a status as people write it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from docs_rag.core.status import Status

_LONGEST: Final = 500
"""How much of a status is compared with own words, in characters."""
_SIGNS: Final = frozenset(("So", "Sk", "Cf", "Co", "Cs", "Me"))
"""Unicode categories of emoji and of what they are joined and coloured with."""
_VARIATIONS: Final = range(0xFE00, 0xFE10)
"""Variation selectors: the same sign, in colour or not."""
_JOINED: Final = re.compile(r"(?<=\w)[-_](?=\w)")
_ENDS: Final = re.compile(r"^[\W_]+|(?:[^\w?]|_)+$")
_GLUING: Final = re.compile("[\u2e80-\ud7ff\uf900-\ufaff]")
"""Letters of scripts that glue endings on and leave no space between words."""


class OwnWords:
    """The words of one project's config."""

    def __init__(self, words: Mapping[str, Status]) -> None:
        """Keep the words as they are written."""
        self.words = words

    def look_up(self, text: str) -> Status | None:
        """The state of the own word that a status is, or begins with; None where there is none.

        Case, width, `-` and `_` within words make no difference. An own word `🌱 seedling` is also found as
        `seedling` and, where no other word bears it, as `🌱`. A word with `?` behind it is no statement.
        """
        said = [form for form in (_folded(text[:_LONGEST]), _bare(text[:_LONGEST])) if form]
        whole = next((self._exact[form] for form in said if form in self._exact), None)
        if whole is not None:
            return whole
        return next((status for form in said for word, status in self._opening if _begins_with(form, word)), None)

    @cached_property
    def _exact(self) -> dict[str, Status]:
        """Every form that is a whole status; a word as it is written goes before forms that stand for it."""
        return self._table(_folded, _bare, _signs)

    @cached_property
    def _opening(self) -> tuple[tuple[str, Status], ...]:
        """The forms that a status may begin with, the longest first."""
        return tuple(sorted(self._table(_folded, _bare).items(), key=lambda row: -len(row[0])))

    def _table(self, *ways: Callable[[str], str]) -> dict[str, Status]:
        """The words in several forms; of a form that words of different states share, none is meant."""
        table: dict[str, Status] = {}
        for form_of in ways:
            found: dict[str, set[Status]] = {}
            for word, status in self.words.items():
                found.setdefault(form_of(word), set()).add(status)
            for form, states in found.items():
                if form and len(states) == 1:
                    table.setdefault(form, *states)
        return table


def _folded(text: str) -> str:
    """A status without case, width and variation selectors."""
    plain = "".join(char for char in unicodedata.normalize("NFKC", text) if ord(char) not in _VARIATIONS)
    return " ".join(_JOINED.sub(" ", plain.casefold()).split())


def _bare(text: str) -> str:
    """The folded words of a status without signs and without what surrounds them."""
    words = "".join(" " if unicodedata.category(char) in _SIGNS else char for char in _folded(text))
    return _ENDS.sub("", " ".join(words.split()))


def _signs(text: str) -> str:
    """The signs of a status alone."""
    return "".join(char for char in _folded(text) if unicodedata.category(char) in _SIGNS)


def _begins_with(said: str, word: str) -> bool:
    """Whether a folded status begins with a folded word, as a whole word."""
    if not said.startswith(word):
        return False
    rest = said[len(word) :]
    if word[-1].isalnum() and rest[:1].isalnum() and _GLUING.match(word[-1]) is None:
        return False
    return rest.lstrip()[:1] != "?"
