from __future__ import annotations

import pytest
from fakes import FakeEmbedder

from docs_rag.app.patience import GiveWay, PatientEmbedder
from docs_rag.core.ports import EmbedFailure
from docs_rag.errors import EmbedderUnavailable


class Turnstile:
    """Lets `count` sections through."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __call__(self) -> bool:
        self.count -= 1
        return self.count >= 0


def test_results_are_those_of_the_embedder() -> None:
    plain = FakeEmbedder()
    patient = PatientEmbedder(FakeEmbedder(), lambda: True)
    texts = ["one", "two words", "one"]
    assert patient.embed_documents(texts) == plain.embed_documents(texts)
    assert patient.embed_query("one") == plain.embed_query("one")
    assert (patient.model, patient.digest()) == (plain.model, plain.digest())


def test_it_gives_way_between_two_sections_and_embeds_none_twice() -> None:
    inner = FakeEmbedder()
    gate = Turnstile(2)
    patient = PatientEmbedder(inner, gate)
    with pytest.raises(GiveWay):
        patient.embed_documents(["a", "b", "c", "d"])
    assert inner.embedded == ["a", "b"]
    gate.count = 2
    assert len(patient.embed_documents(["a", "b", "c", "d"])) == 4
    assert inner.embedded == ["a", "b", "c", "d"]


def test_a_finished_batch_is_forgotten() -> None:
    inner = FakeEmbedder()
    patient = PatientEmbedder(inner, lambda: True)
    patient.embed_documents(["a"])
    patient.embed_documents(["a"])
    assert inner.embedded == ["a", "a"]


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
