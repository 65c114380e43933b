"""Where in a page a statement stands: the key, the value, and the lines beside it that hold other keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from docs_rag.core.forms import Statement
from docs_rag.core.frontmatter import fold_key
from docs_rag.core.marking.page import Page
from docs_rag.core.spellings import KEYS, Role
from docs_rag.core.values import is_empty

_FIELD: Final = re.compile(
    r"(?P<lead>[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+|\|[ \t]*|:(?=\w))?[*_`]{0,3})"
    r"(?P<key>[^\s:：|*_`\[\]()][^:：|*_`\n\[\]()]{0,60}?)"
    r"(?P<sep>[ \t]*[*_`]{0,3}[ \t]*(?:::|:|：|\|)[*_`]{0,3}(?:[ \t]+|$)|[ \t]*：[*_]{0,3})"
    r"(?P<value>.*?)(?P<tail>[ \t]*\|?[ \t]*\\?)$"
)
_PLAIN: Final = re.compile(r"[\W_]*[^\W\d_]+(?:[ -][^\W\d_]+){0,2}[\W_]*")
_WRAPPED: Final = re.compile(r"(?P<mark>[*_`])(?P<inner>[^*_`]+)(?P=mark)")
_DELIMITER: Final = re.compile(r"[ \t]*\|[\s|:-]*-[\s|:-]*")
_BULLET: Final = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,3}[.)])[ \t]")


class Spot(NamedTuple):
    """The value of a statement within one line."""

    line: int
    """1-based."""
    start: int
    end: int
    """Where the value ends, in characters of the line."""
    former: str
    """The value as it stands there."""
    is_plain: bool
    """True when it is a status word and nothing else, which may go without a trace."""

    def filled(self, page: Page, value: str) -> str:
        """The line with another value."""
        line = page[self.line]
        return line[: self.start] + value + line[self.end :]


class Slot(NamedTuple):
    """A key in a line of its own."""

    line: int
    lead: str
    key: str
    sep: str
    value: str
    tail: str

    def holding(self, value: str) -> str:
        """The line with another value."""
        gap = "" if self.sep.endswith((" ", "\t", "：")) else " "
        return f"{self.lead}{self.key}{self.sep}{gap}{value}{self.tail}"


def locate(page: Page, statement: Statement) -> Spot | None:
    """Where a statement has its value; None when the line does not hold it as it was read."""
    value = statement.values[0].split("\n", 1)[0].strip()
    alone = len(statement.values) == 1 and "\n" not in statement.text
    for number in range(statement.line, min(statement.line + 2, len(page)) + 1):
        line = page[number]
        label = line.find(statement.label)
        after = label + len(statement.label) if label >= 0 else 0
        start, held = line.find(value, after), value
        if start < 0 and (field := _FIELD.match(line)) is not None and value.startswith(field["value"]):
            start, held, alone = field.start("value"), field["value"], False
        if start >= 0 and held:
            return _spot(line, number, start, held, alone)
    return None


def _spot(line: str, number: int, start: int, held: str, alone: bool) -> Spot:
    return Spot(number, start, start + len(held), held, alone and _PLAIN.fullmatch(held) is not None)


def wrapped(former: str, value: str) -> str:
    """A value with its first word in the mark that the former one stood in: `` `superseded` by ... ``.

    Not in bold: that is how keys are written.
    """
    found = _WRAPPED.fullmatch(former.strip())
    if found is None:
        return value
    first, gap, rest = value.partition(" ")
    return f"{found['mark']}{first}{found['mark']}{gap}{rest}"


def slot_at(page: Page, number: int) -> Slot | None:
    """The key that a line holds."""
    found = _FIELD.match(page[number])
    return None if found is None else Slot(number, *found.group("lead", "key", "sep", "value", "tail"))


def slot_for(page: Page, number: int, role: Role) -> Slot | None:
    """The line for a role among the lines around `number`, filled or not; the first when there are several."""
    return next((each for each in _around(page, number) if KEYS.get(fold_key(each.key)) is role), None)


def holds(slot: Slot) -> bool:
    """Whether the key has a value that says something."""
    return not is_empty(slot.value) and slot.value.strip("*_` ") != ""


def is_bullet(line: str) -> bool:
    """Whether a line begins a list item."""
    return _BULLET.match(line) is not None


def item_end(page: Page, number: int) -> int:
    """The last line of the item, field or row that begins in a line: what continues it is indented or no field.

    A row that heads a table ends with the line of dashes below it.
    """
    while number < len(page) and _continues(page, number):
        number += 1
    return number + (number < len(page) and _DELIMITER.fullmatch(page[number + 1]) is not None)


def _continues(page: Page, number: int) -> bool:
    line, following = page[number], page[number + 1]
    if not following.strip() or is_bullet(following) or _FIELD.match(following) is not None:
        return False
    if following.lstrip()[:1] in ("#", "|", ">", "`", "~", "<"):
        return False
    return following[:1] in (" ", "\t") or is_bullet(line)


def _around(page: Page, number: int) -> Iterator[Slot]:
    """The keys in the lines that hang together with one, in order."""
    first = last = number
    while first > 1 and page[first - 1].strip():
        first -= 1
    while last < len(page) and page[last + 1].strip():
        last += 1
    for each in range(first, last + 1):
        slot = slot_at(page, each)
        if slot is not None:
            yield slot
