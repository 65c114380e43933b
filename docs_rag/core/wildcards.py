"""Glob patterns as regular expressions: what the config's globs and the lines of ignore files have in common.

A path is a list of segments. `**` as a whole segment stands for any number of them, `*` for any run of
characters inside one, `?` and `[...]` for one character. The expressions are for `fullmatch` with `re.DOTALL`
(a file name may hold a line break).

A pattern may come from a cloned project, so no pattern may take exponential time. What stands between two stars
has a fixed length; its leftmost place is then always a right one, so the search for it is an atomic group and
is never taken back. The same holds between two `**`, counted in segments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

ANY_DEPTH = "**"

_STAR = "*"
_DOT = re.escape(".")

# The named classes of POSIX brackets, of ASCII alone, as git's wildmatch.c has them.
_CLASSES: dict[str, str] = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r" \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


def path_regex(segments: Sequence[str], *, git: bool = False, fold_suffix: bool = False) -> str | None:
    """The expression for a whole path, or None for a pattern that matches nothing.

    `git`: a backslash takes the next character as it is, and a bracket that is not closed matches nothing
    (else it stands for itself). `fold_suffix`: the suffix of the last segment matches in either case.
    """
    last = len(segments) - 1
    runs: list[list[str]] = [[]]
    for place, segment in enumerate(segments):
        if segment == ANY_DEPTH:
            runs.append([])
            continue
        expression = _segment_regex(segment, git=git, fold_suffix=fold_suffix and place == last)
        if expression is None:
            return None
        runs[-1].append(expression)
    return _join_runs(["/".join(run) for run in runs])


def _join_runs(runs: list[str]) -> str:
    """Joins the runs of segments that `**` keeps apart; an empty first or last one is a `**` at that end."""
    first, *rest = runs
    if not rest:
        return first
    *middle, last = rest
    head = f"{first}/" if first else ""
    between = "".join(f"(?>(?:[^/]+/)*?{run}/)" for run in middle if run)
    return head + between + (f"(?:[^/]+/)*{last}" if last else ".+")


def _segment_regex(segment: str, *, git: bool, fold_suffix: bool) -> str | None:
    """The expression for one segment, or None when it matches nothing."""
    tokens = _tokens(segment, git=git)
    if tokens is None:
        return None
    if fold_suffix:
        tokens = _with_folded_suffix(tokens)
    stars = [place for place, token in enumerate(tokens) if token == _STAR]
    if not stars:
        return "".join(tokens)
    first, last = "".join(tokens[: stars[0]]), "".join(tokens[stars[-1] + 1 :])
    chunks = ("".join(tokens[left + 1 : right]) for left, right in pairwise(stars))
    middle = "".join(f"(?>[^/]*?{chunk})" for chunk in chunks if chunk)
    anything = "[^/]*" if first or middle or last else "[^/]+"
    return f"{first}{middle}{anything}{last}"


def _with_folded_suffix(tokens: list[str]) -> list[str]:
    """Lets what follows the last dot match in either case; a dot in front begins a name, no suffix."""
    dots = [place for place, token in enumerate(tokens) if token == _DOT and place]
    if not dots:
        return tokens
    suffix = [token if token == _STAR else f"(?i:{token})" for token in tokens[dots[-1] :]]
    return tokens[: dots[-1]] + suffix


def _tokens(segment: str, *, git: bool) -> list[str] | None:
    """Cuts a segment into `*` and expressions for exactly one character; None when it matches nothing."""
    tokens: list[str] = []
    place = 0
    while place < len(segment):
        char = segment[place]
        place += 1
        if char == "[":
            bracket = _bracket(segment, place, git=git)
            if bracket is None and git:
                return None
            token, place = bracket or (re.escape(char), place)
        elif char == "\\" and git:
            if place == len(segment):
                return None
            token, place = re.escape(segment[place]), place + 1
        else:
            token = {_STAR: _STAR, "?": "[^/]"}.get(char) or re.escape(char)
        tokens.append(token)
    return tokens


def _bracket(segment: str, start: int, *, git: bool) -> tuple[str, int] | None:
    """Reads the bracket whose `[` stands before `start`: its expression and the place after it.

    None when it is not closed. A `]` that comes first is an ordinary member; a range that runs backwards is
    its first character alone (wildmatch.c).
    """
    negated = segment[start : start + 1] in ("!", "^")
    first = place = start + negated
    members: list[str] = []
    while place < len(segment):
        if segment[place] == "]" and place > first:
            return _one_of("".join(members), negated=negated), place + 1
        member, place = _member(segment, place, git=git)
        members.append(member)
    return None


def _one_of(members: str, *, negated: bool) -> str:
    """One character in or out of a set; never the separator."""
    if negated:
        return f"[^/{members}]"
    return f"(?!/)[{members}]" if members else "(?!)"


def _member(segment: str, place: int, *, git: bool) -> tuple[str, int]:
    """One member of a bracket, a class, a range or a character, and the place after it."""
    if segment.startswith("[:", place) and (end := segment.find(":]", place)) > place:
        return _CLASSES.get(segment[place + 2 : end], ""), end + 2
    low, place = _character(segment, place, git=git)
    if segment[place : place + 1] != "-" or segment[place + 1 : place + 2] in ("", "]"):
        return re.escape(low), place
    high, place = _character(segment, place + 1, git=git)
    return (f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low)), place


def _character(segment: str, place: int, *, git: bool) -> tuple[str, int]:
    """The character at a place, a backslash before it taken away, and the place after it."""
    if git and segment[place] == "\\" and place + 1 < len(segment):
        place += 1
    return segment[place], place + 1
