"""Cases kept as text, so that anyone can add one: a title after `====`, an input, what is expected after `----`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.mark import ParameterSet


class Case(NamedTuple):
    """One case; both texts without the line end before the next mark."""

    given: str
    expected: str


def cases(name: str) -> list[ParameterSet]:
    """The cases of `tests/cases/<name>`, each under its title, for `parametrize`."""
    text = (Path(__file__).parent / "cases" / name).read_text(encoding="utf-8")
    found = []
    for part in f"\n{text}".split("\n==== ")[1:]:
        title, _, rest = part.partition("\n")
        given, _, expected = rest.partition("\n----\n")
        found.append(pytest.param(Case(given, expected.rstrip("\n")), id=title))
    return found
