"""Files of rows and columns: commas, semicolons, tabs or bars between the values. One table, each row located."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from docs_rag.adapters.converters.textfiles import decoded, doubts
from docs_rag.core.converted import Converted
from docs_rag.core.mddraft import Draft
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import safe

_DELIMITERS: Final = ",;\t|"
_SAMPLE: Final = 200
"""Rows by which a delimiter is judged."""
_MOST_CELLS: Final = 1_000_000
"""Beyond, a file is a database and its rows are no reading matter."""


def convert(data: bytes, name: str) -> Converted:
    """A markdown table with the first row as its head. Raises `Unconvertible` for a binary file."""
    found = decoded(data)
    text, delimiter = _told(safe(found.text))
    rows = list(_bounded(_rows(text, delimiter or _delimiter(text, name))))
    warnings = list(doubts(found))
    if rows and rows[-1] is None:
        warnings.append(f"only its first {len(rows) - 1:,} rows were read")
    draft = Draft()
    _write(draft, [row for row in rows if row is not None])
    return draft.finished(warnings=warnings)


def _told(text: str) -> tuple[str, str]:
    """The text without the line `sep=;` by which spreadsheets name the delimiter, and what it names."""
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first) == 5:
        return rest, first[4]
    return text, ""


def _delimiter(text: str, name: str) -> str:
    """The one that cuts the most rows into the same number of values, the more values the better."""
    if name.lower().endswith((".tsv", ".tab")):
        return "\t"
    return max(_DELIMITERS, key=lambda each: _evenness(text, each))


def _evenness(text: str, delimiter: str) -> float:
    widths = Counter(len(row) for row in islice(_rows(text, delimiter), _SAMPLE) if row)
    if not widths:
        return 0.0
    width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]))
    return 0.0 if width < 2 else count / widths.total() + min(width, 50) / 1000


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(1 << 30)  # a quote that is never closed makes one long value, not an error
    yield from csv.reader((line + "\n" for line in text.split("\n")), delimiter=delimiter)


def _bounded(rows: Iterator[list[str]]) -> Iterator[list[str] | None]:
    """The rows with a value, up to a number of cells; None says that there were more."""
    cells = 0
    for row in rows:
        if not any(map(str.strip, row)):
            continue
        cells += len(row)
        if cells > _MOST_CELLS:
            yield None
            return
        yield row


def _write(draft: Draft, rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        return
    width = max(map(len, rows))
    padded = [[Cell(value) for value in row] + [Cell("")] * (width - len(row)) for row in rows]
    if width == 1 and len(rows) == 1:
        draft.block([rows[0][0]])
        return
    lines = table(padded)
    draft.at("row 1")
    draft.block(lines[:2])
    for number, line in enumerate(lines[2:], 2):
        draft.at(f"row {number}")
        draft.lines([line])
