"""A reading in lines, the same for a terminal and for an agent.

A line at column 0 is ours. Every line of the note is indented and numbered, so that none can be taken for ours.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_rag.core.labels import dated, standing
from docs_rag.core.reading import Reading, where

INDENT = "    "


def reading_lines(reading: Reading, go_on: str = "") -> list[str]:
    """The whole reading without its notices; `go_on` is what the reader does to read on, if anything is left."""
    tail = [where(reading, go_on)] if reading.rest is not None or not reading.lines else []
    return [*_head(reading), *(INDENT + str(line) for line in reading.lines), *tail]


def _head(reading: Reading) -> Iterator[str]:
    record, lines = reading.record, reading.range
    place = reading.path + (f" › {' > '.join(reading.heading)}" if reading.heading else "")
    day = f"[{dated(record.date, record.date_source)}]" if record.date else ""
    shown = "" if lines is None else f"(lines {lines[0]}-{lines[1]} of {reading.total})"
    yield "  ".join(part for part in (place, reading.location, day, shown) if part)
    if said := standing(record):
        yield said
    if record.partial:
        yield record.partial.replace("partly superseded", "PARTLY SUPERSEDED", 1)
    for part in reading.parts:
        said = "; ".join(filter(None, (standing(part), part.partial)))
        yield f"in it: {part.standing_of}: {said}"
