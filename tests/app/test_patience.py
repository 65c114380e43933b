from __future__ import annotations

import pytest
from fakes import FakeEmbedder

from docs_rag.app.patience import GiveWay, PatientEmbedder
from docs_rag.core.ports import EmbedFailure
from docs_rag.errors import EmbedderUnavailable


def test_results_are_those_of_the_embedder() -> None:
    plain = FakeEmbedder()
    patient = PatientEmbedder(FakeEmbedder(), lambda: True)
    texts = ["one", "two words", "one"]
    assert patient.embed_documents(texts) == plain.embed_documents(texts)
    assert patient.embed_query("one") == plain.embed_query("one")
    assert (patient.model, patient.digest()) == (plain.model, plain.digest())


def test_it_gives_way_before_it_asks_the_model() -> None:
    inner = FakeEmbedder()
    with pytest.raises(GiveWay):
        PatientEmbedder(inner, lambda: False).embed_documents(["a", "b"])
    assert inner.embedded == []


def test_failures_and_cut_texts_keep_their_places() -> None:
    inner = FakeEmbedder()
    inner.refuses, inner.shortens = {"poison"}, 2
    patient = PatientEmbedder(inner, lambda: True)
    results = patient.embed_documents(["a b c", "poison", "a"])
    assert [isinstance(each, EmbedFailure) for each in results] == [False, True, False]
    assert patient.last_truncated == frozenset({0})


def test_questions_never_give_way() -> None:
    assert PatientEmbedder(FakeEmbedder(), lambda: False).embed_query("a")


def test_whoever_can_do_without_vectors_can_do_without_these() -> None:
    assert issubclass(GiveWay, EmbedderUnavailable)


def test_it_is_waiting_only_while_the_model_is_at_work() -> None:
    seen: list[bool] = []

    class Watched(FakeEmbedder):
        def _reach(self) -> None:
            seen.append(patient.is_waiting)
            super()._reach()

    inner = Watched()
    patient = PatientEmbedder(inner, lambda: True)
    inner.down = True
    with pytest.raises(EmbedderUnavailable):
        patient.embed_query("a")
    assert (seen, patient.is_waiting) == ([True], False)
