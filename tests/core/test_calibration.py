"""The noise floor, and the other side: headings asked as questions."""

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.calibration import (
    MINIMUM_QUESTIONS,
    Calibration,
    Floor,
    both_sides,
    centred,
    conformal_low,
    floor_in_use,
    measure,
    moves,
    percentile,
    resized,
    suggest,
)
from docs_rag.core.digests import Digest
from docs_rag.core.models import Model
from docs_rag.core.ports import Vector
from docs_rag.core.sampling import Sampled
from docs_rag.core.vectors import Mean, normalise, pack


def around(common: float, count: int) -> list[Sampled]:
    """Unit vectors any two of which, of different notes, have about the cosine `common`."""
    own = math.sqrt(1 - common)
    rows = []
    for n in range(count):
        values = [0.0] * (count + 1)
        values[0], values[n + 1] = math.sqrt(common), own
        rows.append(Sampled(n, Digest(n.to_bytes(16, "big")), normalise(values)))
    return rows


@pytest.mark.parametrize("common", [0.85, 0.05])
def test_case_11_the_suggestion_lies_above_the_noise_of_any_model(common: float) -> None:
    sample = around(common, 80)
    found = measure(sample, sample, None, 80)
    assert found is not None
    assert found.p99 == pytest.approx(common, abs=0.01)
    assert found.p99 < found.suggested < found.p99 + 0.06


def test_too_few_sections_give_no_number() -> None:
    sample = around(0.5, 49)
    assert measure(sample, sample, None, 49) is None


def test_near_duplicates_and_pairs_of_one_note_do_not_count() -> None:
    twin = normalise([1.0, 0.0])
    sample = [Sampled(n, Digest(bytes(16)), twin) for n in range(60)]
    assert measure(sample, sample, None, 60) is None
    assert measure([Sampled(1, Digest(bytes(16)), twin)], [Sampled(1, Digest(bytes(16)), twin)], None, 60) is None


def test_centred_scores_take_the_means_away() -> None:
    sample = around(0.85, 80)
    mean = Mean(pack([math.sqrt(0.85)] + [0.0] * 80))
    found = measure(sample, sample, (mean, mean), 80)
    assert found is not None
    assert found.p99 == pytest.approx(0.0, abs=0.01)


def test_a_vector_without_length_stays_without() -> None:
    zero = Vector(array("f", [0.0, 0.0]).tobytes())
    assert centred(zero, Mean(pack([0.5, 0.5]))) == zero


def test_the_example_of_the_contract() -> None:
    assert suggest(0.421) == 0.45


def test_percentile_between_neighbours() -> None:
    assert percentile([0.0, 1.0], 0.25) == 0.25
    assert percentile([3.0], 0.99) == 3.0


def calibration(suggested: float, sections: int = 100) -> Calibration:
    return Calibration(p99=suggested - 0.03, pairs=500, suggested=suggested, sections=sections)


def test_the_floor_does_not_wander() -> None:
    assert not moves(calibration(0.5), calibration(0.52), full=False)
    assert moves(calibration(0.5), calibration(0.54), full=False)
    assert moves(calibration(0.5), calibration(0.52), full=True)
    assert moves(None, calibration(0.5), full=False)
    assert moves(calibration(0.5), calibration(0.5, 130), full=False)


def test_a_vault_that_shrank_is_another_one() -> None:
    assert resized(calibration(0.5), 79)
    assert not resized(calibration(0.5), 80)


def test_whose_floor_counts() -> None:
    tested, untested = Model(name="bge-m3", min_score=0.55), Model(name="x", known=False)
    assert floor_in_use(0.3, tested, calibration(0.5)).source == "config"
    assert floor_in_use(None, tested, calibration(0.6)).value == 0.55
    assert floor_in_use(None, untested, calibration(0.6)).source == "calibration"
    assert floor_in_use(None, untested, None).value == 0.5


def test_a_tested_confidence_counts_besides_the_floor_but_not_beside_a_configured_one() -> None:
    tested = Model(name="x", min_score=0.1, min_confidence=0.5)
    assert floor_in_use(None, tested, None) == Floor(0.1, "registry", 0.5)
    assert floor_in_use(0.3, tested, None) == Floor(0.3, "config")
    assert floor_in_use(None, Model(name="y", min_confidence=0.5), calibration(0.4)).confidence == 0.5


TENTHS = [n / 10 for n in range(40)]


def test_both_sides_of_forty_questions() -> None:
    found = both_sides(TENTHS, [score - 1.0 for score in TENTHS])
    assert found is not None
    assert found.own == 0.3  # the fourth smallest: floor(41 x 0.1)
    assert found.others == pytest.approx(2.705)
    assert found.overlap == 28 / 40  # 0.0 to 2.7


def test_sides_that_lie_apart_do_not_overlap() -> None:
    found = both_sides([0.8] * 30, [0.2] * 30)
    assert found is not None
    assert (found.own, found.others, found.overlap) == (0.8, 0.2, 0.0)


def test_equal_sides_do_not_overlap_and_swapped_ones_do_wholly() -> None:
    same, swapped = both_sides([0.5] * 30, [0.5] * 30), both_sides([0.2] * 30, [0.8] * 30)
    assert same is not None and same.overlap == 0.0
    assert swapped is not None and swapped.overlap == 1.0


def test_fewer_than_twenty_questions_say_nothing() -> None:
    assert both_sides([0.8] * (MINIMUM_QUESTIONS - 1), [0.2] * (MINIMUM_QUESTIONS - 1)) is None
    assert both_sides([0.8] * MINIMUM_QUESTIONS, [0.2] * MINIMUM_QUESTIONS) is not None
    assert both_sides([], []) is None


@pytest.mark.parametrize(("count", "place"), [(9, 1), (18, 1), (19, 2), (20, 2), (28, 2), (29, 3), (69, 7), (99, 10)])
def test_the_finite_sample_quantile(count: int, place: int) -> None:
    assert conformal_low([float(n) for n in range(count, 0, -1)], 0.1) == place


def test_a_sample_that_is_too_small_for_a_share_is_refused() -> None:
    with pytest.raises(ValueError, match="8 scores"):
        conformal_low([0.5] * 8, 0.1)
    with pytest.raises(ValueError, match="3 scores"):
        conformal_low([0.5] * 3, 1.0)


@given(st.lists(st.floats(-1, 1), min_size=10, max_size=200, unique=True))
def test_of_one_more_and_those_that_were_there_at_most_a_tenth_stays_below(scores: list[float]) -> None:
    """What split-conformal promises: whichever of the n + 1 is left out, it misses in at most alpha of the cases."""
    missed = 0
    for left_out in range(len(scores)):
        rest = scores[:left_out] + scores[left_out + 1 :]
        missed += len(rest) >= 9 and scores[left_out] < conformal_low(rest, 0.1)
    assert missed <= len(scores) * 0.1 + 1e-9


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=MINIMUM_QUESTIONS, max_size=100))
def test_sides_stay_within_what_was_scored(pairs: list[tuple[float, float]]) -> None:
    own, others = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = both_sides(own, others)
    assert found is not None
    assert min(own) - 0.001 <= found.own <= max(own) + 0.001
    assert min(others) - 0.001 <= found.others <= max(others) + 0.001
    assert 0.0 <= found.overlap <= 1.0
