"""A large index's vectors as bits: what it finds beside what scoring all of them finds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from docs_rag.adapters.sqlite import signs
from docs_rag.adapters.sqlite import sketch as module
from docs_rag.adapters.sqlite import store as storing
from docs_rag.adapters.sqlite.sketch import Sketch
from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.adapters.sqlite.vectors import VectorMatrix
from docs_rag.core.digests import Digest
from docs_rag.core.ports import Vector
from docs_rag.core.queries import Admission, Hidden
from docs_rag.core.scoring import Matrix, Scores
from docs_rag.core.sections import Place, section_id, whole
from docs_rag.core.terms import UnicodeAnalyser
from docs_rag.core.vectors import Mean

NOTES, A_NOTE, WIDTH = 120, 10, 70
OPEN = Admission({})

pytestmark = pytest.mark.skipif(not signs.can_count_bits(), reason="this numpy does not count bits")


def unit(rows: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> list[Vector]:
    return [Vector((row / np.linalg.norm(row)).tobytes()) for row in rows.astype(np.float32)]


def some_vectors(count: int, seed: int) -> list[Vector]:
    """Vectors around a few topics, and all of them around one direction."""
    chance = np.random.default_rng(seed)
    topics = np.random.default_rng(1).standard_normal((12, WIDTH))
    return unit((chance.standard_normal((count, WIDTH)) + topics[chance.integers(0, 12, count)] + 2).astype(np.float32))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path / "index.db"), UnicodeAnalyser(), create=True) as opened:
        yield opened


def fill(store: SqliteStore, first: int, notes: int, seed: int) -> int:
    """Notes of sections with vectors: rows alone, without text. The model's id is returned."""
    model = store.vectors.register("m", "", ("", ""), WIDTH).id
    ids = [section_id(note, n) for note in range(first, first + notes) for n in range(A_NOTE)]
    vectors = dict(zip((Digest(b"%d" % key) for key in ids), some_vectors(len(ids), seed), strict=True))
    with sqlite3.connect(store.path) as db:
        db.executemany(
            "INSERT INTO chunks VALUES (?, '[]', 1, 1, '', '', '', NULL, ?)", ((key, b"%d" % key) for key in ids)
        )
    db.close()
    store.vectors.put(model, vectors)
    return model


def both(store: SqliteStore, model: int) -> tuple[Matrix, Matrix]:
    db = sqlite3.connect(store.path)
    return VectorMatrix(db, model), Sketch(db, model)


def scored(matrix: Matrix, query: Vector, *, centred: bool) -> Scores:
    means = (np.full(WIDTH, 0.1, "<f4"), np.full(WIDTH, 0.08, "<f4"))
    return matrix.scores(query, (Mean(means[0].tobytes()), Mean(means[1].tobytes())) if centred else None)


def close(one: list[tuple[int, float]], other: list[tuple[int, float]]) -> bool:
    return [key for key, _ in one] == [key for key, _ in other] and np.allclose(
        [score for _, score in one], [score for _, score in other], atol=1e-5
    )


@pytest.mark.parametrize("centred", [False, True])
def test_where_all_come_through_it_finds_what_the_matrix_finds(store: SqliteStore, centred: bool) -> None:
    exact, sketch = both(store, fill(store, 1, NOTES, 2))
    hidden = {3: Hidden.ARCHIVED, 4: Hidden.EXCLUDED}
    part = Place(section_id(9, 2), section_id(9, 5))
    scopes = [
        OPEN,
        Admission(hidden),
        Admission(hidden, frozenset(range(2, 40)), {part: Hidden.SUPERSEDED}),
        Admission({}, frozenset()),
    ]
    for query in some_vectors(3, 3):
        one, other = scored(exact, query, centred=centred), scored(sketch, query, centred=centred)
        for scope in scopes:
            assert close(one.top(scope, 20), other.top(scope, 20))
            assert close(one.hidden(scope, -1.0, 20), other.hidden(scope, -1.0, 20))
            assert one.count(scope) == other.count(scope)
            assert one.best_below(scope, 0.2) == pytest.approx(other.best_below(scope, 0.2), abs=1e-5)
            best, same = one.best_of(whole(9), scope), other.best_of(whole(9), scope)
            assert best is not None and same is not None and best[0] == same[0]
            assert one.percentiles(scope, [0.0, 0.3]) == pytest.approx(other.percentiles(scope, [0.0, 0.3]), abs=0.5)
        some = [section_id(5, 1), section_id(999, 0), section_id(2, 3)]
        assert one.of(some) == pytest.approx(other.of(some), abs=1e-5)
        assert one.best_of(whole(999), OPEN) is other.best_of(whole(999), OPEN) is None


def test_few_exact_scores_hold_the_best_sections(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST", 600)
    monkeypatch.setattr(module, "EXACT", 150)
    exact, sketch = both(store, fill(store, 1, NOTES, 2))
    found = wanted = 0
    for query in some_vectors(30, 4):
        best = {key for key, _ in scored(exact, query, centred=True).top(OPEN, 10)}
        found += len(best & {key for key, _ in scored(sketch, query, centred=True).top(OPEN, 10)})
        wanted += len(best)
    assert found / wanted > 0.97


def test_the_best_score_below_a_floor_is_found_beyond_the_best(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXACT", 8)
    exact, sketch = both(store, fill(store, 1, NOTES, 2))
    query = some_vectors(1, 5)[0]
    floor = scored(exact, query, centred=False).top(OPEN, 400)[-1][1]
    found = scored(sketch, query, centred=False).best_below(OPEN, floor)
    assert found is not None and floor - 0.02 < found < floor
    assert scored(sketch, query, centred=False).best_below(OPEN, -1.2) is None


def test_vectors_without_length_are_no_scores(store: SqliteStore) -> None:
    model = fill(store, 1, 2, 2)
    store.vectors.put(model, {Digest(b"%d" % section_id(1, 0)): Vector(bytes(4 * WIDTH))})
    _, sketch = both(store, model)
    query = some_vectors(1, 5)[0]
    assert len(sketch.scores(query, None).top(OPEN, 50)) == 2 * A_NOTE - 1
    nothing = sketch.scores(Vector(bytes(4 * WIDTH)), None)
    assert (nothing.top(OPEN, 5), nothing.count(OPEN), nothing.best_below(OPEN, 1.0)) == ([], 0, None)


def test_new_vectors_are_taken_up_and_an_emptied_index_is_read_anew(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "SKETCHED_FROM", 15 * A_NOTE)
    model = fill(store, 1, 10, 2)
    query = some_vectors(1, 6)[0]
    assert isinstance(store.matrix(model), VectorMatrix)
    fill(store, 20, 10, 7)
    grown = store.matrix(model)
    assert isinstance(grown, Sketch)
    fill(store, 40, 10, 8)
    assert store.matrix(model) is grown
    assert close(grown.scores(query, None).top(OPEN, 12), both(store, model)[0].scores(query, None).top(OPEN, 12))
    store.rebuild()
    model = fill(store, 1, 30, 9)
    assert len(store.matrix(model)) == 30 * A_NOTE
    found = store.matrix(model).scores(query, None).top(OPEN, 12)
    assert close(found, both(store, model)[0].scores(query, None).top(OPEN, 12))


def test_sections_without_a_vector_wait(store: SqliteStore) -> None:
    model = fill(store, 1, 3, 2)
    with sqlite3.connect(store.path) as db:
        db.execute("INSERT INTO chunks VALUES (?, '[]', 1, 1, '', '', '', NULL, X'00')", (section_id(9, 0),))
    db.close()
    _, sketch = both(store, model)
    assert (len(sketch), sketch.waiting) == (3 * A_NOTE, 1)
    assert sketch.closest_notes([1], [1, 2, 3], None, 1)[0][1] == 1
