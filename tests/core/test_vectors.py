"""Arithmetic on vectors that are bytes."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.ports import Vector
from docs_rag.core.vectors import Mean, blend, centre, dot, is_zero, mean, normalise, pack, unpack

finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
numbers = st.lists(finite, min_size=3, max_size=3)


def test_the_format_is_little_endian_float32() -> None:
    assert pack([1.0, -2.5]) == struct.pack("<2f", 1.0, -2.5)


@given(st.lists(finite, max_size=8))
def test_unpacking_gives_back_what_was_packed(values: list[float]) -> None:
    assert list(unpack(pack(values))) == values


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_a_broken_number_is_no_vector(size: int) -> None:
    with pytest.raises(ValueError, match="bytes"):
        unpack(b"x" * size)


@given(numbers)
def test_case_42_every_vector_has_unit_length_or_none(values: list[float]) -> None:
    vector = normalise(values)
    length = math.hypot(*unpack(vector))
    assert length == pytest.approx(1, abs=1e-5) if any(values) else is_zero(vector)


@given(numbers, numbers)
def test_case_42_cosines_stay_within_one(left: list[float], right: list[float]) -> None:
    assert abs(dot(normalise(left), normalise(right))) <= 1 + 1e-6


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_has_no_direction(value: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        normalise([1.0, value])


def test_no_numbers_make_an_empty_vector() -> None:
    assert normalise([]) == b""


def test_other_dimensions_are_never_compared() -> None:
    with pytest.raises(ValueError, match="1 and 2 dimensions"):
        dot(pack([1.0]), pack([1.0, 2.0]))


def test_the_mean_leaves_out_vectors_without_direction() -> None:
    found = mean([normalise([3, 0]), normalise([0, 0]), normalise([0, 5])])
    assert found is not None
    assert list(unpack(found)) == [0.5, 0.5]


@pytest.mark.parametrize("vectors", [[], [normalise([0, 0])]])
def test_no_directions_have_no_mean(vectors: list[Vector]) -> None:
    assert mean(vectors) is None


def test_centring_takes_away_what_all_vectors_share() -> None:
    left, right = normalise([10, 1]), normalise([10, -1])
    middle = mean([left, right])
    assert middle is not None
    assert dot(left, right) > 0.9
    assert dot(centre(left, middle), centre(right, middle)) == pytest.approx(-1)


def test_case_42_centring_leaves_a_vector_without_direction_alone() -> None:
    assert is_zero(centre(normalise([0, 0]), Mean(pack([0.5, 0.5]))))
    assert is_zero(centre(normalise([1, 0]), Mean(pack([1, 0]))))


def values_of(found: Mean | None) -> list[float]:
    assert found is not None
    return list(unpack(found))


def test_the_vault_outweighs_the_shipped_mean_as_it_grows() -> None:
    own, shipped = Mean(pack([1.0, 0.0])), Mean(pack([0.0, 1.0]))
    assert values_of(blend(own, 0, shipped)) == [0, 1]
    assert values_of(blend(own, 50, shipped)) == [0.5, 0.5]
    assert values_of(blend(own, 150, shipped)) == [0.75, 0.25]
    assert values_of(blend(own, 10, shipped, pseudo=30)) == [0.25, 0.75]


def test_one_mean_alone_stands_for_both() -> None:
    only = Mean(pack([1.0, 0.0]))
    assert blend(None, 0, only) == only
    assert blend(only, 7, None) == only
    assert blend(None, 0, None) is None


def test_means_of_other_dimensions_are_never_blended() -> None:
    with pytest.raises(ValueError, match="longer"):
        blend(Mean(pack([1.0])), 5, Mean(pack([1.0, 2.0])))
