"""`status`: the overview, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

from commandline import CommandLine, write_config, write_notes
from ollama_stub import OllamaStub, StubModel

KEYS = [
    "config",
    "vault",
    "index",
    "documents",
    "chunks",
    "embedded",
    "pending",
    "stale",
    "ignored",
    "failed",
    "byStatus",
    "model",
    "score",
    "mode",
    "threshold",
    "thresholdSource",
    "calibration",
    "lastRun",
]


def test_the_document_has_the_keys_of_the_contract(orchard: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    found = docs_rag("status", "--json").json
    assert list(found) == KEYS
    assert found["config"] == str(orchard / ".rag" / "config.json")
    assert found["vault"] == str(orchard)
    assert (found["documents"], found["chunks"], found["embedded"], found["pending"]) == (11, 14, 0, 0)
    assert found["byStatus"] == {"archived": 1, "current": 4, "draft": 1, "rejected": 1, "superseded": 4}
    assert (found["model"], found["mode"], found["threshold"]) == ("none", "lexical", None)
    assert found["lastRun"]["ok"] is True


def test_without_a_config_there_is_none_to_name(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    assert docs_rag("status", "--vault", vault, "--json").json["config"] is None


def test_what_was_left_out_is_counted_and_what_failed_is_named(vault: Path, docs_rag: CommandLine) -> None:
    (vault / "latin.md").write_bytes(b"Caf\xe9")
    (vault / "node_modules").mkdir()
    (vault / "node_modules" / "x.md").write_text("x", encoding="utf-8")
    docs_rag("index")
    found = docs_rag("status", "--json").json
    assert [(each["path"], each["code"]) for each in found["failed"]] == [("latin.md", "encoding")]
    assert sum(found["ignored"].values()) >= 1
    shown = docs_rag("status").out
    assert "  latin.md  encoding: " in shown
    for reason in found["ignored"]:
        assert reason in shown


def test_a_note_that_became_unreadable_is_stale_and_failed(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    (vault / "tea.md").write_bytes(b"Caf\xe9 anew")
    docs_rag("index")
    found = docs_rag("status", "--json").json
    assert found["stale"] == 1
    assert [each["path"] for each in found["failed"]] == ["tea.md"]
    assert "stale       1 note\n" in docs_rag("status").out


def test_with_a_model_it_tells_the_floor_and_its_source(vault: Path, docs_rag: CommandLine) -> None:
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as server:
        write_config(vault, embedModel="bge-m3", ollamaHost=server.url)
        docs_rag("index")
        found = docs_rag("status", "--json").json
        assert (found["model"], found["score"], found["mode"]) == ("bge-m3", "cosine", "semantic+lexical")
        assert (found["threshold"], found["thresholdSource"]) == (0.55, "registry")
        assert (found["embedded"], found["pending"]) == (2, 0)
        assert found["calibration"] is None
        shown = docs_rag("status").out
        assert "floor       0.55, from the model registry\n" in shown
        assert "noise       not enough data (fewer than 50 sections)\n" in shown
        write_config(vault, embedModel="bge-m3", ollamaHost=server.url, minScore=0.6)
        assert docs_rag("status", "--json").json["thresholdSource"] == "config"
    gone = docs_rag("status")
    assert gone.status == 0
    assert "search      lexical (embedder unavailable)\n" in gone.out
    assert gone.err.startswith("note: ")


def test_both_sides_of_the_calibration_are_shown(vault: Path, docs_rag: CommandLine) -> None:
    write_notes(vault, {f"n{i}.md": f"# Topic{i}\n\nword{i} thing{i} matter{i} object{i}\n" for i in range(60)})
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as server:
        write_config(vault, embedModel="bge-m3", ollamaHost=server.url)
        told = docs_rag("index", "--json").json["calibration"]
        assert docs_rag("status", "--json").json["calibration"] == told
        shown = docs_rag("status").out
    assert f"noise       p99 = {told['p99']:.3f}, suggested minScore " in shown
    assert f"headings    {told['headings']['questions']}; the right note reaches {told['headings']['own']:.3f}" in shown


def test_a_model_that_did_not_make_the_index_is_told(vault: Path, docs_rag: CommandLine) -> None:
    with OllamaStub(StubModel("bge-m3", dimensions=1024), StubModel("all-minilm", dimensions=384)) as server:
        write_config(vault, embedModel="bge-m3", ollamaHost=server.url)
        docs_rag("index")
        write_config(vault, embedModel="all-minilm", ollamaHost=server.url)
        result = docs_rag("status")
    assert "the index was made with bge-m3, the config asks for all-minilm; run: docs-rag index" in result.err


def test_a_run_that_failed_is_remembered(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    (vault / "tea.md").unlink()
    (vault / "cups.md").unlink()
    docs_rag("index")
    last = docs_rag("status", "--json").json["lastRun"]
    assert last["ok"] is False
    assert "no longer in the vault" in last["message"]
