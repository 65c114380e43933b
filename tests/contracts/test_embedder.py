"""What every embedder keeps to: the Ollama client (against a local server), the builtin model, the tests' fake."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from fakes import FakeEmbedder
from ollama_stub import OllamaStub, StubModel

from docs_rag.adapters.embedders.builtin import BuiltinEmbedder, is_available
from docs_rag.adapters.embedders.ollama import OllamaEmbedder
from docs_rag.core.models import lookup
from docs_rag.core.ports import Embedder, EmbedFailure, Vector
from docs_rag.core.vectors import dot, unpack

KINDS = ["ollama", "builtin", "fake"]


@pytest.fixture(scope="module", params=KINDS)
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "ollama":
        with OllamaStub(StubModel("nomic-embed-text", dimensions=768)) as stub:
            client = OllamaEmbedder(stub.url, "nomic-embed-text:latest")
            yield client
            client.close()
    elif request.param == "builtin":
        if not is_available():
            pytest.skip("no builtin model on this system")
        yield BuiltinEmbedder(threads=2)
    else:
        yield FakeEmbedder()


def embedded(embedder: Embedder, *texts: str) -> list[Vector]:
    results = embedder.embed_documents(texts)
    assert not any(isinstance(result, EmbedFailure) for result in results)
    return [result for result in results if not isinstance(result, EmbedFailure)]


NOTES = (
    "Kafka carries the payment events to the ledger.",
    "Pancakes need milk, flour, eggs and a hot pan.",
    "La base de datos guarda las facturas de cada cliente.",
    "토큰은 삼십 분마다 다시 발급된다.",
    "队列在部署之前会被清空。",
)


def test_one_vector_a_text_in_order(embedder: Embedder) -> None:
    together = embedded(embedder, *NOTES)
    assert len(together) == len(NOTES)
    for note, vector in zip(NOTES, together, strict=True):
        assert dot(vector, embedded(embedder, note)[0]) == pytest.approx(1, abs=1e-4)


def test_vectors_have_the_dimensions_of_the_model_and_unit_length(embedder: Embedder) -> None:
    for vector in [*embedded(embedder, *NOTES), embedder.embed_query("kafka")]:
        numbers = unpack(vector)
        assert len(numbers) == embedder.model.dimensions
        assert math.hypot(*numbers) == pytest.approx(1, abs=1e-5)


def test_a_question_is_nearest_to_its_answer(embedder: Embedder) -> None:
    question = embedder.embed_query("what carries the payment events")
    scores = [dot(question, vector) for vector in embedded(embedder, *NOTES)]
    assert scores.index(max(scores)) == 0


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_documents([]) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "a\0b",
        "half \ud800 pair",
        "\ufdfa" * 40,
        "\u202e\u200b\ufeff",
        "🌱" * 30,
        "x" * 900,
        "e\u0301" * 60,
    ],
    ids=["empty", "blank", "nul", "surrogate", "ligature", "invisible", "emoji", "long-word", "combining"],
)
def test_odd_text_gives_a_vector_or_a_failure_and_leaves_its_neighbours_alone(embedder: Embedder, text: str) -> None:
    results = embedder.embed_documents([NOTES[0], text, NOTES[1]])
    assert len(results) == 3
    expected = embedded(embedder, NOTES[0], NOTES[1])
    for result, vector in zip((results[0], results[2]), expected, strict=True):
        assert not isinstance(result, EmbedFailure)
        assert dot(result, vector) == pytest.approx(1, abs=1e-4)
    assert len(embedder.embed_query(text)) == len(expected[0])


def test_the_digest_stays_while_the_model_does(embedder: Embedder) -> None:
    assert embedder.digest()
    assert embedder.digest() == embedder.digest()


def test_the_model_is_described(embedder: Embedder) -> None:
    assert embedder.model.name
    assert not embedder.model.name.endswith(":latest")
    assert embedder.model == lookup(embedder.model.name) or embedder.model.name == "fake"
