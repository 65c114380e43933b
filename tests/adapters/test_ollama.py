"""The Ollama client against a local server that speaks its API, faults included."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import ollama_stub
import pytest
from ollama_stub import OllamaStub, Reply, StubModel, failure

from docs_rag.adapters.embedders import ollama
from docs_rag.adapters.embedders.ollama import OllamaEmbedder, installed_embedding_models
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.core.vectors import dot, is_zero, unpack
from docs_rag.errors import ConfigError, DocsRagError, EmbedderUnavailable

TEXTS = [f"note {number} speaks of subject{number} and nothing else" for number in range(20)]


@pytest.fixture
def stub() -> Iterator[OllamaStub]:
    with OllamaStub(StubModel("own-model"), StubModel("bge-m3", dimensions=1024)) as server:
        yield server


@pytest.fixture
def connect(stub: OllamaStub) -> Iterator[Callable[..., OllamaEmbedder]]:
    opened: list[OllamaEmbedder] = []

    def open_one(name: str = "own-model", **options: Any) -> OllamaEmbedder:
        opened.append(OllamaEmbedder(stub.url, name, **options))
        return opened[-1]

    yield open_one
    for embedder in opened:
        embedder.close()


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ollama, "_BUSY_PAUSES", (0.0, 0.0, 0.0))


def vectors(results: list[Vector | EmbedFailure]) -> list[Vector]:
    for result in results:
        assert not isinstance(result, EmbedFailure), result.message
    return [result for result in results if not isinstance(result, EmbedFailure)]


def refused(call: Callable[[], object]) -> EmbedderUnavailable:
    with pytest.raises(EmbedderUnavailable) as caught:
        call()
    assert "\n" not in str(caught.value)
    return caught.value


Connect = Callable[..., OllamaEmbedder]


def test_texts_go_out_in_small_groups_over_one_connection(stub: OllamaStub, connect: Connect) -> None:
    embedder = connect()
    answers = vectors(embedder.embed_documents(TEXTS))
    assert [len(group) for group in stub.embedded] == [8, 8, 4]
    assert [text for group in stub.embedded for text in group] == TEXTS
    assert all(body["truncate"] is False for _, path, body in stub.requests if path == "/api/embed")
    assert len(answers) == len(set(answers)) == len(TEXTS)
    embedder.embed_query("subject3")
    assert stub.connections == 1


def test_long_texts_do_not_share_a_request(stub: OllamaStub, connect: Connect) -> None:
    long = "word " * 350
    connect().embed_documents(["one", long, "two", "three"])
    assert stub.embedded == [["one"], [long], ["two", "three"]]


def test_the_prefixes_of_the_model_are_sent(stub: OllamaStub, connect: Connect) -> None:
    stub.models.append(StubModel("nomic-embed-text", dimensions=768))
    embedder = connect("nomic-embed-text")
    embedder.embed_documents(["kafka"])
    embedder.embed_query("kafka")
    assert stub.embedded == [["search_document: kafka"], ["search_query: kafka"]]


def test_nothing_is_asked_before_it_is_needed(stub: OllamaStub, connect: Connect) -> None:
    assert connect().model.dimensions is None
    assert stub.requests == []


def test_no_text_asks_for_no_vectors(stub: OllamaStub, connect: Connect) -> None:
    assert connect().embed_documents([]) == []
    assert stub.embedded == []


def test_an_unknown_model_is_described_by_the_server(stub: OllamaStub, connect: Connect) -> None:
    embedder = connect()
    embedder.embed_query("x")
    assert (embedder.model.known, embedder.model.dimensions, embedder.model.max_tokens) == (False, 512, 512)


def test_a_server_that_describes_nothing_is_believed_by_its_first_answer(stub: OllamaStub, connect: Connect) -> None:
    listed = stub.answer("GET", "/api/tags", None)
    stub.replies = [listed, Reply(body={})]
    embedder = connect()
    embedder.embed_query("x")
    assert embedder.model.dimensions == 512


@pytest.mark.parametrize(
    "fault",
    [
        failure(500, ollama_stub.NAN_IN_ANSWER),
        failure(400, ollama_stub.NAN_IN_VECTOR),
        failure(500, ollama_stub.CRASHED),
        Reply(body={"embeddings": [[float("nan")] * 512]}),
        Reply(body={"embeddings": []}),
    ],
)
def test_case_37_one_poisonous_text_costs_only_itself(stub: OllamaStub, connect: Connect, fault: Reply) -> None:
    stub.poison["subject5"] = fault
    answers = connect().embed_documents(TEXTS)
    failures = [at for at, answer in enumerate(answers) if isinstance(answer, EmbedFailure)]
    assert failures == [5]
    others = [text for at, text in enumerate(TEXTS) if at != 5]
    expected = vectors(connect().embed_documents(others))
    assert [answer for answer in answers if not isinstance(answer, EmbedFailure)] == expected


def test_case_37_a_poisonous_text_is_tried_in_plain_form(stub: OllamaStub, connect: Connect) -> None:
    stub.poison["\u200b"] = failure(500, ollama_stub.NAN_IN_ANSWER)
    text = "zero\u200bwidth \ue000 and\n\n\tgaps"
    assert len(vectors(connect().embed_documents([text]))) == 1
    assert stub.embedded == [[text], ["zero width and gaps"]]


def test_case_37_a_server_that_embeds_nothing_is_told_from_a_bad_text(stub: OllamaStub, connect: Connect) -> None:
    stub.poison[""] = failure(500, "llama runner process has terminated: exit status 2")
    error = refused(lambda: connect().embed_documents(TEXTS))
    assert "embeds nothing: llama runner process has terminated" in error.message
    assert "ollama pull own-model" in error.hint
    assert len(stub.embedded) < 8


def test_case_37_a_bad_query_says_so(stub: OllamaStub, connect: Connect) -> None:
    stub.poison["subject5"] = failure(400, ollama_stub.NAN_IN_VECTOR)
    error = refused(lambda: connect().embed_query("subject5"))
    assert error.message.startswith("the model could not embed this query")


@pytest.mark.parametrize(
    "alter",
    [
        lambda rows: rows[:-1],
        lambda rows: [*rows, rows[0]],
        lambda rows: None,
        lambda rows: [None for _ in rows],
        lambda rows: ["text" for _ in rows],
        lambda rows: [["a"] * 512 for _ in rows],
        lambda rows: [[float("inf")] * 512 for _ in rows],
        lambda rows: [{"a": 1} for _ in rows],
    ],
)
def test_answers_that_are_no_vectors_are_refused(
    stub: OllamaStub, connect: Connect, alter: Callable[[list[Any]], Any]
) -> None:
    stub.alter = alter
    assert "embeds nothing" in refused(lambda: connect().embed_documents(TEXTS[:4])).message


@pytest.mark.parametrize("name", ["own-model", "bge-m3"])
def test_other_dimensions_than_expected_are_refused(stub: OllamaStub, connect: Connect, name: str) -> None:
    stub.alter = lambda rows: [row[:48] for row in rows]
    error = refused(lambda: connect(name).embed_documents(["x"]))
    assert "answered with 48 dimensions where" in error.message


def test_case_38_long_texts_are_shortened_and_reported(stub: OllamaStub, connect: Connect) -> None:
    long = " ".join(f"w{number}" for number in range(2000))
    embedder = connect()
    answers = vectors(embedder.embed_documents(["short one", long, "short two"]))
    assert embedder.last_truncated == {1}
    sent = stub.embedded[-2][0]
    assert long.startswith(f"{sent} ")
    assert len(sent.split()) > 200
    assert dot(answers[1], embedder.embed_query(sent)) == pytest.approx(1)
    embedder.embed_documents(["short"])
    assert embedder.last_truncated == frozenset()


def test_case_38_a_server_that_cuts_in_silence_is_noticed(stub: OllamaStub, connect: Connect) -> None:
    stub.models[0].cuts_silently = True
    embedder = connect()
    embedder.embed_documents(["a few words", "word " * 900])
    assert embedder.last_truncated == {1}


def test_case_38_a_long_text_that_crashes_the_runner_is_shortened(stub: OllamaStub, connect: Connect) -> None:
    stub.poison["the-end"] = failure(500, ollama_stub.CRASHED)
    embedder = connect()
    vectors(embedder.embed_documents(["word " * 450 + "the-end"]))
    assert embedder.last_truncated == {0}


def test_case_38_a_long_query_is_shortened(stub: OllamaStub, connect: Connect) -> None:
    assert unpack(connect().embed_query("words " * 3000))
    assert len(stub.embedded) > 1


def test_case_42_vectors_are_normalised_and_zero_stays_zero(stub: OllamaStub, connect: Connect) -> None:
    stub.models[0].norm = 7.0
    stub.alter = lambda rows: [rows[0], [0.0] * 512]
    first, second = vectors(connect().embed_documents(["some words", "others"]))
    assert dot(first, first) == pytest.approx(1)
    assert is_zero(second)


def test_half_surrogates_and_nul_reach_the_server_as_other_characters(stub: OllamaStub, connect: Connect) -> None:
    connect().embed_documents(["a\ud800b\0c"])
    assert stub.embedded == [["a?b c"]]


def test_case_41_the_digest_is_read_anew(stub: OllamaStub, connect: Connect) -> None:
    embedder = connect("own-model:latest")
    assert (embedder.model.name, embedder.digest()) == ("own-model", "sha256:one")
    stub.models[0].digest = "sha256:two"
    assert embedder.digest() == "sha256:two"


def test_case_40_a_missing_model_names_the_command(stub: OllamaStub, connect: Connect) -> None:
    for call in (connect("mxbai-embed-large").digest, lambda: connect("mxbai-embed-large").embed_query("x")):
        error = refused(call)
        assert error.message == f"Ollama at {stub.url} does not have mxbai-embed-large"
        assert error.hint == "run `ollama pull mxbai-embed-large`"
    assert stub.embedded == []


def test_a_model_that_goes_away_meanwhile_names_the_command(stub: OllamaStub, connect: Connect) -> None:
    embedder = connect()
    embedder.embed_query("x")
    del stub.models[0]
    assert refused(lambda: embedder.embed_query("x")).hint == "run `ollama pull own-model`"


def test_case_40_a_closed_port_names_the_url_and_the_command() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    error = refused(lambda: OllamaEmbedder(url, "bge-m3").embed_query("x"))
    assert error.message == f"cannot reach Ollama at {url}"
    assert "`ollama serve`" in error.hint


def test_case_40_loopback_never_goes_through_a_proxy(
    stub: OllamaStub, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    assert connect().embed_query("x")


def test_a_base_path_is_kept(stub: OllamaStub) -> None:
    embedder = OllamaEmbedder(f"{stub.url}/gate", "own-model")
    assert "is not Ollama (HTTP 404)" in refused(embedder.digest).message
    assert stub.requests[-1][1] == "/gate/api/tags"


def test_a_slow_server_is_given_up(stub: OllamaStub, connect: Connect) -> None:
    stub.delay = 0.5
    error = refused(lambda: connect(timeout=0.05).embed_query("x"))
    assert error.message == f"Ollama at {stub.url} gave no answer within 0.05 s"


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(status=502, body=ollama_stub.PROXY_PAGE), "is not Ollama (HTTP 502)"),
        (Reply(status=200, body=ollama_stub.PROXY_PAGE), "is not Ollama (HTTP 200)"),
        (Reply(status=200, body=[1]), "is not Ollama (HTTP 200)"),
        (Reply(status=404, body="404 page not found"), "is not Ollama (HTTP 404)"),
        (Reply(status=302, headers={"Location": "http://127.0.0.1:9/"}), "is not Ollama (HTTP 302)"),
        (failure(502, "cannot reach\nthe cloud"), "cannot answer (HTTP 502: cannot reach the cloud)"),
        (failure(500, "disk broke"), "cannot answer (HTTP 500: disk broke)"),
        (failure(401, "unauthorized"), "cannot answer (HTTP 401: unauthorized)"),
    ],
)
def test_other_answers_become_one_line_with_the_url(
    stub: OllamaStub, connect: Connect, reply: Reply, message: str
) -> None:
    stub.replies = [reply]
    error = refused(lambda: connect().embed_query("x"))
    assert message in error.message
    assert stub.url in error.message
    assert error.hint
    assert stub.embedded == []


def test_a_full_queue_is_waited_for(stub: OllamaStub, connect: Connect) -> None:
    embedder = connect()
    embedder.embed_query("x")
    stub.replies = [failure(503, "server busy, please try again"), failure(503, "server busy")]
    assert embedder.embed_query("x")
    stub.replies = [failure(503, "server busy")] * 4
    error = refused(lambda: embedder.embed_query("x"))
    assert "HTTP 503: server busy" in error.message


def test_a_connection_that_the_server_closed_is_opened_again(stub: OllamaStub, connect: Connect) -> None:
    embedder = connect()
    embedder.embed_query("x")
    stub.hang_up = 1
    assert embedder.embed_query("x")
    stub.hang_up = 2
    assert refused(lambda: embedder.embed_query("x")).message.startswith("the connection broke")


@pytest.mark.parametrize("name", ["big:cloud", "big:70b-cloud"])
def test_case_64_names_that_run_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="sends no note there"):
        OllamaEmbedder("http://127.0.0.1:9", name)


def test_case_64_no_text_is_sent_to_a_model_with_a_remote_host(stub: OllamaStub, connect: Connect) -> None:
    stub.models[0].remote_host = "https://ollama.example"
    for call in (
        lambda: connect().embed_query("x"),
        lambda: connect().embed_documents(["x"]),
        connect().digest,
    ):
        assert "runs on another host" in refused(call).message
    assert stub.embedded == []


def test_installed_models_are_those_that_embed_here(stub: OllamaStub) -> None:
    stub.models = [
        StubModel("bge-m3"),
        StubModel("chat-model", capabilities=["completion"]),
        StubModel("own-model:v2"),
        StubModel("far", remote_host="https://ollama.example"),
    ]
    assert installed_embedding_models(stub.url) == ["bge-m3", "own-model:v2"]


def test_an_older_server_does_not_say_what_its_models_can(stub: OllamaStub) -> None:
    stub.models = [StubModel("all-minilm:22m", capabilities=None), StubModel("chat-model", capabilities=None)]
    assert installed_embedding_models(stub.url) == ["all-minilm:22m"]


def test_where_no_server_is_no_models_are_listed() -> None:
    with pytest.raises(DocsRagError, match="cannot reach Ollama"):
        installed_embedding_models("http://127.0.0.1:9")


@pytest.mark.skipif(sys.platform != "linux", reason="a full backlog drops connections on Linux")
def test_an_unreachable_host_is_found_out_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ollama, "_CONNECT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        address = listener.getsockname()
        waiting = [_half_open(address) for _ in range(4)]
        embedder = OllamaEmbedder(f"http://127.0.0.1:{address[1]}", "bge-m3", timeout=5)
        assert "no answer within 0.05 s" in refused(embedder.digest).message
        for each in waiting:
            each.close()


def _half_open(address: tuple[str, int]) -> socket.socket:
    connection = socket.socket()
    connection.setblocking(False)
    connection.connect_ex(address)
    return connection
