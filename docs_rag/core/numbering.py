"""Numbers that records are called by: the series and the numbers at the beginning of a name."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Numbered(NamedTuple):
    """What a name says: `ADR-0012` is `adr` 12, `00-032-01` is 0 32 1; a date is one number."""

    letters: str
    """The series, folded; empty for a bare number."""
    numbers: tuple[int, ...]


def identify(name: str) -> Numbered | None:
    """The number that a file name, an id or a heading begins with, or None."""
    if (dated := _DATED.match(name)) is not None:
        return Numbered("", (int(re.sub(r"\D", "", dated[0])),))
    found = _NUMBERED.match(name)
    if found is None:
        return None
    more = map(int, re.findall(r"\d+", found["more"])) if found["more"] else ()
    return Numbered(found["letters"].casefold(), (int(found["number"]), *more))


def spoken(name: str) -> Numbered | None:
    """The number that a reference calls a record by: `3 ways to cache` and `s3-storage` call none.

    Letters O before a number are zeros: `FIP-OO35`.
    """
    name = _with_zeros(name)
    return identify(name) if _SPOKEN.match(name) else None


def words_after(name: str) -> str:
    """What a name says behind its number, folded to single words: `ADR045-use-api.md` says `use api`."""
    name = _SUFFIX.sub("", _with_zeros(name))
    found = _DATED.match(name) or _NUMBERED.match(name)
    rest = "" if found is None else name[found.end() :]
    return " ".join(re.findall(r"[^\W_]+", rest.casefold()))


def says_behind_number(name: str, typed: str) -> bool:
    """Whether a name is a number and the words that were typed, two at least: `ADR-12: Tea is hot`, `tea is hot`."""
    words = re.findall(r"[^\W_]+", typed.casefold())
    return len(words) > 1 and words_after(name).split() == words


def _with_zeros(name: str) -> str:
    if "o" not in name and "O" not in name:
        return name
    return _LETTER_O.sub(lambda found: "0" * len(found[0]), name)


_NUMBERED: Final = re.compile(
    r"#?(?P<letters>[^\W\d_]{0,10})[-_ .#]?#?(?P<number>\d{1,9})(?!\d)(?P<more>(?:[-.]\d{1,9}(?![^\W_]))*)"
)
_SPOKEN: Final = re.compile(
    r"\W*(?:[A-Z]{2,10}[-_ #]{0,2}|[^\W\d_]{1,10}[-_#]|[^\W\d_]{2,10}(?=\d{3}))\d{1,9}(?![^\W_]|\.\d)"
    r"|\W*(?i:adr|rfc|decision|record|결정|決定|决定)[ #]{1,2}\d{1,9}(?![^\W_]|\.\d)"
    r"|\W*\d{1,9}(?![^\W_]|\.\d|\s+\w)"
)
_DATED: Final = re.compile(r"(?:19|20)\d\d([-_.])(?:0[1-9]|1[0-2])(?:\1\d\d)?(?!\d)")
_LETTER_O: Final = re.compile(r"(?<=[-_ ])[oO]{1,4}(?=\d)")
_SUFFIX: Final = re.compile(r"\.(?:mdx?|markdown|rst|adoc|txt|html?)$", re.IGNORECASE)
