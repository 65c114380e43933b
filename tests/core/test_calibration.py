"""The noise floor."""

import math
from array import array

import pytest

from docs_rag.core.calibration import Calibration, centred, floor_in_use, measure, moves, percentile, suggest
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


def test_whose_floor_counts() -> None:
    tested, untested = Model(name="bge-m3", min_score=0.55), Model(name="x", known=False)
    assert floor_in_use(0.3, tested, calibration(0.5)).source == "config"
    assert floor_in_use(None, tested, calibration(0.6)).value == 0.55
    assert floor_in_use(None, untested, calibration(0.6)).source == "calibration"
    assert floor_in_use(None, untested, None).value == 0.5
