"""`search`: what is asked for and how it is shown; what is found is the searcher's and tested there."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes
from ollama_stub import OllamaStub, StubModel

from docs_rag.adapters.locks import FileLock

ANSWER = [
    "query",
    "asOf",
    "noRelevantResults",
    "message",
    "notices",
    "hits",
    "hiddenRecords",
    "hidden",
    "bestRejected",
    "threshold",
    "confidence",
    "index",
]


@pytest.fixture
def indexed(vault: Path, docs_rag: CommandLine) -> Path:
    assert docs_rag("index").status == 0
    return vault


def test_words_are_joined(indexed: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("search", "--json", "cups", "hold", "tea").json["query"] == "cups hold tea"


def test_the_document_has_the_keys_of_the_contract_in_order(indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("search", "--json", "tea")
    assert list(result.json) == ANSWER
    assert result.err == ""


def test_json_is_not_escaped(docs_rag: CommandLine, vault: Path) -> None:
    write_notes(vault, {"차.md": "# 차\n\n차는 뜨겁게 마신다.\n"})
    docs_rag("index")
    assert "차는 뜨겁게" in docs_rag("search", "--json", "차는").out


@pytest.mark.parametrize("given", [["a,b"], ["a", "b"], [" a , b ,"]])
@pytest.mark.parametrize("option", ["--within", "--exclude"])
def test_lists_take_commas_and_repetition(option: str, given: list[str], indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed, {f"{folder}/{folder}.md": f"# {folder}\n\nfolder of jam\n" for folder in "abc"})
    arguments = [part for value in given for part in (option, value)]
    found = {hit["path"] for hit in docs_rag("search", "--json", *arguments, "jam").json["hits"]}
    assert found == ({"a/a.md", "b/b.md"} if option == "--within" else {"c/c.md"})


def test_a_query_may_begin_with_a_dash(indexed: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("search", "--json", "--", "-hot", "--tea").json["query"] == "-hot --tea"


def test_the_limit_of_the_config_counts_unless_one_is_named(indexed: Path, docs_rag: CommandLine) -> None:
    write_config(indexed, limit=1)
    assert len(docs_rag("search", "--json", "tea").json["hits"]) == 1
    assert len(docs_rag("search", "--json", "-n", "5", "tea").json["hits"]) == 2


def test_nothing_found_is_an_answer(indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("search", "submarine")
    assert result.status == 0
    assert result.out == "No relevant results (lexical search only; the vault holds 0 of 1 words).\n"
    assert result.err == ""


def test_nothing_found_while_a_run_is_at_work_may_be_for_that(indexed: Path, docs_rag: CommandLine) -> None:
    with FileLock(str(indexed / ".rag" / "index.lock")):
        result = docs_rag("search", "submarine")
        assert result.out.startswith("No relevant results")
        assert result.err.startswith("note: the notes are being indexed at this moment")
        assert docs_rag("search", "tea").err == ""
    assert docs_rag("search", "submarine").err == ""


def test_exit_code_tells_hits_from_none(indexed: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("search", "--exit-code", "tea").status == 0
    assert docs_rag("search", "--exit-code", "submarine").status == 1


def test_under_json_a_status_other_than_0_leaves_stdout_empty(indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("search", "--exit-code", "--json", "submarine")
    assert (result.status, result.out) == (1, "")
    assert result.err == "docs-rag: No relevant results (lexical search only; the vault holds 0 of 1 words).\n"


def test_case_57_every_line_of_a_note_is_indented(indexed: Path, docs_rag: CommandLine) -> None:
    hostile = "# Jam\n\n[semantic 0.99]  fake.md › Fake  (lines 1-2)\n\x1b[31mred\u202e\n\nnote: fake jam\n"
    write_notes(indexed, {"jam.md": hostile})
    result = docs_rag("search", "jam")
    ours = [line for line in result.out.splitlines() if line and not line.startswith("    ")]
    assert ours == ["[exact match]  jam.md › Jam  (lines 1-6)"]
    assert "\x1b" not in result.out
    assert "\u202e" not in result.out


def test_a_long_passage_is_cut_unless_asked_for_in_full(indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed, {"jam.md": "# Jam\n\n" + "".join(f"- jam {number}\n" for number in range(30))})
    short = docs_rag("search", "jam").out.splitlines()
    assert len(short) == 14
    assert short[-1] == "    …"
    full = docs_rag("search", "--full", "jam").out.splitlines()
    assert len(full) == 33
    assert full[-1] == "    - jam 29"


def test_notices_go_to_stderr_and_into_the_document(indexed: Path, docs_rag: CommandLine) -> None:
    write_config(indexed, minscore=0.5)
    result = docs_rag("search", "tea")
    assert result.status == 0
    assert "did you mean minScore?" in result.err
    assert all(line.startswith("note: ") for line in result.err.splitlines())
    document = docs_rag("search", "--json", "tea")
    assert document.err == ""
    assert any("did you mean minScore?" in notice for notice in document.json["notices"])


def test_as_of_a_day_the_record_that_held_answers(orchard: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    then = docs_rag("search", "--as-of", "2026-04-01", "waterproof", "labels", "printer")
    assert then.out.startswith("as of 2026-04-01:\n\n[")
    assert "– 2026-04-02]" in then.out
    assert "IN FORCE until 2026-04-02, since superseded by decisions/0009-rfid-crates.md" in then.out
    hits = docs_rag("search", "--json", "--as-of", "2026-03", "waterproof", "labels", "printer").json["hits"]
    assert hits[0]["path"] == "decisions/0004-printed-labels.md"
    assert (hits[0]["status"], hits[0]["inForceUntil"]) == ("current", "2026-04-02")
    after = docs_rag("search", "--json", "--as-of", "2026-04-02", "waterproof", "labels", "printer").json
    assert "decisions/0004-printed-labels.md" not in [hit["path"] for hit in after["hits"]]
    assert after["asOf"] == "2026-04-02"


@pytest.mark.parametrize("day", ["01/02/2026", "2026-02-30", "soon", ""])
def test_a_day_that_cannot_be_read_is_wrong_usage(day: str, indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("search", "--as-of", day, "tea")
    assert (result.status, result.out) == (2, "")
    assert result.err.rstrip().endswith("write the day as 2026-01-14, or a whole month or year: 2026-01, 2026")


def test_a_hidden_record_is_named_after_the_hits(orchard: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    last = docs_rag("search", "labels", "on", "crates").out.splitlines()[-1]
    assert last.startswith("hidden: ")
    assert last.endswith("--all shows it")


def test_case_1_all_brings_a_superseded_note_back_with_its_label(orchard: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    plain = docs_rag("search", "--json", "waterproof", "labels", "printer").json
    assert "decisions/0004-printed-labels.md" not in [hit["path"] for hit in plain["hits"]]
    shown = docs_rag("search", "--all", "waterproof", "labels", "printer").out
    assert "[superseded → decisions/0009-rfid-crates.md; 2026-04-02]" in shown
    assert "SUPERSEDED 2026-04-02: no longer in force" in shown


def test_a_missing_index_is_named_with_the_command_that_makes_it(vault: Path, docs_rag: CommandLine) -> None:
    for arguments in (["search", "tea"], ["search", "--json", "tea"], ["list", "--json"], ["status", "--json"]):
        result = docs_rag(*arguments)
        assert (result.status, result.out) == (1, "")
        assert result.err.endswith("; run: docs-rag index\n")


def test_a_vault_needs_no_config(tmp_path: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    write_notes(tmp_path / "plain", {"tea.md": "# Tea\n\nTea is hot.\n"})
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    for name in ("index", "status", "list"):
        assert docs_rag(name, "--vault", tmp_path / "plain", "--json").status == 0
    hits = docs_rag("search", "--vault", tmp_path / "plain", "--json", "tea").json["hits"]
    assert [hit["path"] for hit in hits] == ["tea.md"]


def test_a_model_that_is_down_leaves_words_and_a_notice(vault: Path, docs_rag: CommandLine) -> None:
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as server:
        write_config(vault, embedModel="bge-m3", ollamaHost=server.url)
        docs_rag("index")
        assert docs_rag("search", "--json", "tea is drunk hot").json["index"]["mode"] == "semantic+lexical"
    answer = docs_rag("search", "--json", "tea").json
    assert answer["index"]["mode"] == "lexical (embedder unavailable)"
    assert {hit["label"] for hit in answer["hits"]} == {"exact"}
    shown = docs_rag("search", "tea")
    assert shown.status == 0
    assert shown.err.startswith("note: searched by words only: ")
    assert "http://127.0.0.1:" in shown.err


def test_another_model_than_the_index_has_is_refused_with_the_command_that_mends_it(
    vault: Path, docs_rag: CommandLine
) -> None:
    with OllamaStub(StubModel("bge-m3", dimensions=1024), StubModel("all-minilm", dimensions=384)) as server:
        write_config(vault, embedModel="bge-m3", ollamaHost=server.url)
        docs_rag("index")
        write_config(vault, embedModel="all-minilm", ollamaHost=server.url)
        result = docs_rag("search", "tea")
    assert (result.status, result.out) == (1, "")
    assert result.err.endswith("; run: docs-rag index\n")


def test_a_note_marked_superseded_is_gone_from_the_next_answer(indexed: Path, docs_rag: CommandLine) -> None:
    write_notes(indexed, {"tea.md": "---\nstatus: superseded by cups.md\n---\n# Tea\n\nTea is drunk hot.\n"})
    answer = docs_rag("search", "--json", "drunk", "hot").json
    assert answer["hits"] == []
    assert [record["path"] for record in answer["hiddenRecords"]] == ["tea.md"]


def test_a_deleted_note_is_gone_from_the_next_answer(indexed: Path, docs_rag: CommandLine) -> None:
    (indexed / "tea.md").unlink()
    hits = docs_rag("search", "--json", "tea").json["hits"]
    assert [hit["path"] for hit in hits] == ["cups.md"]


def test_case_62_an_index_that_was_planted_is_not_believed(indexed: Path, docs_rag: CommandLine, home: Path) -> None:
    for known in home.rglob("indexes.json"):
        known.unlink()
    result = docs_rag("search", "tea")
    assert result.status == 1
    assert "was made elsewhere" in result.err
    assert docs_rag("index").status == 0
    assert docs_rag("search", "tea").status == 0


def test_what_spares_a_short_process_is_put_back(
    indexed: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    assert docs_rag("search", "tea").status == 0
    assert gc.isenabled() and "OPENBLAS_NUM_THREADS" not in os.environ
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    assert docs_rag("search", "tea").status == 0
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"
