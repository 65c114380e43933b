"""Figures: known values, and what must hold of any."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.metrics import (
    Judged,
    auroc,
    mean,
    ndcg,
    proportion,
    reciprocal_rank,
    refused_at,
    risk_coverage,
    sign_test,
    two_samples,
    wilson,
)

SCORES = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=12)
GAINS = st.lists(st.integers(0, 2), max_size=8)


def test_wilson_as_published() -> None:
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for count, of, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]:
        assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilson_holds_its_share_and_mirrors(counted: tuple[int, int]) -> None:
    count, of = counted
    low, high = wilson(count, of)
    assert 0 <= low <= count / of <= high <= 1
    assert wilson(of - count, of) == pytest.approx((1 - high, 1 - low))
    assert wilson(10 * count, 10 * of)[1] - wilson(10 * count, 10 * of)[0] < high - low


def test_nothing_has_no_figure() -> None:
    assert proportion([]) is None
    assert mean([]) is None
    assert two_samples([], [1.0], auroc) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_a_mean_lies_in_its_interval_and_is_the_same_again(values: list[float]) -> None:
    found = mean(values)
    assert found is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found.low - 1e-9 <= found.value <= found.high + 1e-9 or len(set(values)) > 1
    assert mean(values) == found


def test_auroc_by_hand() -> None:
    assert auroc([0.9, 0.5], [0.4, 0.5]) == pytest.approx(3.5 / 4)
    assert auroc([1.0], [0.0]) == 1.0


@given(SCORES, SCORES)
def test_auroc_counts_pairs(positive: list[float], negative: list[float]) -> None:
    pairs = [(a > b) + 0.5 * (a == b) for a in positive for b in negative]
    assert auroc(positive, negative) == pytest.approx(sum(pairs) / len(pairs))
    assert auroc(positive, negative) == pytest.approx(1 - auroc(negative, positive))
    assert auroc([3 * a + 1 for a in positive], [3 * b + 1 for b in negative]) == auroc(positive, negative)


@given(SCORES, SCORES, st.sampled_from([0.0, 0.05, 0.5]))
def test_refused_at_is_the_best_of_all_thresholds(answerable: list[float], others: list[float], wrong: float) -> None:
    allowed = [
        sum(each < threshold for each in others) / len(others)
        for threshold in [*answerable, *others, 99.0]
        if sum(each < threshold for each in answerable) <= wrong * len(answerable)
    ]
    assert refused_at(answerable, others, wrong) == pytest.approx(max(allowed, default=0.0))


def test_ranks() -> None:
    assert [reciprocal_rank(rank) for rank in (1, 4, None)] == [1.0, 0.25, 0.0]


def test_ndcg_by_hand() -> None:
    assert ndcg([1, 0, 2], [2, 1], 5) == pytest.approx((1 + 3 / log2(4)) / (3 + 1 / log2(3)))
    assert ndcg([2], [2, 2], 1) == 1.0
    assert ndcg([], [], 5) == 0.0


@given(GAINS, st.integers(1, 8))
def test_ndcg_is_one_in_the_best_order_and_never_more(gains: list[int], k: int) -> None:
    best = sorted(gains, reverse=True)
    assert 0 <= ndcg(gains, gains, k) <= 1 + 1e-9
    if any(gains):
        assert ndcg(best, gains, k) == pytest.approx(1.0)


def judged() -> st.SearchStrategy[list[Judged]]:
    one = st.builds(
        lambda score, right, answerable: Judged(score, right and answerable, answerable),
        st.integers(-4, 4).map(float),
        st.booleans(),
        st.booleans(),
    )
    return st.lists(one, min_size=1, max_size=12)


@given(judged())
def test_each_point_is_what_its_threshold_does(questions: list[Judged]) -> None:
    points = risk_coverage(questions)
    assert [point.threshold for point in points] == sorted({each.confidence for each in questions}, reverse=True)
    for point in points:
        given_ = [each for each in questions if each.confidence >= point.threshold]
        assert point.coverage == pytest.approx(len(given_) / len(questions))
        assert point.risk == pytest.approx(sum(not each.is_right for each in given_) / len(given_))
        for share, is_answerable in ((point.refused, False), (point.wrongly, True)):
            side = [each.confidence < point.threshold for each in questions if each.is_answerable is is_answerable]
            assert share == (pytest.approx(sum(side) / len(side)) if side else None)
    assert points[-1].coverage == 1.0


def test_sign_test_by_hand() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 0) == 1 / 32
    assert sign_test(4, 1) == pytest.approx(6 / 32)


@given(st.integers(0, 40), st.integers(0, 40))
def test_sign_test_is_a_chance(worse: int, better: int) -> None:
    assert 0 < sign_test(worse, better) <= 1
    assert sign_test(worse + 1, better) < sign_test(worse, better + 1)
