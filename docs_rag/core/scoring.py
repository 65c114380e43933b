"""What searching by meaning asks of an index: every section's vector, and every section's score for a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from docs_rag.core.ports import Vector
    from docs_rag.core.queries import Admission
    from docs_rag.core.sections import Place
    from docs_rag.core.vectors import Mean


class Scores(Protocol):
    """The score of every section for one question."""

    def top(self, admission: Admission, count: int) -> list[tuple[int, float]]:
        """The best sections of admitted notes, best first."""
        ...

    def best_below(self, admission: Admission, floor: float) -> float | None:
        """The best score of an admitted section that stays under the floor."""
        ...

    def hidden(self, admission: Admission, least: float, count: int) -> list[tuple[int, float]]:
        """The best sections of notes that are kept out, of those that score at least `least`."""
        ...

    def of(self, sections: list[int]) -> dict[int, float]:
        """The scores of some sections."""
        ...

    def count(self, admission: Admission) -> int:
        """How many sections may answer and have a score."""
        ...

    def percentiles(self, admission: Admission, values: Sequence[float]) -> list[float]:
        """For each value the share, 0 to 100, of the sections that may answer and score below it."""
        ...

    def best_of(self, place: Place, admission: Admission) -> tuple[int, float] | None:
        """The best section of one record, of those that may answer."""
        ...


class Matrix(Protocol):
    """Every section's vector, ready to be scored."""

    def __len__(self) -> int:
        """How many sections have their vector."""
        ...

    @property
    def waiting(self) -> int:
        """How many sections still wait for their vector."""
        ...

    def scores(self, query: Vector, centre: tuple[Mean, Mean] | None) -> Scores:
        """Score every section against a query vector."""
        ...

    def closest_notes(
        self, wanted: Collection[int], among: Collection[int], centre: Mean | None, count: int
    ) -> list[tuple[float, int, int]]:
        """At most `count` pairs of notes that mean nearly the same: (score, note, other note), best first."""
        ...
