"""Answers and reports as text, line by line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.answers import Answer, HiddenRecord, Hit, IndexFacts, Via
from docs_rag.core.asof import Force, Reading
from docs_rag.core.calibration import Calibration, Floor, Sides
from docs_rag.core.cleaning import shown
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.report import IndexReport
from docs_rag.core.sections import Section
from docs_rag.core.status import Status
from docs_rag.render import answer_lines, calibration_lines, report_lines

FACTS = IndexFacts(
    name="docs", vault="/v", updated_at=None, documents=1, chunks=1, embedded=1, pending=0, model="m",
    score="cosine", threshold_source="registry", mode="semantic+lexical",
)  # fmt: skip
ANSWER = Answer(
    query="q", message="", notices=(), hits=(), hidden_records=(), hidden={}, best_rejected=None, threshold=0.55,
    index=FACTS,
)  # fmt: skip
SECTION = Section(
    id=1, path=DocPath("reference/auth.md"), title="Auth", ordinal=0, headings=("Auth", "Refresh"), lines=(41, 68),
    text="", status=Status.CURRENT,
)  # fmt: skip
REPORT = IndexReport(
    added=3, modified=1, removed=2, unchanged=10, failed=(), chunks=90, embedded=90, pending=0, seconds=1.25,
    calibration=None, floor=None, measured=False, warnings=(),
)  # fmt: skip


def hit(text: str = "text", *, section: dict[str, Any] | None = None, **values: Any) -> Hit:
    made = {"label": "semantic", "score": 0.712, "text": text, **values}
    return Hit(section=replace(SECTION, **(section or {})), **made)


def answer(*hits: Hit, **values: Any) -> Answer:
    return replace(ANSWER, hits=hits, **values)


@pytest.mark.parametrize(
    ("given_hit", "line"),
    [
        (hit(), "[semantic 0.712]  reference/auth.md › Auth > Refresh  (lines 41-68)"),
        (hit(section={"headings": ()}), "[semantic 0.712]  reference/auth.md  (lines 41-68)"),
        (
            hit(section={"date": "2026-01-14"}, label="both"),
            "[both 0.712]  reference/auth.md › Auth > Refresh  [2026-01-14]  (lines 41-68)",
        ),
        (
            hit(section={"status": Status.DRAFT, "date": "2026-01-14", "stale": True}, excluded="plans"),
            "[semantic 0.712]  reference/auth.md › Auth > Refresh  [draft] [2026-01-14] [stale] [excluded: plans]"
            "  (lines 41-68)",
        ),
        (
            hit(
                section={"status": Status.SUPERSEDED, "superseded_on": "2026-03-01"},
                label="exact",
                score=None,
                chain=("a", "b.md"),
            ),
            "[exact match]  reference/auth.md › Auth > Refresh  [superseded → b.md; 2026-03-01]  (lines 41-68)",
        ),
        (
            hit(score=0.48, via=Via("old/auth.md", 0.70, ("old/auth.md", "reference/auth.md"))),
            "[semantic 0.48 via superseded old/auth.md 0.70]  reference/auth.md › Auth > Refresh  (lines 41-68)",
        ),
    ],
)
def test_the_first_line_of_a_hit(given_hit: Hit, line: str) -> None:
    assert answer_lines(answer(given_hit))[0] == line


def test_what_stands_below_it() -> None:
    one = hit(
        "first\n\nthird",
        standing="REJECTED 2026-01-02: describes what was not done",
        section={"partial": "partly superseded by b.md"},
        also_in=("c.md", "d.md"),
    )
    assert answer_lines(answer(one))[1:] == [
        "REJECTED 2026-01-02: describes what was not done",
        "PARTLY SUPERSEDED by b.md",
        "    first",
        "    ",
        "    third",
        "also in: c.md, d.md",
    ]


@pytest.mark.parametrize(
    ("lines", "truncated", "most", "count", "cut"),
    [
        (12, False, 12, 12, False),
        (13, False, 12, 12, True),
        (3, True, 12, 3, True),
        (40, False, None, 40, False),
        (40, True, None, 40, True),
    ],
)
def test_a_passage_is_cut_and_says_so(lines: int, truncated: bool, most: int | None, count: int, cut: bool) -> None:
    one = hit("\n".join(map(str, range(lines))), truncated=truncated)
    passage = answer_lines(answer(one), most_lines=most)[1:]
    assert len(passage) == count + cut
    assert (passage[-1] == "    …") == cut


def test_hits_stand_apart_and_hidden_records_come_last() -> None:
    record = HiddenRecord(
        path="old/auth.md",
        title="ADR-0012 Auth",
        status=Status.SUPERSEDED,
        superseded_by=("b.md",),
        current_end=("c.md",),
        superseded_on="2026-03-01",
        chain=("old/auth.md", "b.md", "c.md"),
    )
    archived = HiddenRecord(path="old/x.md", title="", status=Status.ARCHIVED)
    lines = answer_lines(answer(hit(), hit(), hidden_records=(record, archived)), see_hidden="--all")
    assert lines[2] == lines[5] == ""
    assert lines[6:] == [
        "hidden: ADR-0012 (old/auth.md)  [superseded → b.md → c.md; 2026-03-01]; --all shows it",
        "hidden: old/x.md  [archived]; --all shows it",
    ]
    assert answer_lines(answer(hit(), hidden_records=(archived,)))[-1] == "hidden: old/x.md  [archived]"


@pytest.mark.parametrize(
    ("by", "ends", "bracket"),
    [
        ((), (), "[superseded → ?]"),
        (("b.md",), (), "[superseded → b.md]"),
        (("b.md",), ("b.md",), "[superseded → b.md]"),
        (("b.md", "c.md"), ("d.md",), "[superseded → b.md, c.md → … → d.md]"),
        (("b.md", "c.md"), ("c.md", "b.md"), "[superseded → b.md, c.md]"),
    ],
)
def test_a_hidden_record_tells_as_much_of_its_line_as_is_known(
    by: tuple[str, ...], ends: tuple[str, ...], bracket: str
) -> None:
    record = HiddenRecord(path="a.md", title="A", status=Status.SUPERSEDED, superseded_by=by, current_end=ends)
    assert answer_lines(answer(hit(), hidden_records=(record,)))[-1] == f"hidden: A (a.md)  {bracket}"


def test_the_day_stands_before_everything() -> None:
    later = HiddenRecord(
        path="new.md", title="New", status=Status.CURRENT,
        force=Force("2025-01-01", Reading.LATER, Status.CURRENT, "2026-01-01", None),
    )  # fmt: skip
    lines = answer_lines(answer(hit(), as_of="2025-01-01", hidden_records=(later,)), see_hidden="--all")
    assert lines[:2] == ["as of 2025-01-01:", ""]
    assert lines[-1] == "hidden: New (new.md)  [in force since 2026-01-01]; --all shows it"
    assert answer_lines(answer(message="Nothing.", as_of="2025-01-01")) == ["as of 2025-01-01:", "Nothing."]


def test_without_hits_the_message_is_all() -> None:
    silent = answer(message="No relevant results (best score 0.41, threshold 0.55).", hidden={"superseded": 0})
    assert answer_lines(silent, see_hidden="--all") == [silent.message]
    hiding = replace(silent, hidden={"superseded": 2, "excluded": 0})
    assert answer_lines(hiding, see_hidden="--all") == [f"{silent.message} --all shows them."]
    assert answer_lines(hiding) == [silent.message]


@given(st.text(max_size=200), st.sampled_from([None, 1, 12]))
def test_no_text_of_a_note_stands_at_the_left_edge(text: str, most: int | None) -> None:
    lines = answer_lines(answer(hit(shown(text))), most_lines=most)
    assert all(line.startswith("    ") for line in lines[1:])
    assert all(len(line.splitlines()) <= 1 for line in lines)


def test_a_report_counts_notes_and_sections() -> None:
    assert report_lines(REPORT) == [
        "14 notes in 1.2 s: 3 added, 1 modified, 2 removed, 10 unchanged",
        "90 sections, 90 searchable by meaning",
    ]
    one = replace(REPORT, added=1, modified=0, unchanged=0, chunks=1, embedded=0, pending=0)
    assert report_lines(one)[0].startswith("1 note in")
    assert report_lines(one)[1] == "1 section, searchable by words"
    waiting = replace(REPORT, embedded=60, pending=30)
    assert report_lines(waiting)[1] == "90 sections, 60 searchable by meaning, 30 still to be embedded"


def test_a_report_names_ten_failures() -> None:
    failed = tuple(Skipped(DocPath(f"n{number}\x1b.md"), "encoding", "not\nUTF-8") for number in range(12))
    lines = report_lines(replace(REPORT, failed=failed))[2:]
    assert lines[0] == "12 files could not be read:"
    assert lines[1] == "  n0\ufffd.md  encoding: not UTF-8"
    assert len(lines) == 12
    assert lines[-1] == "  and 2 more: docs-rag list --problems"


def test_a_missing_root_is_one_failure_whatever_the_number_of_its_notes() -> None:
    root = Skipped(DocPath("papers"), "missing-root", "the folder /p of root papers is not there")
    notes = [Skipped(DocPath(f"papers/{number}.md"), "missing-root", root.message) for number in range(30)]
    locked = Skipped(DocPath("papers2/a.pdf"), "encrypted", "it has a password")
    lines = report_lines(replace(REPORT, failed=(notes[0], root, locked, *notes[1:])))[2:]
    assert lines == [
        "1 file and 1 folder could not be read:",
        "  papers  missing-root: the folder /p of root papers is not there; 30 notes of it stay in the index",
        "  papers2/a.pdf  encrypted: it has a password",
    ]
    assert report_lines(replace(REPORT, failed=(root, notes[0])))[2:] == [
        "1 folder could not be read:",
        "  papers  missing-root: the folder /p of root papers is not there; 1 note of it stays in the index",
    ]


@pytest.mark.parametrize(
    ("suggested", "floor", "lines"),
    [
        (
            0.45,
            Floor(0.55, "registry"),
            [
                "Calibration: background noise p99 = 0.421 over 500 random pairs"
                " -> suggested minScore 0.45 (in use: 0.55, from the model registry)."
            ],
        ),
        (
            0.45,
            Floor(0.45, "calibration"),
            [
                "Calibration: background noise p99 = 0.421 over 500 random pairs"
                " -> suggested minScore 0.45 (in use: 0.45, from the calibration)."
            ],
        ),
        (
            0.45,
            Floor(0.405, "config"),
            [
                "Calibration: background noise p99 = 0.421 over 500 random pairs"
                " -> suggested minScore 0.45 (in use: 0.405, from the config).",
                "The suggestion lies above the value in use: the floor lets noise through."
                ' Set "minScore": 0.45 in the config.',
            ],
        ),
    ],
)
def test_the_calibration_line(suggested: float, floor: Floor, lines: list[str]) -> None:
    measured = Calibration(p99=0.421, pairs=500, suggested=suggested, sections=90)
    assert calibration_lines(replace(REPORT, calibration=measured, floor=floor, measured=True))[1:] == lines


def test_a_floor_below_the_noise_that_is_not_alone_is_no_mistake() -> None:
    measured = Calibration(p99=0.27, pairs=500, suggested=0.3, sections=90)
    report = replace(REPORT, calibration=measured, floor=Floor(0.1, "registry", 0.52), measured=True)
    assert calibration_lines(report)[2:] == [
        "The floor lies below the noise on purpose: an answer must also reach confidence 0.52, which a minScore in the"
        " config would turn off."
    ]
    above = replace(report, floor=Floor(0.4, "registry", 0.52))
    assert len(calibration_lines(above)) == 2


@pytest.mark.parametrize(
    ("questions", "sides", "line"),
    [
        (
            61,
            Sides(own=0.149, others=0.467, overlap=0.492),
            "Own headings as questions: 61; the right note reaches 0.149 for 90 %, other notes stay below 0.467 for"
            " 95 %, overlap 49 % (optimistic: a heading's words stand in its own section).",
        ),
        (7, None, "Own headings as questions: not enough data (7 of the 20 that are needed)."),
        (None, None, "Own headings as questions: not asked yet (run: docs-rag index)."),
    ],
)
def test_the_line_of_the_headings(questions: int | None, sides: Sides | None, line: str) -> None:
    measured = Calibration(p99=0.4, pairs=500, suggested=0.43, sections=90, questions=questions, sides=sides)
    report = replace(REPORT, calibration=measured, floor=Floor(0.55, "registry"), measured=True)
    assert calibration_lines(report)[0] == line


def test_too_few_sections_are_said_and_no_model_needs_no_word() -> None:
    few = replace(REPORT, floor=Floor(0.5, "fallback"), measured=True)
    assert calibration_lines(few) == [
        "Calibration: fewer than 50 sections, too few to measure the background noise"
        " (in use: 0.50, a fallback: nothing was measured yet)."
    ]
    assert calibration_lines(REPORT) == []
