"""The two ends of a supersession as they are written into frontmatter, a function for each way."""

from __future__ import annotations

import re
from typing import Final

from docs_rag.core.frontmatter import Frontmatter, fold_key, read_frontmatter
from docs_rag.core.marking.links import Style, link_by_number, links_in, usual
from docs_rag.core.marking.metadata import Metadata, scalar, spelt
from docs_rag.core.marking.page import Page
from docs_rag.core.marking.record import End
from docs_rag.core.marking.tomlmetadata import TomlMetadata
from docs_rag.core.spellings import BOOLEANS, FLAGS, KEYS, NO, YES, Role
from docs_rag.core.status import Status
from docs_rag.core.statusrules import StatusRules
from docs_rag.core.values import is_empty
from docs_rag.core.wording import read_status

_NAMING: Final = (Role.SUCCESSOR, Role.CLAIM, Role.PARTIAL, Role.PARTIAL_CLAIM, Role.PROPOSED)
_WORDS: Final = {Role.SUCCESSOR: "superseded by", Role.CLAIM: "supersedes", Role.SINCE: "superseded on"}
"""What a key of each role is called where neither the note nor the vault has one."""


def write_keys(end: End, page: Page, day: str | None) -> None:
    """Write frontmatter keys for status, successor and day."""
    front, frontmatter = _metadata(page), read_frontmatter(page.plain())
    reference = scalar(end.reference(_style(end, frontmatter)))
    status, by, since = (_label(end, front, role) for role in (Role.STATUS, Role.SUCCESSOR, Role.SINCE))
    word = _word(end.rules, frontmatter.values(*_keys(Role.STATUS, end.rules)))
    if not front.exists:
        front.create([f"{status}: {word}", f"{by}: {reference}", *([f"{since}: {day}"] if day else [])])
        return
    _raise_flags(front, frontmatter)
    if not _says_superseded(frontmatter.values(*_keys(Role.STATUS, end.rules))):
        front.put(status, word)
    if not any(map(end.names_other, frontmatter.values(*_keys(Role.SUCCESSOR, end.rules)))):
        front.include(by, reference, after=status)
    if day:
        front.put(since, day, after=by)


def write_in_status(end: End, page: Page, day: str | None) -> None:
    """Write the successor into the status itself: `status: superseded by [ADR-7](0007-x.md)`."""
    front, frontmatter = _metadata(page), read_frontmatter(page.plain())
    link = link_by_number(end.other, end.path) or end.reference(Style.LINK)
    status = _label(end, front, Role.STATUS)
    word = _word(end.rules, frontmatter.values(*_keys(Role.STATUS, end.rules)))
    former = "\n".join(frontmatter.values(*_keys(Role.STATUS, end.rules)))
    named = read_status(former).successors
    value = f"{former} and {link}" if named else f"{word} by {link}"
    if any(map(end.names_other, named)):
        value = former
    if front.exists:
        front.put(status, value)
        if day:
            front.put(_label(end, front, Role.SINCE), day, after=status)
    else:
        front.create([f"{status}: {value}", *([f"{_label(end, front, Role.SINCE)}: {day}"] if day else [])])


def write_claim_key(end: End, page: Page) -> None:
    """Write the frontmatter key that names what the note replaced."""
    front, frontmatter = _metadata(page), read_frontmatter(page.plain())
    reference = scalar(end.reference(_style(end, frontmatter)))
    label = _label(end, front, Role.CLAIM)
    if front.exists:
        front.include(label, reference, after=_label(end, front, Role.STATUS))
    else:
        front.create([f"{label}: {reference}"])


def names_in_status(text: str) -> bool:
    """Whether the frontmatter's status itself names a successor, or did."""
    values = read_frontmatter(Page(text).plain()).values("status")
    return bool(values) and bool(read_status("\n".join(values)).successors)


def _metadata(page: Page) -> Metadata:
    """The frontmatter in the language that it is written in; a new one is YAML."""
    toml = TomlMetadata(page)
    return toml if toml.exists else Metadata(page)


def _keys(role: Role, rules: StatusRules) -> tuple[str, ...]:
    own = (fold_key(rules.key),) if role is Role.STATUS else ()
    return (*own, *(key for key, each in KEYS.items() if each is role))


def _label(end: End, front: Metadata, role: Role) -> str:
    """The key for a role: the note's own, else the vault's, else a new one spelt as theirs are."""
    there = front.label(*_keys(role, end.rules))
    if there:
        return there
    if role is Role.STATUS:
        return end.rules.key
    compound = [label for label in front.labels() if re.search(r"[-_]|[a-z][A-Z]", label)]
    usual_label = end.habits.labels.get(role)
    if usual_label and not compound:
        return usual_label
    return spelt(_WORDS[role], filter(None, (*compound, usual_label, *end.habits.labels.values())))


def _style(end: End, frontmatter: Frontmatter) -> Style:
    """How this note names others in its frontmatter, else how the vault does, else as the note's text links."""
    named = [
        value
        for key, entry in frontmatter.entries.items()
        if KEYS.get(key) in _NAMING
        for value in entry.values
        if not is_empty(value) and value.casefold() not in BOOLEANS
    ]
    wiki = Style.WIKI if links_in(end.text) is Style.WIKI else None
    return usual(named) or end.habits.reference or wiki or Style.PATH


def _word(rules: StatusRules, former: tuple[str, ...]) -> str:
    """The word for a superseded record, in the case of the one that it replaces."""
    own = next((word for word, status in rules.words.items() if status is Status.SUPERSEDED), "")
    if own:
        return scalar(own)
    first = former[0].strip("*_`'\" ")[:2] if former else ""
    if first.isupper() and len(first) > 1:
        return "SUPERSEDED"
    return "Superseded" if first[:1].isupper() else "superseded"


def _says_superseded(values: tuple[str, ...]) -> bool:
    return bool(values) and read_status("\n".join(values)).status is Status.SUPERSEDED


def _raise_flags(front: Metadata, frontmatter: Frontmatter) -> None:
    """`superseded: false` would belie the rest."""
    for key, status in FLAGS.items():
        values = frontmatter.values(key)
        if status is Status.SUPERSEDED and values and values[0].casefold() in NO:
            front.put(front.label(key), "true" if values[0].casefold() in ("false", "0") else next(iter(YES)))
