"""`index`: what it reports, what makes it fail, and what it does not let pass in silence."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes
from ollama_stub import OllamaStub, StubModel, failure

from docs_rag.adapters.locks import FileLock

REPORT = [
    "added",
    "modified",
    "removed",
    "unchanged",
    "failed",
    "chunks",
    "embedded",
    "pending",
    "seconds",
    "calibration",
    "warnings",
]
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def ollama() -> Iterator[OllamaStub]:
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as server:
        yield server


def many(count: int) -> dict[str, str]:
    """Notes that have nothing in common."""
    return {f"n{i}.md": f"# Topic{i}\n\nword{i} thing{i} matter{i} object{i}\n" for i in range(count)}


def test_the_report_has_the_keys_of_the_contract(vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("index", "--json")
    assert list(result.json) == REPORT
    assert result.err == ""
    assert (result.json["added"], result.json["chunks"], result.json["calibration"]) == (2, 2, None)


def test_the_second_run_finds_nothing_to_do(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    second = docs_rag("index", "--json").json
    assert (second["added"], second["modified"], second["removed"], second["unchanged"]) == (0, 0, 0, 2)


def test_a_key_that_is_not_known_stops_it(vault: Path, docs_rag: CommandLine) -> None:
    write_config(vault, minscore=0.5)
    result = docs_rag("index")
    assert (result.status, result.out) == (1, "")
    assert "did you mean minScore?" in result.err


def test_only_the_named_notes_are_read(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    write_notes(vault, {"new/a.md": "# A\n\none\n", "new/b.md": "# B\n\ntwo\n", "c.md": "# C\n\nthree\n"})
    assert docs_rag("index", "--json", "new/a.md").json["added"] == 1
    assert docs_rag("index", "--json", "new").json["added"] == 1
    assert docs_rag("index", "--json", vault).json["added"] == 1


def test_named_notes_count_from_the_folder_of_the_option(
    vault: Path, docs_rag: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs_rag("index")
    write_notes(vault, {"new/a.md": "# A\n\none\n"})
    monkeypatch.chdir(tmp_path)
    assert docs_rag("index", "-C", "vault", "new/a.md", "--json").json["added"] == 1


def test_case_45_a_name_that_fits_no_note_is_said(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    result = docs_rag("index", "taa.md")
    assert result.status == 0
    assert result.err == "warning: taa.md: no such note, or the config leaves it out\n"


def test_a_name_outside_the_vault_is_a_wrong_call(vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("index", "../other.md")
    assert result.status == 2
    assert "does not lie in the vault" in result.err


def test_a_deleted_note_may_be_named(vault: Path, docs_rag: CommandLine) -> None:
    write_notes(vault, many(5))
    docs_rag("index")
    (vault / "n1.md").unlink()
    result = docs_rag("index", "n1.md", "--json")
    assert result.json["removed"] == 1
    assert result.json["warnings"] == []


@pytest.mark.parametrize(("include", "shown"), [(["**/*.txt"], "**/*.txt"), (["nowhere/**"], "nowhere/**")])
def test_an_include_that_matches_nothing_is_said(
    include: list[str], shown: str, vault: Path, docs_rag: CommandLine
) -> None:
    write_config(vault, include=include)
    result = docs_rag("index")
    assert result.status == 0
    assert f"holds no note that include ({shown}) asks for" in result.err


def test_an_empty_vault_is_said(tmp_path: Path, docs_rag: CommandLine) -> None:
    write_config(tmp_path)
    result = docs_rag("index", "-C", tmp_path, "--json")
    assert result.status == 0
    assert len(result.json["warnings"]) == 1
    assert "there is nothing to search" in result.json["warnings"][0]


def test_a_missing_vault_is_a_known_error(tmp_path: Path, docs_rag: CommandLine) -> None:
    write_config(tmp_path, vaultPath="../notes")
    result = docs_rag("index", "-C", tmp_path)
    assert (result.status, result.out) == (1, "")
    assert str(tmp_path / "notes") in result.err


def test_a_mistyped_vault_does_not_become_a_folder(tmp_path: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("index", "--vault", tmp_path / "nots")
    assert (result.status, result.out) == (1, "")
    assert result.err == f"docs-rag: there is no folder {tmp_path / 'nots'}; correct --vault\n"
    assert not (tmp_path / "nots").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name here")
def test_a_pipe_in_the_place_of_the_lock_is_a_known_error(vault: Path, docs_rag: CommandLine) -> None:
    os.mkfifo(vault / ".rag" / "index.lock")
    result = docs_rag("index")
    assert (result.status, result.out) == (1, "")
    assert "cannot lock" in result.err


def test_a_vault_that_lost_most_notes_loses_nothing(vault: Path, docs_rag: CommandLine) -> None:
    write_notes(vault, many(8))
    docs_rag("index")
    for number in range(8):
        (vault / f"n{number}.md").unlink()
    refused = docs_rag("index", "--json")
    assert (refused.status, refused.out) == (1, "")
    assert "--accept-removals" in refused.err
    assert len(docs_rag("list", "--json").json) == 10
    assert docs_rag("index", "--json", "--accept-removals").json["removed"] == 8


def test_case_5_a_dangling_successor_is_one_warning(vault: Path, docs_rag: CommandLine) -> None:
    write_notes(vault, {"old.md": "---\nstatus: superseded\nsuperseded_by: auht.md\n---\n# Old\n\nold words\n"})
    result = docs_rag("index")
    assert result.status == 0
    warnings = [line for line in result.err.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 1
    assert "old.md" in warnings[0]
    assert "auht.md" in warnings[0]
    strict = docs_rag("index", "--strict")
    assert strict.status == 1
    assert strict.err.splitlines()[-1].startswith("docs-rag: 1 note failed or with problems; ")
    assert docs_rag("search", "--json", "old", "words").json["hits"] == []


def test_failed_notes_are_listed_and_do_not_stop_the_others(vault: Path, docs_rag: CommandLine) -> None:
    for number in range(12):
        (vault / f"latin{number}.md").write_bytes(b"# Caf\xe9\n\ntext\n")
    result = docs_rag("index")
    assert result.status == 0
    lines = result.out.splitlines()
    assert "12 files could not be read:" in lines
    assert sum(line.startswith("  latin") and "encoding" in line for line in lines) == 10
    assert "  and 2 more: docs-rag list --problems" in lines
    failed = docs_rag("index", "--json").json["failed"]
    assert len(failed) == 12
    assert set(failed[0]) == {"path", "code", "message"}
    assert docs_rag("index", "--strict").status == 1


def test_a_vault_of_nothing_but_unreadable_notes_is_said(tmp_path: Path, docs_rag: CommandLine) -> None:
    write_config(tmp_path)
    (tmp_path / "latin.md").write_bytes(b"Caf\xe9")
    assert "no note of" in docs_rag("index", "-C", tmp_path).err


def test_with_a_model_it_ends_with_the_calibration(vault: Path, docs_rag: CommandLine, ollama: OllamaStub) -> None:
    write_notes(vault, many(60))
    write_config(vault, embedModel="bge-m3", ollamaHost=ollama.url)
    result = docs_rag("index")
    assert result.status == 0
    headings, last = result.out.splitlines()[-2:]
    assert headings.startswith("Own headings as questions: 62; the right note reaches ")
    assert last.startswith("Calibration: background noise p99 = ")
    assert last.endswith("(in use: 0.55, from the model registry).")
    calibration = docs_rag("index", "--json").json["calibration"]
    assert list(calibration) == ["p99", "pairs", "suggested", "inUse", "source", "headings"]
    assert list(calibration["headings"]) == ["questions", "own", "others", "overlap"]
    assert calibration["headings"]["questions"] == 62


def test_sections_without_headings_of_their_own_are_not_enough_data(
    vault: Path, docs_rag: CommandLine, ollama: OllamaStub
) -> None:
    write_notes(vault, {f"n{i}.md": f"# Same\n\nword{i} thing{i} matter{i} object{i}\n" for i in range(60)})
    write_config(vault, embedModel="bge-m3", ollamaHost=ollama.url)
    headings = docs_rag("index").out.splitlines()[-2]
    assert headings == "Own headings as questions: not enough data (2 of the 20 that are needed)."
    found = {"questions": 2, "own": None, "others": None, "overlap": None}
    assert docs_rag("index", "--json").json["calibration"]["headings"] == found
    assert "headings    not enough data (2 of the 20 that are needed)\n" in docs_rag("status").out


def test_with_few_sections_it_says_so(vault: Path, docs_rag: CommandLine, ollama: OllamaStub) -> None:
    write_config(vault, embedModel="bge-m3", ollamaHost=ollama.url)
    last = docs_rag("index").out.splitlines()[-1]
    assert last.startswith("Calibration: fewer than 50 sections")


def test_a_model_that_is_down_fails_the_run_but_text_and_status_are_stored(
    orchard: Path, docs_rag: CommandLine
) -> None:
    write_config(orchard, embedModel="bge-m3", ollamaHost=NOWHERE)
    result = docs_rag("index")
    assert result.status == 1
    assert "11 added" in result.out
    assert result.err.splitlines()[-1].startswith("docs-rag: ")
    assert result.err.count(NOWHERE) == 1
    assert "text and status of the notes are stored all the same" in result.err
    answer = docs_rag("search", "--json", "labels", "on", "crates").json
    assert [hit["path"] for hit in answer["hits"]] == ["decisions/0009-rfid-crates.md"]


def test_under_json_such_a_run_leaves_stdout_empty(vault: Path, docs_rag: CommandLine) -> None:
    write_config(vault, embedModel="bge-m3", ollamaHost=NOWHERE)
    result = docs_rag("index", "--json")
    assert (result.status, result.out) == (1, "")
    assert result.err.count("\n") == 1
    assert len(docs_rag("list", "--json").json) == 2


def test_case_37_one_text_that_cannot_be_embedded_does_not_fail_the_run(
    vault: Path, docs_rag: CommandLine, ollama: OllamaStub
) -> None:
    ollama.poison["poison"] = failure(400, "embedding contains NaN or Inf values")
    write_notes(vault, {"bad.md": "# Bad\n\npoison here\n"})
    write_config(vault, embedModel="bge-m3", ollamaHost=ollama.url)
    result = docs_rag("index", "--json")
    assert result.status == 0
    assert result.json["pending"] == 1
    assert any("bad.md" in warning for warning in result.json["warnings"])


def test_another_model_takes_over(vault: Path, docs_rag: CommandLine) -> None:
    with OllamaStub(StubModel("bge-m3", dimensions=1024), StubModel("all-minilm", dimensions=384)) as server:
        for model in ("bge-m3", "all-minilm"):
            write_config(vault, embedModel=model, ollamaHost=server.url)
            assert docs_rag("index", "--json").json["embedded"] == 2
            assert docs_rag("status", "--json").json["model"] == model


def test_it_does_not_wait_when_told_so(vault: Path, docs_rag: CommandLine) -> None:
    with FileLock(str(vault / ".rag" / "index.lock")):
        result = docs_rag("index", "--no-wait")
    assert (result.status, result.out) == (1, "")
    assert str(os.getpid()) in result.err
    assert docs_rag("index", "--no-wait").status == 0


@pytest.mark.parametrize("damage", [b"", b"not a database", b"SQLite format 3\0" + b"\1" * 5000])
def test_case_62_a_damaged_index_is_named_and_full_makes_a_new_one(
    damage: bytes, vault: Path, docs_rag: CommandLine
) -> None:
    docs_rag("index")
    index = vault / ".rag" / "index.db"
    for side in (index, Path(f"{index}-wal"), Path(f"{index}-shm")):
        side.unlink(missing_ok=True)
    index.write_bytes(damage)
    if damage:
        for name in ("search", "index", "status", "list"):
            result = docs_rag(*([name, "tea"] if name == "search" else [name]))
            assert (result.status, result.out) == (1, "")
            assert str(index) in result.err
    result = docs_rag("index", "--full", "--json")
    assert result.status == 0
    assert result.json["added"] == 2
    if damage:
        assert "the old index was moved to" in result.err
        assert Path(f"{index}.damaged-1").read_bytes() == damage
    assert docs_rag("search", "--json", "tea").json["hits"]


def test_damage_on_any_page_is_a_known_error_and_full_mends_it(vault: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    index = vault / ".rag" / "index.db"
    sound = index.read_bytes()
    size = int.from_bytes(sound[16:18], "big")
    refused: list[bytes] = []
    for page in range(1, len(sound) // size):
        damaged = sound[: page * size] + b"\xa5" * size + sound[(page + 1) * size :]
        index.write_bytes(damaged)
        result = docs_rag("search", "tea")
        if result.status:
            refused.append(damaged)
            assert (result.status, result.out) == (1, "")
            assert "damaged" in result.err
    assert len(refused) > 3
    for damaged in refused[:3]:
        index.write_bytes(damaged)
        assert docs_rag("index", "--full").status == 0
        assert docs_rag("search", "--json", "tea").json["hits"]


def test_an_index_of_another_program_is_not_taken_over(vault: Path, docs_rag: CommandLine) -> None:
    foreign = sqlite3.connect(vault / ".rag" / "index.db")
    foreign.executescript("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);")
    foreign.close()
    result = docs_rag("index")
    assert result.status == 1
    assert "is not an index of docs-rag" in result.err


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_known_error(vault: Path, docs_rag: CommandLine) -> None:
    (vault / ".rag").chmod(0o500)
    try:
        result = docs_rag("index")
    finally:
        (vault / ".rag").chmod(0o700)
    assert result.status == 1
    assert result.err.count("\n") == 1
