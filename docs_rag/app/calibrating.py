"""The last part of a run: the vault's means, its noise floor, and its headings asked as questions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from docs_rag.core.calibration import MINIMUM_SECTIONS, both_sides, measure, moves, resized
from docs_rag.core.digests import Digest, text_digest
from docs_rag.core.queries import Hidden, Query, Scope
from docs_rag.core.sampling import Sampled
from docs_rag.core.sections import whole
from docs_rag.core.vectors import Mean, blend, mean
from docs_rag.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docs_rag.core.calibration import Calibration
    from docs_rag.core.models import Model
    from docs_rag.core.ports import Embedder, Vector
    from docs_rag.core.storage import Store

SAMPLE: Final = 600
"""Sections that noise and means are worked out from."""
LARGE: Final = 5_000
"""Sections from which on looking through all headings takes longer than an edit may."""
QUERIES: Final = 96
"""Headings that stand for questions."""


class Calibrator:
    """Measures on the scale of the score in use, and keeps what it measured if that has moved.

    Scoring the whole index against every heading is done only when a measurement is kept: on the first run, on full
    ones, and when the vault has changed much.
    """

    def __init__(self, store: Store, embedder: Embedder, model: int, sections: int) -> None:
        """`model` is the id of the embedder's model in the index, `sections` how many have its vectors."""
        self._store = store
        self._embedder = embedder
        self._model = model
        self._sections = sections
        self._is_centred = embedder.model.score == "centred"

    def is_due(self) -> bool:
        """Whether even a run that embedded nothing must measure: what is kept is missing, or of another vault."""
        if self._is_centred and self._store.vectors.means(self._model) is None:
            return True
        kept = self._store.vectors.calibration()
        if kept is None:
            return self._sections >= MINIMUM_SECTIONS and not self._is_centred
        return self._sections >= MINIMUM_SECTIONS and (kept.questions is None or resized(kept, self._sections))

    def run(self, *, full: bool) -> None:
        """Measure; after a `full` run what was kept before does not count.

        A large vault whose sample is the one that was measured last is not measured again: few edits change it.
        """
        documents = self._store.vectors.sample(self._model, SAMPLE)
        mark = f"{self._model} {text_digest(repr([(each.note, each.digest) for each in documents])).hex()}"
        if not (full or self._sections < LARGE or self.is_due()) and self._store.vectors.sampled() == mark:
            return
        self._measure(documents, full)
        self._store.vectors.put_sampled(mark)

    def _measure(self, documents: Sequence[Sampled], full: bool) -> None:
        forms = self._questions() if self._embedder.model.query_prefix or self._is_centred else []
        means = _means(self._embedder.model, documents, forms or documents) if self._is_centred else None
        measured = measure(forms or documents, documents, means, self._sections)
        old = self._store.vectors.calibration()
        is_new = measured is None or moves(old, measured, full=full)
        if means is not None and is_new:
            self._store.vectors.put_means(self._model, *means)
        kept = measured if is_new else old
        if kept is not None and (is_new or kept.questions is None):
            self._store.vectors.put_calibration(self._model, self._asked(kept, forms or self._questions()))

    def _questions(self) -> list[Sampled]:
        """The vault's own headings in the model's form for questions; their vectors are kept from run to run."""
        kept = self._store.vectors.query_vectors(self._model)
        found: dict[Digest, Vector] = {}
        forms: list[Sampled] = []
        for note, heading in self._store.vectors.headings(QUERIES):
            digest = text_digest(heading)
            try:
                found[digest] = kept.get(digest) or self._embedder.embed_query(heading)
            except EmbedderUnavailable:  # the documents have just been embedded: it is this text that it refuses
                continue
            forms.append(Sampled(note, digest, found[digest]))
        if found.keys() != kept.keys():
            self._store.vectors.keep_query_vectors(self._model, found)
        return forms

    def _asked(self, kept: Calibration, forms: Sequence[Sampled]) -> Calibration:
        """With what the headings score by the means that searches use from now on."""
        bests = list(self._bests(forms))
        sides = both_sides([own for own, _ in bests], [other for _, other in bests])
        return replace(kept, questions=len(bests), sides=sides)

    def _bests(self, forms: Sequence[Sampled]) -> Iterator[tuple[float, float]]:
        """For each heading: the best score of its own note, and of all others that a default search looks at.

        Left out are headings of records that such a search does not return.
        """
        admission = self._store.lookup.admission(Scope(Query(text="", limit=1), ()))
        means = self._store.vectors.means(self._model) if self._is_centred else None
        matrix = self._store.matrix(self._model)
        for form in forms:
            if form.note in admission.hidden:
                continue
            scores = matrix.scores(form.vector, means)
            own = scores.best_of(whole(form.note), admission)
            hidden = {**admission.hidden, form.note: Hidden.EXCLUDED}
            others = scores.top(replace(admission, hidden=hidden), 1)
            if own is not None and others:
                yield own[1], others[0][1]


def _means(model: Model, documents: Sequence[Sampled], queries: Sequence[Sampled]) -> tuple[Mean, Mean] | None:
    """The vault's means, blended with the shipped ones so that they hold from the first note."""
    from docs_rag.core.means import shipped_means  # noqa: PLC0415  # only models with centred scores have them

    shipped = shipped_means(model.name) or (None, None)
    own_documents = blend(mean(each.vector for each in documents), len(documents), shipped[0])
    own_queries = blend(mean(each.vector for each in queries), len(queries), shipped[1])
    return None if own_documents is None or own_queries is None else (own_documents, own_queries)
