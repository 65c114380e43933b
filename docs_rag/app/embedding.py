"""The second half of a run: vectors for every text that has none, then the noise floor."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from docs_rag.app.calibrating import Calibrator
from docs_rag.app.progress import NoProgress, Progress
from docs_rag.core.calibration import Calibration, Floor, floor_in_use
from docs_rag.core.digests import Digest
from docs_rag.core.ports import Embedder, EmbedFailure, Vector
from docs_rag.core.sampling import Pending
from docs_rag.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docs_rag.core.identity import StoredModel
    from docs_rag.core.models import Model
    from docs_rag.core.storage import Store

BATCH = 32
"""Texts between two commits: what a stopped run loses at most."""
SMALL_BATCH = 2
"""Texts between two looks at the clock while somebody waits for an answer."""
KEPT_AFTER = 20_000
"""Texts of a long run between two times that signs are kept: who searches meanwhile reads vectors for the others."""


class EmbeddingRun:
    """Embeds what waits, in the configured model's row; switches to that model when nothing waits any more."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        progress: Progress | None = None,
        configured_floor: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`embedder` None leaves vectors alone: lexical only; deadlines are times of `clock`, in seconds."""
        self._clock = clock
        self._store = store
        self._embedder = embedder
        self._progress = progress or NoProgress()
        self._configured_floor = configured_floor
        self.changed = False
        self.embedded = 0
        self.pending = 0
        self.calibration: Calibration | None = None
        self.floor: Floor | None = None
        self.warnings: list[str] = []
        self.unavailable: EmbedderUnavailable | None = None

    def run(self, *, full: bool, now: int) -> None:
        """Embed, sweep, calibrate; `now` in seconds since 1970.

        Raises `EmbedderUnavailable` when the model cannot be asked; what was embedded until then is kept, and the
        counts tell how much is missing.
        """
        if self._embedder is None:
            self._store.vectors.sweep(now)
            return
        row = self._register(self._embedder)
        try:
            self._embed(self._embedder, row, None, BATCH)
        finally:
            self.embedded, self.pending = self._store.vectors.coverage(row.id)
        self._store.vectors.sweep(now, row.id)
        self._finish(self._embedder, row, full=full)

    def catch_up(self, deadline: float, most: int | None = None) -> bool:
        """Embed what waits with the model whose vectors answer, until `deadline`; False when the deadline came first.

        When more than `most` texts wait, none is embedded. Which weights the host has is not asked, and nothing is
        calibrated: that is the work of whole runs.
        """
        active = self._store.vectors.active()
        if self._embedder is None or active is None or active.name != self._embedder.model.name:
            return True
        if most is not None and len(self._store.vectors.pending(active.id)) > most:
            return True
        is_done = self._embed(self._embedder, active, deadline, SMALL_BATCH)
        if is_done and self.changed and math.isinf(deadline):  # nobody waits
            self._store.vectors.keep_signs(active.id)
        return is_done

    def _register(self, embedder: Embedder) -> StoredModel:
        model = embedder.model
        try:
            digest = embedder.digest() or ""
        except EmbedderUnavailable:
            self._count_for(model)
            raise
        prefixes = (model.query_prefix, model.document_prefix)
        return self._store.vectors.register(model.name, digest, prefixes, model.dimensions or 0)

    def _count_for(self, model: Model) -> None:
        """Fill the counts without asking the model: what its vectors cover in the index as it is."""
        active = self._store.vectors.active()
        if active is not None and active.name == model.name:
            self.embedded, self.pending = self._store.vectors.coverage(active.id)
        else:
            self.pending = self._store.lookup.counts()[1]

    def _embed(self, embedder: Embedder, row: StoredModel, deadline: float | None, size: int) -> bool:
        """Embed what waits; False when the deadline came first."""
        waiting = self._store.vectors.pending(row.id)
        if not waiting:
            return True
        self._progress.begin("Embedding sections", len(waiting))
        for number, batch in enumerate(_batches(waiting, size), 1):
            if deadline is not None and self._clock() > deadline:
                return False
            self._embed_batch(embedder, row, self._store.vectors.pending_texts([first for _, first in batch]))
            self._progress.step(len(batch))
            if deadline is None and number % (KEPT_AFTER // size) == 0:
                self._keep_signs(row)
        return True

    def _keep_signs(self, row: StoredModel) -> None:
        """On the way, of the model whose vectors answer."""
        active = self._store.vectors.active()
        if active is not None and active.id == row.id:
            self._store.vectors.keep_signs(row.id)

    def _embed_batch(self, embedder: Embedder, row: StoredModel, pending: Sequence[Pending]) -> None:
        from docs_rag.core.embedtext import embed_text  # noqa: PLC0415  # its patterns cost 10 ms to compile

        texts = [embed_text(each.title, each.headings, each.text) for each in pending]
        results = embedder.embed_documents(texts)
        vectors: dict[Digest, Vector] = {}
        refusals: dict[Digest, tuple[str, str]] = {}
        for place, (each, result) in enumerate(zip(pending, results, strict=True)):
            if place in embedder.last_truncated:
                refusals[each.digest] = ("truncated", "the model read only the beginning of a section")
            if isinstance(result, EmbedFailure):
                refusals[each.digest] = ("embed-failed", result.message)
                self.warnings.append(f"{each.path}: a section could not be embedded ({result.message})")
            else:
                vectors[each.digest] = result
        self.changed = self.changed or bool(vectors)
        if vectors:
            self._store.vectors.put(row.id, vectors)
        if refusals:
            self._store.vectors.note_refusals(row.id, refusals)

    def _finish(self, embedder: Embedder, row: StoredModel, *, full: bool) -> None:
        active = self._store.vectors.active()
        if active is not None and active.id != row.id:
            self._store.vectors.activate(row.id)
            self.changed = True
        self._store.vectors.keep_signs(row.id)
        calibrator = Calibrator(self._store, embedder, row.id, self.embedded)
        if self.changed or full or calibrator.is_due():
            calibrator.run(full=full)
        self.calibration = self._store.vectors.calibration()
        self.floor = floor_in_use(self._configured_floor, embedder.model, self.calibration)


def _batches(waiting: Sequence[tuple[Digest, int]], size: int) -> Iterator[Sequence[tuple[Digest, int]]]:
    return (waiting[start : start + size] for start in range(0, len(waiting), size))
