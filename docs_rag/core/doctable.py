"""The table `documents:` in the frontmatter of a folder's README: what became of the documents beside it.

    documents:
      manual-v1.pdf:
        status: superseded
        superseded_by: manual-v2.pdf
      price-list.xlsx: archived

Each row reads as the frontmatter that the document would have if it could have one, and is changed as such.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

READMES: Final = ("README.md", "readme.md", "Readme.md")
_FENCE: Final = re.compile(r"---[ \t]*\r?")
_TABLE: Final = re.compile(r"documents[ \t]*:[ \t]*(?:#.*)?\r?", re.IGNORECASE)
_KEY: Final = re.compile(
    r"(?P<indent>[ \t]+)(?:\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)'|(?P<plain>[^\s\"'#][^:]*?))[ \t]*:"
    r"(?:[ \t]+(?P<value>.*?))?[ \t]*\r?"
)


class Row(NamedTuple):
    """What a table says of one document."""

    name: str
    """The file's name, NFC."""
    start: int
    """Index of the line with the name."""
    end: int
    """Index of the line after the row's last."""
    key: str
    """The first line up to its colon, as written."""
    lines: tuple[str, ...]
    """What it says, as lines of a frontmatter."""

    @property
    def text(self) -> str:
        """A note's text that says so and nothing else."""
        return "\n".join(("---", *self.lines, "---", ""))


def rows(text: str) -> dict[str, Row]:
    """The rows of the table in a README's text, by file name; empty where there is no table. Never raises."""
    if "documents" not in text[:100_000].lower():
        return {}
    lines = text.removeprefix("\ufeff").split("\n")
    span = _table(lines)
    return {} if span is None else {row.name: row for row in _rows(lines, *span)}


def with_row(text: str, row: Row, marked: str) -> str:
    """The README with another word on one document; `marked` is what became of `row.text`."""
    said = [line for line in marked.split("\n")[1:] if line.strip()]
    said = said[: said.index("---")] if "---" in said else said
    lines = text.split("\n")
    ending = "\r" if lines[row.start].endswith("\r") else ""
    indent = row.key[: len(row.key) - len(row.key.lstrip())]
    body = [f"{row.key}:{ending}", *(f"{indent}  {line}{ending}" for line in said)]
    return "\n".join([*lines[: row.start], *body, *lines[row.end :]])


def _table(lines: Sequence[str]) -> tuple[int, int] | None:
    """Where the table's rows begin and end."""
    if not lines or not _FENCE.fullmatch(lines[0]):
        return None
    end = next((place for place, line in enumerate(lines[1:], 1) if _FENCE.fullmatch(line)), None)
    start = next((place for place, line in enumerate(lines[:end]) if _TABLE.fullmatch(line)), None)
    if end is None or start is None:
        return None
    stop = next((place for place in range(start + 1, end) if _is_top(lines[place])), end)
    return start + 1, stop


def _is_top(line: str) -> bool:
    return bool(line.strip()) and not line[0].isspace() and not line.startswith("#")


def _rows(lines: Sequence[str], start: int, stop: int) -> Iterator[Row]:
    keys = [(place, found) for place in range(start, stop) if (found := _KEY.fullmatch(lines[place]))]
    if not keys:
        return
    width = len(keys[0][1]["indent"])
    own = [(place, found) for place, found in keys if len(found["indent"]) == width]
    for (place, found), after in zip(own, [*(place for place, _ in own[1:]), stop], strict=True):
        written = found["double"] or found["single"] or found["plain"]
        value = found["value"] or ""
        said = _inline(value) if value and not value.startswith("#") else _dedented(lines[place + 1 : after])
        key = lines[place][: found.start("value") if found["value"] else found.end()].rstrip().rstrip(":").rstrip()
        end = after
        while end > place + 1 and not lines[end - 1].strip():
            end -= 1
        yield Row(unicodedata.normalize("NFC", written.strip()), place, end, key, tuple(said))


def _inline(value: str) -> list[str]:
    """What stands behind the name: `{status: superseded, tags: [a, b]}`, or a status alone."""
    if not (value.startswith("{") and value.endswith("}")):
        return [f"status: {value}"]
    parts, depth, begin = [], 0, 1
    for place, sign in enumerate(value[:-1]):
        depth += (sign in "[{") - (sign in "]}")
        if sign == "," and depth == 1:
            parts.append(value[begin:place])
            begin = place + 1
    return [part.strip() for part in (*parts, value[begin:-1]) if part.strip()]


def _dedented(lines: Sequence[str]) -> list[str]:
    said = [line.rstrip() for line in lines if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in said), default=0)
    return [line[margin:] for line in said]
