"""Vectors as bytes: d float32, little endian, in the order the model gave them.

Everything here is for one vector or a few hundred; scoring a whole index is the store's work.
"""

from __future__ import annotations

import math
import sys
from array import array
from operator import mul
from typing import TYPE_CHECKING, NewType

from docs_rag.core.ports import Vector

if TYPE_CHECKING:
    from collections.abc import Iterable

Mean = NewType("Mean", bytes)
"""The mean of many vectors, in a vector's format; shorter than unit length."""


def pack(values: Iterable[float]) -> bytes:
    """The numbers as float32, little endian."""
    numbers = array("f", values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpack(data: bytes) -> array[float]:
    """The numbers in `data`; raises `ValueError` when it is no whole number of float32."""
    numbers = array("f")
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def normalise(values: Iterable[float]) -> Vector:
    """The vector of unit length in the same direction; all zero stays all zero.

    Raises `ValueError` when a value is not finite: such a vector has no direction.
    """
    numbers = array("d", values)
    largest = max(map(abs, numbers), default=0.0)
    if not all(map(math.isfinite, numbers)):
        raise ValueError("the vector holds a value that is not finite")
    if largest == 0.0:
        return Vector(pack(numbers))
    # Scaled first: the square of a very large or very small number leaves the range of a float.
    scaled = [number / largest for number in numbers]
    length = math.sqrt(sum(number * number for number in scaled))
    return Vector(pack(number / length for number in scaled))


def is_zero(vector: bytes) -> bool:
    """True for the vector that has no direction and never ranks."""
    return not any(unpack(vector))


def dot(left: bytes, right: bytes) -> float:
    """The dot product, in [-1, 1] for two vectors of unit length (the cosine), else unlimited.

    Raises `ValueError` when the lengths differ.
    """
    if len(left) != len(right):
        raise ValueError(f"vectors of {len(left) // 4} and {len(right) // 4} dimensions")
    return math.fsum(map(mul, unpack(left), unpack(right)))


def mean(vectors: Iterable[Vector]) -> Mean | None:
    """The mean of the vectors that have a direction; None when there are none."""
    total: list[float] = []
    count = 0
    for vector in vectors:
        numbers = unpack(vector)
        if any(numbers):
            total = [a + b for a, b in zip(total, numbers, strict=True)] if count else list(numbers)
            count += 1
    return Mean(pack(number / count for number in total)) if count else None


def centre(vector: Vector, middle: Mean) -> Vector:
    """The direction of `vector` seen from `middle`; the dot product of two such is the centred cosine.

    A vector without a direction stays so. Raises `ValueError` when the lengths differ.
    """
    numbers = unpack(vector)
    if not any(numbers):
        return vector
    return normalise(a - b for a, b in zip(numbers, unpack(middle), strict=True))


def blend(vault_mean: Mean | None, n: int, shipped: Mean | None, pseudo: int = 50) -> Mean | None:
    """The vault's mean over `n` vectors, drawn towards the shipped one as if that were `pseudo` vectors more.

    So centring holds from the first note on, and belongs to the vault alone when it has grown. With one of
    the two missing it is the other; None when both are. Raises `ValueError` when the lengths differ.
    """
    if vault_mean is None or n <= 0:
        return shipped
    if shipped is None:
        return vault_mean
    share = n / (n + pseudo)
    pairs = zip(unpack(vault_mean), unpack(shipped), strict=True)
    return Mean(pack(share * own + (1 - share) * other for own, other in pairs))
