"""The rules of `docs-rag check`: one row each, with the codes that it may give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from docs_rag.core.linting.codes import PROBLEMS
from docs_rag.core.linting.corpus import Corpus
from docs_rag.core.linting.findings import Finding, Found, Selection
from docs_rag.core.linting.leftovers import left_overs
from docs_rag.core.linting.links import links_to_dead
from docs_rag.core.linting.numbers import duplicate_numbers
from docs_rag.core.linting.problems import problems
from docs_rag.core.linting.statuswords import status_words
from docs_rag.core.linting.suspects import close_in_meaning
from docs_rag.core.linting.versions import other_versions


class Rule(NamedTuple):
    """A function that looks at the whole vault."""

    codes: tuple[str, ...]
    """It is left out when none of them is looked for."""
    find: Callable[[Corpus], Iterator[Found]]


RULES: Final = (
    Rule(tuple(dict.fromkeys(PROBLEMS.values())), problems),
    Rule(("DR004", "DR005"), status_words),
    Rule(("DR006",), left_overs),
    Rule(("DR020",), duplicate_numbers),
    Rule(("DR021",), links_to_dead),
    Rule(("DR030",), other_versions),
    Rule(("DR031",), close_in_meaning),
)
"""Every rule; a new one is a row here and its codes in `codes.CODES`."""


def check(corpus: Corpus, selection: Selection) -> list[Finding]:
    """Everything that the selected rules find in a vault, by note and line."""
    found = (each for rule in RULES if selection.wants(*rule.codes) for each in rule.find(corpus))
    return selection.judge(found, corpus.homes)
