"""The semantic track of one question: every section's score, and the floor that it must clear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.calibration import Floor, floor_in_use
from docs_rag.core.means import shipped_means
from docs_rag.core.ranking import clears
from docs_rag.errors import IndexMismatch

if TYPE_CHECKING:
    from docs_rag.core.models import Model
    from docs_rag.core.ports import Vector
    from docs_rag.core.queries import Admission
    from docs_rag.core.scoring import Scores
    from docs_rag.core.storage import Store

NOISE_SHARE = 0.6
"""Without a calibration the noise floor is taken to lie at this share of the floor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Semantic:
    """What the model says of the index's sections."""

    scores: Scores
    model: int
    """Id of the model in the index."""
    floor: Floor
    cutoff: float | None
    """Share of the best score; None is off."""
    best: float
    """Best score of an admitted section; 0.0 when there is none."""
    noise: float
    """The score that a successor must be better than."""
    needed: float | None
    """Confidence that an answer needs; 0.0: the score alone decides; None: nobody tested that for this model."""

    def clears(self, score: float) -> bool:
        """Whether a score is a hit's."""
        return clears(score, self.best, self.floor.value, self.cutoff)


def semantic_track(
    store: Store,
    admission: Admission,
    vector: Vector,
    model: Model,
    configured: tuple[float | None, float | None],
) -> Semantic:
    """Score the index for a question's `vector`; `configured` is (floor, relative cutoff), None where unset."""
    active = store.vectors.active()
    if active is None:  # cannot be: the question was embedded because there was one
        raise IndexMismatch("the index lost its vectors", "run: docs-rag index")
    centre = (store.vectors.means(active.id) or shipped_means(model.name)) if model.score == "centred" else None
    scores = store.matrix(active.id).scores(vector, centre)
    calibration = store.vectors.calibration()
    floor = floor_in_use(configured[0], model, calibration)
    best = scores.top(admission, 1)
    return Semantic(
        scores=scores,
        model=active.id,
        floor=floor,
        cutoff=model.relative_cutoff if configured[1] is None else configured[1],
        best=best[0][1] if best else 0.0,
        noise=min(calibration.p99, floor.value) if calibration is not None else floor.value * NOISE_SHARE,
        needed=model.min_confidence if configured[0] is None else 0.0,
    )
