"""One answer against what is right."""

from __future__ import annotations

from math import log2

import pytest
from evaluated import answer, hit

from docs_rag.core.evaluation.outcomes import Outcome, Shown, judge
from docs_rag.core.questions import Question, Target

ASKED = Question(
    id="q",
    text="q",
    answers=(Target("new.md", "Decision"), Target("other.md", "Decision")),
    also_ok=("near.md",),
    must_not=("old.md",),
)


def judged(*hits: object, question: Question = ASKED, **more: object) -> Outcome:
    return judge(question, answer(*hits, **more), None)  # type: ignore[arg-type]


def test_a_place_is_a_place_among_the_hits() -> None:
    found = judged(hit("near.md"), hit("near.md"), hit("new.md"))
    assert (found.rank, found.refused, found.leaks) == (3, False, ())
    assert judged(hit("near.md")).rank is None
    assert judged().refused


def test_a_section_is_right_by_a_heading_above_or_inside_it() -> None:
    assert judged(hit("new.md", headings=("ADR", "decision"))).section_rank == 1
    assert judged(hit("new.md", text="## Context\n\nWhy.\n\n## Decision ##\n\nDone.")).section_rank == 1
    elsewhere = judged(hit("new.md", headings=("ADR", "Context")), hit("near.md", headings=("Decision",)))
    assert (elsewhere.rank, elsewhere.section_rank) == (1, None)


def test_gains_of_right_and_useful_notes_each_once() -> None:
    ideal = 3 + 3 / log2(3) + 1 / log2(4)
    assert judged(hit("near.md"), hit("new.md")).ndcg == pytest.approx((1 + 3 / log2(3)) / ideal)
    assert judged(hit("new.md"), hit("new.md")).ndcg == pytest.approx(3 / ideal)
    assert judged(hit("new.md"), hit("other.md"), hit("near.md")).ndcg == pytest.approx(1.0)


def test_a_dead_record_leaks_unless_it_was_asked_for() -> None:
    assert judged(hit("old.md"), hit("old.md")).leaks == ("old.md",)
    assert judged(hit("copy.md", also_in=("old.md",))).leaks == ("old.md",)
    history = Question(id="q", text="q", answers=(Target("old.md"),), must_not=("old.md",), search_all=True)
    found = judged(hit("old.md"), question=history)
    assert (found.leaks, found.is_trap, found.rank) == ((), False, 1)


def test_a_decision_of_a_log_is_one_record_and_its_note_another() -> None:
    one = Question(id="q", text="q", answers=(Target("log.md#D-2"),), must_not=("log.md#D-1",))
    assert judged(hit("log.md#D-1"), hit("log.md#D-2"), question=one).rank == 2
    assert judged(hit("log.md#D-1"), question=one).leaks == ("log.md#D-1",)
    note = Question(id="q", text="q", answers=(Target("log.md"),))
    assert judged(hit("log.md#D-1"), question=note).rank == 1


def test_confidence_is_that_of_the_answer() -> None:
    assert judged(hit("a.md", 0.7), confidence=0.6).confidence == 0.6
    assert judged(confidence=0.2).confidence == 0.2
    assert judged(hit("a.md", None), threshold=None, confidence=None).confidence is None


def test_what_other_floors_would_let_through_and_what_was_shown() -> None:
    found = judge(ASKED, answer(hit("x.md", None)), answer(hit("x.md", 0.1), hit("new.md", 0.05)))
    assert (found.rank, found.open_rank) == (None, 2)
    assert found.hits == (Shown("x.md", "exact", None),)
