"""Metadata between two lines `+++`: TOML, as Hugo and Zola have it, cut into entries line by line.

Quoted texts, lists, dates and booleans look as they do in YAML, so that what a value means is read by the same rules.
The names of tables are left out: `status` of the table `[extra]` is the status, unless one stood above.

Formats: https://toml.io/en/v1.0.0 and https://gohugo.io/content-management/front-matter/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_rag.core.documents import Problem
from docs_rag.core.metablock import Block, Draft

_OPEN: Final = re.compile(r"\ufeff?(?:[ \t]*\n)*\+\+\+[ \t]*\n")
_CLOSE: Final = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)
_PAIR: Final = re.compile(r"""[ \t]*(?P<key>"[^"\n]{1,80}"|'[^'\n]{1,80}'|[\w.-]{1,80})[ \t]*=[ \t]*(?P<value>.*)""")
_TABLE: Final = re.compile(r"[ \t]*\[{1,2}[^\[\]\n]{1,80}\]{1,2}[ \t]*(?:#.*)?")
_LONG_TEXTS: Final = ('"""', "'''")
_COMMENT: Final = re.compile(r"""(?:^|[ \t,\]])#[^"']*$""")


def cut_toml(text: str) -> Block | None:
    """The block that opens a text, or None; blank lines may precede it. Without a key it is none."""
    opening = _OPEN.match(text)
    closing = None if opening is None else _CLOSE.search(text, opening.end())
    if opening is None or closing is None:
        return None
    first = text.count("\n", 0, opening.end()) + 1
    block = text[opening.end() : closing.start()]
    drafts: dict[str, Draft] = {}
    problems: list[Problem] = []
    lines = iter(enumerate(block.split("\n"), first))
    for number, line in lines:
        found = _PAIR.match(line)
        if found is not None:
            draft = Draft(found["key"].rpartition(".")[2], number, _value(found["value"], lines))
            drafts.setdefault(draft.key.casefold(), draft)
        elif line.strip() and line.lstrip()[0] != "#" and _TABLE.fullmatch(line) is None and not problems:
            problems.append(Problem("yaml", "a line that is no `key = value`", number))
    return Block([*drafts.values()], first + block.count("\n"), block, problems) if drafts else None


def _value(first: str, lines: Iterator[tuple[int, str]]) -> str:
    """A value on one line, together with the lines over which a list or a long text goes on."""
    quotes = first[:3]
    if quotes in _LONG_TEXTS:
        parts = [first[3:]]
        while quotes not in parts[-1] and (following := next(lines, None)) is not None:
            parts.append(following[1])
        words = " ".join(" ".join(parts).partition(quotes)[0].split())
        return f'"{words}"'
    if not first.startswith("["):
        return first
    parts = [_without_comment(first)]
    while not parts[-1].endswith("]") and (following := next(lines, None)) is not None:
        parts.append(_without_comment(following[1]))
    return re.sub(r",\s*\]$", "]", " ".join(parts))


def _without_comment(line: str) -> str:
    return _COMMENT.sub(lambda found: found[0][0].replace("#", "").strip(), line).strip()
