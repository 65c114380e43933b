"""The sections that have a vector, in order, and which of them a scope lets answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs_rag.core.sections import ORDINAL_BITS

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy as np
    from numpy.typing import NDArray

    from docs_rag.core.queries import Admission
    from docs_rag.core.sections import Place

    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_MOST_KEPT: Final = 4
"""Scopes whose masks are kept: most questions of a server have one and the same."""


class Sections:
    """Ids of sections, ascending, with what many questions ask of all of them."""

    def __init__(self, ids: Ints) -> None:
        """`ids` must be ascending."""
        self.ids = ids
        self._notes: Ints = ids >> ORDINAL_BITS
        self._masks: list[tuple[Admission, Mask, Mask | None]] = []

    def __len__(self) -> int:
        """How many they are."""
        return len(self.ids)

    def may_answer(self, admission: Admission) -> Mask:
        """True for the sections that are in scope and not kept out; must not be changed."""
        return self._of(admission)[0]

    def kept_out(self, admission: Admission) -> Mask | None:
        """True for the sections in scope that are kept out, or None when nothing is; must not be changed."""
        return self._of(admission)[1]

    def within(self, place: Place) -> slice:
        """Where the sections of one record stand."""
        first, end = self.ids.searchsorted((place.first, place.end))
        return slice(int(first), int(end))

    def find(self, sections: Collection[int]) -> Ints:
        """Where some sections stand, in ascending order; those without a vector are left out."""
        import numpy as np  # noqa: PLC0415

        wanted = np.fromiter(sorted(set(sections)), np.int64)
        places = self.ids.searchsorted(wanted)
        inside = places < len(self.ids)
        places, wanted = places[inside], wanted[inside]
        found: Ints = places[self.ids[places] == wanted]
        return found

    def _of(self, admission: Admission) -> tuple[Mask, Mask | None]:
        # By identity: an index gives out one and the same object while its state stays, and none is ever changed.
        for known, keep, out in self._masks:
            if known is admission:
                return keep, out
        keep, out = self._worked_out(admission)
        self._masks = [(admission, keep, out), *self._masks[: _MOST_KEPT - 1]]
        return keep, out

    def _worked_out(self, admission: Admission) -> tuple[Mask, Mask | None]:
        import numpy as np  # noqa: PLC0415

        out = among(self._notes, admission.hidden) if admission.hidden else None
        if admission.sections:
            parts = among(self.ids, admission.sections)
            out = parts if out is None else out | parts
        keep: Mask = np.ones(len(self.ids), np.bool_) if out is None else ~out
        if admission.only is not None:
            inside = among(self._notes, admission.only)
            keep &= inside
            out = None if out is None else out & inside
        return keep, out


def among(values: Ints, wanted: Collection[int]) -> Mask:
    """Which of `values`, which ascend, are among `wanted`."""
    import numpy as np  # noqa: PLC0415

    each = np.fromiter(set(wanted), np.int64)
    first, end = values.searchsorted(each), values.searchsorted(each, "right")
    is_there = first < end
    steps = np.zeros(len(values) + 1, np.int8)
    steps[first[is_there]] += 1
    steps[end[is_there]] -= 1
    found: Mask = np.cumsum(steps[:-1], dtype=np.int8).view(np.bool_)
    return found


def distinct(values: Ints) -> tuple[Ints, Ints]:
    """The different values, ascending, and for each of `values` where among them it stands.

    `numpy.unique` does the same, and loads another 10 ms of numpy for it.
    """
    import numpy as np  # noqa: PLC0415

    order = np.argsort(values, kind="stable")
    ascending = values[order]
    is_first = np.ones(len(values), np.bool_)
    is_first[1:] = ascending[1:] != ascending[:-1]
    back = np.empty(len(values), np.int64)
    back[order] = np.cumsum(is_first) - 1
    return ascending[is_first], back


def best(ids: Ints, values: NDArray[np.float32], count: int) -> list[tuple[int, float]]:
    """The `count` highest values with their ids, best first; equal ones by id. Below -1.5 is no score."""
    import numpy as np  # noqa: PLC0415

    if count < len(values):
        chosen = np.argpartition(values, -count)[-count:]
        ids, values = ids[chosen], values[chosen]
    order = np.lexsort((ids, -values))
    pairs = zip(ids[order].tolist(), values[order].tolist(), strict=True)
    return [pair for pair in pairs if pair[1] > -1.5]
