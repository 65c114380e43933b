"""Notes that hold several decisions."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.chunks import chunk
from docs_rag.core.documents import DocPath, Document
from docs_rag.core.parsing import parse_document
from docs_rag.core.status import Status

LOG = """# Decisions

What we decided.

## D-001 — Sessions last a day → Superseded by D-003

We keep sessions for a day.

### Why

Nobody logs in twice.

### Status

Accepted

## D-002: One queue

- Date: 2026-08-23
- Status: 대체됨 — D-004 참고

## D-003 Sessions last an hour

- Status: accepted

## ~~D-004~~ (superseded by [D-005](#d-005))

Two queues.

## D-005 A broker

A broker it is.
"""


def _parse(text: str) -> Document:
    return parse_document(DocPath("log.md"), text)


def _states(text: str) -> dict[str, str]:
    return {part.anchor: str(part.lifecycle.status) for part in _parse(text).parts}


def test_each_section_has_its_own_state() -> None:
    assert _states(LOG) == {
        "D-001": "superseded",
        "D-002": "superseded",
        "D-003": "current",
        "D-004": "superseded",
        "D-005": "current",
    }
    parts = {part.anchor: part for part in _parse(LOG).parts}
    assert parts["D-001"].lifecycle.successors == ("D-003",)
    assert parts["D-001"].title == "D-001 — Sessions last a day"
    assert parts["D-002"].lifecycle.date == "2026-08-23"
    assert parts["D-002"].lifecycle.successors == ("D-004",)
    assert parts["D-004"].lifecycle.successors == ("[D-005](#d-005)",)


def test_the_note_itself_says_nothing_of_its_decisions() -> None:
    assert _parse(LOG).lifecycle.status is Status.CURRENT
    assert _parse("---\nstatus: archived\n---\n" + LOG).lifecycle.status is Status.ARCHIVED


def test_parts_follow_each_other_and_do_not_overlap() -> None:
    parts = _parse(LOG).parts
    assert [part.lines[0] for part in parts] == [5, 17, 22, 26, 30]
    assert all(one.lines[1] < other.lines[0] for one, other in itertools.pairwise(parts))


def test_no_passage_belongs_to_two_decisions() -> None:
    document = _parse(LOG)
    for passage in chunk(document):
        within = [p for p in document.parts if p.lines[0] <= passage.lines[1] and passage.lines[0] <= p.lines[1]]
        assert len(within) <= 1
        assert all(p.lines[0] <= passage.lines[0] and passage.lines[1] <= p.lines[1] for p in within)


def test_a_section_above_ends_the_last_decision() -> None:
    text = "# A\n\n## Log\n\n### D-1 One\n\n- Status: superseded\n\n## Notes\n\nOther words, that stay in force.\n"
    document = _parse(text)
    assert [part.lines for part in document.parts] == [(5, 8)]
    assert [passage.lines for passage in chunk(document)][-1] == (9, 11)


def test_decisions_by_date_and_by_number() -> None:
    dated = "# Log\n\n## 2026-01-14 Kafka\n\nStatus: superseded by ADR-7\n\n## 2026-02-01 Rabbit\n\nText.\n"
    assert _states(dated) == {"2026-01-14 Kafka": "superseded", "2026-02-01 Rabbit": "current"}
    assert _parse(dated).parts[0].lifecycle.date == "2026-01-14"
    numbered = "# Log\n\n## 1. Kafka\n\n- Status: superseded\n\n## 2. Rabbit\n\n- Status: accepted\n"
    assert _states(numbered) == {"1. Kafka": "superseded", "2. Rabbit": "current"}
    assert _states("# Guide\n\n## 1. Install\n\n- Status: superseded\n\n## 2. Run\n\nText.\n") == {}


def test_what_is_no_log() -> None:
    assert _states("# ADR-5 Queue\n\n- Status: superseded\n\n## Context\n\nText.\n") == {}
    assert _states("# ADR-5 Queue\n\n## Option 1 Kafka\n\n- Status: rejected\n\n## Option 2\n\nText.\n") == {}
    assert _states("# Log\n\n## D-1 One\n\nText.\n\n## D-2 Two\n\nText.\n") == {}
    assert _states("# Log\n\n```\n## D-1 One\n\nStatus: superseded\n```\n") == {}


def test_a_note_that_is_one_decision_is_the_record_itself() -> None:
    document = _parse("## D-002 — 핵심\n\n- 날짜: 2026-08-23\n- 상태: 대체됨 — D-011 참고\n")
    assert document.parts == ()
    assert document.lifecycle.status is Status.SUPERSEDED
    assert document.lifecycle.successors == ("D-011",)


def test_the_same_name_twice() -> None:
    text = "# Log\n\n## D-1 One\n\n- Status: superseded\n\n## D-1 Two\n\n- Status: accepted\n\n## D-1 Two\n\nText.\n"
    assert list(_states(text)) == ["D-1", "D-1 Two", "D-1 Two 2"]


_LINES = st.sampled_from(
    [
        "## D-1 x",
        "## D-2 → superseded by D-1",
        "### Status",
        "# Top",
        "- Status: superseded",
        "Text.",
        "",
        "```",
        "<!--",
    ]
)


@given(st.lists(_LINES, max_size=30))
def test_parts_hold_whatever_the_order(lines: list[str]) -> None:
    document = _parse("\n".join(lines))
    ends = [part.lines for part in document.parts]
    assert all(1 <= first <= last <= max(1, len(lines)) for first, last in ends)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(ends))
    assert len({part.anchor.casefold() for part in document.parts}) == len(ends)
