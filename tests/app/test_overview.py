"""The state of an index as `status` shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import FAKE_MODEL, FakeEmbedder
from workbench import Workbench, note, workbench

from docs_rag.app.overview import Settings, overview
from docs_rag.core.calibration import Floor
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.indexstate import IndexState, as_json

SETTINGS = Settings(config="/p/.rag/config.json", vault="/p", index="/p/.rag/index.db", min_score=None)
NOTES: dict[str, str | bytes] = {
    "a.md": note("# A\n\nalpha"),
    "b.md": note("# B\n\nbeta", status="superseded", superseded_by="a.md"),
    "c.md": b"Caf\xe9",
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    made = workbench(tmp_path, NOTES, FakeEmbedder())
    made.vault.left_out = {"hidden": 3}
    yield made
    made.store.close()


def state(bench: Workbench, *, failure: str = "", settings: Settings = SETTINGS) -> IndexState:
    return overview(bench.store, bench.embedder, settings, failure)


def test_what_is_there_and_what_is_not(bench: Workbench) -> None:
    bench.index()
    found = state(bench)
    assert (found.documents, found.chunks, found.embedded, found.pending) == (2, 2, 2, 0)
    assert found.by_status == {"current": 1, "superseded": 1}
    assert found.ignored == {"hidden": 3}
    assert [(each.path, each.code) for each in found.failed] == [("c.md", "encoding")]
    assert found.last_run is not None
    assert found.last_run.ok


def test_with_a_model_that_answers(bench: Workbench) -> None:
    bench.index()
    found = state(bench)
    assert (found.model, found.score, found.mode) == ("fake", "cosine", "semantic+lexical")
    assert found.floor == Floor(0.3, "registry")
    assert state(bench, settings=replace(SETTINGS, min_score=0.7)).floor == Floor(0.7, "config")
    assert found.notices == ()


def test_with_a_model_that_is_down(bench: Workbench) -> None:
    bench.index()
    assert bench.embedder is not None
    bench.embedder.down = True
    found = state(bench)
    assert (found.mode, found.floor, found.score) == ("lexical (embedder unavailable)", None, "none")
    assert found.model == "fake"
    assert found.notices == ("cannot reach the fake embedder; switch it on",)


def test_with_a_model_that_cannot_be_had_at_all(bench: Workbench) -> None:
    bench.index()
    bench.embedder = None
    found = state(bench, failure="no such model here")
    assert found.mode == "lexical (embedder unavailable)"
    assert found.notices == ("no such model here",)


def test_with_another_model_than_the_index_has(bench: Workbench) -> None:
    bench.index()
    bench.embedder = FakeEmbedder(replace(FAKE_MODEL, name="other"))
    found = state(bench)
    assert found.mode == "lexical (embedder unavailable)"
    assert found.notices == ("the index was made with fake, the config asks for other; run: docs-rag index",)


def test_without_a_model(bench: Workbench) -> None:
    bench.embedder = None
    bench.index()
    found = state(bench)
    assert (found.model, found.mode, found.pending, found.floor) == ("none", "lexical", 0, None)


def test_before_the_first_vector_everything_waits(bench: Workbench) -> None:
    embedder, bench.embedder = bench.embedder, None
    bench.index()
    bench.embedder = embedder
    found = state(bench)
    assert (found.embedded, found.pending, found.mode) == (0, 2, "lexical")


def test_a_note_that_became_unreadable_is_stale_and_failed(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("a.md", b"Caf\xe9 anew")
    bench.index()
    found = state(bench)
    assert found.stale == 1
    assert sorted(each.path for each in found.failed) == ["a.md", "c.md"]


def test_the_document_says_null_where_nothing_is_known(bench: Workbench) -> None:
    bench.embedder = None
    document = as_json(state(bench, settings=replace(SETTINGS, config=None)))
    assert document["config"] is None
    assert document["threshold"] is None
    assert document["thresholdSource"] is None
    assert document["lastRun"] is None


def test_failed_files_are_objects(bench: Workbench) -> None:
    bench.index()
    found = replace(state(bench), failed=(Skipped(DocPath("x.md"), "yaml", "bad"),))
    assert as_json(found)["failed"] == [{"path": "x.md", "code": "yaml", "message": "bad"}]
