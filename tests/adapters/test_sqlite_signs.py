"""Signs that an index keeps: whatever is done to notes and vectors, they say what reading every vector says."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes import FakeEmbedder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_rag.adapters.embedders.builtin import BuiltinEmbedder, is_available
from docs_rag.adapters.sqlite import signs as module
from docs_rag.adapters.sqlite import sketch as sketching
from docs_rag.adapters.sqlite.embeddings import KEEP_SECONDS
from docs_rag.adapters.sqlite.signs import SignRows, Signs, can_count_bits, packed
from docs_rag.adapters.sqlite.sketch import Sketch
from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.adapters.sqlite.vectors import VectorMatrix
from docs_rag.app import embedding
from docs_rag.app.embedding import EmbeddingRun
from docs_rag.core.chunks import Chunk
from docs_rag.core.digests import bytes_digest, text_digest
from docs_rag.core.documents import DocPath, Document, FileStamp
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.core.queries import Admission
from docs_rag.core.terms import UnicodeAnalyser
from docs_rag.errors import IndexDamaged

WIDTH = 70
BLOCKS = 3
ANALYSER = UnicodeAnalyser()
TEXTS = [f"text {n}" for n in range(8)]

pytestmark = pytest.mark.skipif(not can_count_bits(), reason="this numpy does not count bits")


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_FROM", 3)
    monkeypatch.setattr(module, "GROUP", 2)


def put(store: SqliteStore, number: int, *texts: str) -> None:
    """A note in the block that its number names."""
    name = DocPath(f"{number}.md")
    chunks = [Chunk(ordinal=n, headings=(), lines=(n + 1, n + 1), text=text) for n, text in enumerate(texts)]
    document = Document(path=name, title=str(number), text="\n".join(texts), lifecycle=Lifecycle())
    digests = [text_digest(text) if text else None for text in texts]
    stamp = FileStamp(name, 1, 1, 10)
    store.notes.put(stamp, False, bytes_digest("\n".join(texts).encode()), document, chunks, digests)


def begun(folder: Path) -> SqliteStore:
    """A new index with notes in each of several blocks."""
    (folder / "index.db").unlink(missing_ok=True)
    store = open_store(str(folder / "index.db"), ANALYSER, create=True)
    model_of(store)
    for block in range(BLOCKS):
        put(store, 2 * block, TEXTS[2 * block])
        put(store, 2 * block + 1, TEXTS[2 * block + 1], TEXTS[0])
        put(store, 100 + block)
        move_to_the_end(store, 100 + block, block)
    return store


def move_to_the_end(store: SqliteStore, number: int, block: int) -> None:
    """Give a note without text the last id of a block: those that follow come into the next."""
    with closing(sqlite3.connect(store.path)) as db:
        (note,) = db.execute("SELECT id FROM notes WHERE path = ?", (f"{number}.md",)).fetchone()
        last = (block + 1 << 7) - 1
        db.execute("UPDATE notes SET id = ? WHERE id = ?", (last, note))
        for table in ("names", "handles", "wanted", "fresh"):
            db.execute(f"UPDATE {table} SET note = ? WHERE note = ?", (last, note))
        db.commit()


def vector(text: str) -> Vector:
    chance = np.random.default_rng(sum(text.encode()) + 1)
    found = chance.standard_normal(WIDTH).astype(np.float32) + 0.3
    return Vector((found / np.linalg.norm(found)).astype("<f4").tobytes())


def model_of(store: SqliteStore) -> int:
    return store.vectors.register("m", "", ("", ""), WIDTH).id


def embed(store: SqliteStore, *texts: str) -> None:
    store.vectors.put(model_of(store), {text_digest(text): vector(text) for text in texts})


def expected(store: SqliteStore, centre: bytes) -> tuple[dict[int, tuple[int, bytes]], int]:
    """By section its vector's id and its signs as bytes, and how many sections wait; from the tables alone."""
    with closing(sqlite3.connect(store.path)) as db:
        rows = db.execute(
            "SELECT c.id, v.id, v.vector FROM chunks c LEFT JOIN vectors v ON v.digest = c.digest AND v.model = ?"
            " WHERE c.digest IS NOT NULL",
            (model_of(store),),
        ).fetchall()
    middle = np.frombuffer(centre, "<f4")
    known = [(section, key, np.frombuffer(vector, "<f4") > middle) for section, key, vector in rows if vector]
    return {section: (key, packed(bits[None, :]).tobytes()) for section, key, bits in known}, len(rows) - len(known)


def said(signs: Signs) -> tuple[dict[int, tuple[int, bytes]], int]:
    assert signs.sections.tolist() == sorted(set(signs.sections.tolist()))
    columns = zip(signs.sections.tolist(), signs.vectors.tolist(), signs.bits.T, strict=True)
    return {section: (key, np.ascontiguousarray(column).tobytes()) for section, key, column in columns}, signs.waiting


def assert_right(store: SqliteStore, *readers: SignRows) -> None:
    with closing(sqlite3.connect(store.path)) as db:
        for rows in (*readers, SignRows(db, model_of(store))):
            signs = rows.load()
            assert said(signs) == expected(store, rows.centre.tobytes())


def assert_same_scores(store: SqliteStore, *matrices: VectorMatrix) -> None:
    """What holds every vector, read anew after whatever was done, gives the scores of one that knows nothing yet."""
    query = vector("a question")
    with closing(sqlite3.connect(store.path)) as db:
        new = VectorMatrix(db, model_of(store))
        wanted, _ = expected(store, np.zeros(WIDTH, "<f4").tobytes())
        assert new.scores(query, None).of(list(wanted)).keys() == wanted.keys()
        for matrix in matrices:
            matrix.load()
            assert (len(matrix), matrix.waiting) == (len(new), new.waiting)
            found = matrix.scores(query, None).of(list(wanted))
            assert found == pytest.approx(new.scores(query, None).of(list(wanted)), abs=1e-6)


_numbers = st.integers(0, 5)
_texts = st.lists(st.sampled_from([*TEXTS, ""]), max_size=4)
STEPS = st.one_of(
    st.tuples(st.just("put"), _numbers, _texts),
    st.tuples(st.just("remove"), _numbers),
    st.tuples(st.just("embed"), _texts),
    st.tuples(st.just("sweep")),
    st.tuples(st.just("keep")),
    st.tuples(st.just("rebuild")),
    st.tuples(st.just("look")),
)


def do(store: SqliteStore, step: tuple[object, ...], clock: list[int]) -> None:
    match step:
        case ("put", int(number), list(texts)):
            put(store, number, *texts)
        case ("remove", int(number)):
            store.notes.remove(DocPath(f"{number}.md"))
        case ("embed", list(texts)):
            embed(store, *filter(None, texts))
        case ("sweep",):  # every other time long enough after the one before to drop what was unused then
            clock[0] += KEEP_SECONDS + 1
            store.vectors.sweep(clock[0])
        case ("keep",):
            store.vectors.keep_signs(model_of(store))
        case ("rebuild",):
            store.rebuild()
            model_of(store)


@given(st.lists(STEPS, max_size=25))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happens_they_are_those_of_the_vectors(tmp_path: Path, steps: list[tuple[object, ...]]) -> None:
    with begun(tmp_path) as store, closing(sqlite3.connect(store.path)) as db:
        embed(store, *TEXTS[:5])
        lasting, matrix = SignRows(db, model_of(store)), VectorMatrix(db, model_of(store))
        clock = [1]
        for step in steps:
            do(store, step, clock)
            if step == ("look",):
                assert_right(store, lasting)
                assert_same_scores(store, matrix)
        assert_right(store, lasting)
        store.vectors.keep_signs(model_of(store))
        assert_right(store, lasting)
        assert_same_scores(store, matrix)
        store.check()


def kept(store: SqliteStore) -> dict[int, int]:
    with closing(sqlite3.connect(store.path)) as db:
        return dict(db.execute("SELECT block, made FROM sketches"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Notes in three blocks, each with a vector, and their signs."""
    with begun(tmp_path) as made:
        put(made, 6, *TEXTS)
        embed(made, *TEXTS)
        made.vectors.keep_signs(model_of(made))
        yield made


def test_a_change_of_a_note_costs_its_block_alone(store: SqliteStore) -> None:
    before = kept(store)
    assert len(before) == BLOCKS + 1
    put(store, 2, "another text")
    assert kept(store).items() < before.items()
    assert len(kept(store)) == BLOCKS
    assert_right(store)
    store.vectors.keep_signs(model_of(store))
    assert len(kept(store).items() & before.items()) == BLOCKS
    again = kept(store)
    store.vectors.keep_signs(model_of(store))
    assert kept(store) == again


def test_vectors_that_come_later_are_found_and_then_kept(store: SqliteStore) -> None:
    put(store, 2, "another text")
    store.vectors.keep_signs(model_of(store))
    before = kept(store)
    embed(store, "another text")
    assert kept(store) == before
    assert_right(store)
    store.vectors.keep_signs(model_of(store))
    assert len(kept(store).items() & before.items()) == BLOCKS
    assert_right(store)


def test_a_vector_that_is_made_again_takes_the_place_of_the_old_one(store: SqliteStore) -> None:
    embed(store, TEXTS[0], TEXTS[3])
    assert_right(store)


def test_a_note_that_comes_into_a_block_is_found(store: SqliteStore) -> None:
    put(store, 7, TEXTS[1])
    assert len(kept(store)) == BLOCKS
    assert_right(store)


def test_an_id_that_is_given_again_is_a_newer_vector(store: SqliteStore) -> None:
    put(store, 2, "without a vector yet")
    embed(store, "of no section")
    store.vectors.keep_signs(model_of(store))
    store.vectors.sweep(1)
    store.vectors.sweep(KEEP_SECONDS + 2)
    embed(store, "without a vector yet")
    assert_right(store)


def test_who_has_read_them_notices_that_the_index_was_emptied(store: SqliteStore) -> None:
    forget(store)
    with closing(sqlite3.connect(store.path)) as db:
        lasting, matrix = SignRows(db, model_of(store)), VectorMatrix(db, model_of(store))
        assert_right(store, lasting)
        store.rebuild()
        texts = [f"later {n}" for n in range(30)]
        put(store, 1, *texts)
        embed(store, *texts)
        assert_right(store, lasting)
        assert_same_scores(store, matrix)


def forget(store: SqliteStore) -> None:
    """Leave no signs in the index."""
    with closing(sqlite3.connect(store.path)) as db:
        db.execute("DELETE FROM sketch_centres")
        db.execute("DELETE FROM sketches")
        db.commit()


def test_the_centre_follows_the_vectors(store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path)) as db:
        (before,) = db.execute("SELECT centre FROM sketch_centres").fetchone()
        texts = [f"more {n}" for n in range(30)]
        put(store, 50, *texts)
        embed(store, *texts)
        store.vectors.keep_signs(model_of(store))
        assert db.execute("SELECT centre FROM sketch_centres").fetchone() != (before,)
    assert_right(store)


def test_few_vectors_have_no_signs(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_FROM", 1000)
    store.vectors.keep_signs(model_of(store))
    assert kept(store) == {}
    assert_right(store)


def test_another_model_has_its_own(store: SqliteStore) -> None:
    other = store.vectors.register("other", "", ("", ""), 4).id
    axes = [Vector(row.tobytes()) for row in np.eye(4, dtype="<f4")]
    store.vectors.put(other, {text_digest(text): axes[n % 4] for n, text in enumerate(TEXTS)})
    store.vectors.activate(other)
    assert kept(store) == {}
    store.vectors.keep_signs(other)
    assert len(kept(store)) == BLOCKS + 1
    with closing(sqlite3.connect(store.path)) as db:
        signs = SignRows(db, other).load()
    assert (len(signs.sections), signs.waiting, len(signs.bits)) == (3 * BLOCKS + len(TEXTS), 0, 1)


def test_being_stopped_anywhere_leaves_them_right(store: SqliteStore) -> None:
    put(store, 2, "another text")
    embed(store, "another text", *TEXTS)
    forget(store)
    for stopped in range(200):
        db = sqlite3.connect(store.path, isolation_level=None, factory=Stopping)
        db.left = stopped
        with closing(db):
            try:
                SignRows(db, model_of(store)).complete()
            except KeyboardInterrupt:
                assert_right(store)
            else:
                break
    assert stopped > 20
    assert len(kept(store)) == BLOCKS + 1


class Stopping(sqlite3.Connection):
    """Ends with a statement."""

    left = 1 << 30

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self.left -= 1
        if self.left < 0 and sql != "ROLLBACK":
            raise KeyboardInterrupt
        return super().execute(sql, parameters)


DAMAGE: dict[str, str] = {
    "cut short": "UPDATE sketches SET data = substr(data, 1, 40)",
    "cut by a section": "UPDATE sketches SET data = substr(data, 1, length(data) - 8)",
    "of another block": "UPDATE sketches SET data = (SELECT data FROM sketches WHERE block = 2) WHERE block = 1",
    "no bytes": "UPDATE sketches SET data = 'text'",
    "another centre": "UPDATE sketch_centres SET centre = zeroblob(length(centre))",
    "a centre that is none": "UPDATE sketch_centres SET centre = X'00'",
    "as if no vector were new": "UPDATE sketch_centres SET newest = 1 << 40",
    "waiting for nothing": "UPDATE sketches SET waiting = 5",
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_found(store: SqliteStore, kind: str) -> None:
    put(store, 2, "another text")
    store.vectors.keep_signs(model_of(store))
    embed(store, "another text")
    store.check()
    with closing(sqlite3.connect(store.path)) as db:
        db.execute(DAMAGE[kind])
        db.commit()
    with pytest.raises(IndexDamaged, match="signs"):
        store.check()


def test_one_question_reads_them_and_many_read_the_vectors(store: SqliteStore) -> None:
    assert isinstance(store.matrix(model_of(store)), VectorMatrix)
    with open_store(store.path, ANALYSER) as brief:
        brief.is_brief = True
        matrix = brief.matrix(model_of(store))
        assert isinstance(matrix, Sketch)
        query = vector("text 3 or 4")
        found = matrix.scores(query, None).top(Admission({}), 5)
        wanted = store.matrix(model_of(store)).scores(query, None).top(Admission({}), 5)
        assert [key for key, _ in found] == [key for key, _ in wanted]


WHO = ("the gateway", "the billing job", "a new hire", "the mobile client", "our largest customer", "the auditor")
WHAT = (
    "signs a session out after half an hour",
    "keeps invoices for ten years",
    "may not deploy on a Friday",
    "retries a request three times at most",
    "asks for a second factor",
    "stores dates in UTC",
    "reads the holiday calendar of each country",
    "sends a letter when a card was refused",
    "writes what it did to a log of its own",
    "is tested against last year's data",
)


@pytest.mark.skipif(not is_available(), reason="the builtin model is not there")
def test_with_the_builtin_model_they_find_what_all_vectors_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sketching, "EXACT", 20)
    texts = [f"{who} {what}" for who in WHO for what in WHAT]
    embedder = BuiltinEmbedder()
    with begun(tmp_path) as store:
        model = store.vectors.register("m", "", ("", ""), 384).id
        vectors = zip(texts, embedder.embed_documents(texts), strict=True)
        store.vectors.put(model, {text_digest(text): each for text, each in vectors if isinstance(each, bytes)})
        for number, who in enumerate(WHO):
            put(store, number, *(f"{who} {what}" for what in WHAT))
        store.vectors.keep_signs(model)
        exact = store.matrix(model)
        with open_store(store.path, ANALYSER) as brief:
            brief.is_brief = True
            for query in map(embedder.embed_query, ("how long does a session last", *WHAT[1:7])):
                found = brief.matrix(model).scores(query, None).top(Admission({}), 10)
                wanted = exact.scores(query, None).top(Admission({}), 10)
                assert [key for key, _ in found] == [key for key, _ in wanted]
                assert np.allclose([score for _, score in found], [score for _, score in wanted], atol=1e-5)


def test_what_a_server_embeds_between_two_questions_is_kept(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    with begun(tmp_path) as store:
        row = store.vectors.register(embedder.model.name, "", ("", ""), 0)
        store.vectors.activate(row.id)
        assert EmbeddingRun(store, embedder).catch_up(math.inf)
        with closing(sqlite3.connect(store.path)) as db:
            assert db.execute("SELECT sum(sections) FROM sketches").fetchone() == (3 * BLOCKS,)


def test_a_long_run_keeps_them_on_its_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "BATCH", 2)
    monkeypatch.setattr(embedding, "KEPT_AFTER", 4)

    class Looking(FakeEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
            seen.append(len(kept(store)))
            return super().embed_documents(texts)

    seen: list[int] = []
    embedder = Looking()
    with begun(tmp_path) as store:
        prefixes = (embedder.model.query_prefix, embedder.model.document_prefix)
        store.vectors.activate(store.vectors.register(embedder.model.name, str(embedder.digest()), prefixes, 0).id)
        EmbeddingRun(store, embedder).run(full=False, now=1)
        assert (seen[:2], seen[2] > 0) == ([0, 0], True)
