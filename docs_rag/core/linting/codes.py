"""The codes of `docs-rag check`: one row a fault, with its name and how bad it is unless the config says otherwise."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Level(StrEnum):
    """How bad a finding is; only errors fail the check."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(NamedTuple):
    """One kind of finding; neither id nor name ever changes its meaning."""

    id: str
    name: str
    level: Level
    """Unless the config gives it another."""
    meaning: str
    """In one line."""

    @property
    def title(self) -> str:
        """Id and name, as people read them: `DR012 one-sided-link`."""
        return f"{self.id} {self.name}"


CODES: Final = (
    Code("DR001", "unreadable", Level.ERROR, "a note cannot be read, so nobody knows what it says"),
    Code("DR002", "frontmatter", Level.WARNING, "a line of the metadata is not valid YAML"),
    Code("DR003", "impossible-date", Level.WARNING, "a date does not exist, or can mean two days"),
    Code("DR004", "unknown-status", Level.WARNING, "a status word that stands in no table; the note counts as current"),
    Code("DR005", "misspelt-status", Level.INFO, "a status word is misspelt, but understood"),
    Code("DR006", "template-left-over", Level.WARNING, "a record still holds text of the template it was made from"),
    Code("DR010", "dangling-successor", Level.ERROR, "a record names another one that is not there"),
    Code("DR011", "ambiguous-successor", Level.ERROR, "a record names another one, and several notes fit"),
    Code("DR012", "one-sided-link", Level.WARNING, "a record was replaced by one that it does not name"),
    Code("DR013", "cycle", Level.ERROR, "a record is among its own successors"),
    Code("DR014", "dead-end", Level.WARNING, "a record's line of successors ends in one that is not in force"),
    Code("DR015", "conflict", Level.WARNING, "a record, or its successor, says two things that cannot both hold"),
    Code("DR016", "no-successor", Level.WARNING, "a record is superseded, but nothing says by what"),
    Code(
        "DR017", "renamed-successor", Level.WARNING, "a record names another one as it is not called; its number fits"
    ),
    Code("DR020", "duplicate-number", Level.WARNING, "two records of a series have the same number"),
    Code("DR021", "link-to-dead", Level.WARNING, "a current note links to a dead one as if it were in force"),
    Code("DR030", "other-version", Level.INFO, "two current notes look like versions of one another by their names"),
    Code("DR031", "close-in-meaning", Level.INFO, "two current records are so close that one may overturn the other"),
)
"""Every code, in the order of `--explain`. The tens group them: notes by themselves, succession, vault, suspicion."""

BY_ID: Final = {code.id: code for code in CODES}
_BY_NAME: Final = {code.name: code for code in CODES}

PROBLEMS: Final = {
    "unreadable": "DR001",
    "encoding": "DR001",
    "too-large": "DR001",
    "not-a-file": "DR001",
    "outside-vault": "DR001",
    "not-downloaded": "DR001",
    "missing-root": "DR001",
    "encrypted": "DR001",
    "damaged": "DR001",
    "needs-ocr": "DR001",
    "missing-extra": "DR001",
    "unsupported": "DR001",
    "timeout": "DR001",
    "yaml": "DR002",
    "date": "DR003",
    "unknown-status": "DR004",
    "template": "DR006",
    "dangling": "DR010",
    "ambiguous": "DR011",
    "one-sided": "DR012",
    "cycle": "DR013",
    "dead-end": "DR014",
    "conflict": "DR015",
    "no-successor": "DR016",
    "renamed": "DR017",
}
"""Problems that reading and resolving a vault tells of, and the code each is reported under."""


def find_codes(written: str) -> tuple[Code, ...]:
    """The codes that are meant by an id (`DR012`), a name (`one-sided-link`) or a beginning of ids (`DR01`)."""
    text = written.strip()
    named = _BY_NAME.get(text.lower().replace("_", "-"))
    if named is not None:
        return (named,)
    prefix = text.upper()
    return tuple(code for code in CODES if code.id.startswith(prefix)) if prefix.startswith("DR") else ()


def nearest_code(written: str) -> str:
    """The id or name that somebody may have meant; empty when nothing is near."""
    import difflib  # noqa: PLC0415  (7 ms that only a mistake should cost)

    text = written.strip().lower()
    if len(text) == len("DR012") and text.startswith("dr") and text[2:].isdigit():
        return ""  # a whole id that is none resembles all of them
    spelt = {each.lower(): each for code in CODES for each in (code.name, code.id)}
    near = difflib.get_close_matches(text, spelt, n=1)
    return spelt[near[0]] if near else ""
