"""A line of descent as JSON."""

from __future__ import annotations

import json
from typing import Any

from history_lines import line

from docs_rag.core.history.plainjson import as_json
from docs_rag.core.status import Status


def test_every_key_is_there() -> None:
    found = line(
        "a>b", "b", a={"lost": ("ADR-9",), "date": "2021-02-03", "date_source": "git"}, b={"current_end": ("b",)}
    )
    assert as_json(found) == {
        "record": {
            "path": "b", "title": "B", "status": "current", "date": None, "dateSource": None, "supersededOn": None,
            "inForceUntil": None, "partial": None,
        },
        "predecessors": [
            {
                "path": "a", "title": "A", "status": "superseded", "date": "2021-02-03", "dateSource": "git",
                "supersededOn": None, "inForceUntil": None, "partial": None, "reference": None, "again": None,
                "predecessors": [],
            }
        ],
        "successors": [],
        "currentEnd": ["b"],
        "leftOut": {"predecessors": 0, "successors": 0},
    }  # fmt: skip


def test_mentions_and_what_is_lost() -> None:
    both: Any = as_json(line("a>b b>a", "a", a={"lost": ("ADR-9",)}))
    b, lost = both["successors"]
    assert (b["path"], b["again"], [each["again"] for each in b["successors"]]) == ("b", None, ["round"])
    assert (lost["path"], lost["reference"], lost["again"]) == (None, "ADR-9", None)
    alone: Any = as_json(line("", "a", a={"status": Status.SUPERSEDED}))
    (unknown,) = alone["successors"]
    assert (unknown["path"], unknown["reference"]) == (None, None)


def test_the_longest_line_can_be_written() -> None:
    found = line(" ".join(f"n{number}>n{number + 1}" for number in range(5_000)), "n0")
    text = json.dumps(as_json(found), indent=2)
    assert json.loads(text)["leftOut"] == {"predecessors": 0, "successors": 4_900}
