"""Forms to be filled in: templates of records, which are no records yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from docs_rag.core.body import Body
from docs_rag.core.documents import Problem
from docs_rag.core.forms import Statement
from docs_rag.core.frontmatter import Frontmatter
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.spellings import Role
from docs_rag.core.values import holds_placeholder, is_empty, is_placeholder
from docs_rag.core.wording import is_enumeration, known_words

_DATE: Final = re.compile(r"\b(?:YYYY|yyyy)[-/.]?(?:MM|mm)[-/.]?(?:DD|dd)\b|\{\{[^{}]*\}\}")
_TITLE: Final = re.compile(
    r"\W*(?:\[[^\]]*\]|\{[^}]*\}|<[^>]*>)\W*$|\b(?:adr|dr|rfc|kep|d)?[-_ ]?(?:x{2,}|n{3,}|0000)\b", re.IGNORECASE
)
_UNQUOTED: Final = re.compile(
    r"^[^\s#:][^\n:]{0,40}:[ \t]*\{(?P<choices>[^{}\n]{1,300}\|[^{}\n]{1,300})\}", re.MULTILINE
)
"""A choice that YAML takes for a mapping, because it stands without quotes."""
_HINTS: Final = ("YYYY", "yyyy", "{{", " | ")
_HEAD: Final = 4_000
"""How far a template shows itself, in characters."""
_KEY: Final = re.compile(r"^[\W_]*\w[\w ]{0,20}\W{0,3}[:：]\W*")


def is_template(path: str, frontmatter: Frontmatter, body: Body, statements: Sequence[Statement]) -> bool:
    """True for a form to be filled in: placeholders for values, or a choice of statuses.

    In a note's own text one such sign may be a left-over in a real record; two make a form.
    """
    if any(_is_choice(each.text) for each in statements if each.role is Role.STATUS and each.form == "frontmatter"):
        return True
    if holds_placeholder(frontmatter.text) and any(map(is_placeholder, _values(frontmatter))):
        return True
    if any(_is_choice(found["choices"]) for found in _UNQUOTED.finditer(frontmatter.text)):
        return True
    is_named = "template" in path.rpartition("/")[2].casefold()
    if is_named and _is_unfilled(frontmatter):
        return True
    hinted = is_named or any(hint in body.text[:_HEAD] for hint in _HINTS)
    return hinted and is_named + sum(_signs(body)) > 1


def template(statements: Sequence[Statement]) -> tuple[Lifecycle, tuple[Problem, ...]]:
    """The lifecycle of a form, and the problem that says so."""
    text = next((", ".join(each.values) for each in statements if each.role is Role.STATUS), "")
    problem = Problem("template", "its values are still to be filled in; kept out of answers")
    return Lifecycle(status_text=text, template=True), (problem,)


def _is_choice(text: str) -> bool:
    return "|" in text and known_words(text) > 1


def _is_unfilled(frontmatter: Frontmatter) -> bool:
    """True when a value, or a line commented out, is there to be replaced."""
    return holds_placeholder(frontmatter.text) or any(map(is_empty, _values(frontmatter)))


def _values(frontmatter: Frontmatter) -> Iterator[str]:
    return (value for each in frontmatter.entries.values() for value in each.values)


def _signs(body: Body) -> Iterator[bool]:
    """Signs of a form in a note's own text: a choice of statuses, a date's pattern, a title to be replaced."""
    blocks = [*body.head, *(block for section in body.sections for block in section.blocks)]
    lines = [line.text for block in blocks for line in block.lines]
    yield any(is_enumeration(_KEY.sub("", line, count=1)) for line in lines)
    yield any(_DATE.search(line) is not None for line in lines)
    yield body.title is not None and _TITLE.search(body.title.raw) is not None
