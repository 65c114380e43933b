"""The last part of a run: noise, and the vault's headings asked as questions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import FAKE_MODEL, FakeEmbedder
from workbench import Workbench, note, workbench

from docs_rag.app.calibrating import Calibrator
from docs_rag.core.calibration import Calibration, Sides
from docs_rag.core.models import Model
from docs_rag.core.ports import Vector
from docs_rag.core.sampling import Sampled
from docs_rag.errors import EmbedderUnavailable

PLAIN = FAKE_MODEL
PREFIXED = replace(FAKE_MODEL, query_prefix="query: ")
CENTRED = replace(FAKE_MODEL, query_prefix="query: ", score="centred")

COMMON = " ".join(f"common{n}" for n in range(40))
"""Words that hold the noise where it is: beside them one word more in common is nothing."""

Bench = Callable[..., Workbench]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    opened: list[Workbench] = []

    def make(files: dict[str, str | bytes], embedder: FakeEmbedder | None = None) -> Workbench:
        opened.append(workbench(tmp_path, files, embedder or FakeEmbedder()))
        return opened[-1]

    yield make
    for each in opened:
        each.store.close()


def topics(count: int, start: int = 0) -> dict[str, str | bytes]:
    """Notes of one section each, whose heading and text have no word in common with any other."""
    return {f"n{n}.md": f"# Oak{n} elm{n} ash{n} yew{n}\n\nfir{n} fig{n} box{n}\n" for n in range(start, start + count)}


def queries(the: Workbench) -> int:
    assert the.embedder is not None
    return len(the.embedder.queries)


def measured(the: Workbench, **request: object) -> Calibration:
    found = the.index(**request).calibration
    assert found is not None
    return found


def sides(the: Workbench, **request: object) -> Sides:
    found = measured(the, **request).sides
    assert found is not None
    return found


@pytest.mark.parametrize("model", [PLAIN, PREFIXED, CENTRED])
def test_headings_find_their_own_note_on_the_scale_of_every_score(bench: Bench, model: Model) -> None:
    the = bench(topics(60), FakeEmbedder(model))
    found = sides(the)
    assert found.own > 0.55
    assert found.others < 0.45
    assert found.overlap == 0.0


def test_headings_that_other_notes_answer_better_overlap(bench: Bench) -> None:
    loud = {f"z{n}.md": f"# Same\n\noak{n} elm{n} ash{n} yew{n}\n" for n in range(60)}
    the = bench({**topics(60), **loud})
    found = sides(the)
    assert found.others > found.own > 0.5
    assert found.overlap > 0.9


def test_records_that_no_longer_hold_neither_ask_nor_answer(bench: Bench) -> None:
    dead: dict[str, str | bytes] = {
        f"z{n}.md": note(f"# Pine{n} oak{n} elm{n} ash{n} yew{n}\n", status="archived") for n in range(30)
    }
    the = bench({**topics(60), **dead})
    found = measured(the)
    assert found.questions == 60
    assert found.sides is not None
    assert found.sides.others < 0.45


def test_too_few_headings_are_counted_and_give_no_figure(bench: Bench) -> None:
    same = {f"z{n}.md": f"# Same\n\nlinden{n} maple{n} rowan{n}\n" for n in range(50)}
    found = measured(bench({**topics(19), **same}))
    assert (found.questions, found.sides) == (19, None)
    assert found.pairs > 400


def test_one_note_more_makes_the_twentieth_question(bench: Bench) -> None:
    same = {f"z{n}.md": f"# Same\n\nlinden{n} maple{n} rowan{n}\n" for n in range(50)}
    assert measured(bench({**topics(20), **same})).sides is not None


def test_a_run_without_changes_asks_no_heading_and_scores_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    the = bench({path: f"{text!s} {COMMON}" for path, text in topics(60).items()})
    first, asked = measured(the), queries(the)
    monkeypatch.setattr(the.store, "matrix", lambda model: pytest.fail("every section was scored"))
    assert measured(the) == first
    the.vault.write("n1.md", f"# Oak1 elm1 ash1 larch\n\nfir1 fig1 box1 {COMMON}\n")
    report = the.index()
    assert (report.modified, report.calibration) == (1, first)
    assert queries(the) == asked == 60


def test_a_vault_that_grew_by_more_than_a_fifth_is_asked_again(bench: Bench) -> None:
    the = bench(topics(60))
    assert measured(the).questions == 60
    the.vault.files.update(topics(15, start=60))
    assert measured(the).questions == 75


def test_a_vault_that_shrank_is_asked_again_although_nothing_was_embedded(bench: Bench) -> None:
    the = bench(topics(80))
    assert measured(the).questions == 80
    for path in list(topics(20)):
        the.vault.delete(path)
    assert measured(the, accept_removals=True).questions == 60


def test_a_full_run_asks_again(bench: Bench) -> None:
    the = bench(topics(60))
    first, asked = measured(the), queries(the)
    assert measured(the, full=True) == first
    assert queries(the) == 2 * asked


def as_before(the: Workbench, kept: Calibration) -> Calibration:
    """Store a calibration as a version left it that measured noise alone."""
    old = replace(kept, questions=None, sides=None)
    value = {"model": 1, "p99": old.p99, "pairs": old.pairs, "suggested": old.suggested, "sections": old.sections}
    the.store._db.execute("UPDATE meta SET value = ? WHERE key = 'calibration'", (json.dumps(value),))
    assert the.store.vectors.calibration() == old
    return old


def test_what_an_older_version_measured_is_completed_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    the = bench(topics(60))
    whole = measured(the)
    as_before(the, whole)
    assert measured(the) == whole
    monkeypatch.setattr(the.store, "matrix", lambda model: pytest.fail("every section was scored"))
    assert measured(the) == whole


def test_completing_an_older_calibration_does_not_move_its_floor(bench: Bench) -> None:
    the = bench(topics(60), FakeEmbedder(replace(FAKE_MODEL, min_score=None)))
    whole = measured(the)
    old = as_before(the, replace(whole, suggested=whole.suggested + 0.02))
    report = the.index()
    assert report.floor is not None and report.floor.value == old.suggested
    assert report.calibration == replace(old, questions=whole.questions, sides=whole.sides)


def test_a_heading_that_the_model_refuses_is_no_question(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    the = bench(topics(60))
    assert the.embedder is not None
    ask = the.embedder.embed_query

    def refuse(text: str) -> Vector:
        if text.startswith("Oak1 "):
            raise EmbedderUnavailable("cannot embed this", "shorten it")
        return ask(text)

    monkeypatch.setattr(the.embedder, "embed_query", refuse)
    assert measured(the).questions == 59


def test_a_large_vault_is_measured_again_when_its_sample_is_another(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    the = bench(topics(24))
    the.index()
    measurements: list[bool] = []
    measure = Calibrator._measure

    def count(self: Calibrator, documents: Sequence[Sampled], full: bool) -> None:
        measurements.append(full)
        measure(self, documents, full)

    def edit(text: str) -> int:
        the.vault.write("n9.md", f"# {text}\n\nwords of another kind\n")
        the.index()
        return len(measurements)

    monkeypatch.setattr(Calibrator, "_measure", count)
    assert edit("One") == 1
    monkeypatch.setattr("docs_rag.app.calibrating.LARGE", 10)
    assert edit("Two") == 2
    monkeypatch.setattr("docs_rag.app.calibrating.SAMPLE", 1)
    assert edit("Three") == 3
    assert edit("Four") == edit("Five") == 3
    the.index(full=True)
    assert measurements == [False, False, False, True]
