"""Figures over many questions."""

from __future__ import annotations

import pytest
from evaluated import evaluation, outcome

from docs_rag.core.evaluation.figures import FIGURES, LOWER_IS_BETTER, OF_A_KIND, TITLES, by_kind, curve, estimates

FOUND = outcome("a", kind="x", rank=1, ndcg=1.0, open_rank=1, confidence=0.9)
SECOND = outcome("b", kind="x", rank=2, ndcg=0.6, open_rank=2, confidence=0.7, is_trap=True)
LEAKED = outcome("c", kind="y", rank=6, open_rank=6, confidence=0.6, is_trap=True, leaks=("old.md",))
REFUSED = outcome("d", kind="y", refused=True, open_rank=1, confidence=0.2)
NONE = outcome("e", kind="far", is_answerable=False, refused=True, confidence=0.1)
WRONG = outcome("f", kind="near", is_answerable=False, confidence=0.65)
ALL = (NONE, FOUND, SECOND, LEAKED, REFUSED, WRONG)


def test_every_figure_over_the_questions_that_it_is_about() -> None:
    found = estimates(ALL)
    counted = {key: (each.count, each.of) for key, each in found.items()}
    assert counted == {
        "hit1": (1, 4),
        "hit5": (2, 4),
        "unfloored5": (3, 4),
        "mrr": (None, 4),
        "ndcg5": (None, 4),
        "leaks": (1, 2),
        "successor": (1, 2),
        "abstained": (1, 2),
        "wronglyRefused": (1, 4),
        "auroc": (None, 6),
        "refusedAt5": (None, 6),
    }
    assert found["mrr"].value == pytest.approx((1 + 1 / 2 + 1 / 6) / 4)
    assert found["auroc"].value == pytest.approx(6 / 8)
    assert found["refusedAt5"].value == pytest.approx(0.5)
    assert all(each.low <= each.value <= each.high for each in found.values())


def test_a_right_note_that_comes_with_a_dead_one_is_no_successor_delivered() -> None:
    assert estimates([outcome("a", rank=1, is_trap=True, leaks=("old.md",))])["successor"].value == 0.0


def test_words_alone_have_no_confidence_and_no_curve() -> None:
    lexical = [outcome("a", confidence=None, rank=1), outcome("b", confidence=None, is_answerable=False)]
    assert {"auroc", "refusedAt5", "unfloored5"}.isdisjoint(estimates(lexical))
    assert curve(lexical) == []


def test_where_nothing_was_in_sight_no_floor_answers() -> None:
    blank = outcome("b", confidence=None, is_answerable=False, refused=True)
    assert [(point.threshold, point.coverage) for point in curve([FOUND, blank])] == [(0.9, 0.5)]
    assert estimates([FOUND, blank])["auroc"].value == 1.0


def test_the_curve_judges_the_answer_without_a_floor() -> None:
    points = curve(ALL)
    assert [(point.threshold, point.risk) for point in points] == [
        (0.9, 0.0),
        (0.7, 0.0),
        (0.65, pytest.approx(1 / 3)),
        (0.6, 0.5),
        (0.2, pytest.approx(2 / 5)),
        (0.1, 0.5),
    ]


def test_kinds_in_order_answerable_ones_first() -> None:
    assert list(by_kind(ALL)) == [(True, "x"), (True, "y"), (False, "far"), (False, "near")]


def test_tables_of_figures_fit_each_other() -> None:
    assert set(OF_A_KIND) <= set(TITLES)
    assert {"leaks", "wronglyRefused"} == LOWER_IS_BETTER
    assert len({figure.key for figure in FIGURES}) == len(FIGURES)


def test_the_middle_answer_is_what_one_takes() -> None:
    assert evaluation(FOUND, seconds=(3.0, 0.002, 0.004)).milliseconds == pytest.approx(4.0)
