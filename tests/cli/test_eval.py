"""`eval`: from a question file to figures, a comparison and an exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import CommandLine, write_config

QUESTIONS = """\
questions:
  - question: how are crates labelled now, with an RFID tag under the rim
    answers: {path: decisions/0009-rfid-crates.md}
    mustNot: [decisions/0001-paper-labels.md, decisions/0004-printed-labels.md]
    kind: paraphrase
  - question: GATE_READ_FAILED
    answers: {path: decisions/0009-rfid-crates.md, heading: What happens at the gate}
    kind: identifier
  - question: why did the farm shop refuse cash only
    answers: decisions/0005-cash-only.md
    kind: history
  - question: which bank lends the farm its money
    answers: none
    kind: near
"""


@pytest.fixture
def asked(orchard: Path, docs_rag: CommandLine) -> Path:
    """The example vault, indexed, with a question file outside of it; the working directory."""
    assert docs_rag("index").status == 0
    place = orchard.parent / "questions.yaml"
    place.write_text(QUESTIONS, encoding="utf-8")
    return place


def test_figures_in_a_table(asked: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("eval", asked, "--wrong", "--plot")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].startswith("questions: 3 with an answer, 1 without; ")
    assert lines[1].endswith("; lexical, no floor, 8 hits")
    assert any(line.startswith("right note first (hit@1)") and line.endswith("of 3") for line in lines)
    assert any(line.startswith("dead record returned") and "0 of 1" in line for line in lines)
    assert any(line.startswith("no curve") for line in lines)


def test_the_document_holds_every_question(asked: Path, docs_rag: CommandLine) -> None:
    document = docs_rag("eval", asked, "--json", "-n", "3").json
    assert document["questions"] == {"answerable": 3, "unanswerable": 1}
    assert document["limit"] == 3
    assert document["threshold"] is None
    assert document["figures"]["section1"] == {"value": 1.0, "low": 0.2065, "high": 1.0, "count": 1, "of": 1}
    assert [each["kind"] for each in document["kinds"]] == ["paraphrase", "identifier", "history", "near"]
    assert [each["rank"] for each in document["outcomes"]][1] == 1
    assert document["outcomes"][1]["hits"][0]["path"] == "decisions/0009-rfid-crates.md"
    assert document["curve"] == []


def test_a_former_run_is_compared_with(asked: Path, docs_rag: CommandLine, orchard: Path) -> None:
    base = orchard.parent / "base.json"
    base.write_text(docs_rag("eval", asked, "--json").out, encoding="utf-8")
    same = docs_rag("eval", asked, "--compare", base)
    assert same.status == 0
    assert same.out.splitlines()[-1] == "nothing is worse beyond noise"
    text = (orchard / "decisions/0001-paper-labels.md").read_text(encoding="utf-8")
    back = text.replace("superseded by ADR-0004", "accepted") + "\nHow are crates labelled now: RFID tag, rim.\n"
    (orchard / "decisions/0001-paper-labels.md").write_text(back, encoding="utf-8")
    worse = docs_rag("eval", asked, "--compare", base)
    assert worse.status == 1
    assert worse.out.splitlines()[-1] == "worse beyond noise: dead record returned"
    document = docs_rag("eval", asked, "--compare", base, "--json")
    assert document.status == 1
    assert document.json["comparison"]["changes"]["leaks"]["isWorse"] is True


def test_a_draft_is_never_written_over_anything(asked: Path, docs_rag: CommandLine, orchard: Path) -> None:
    result = docs_rag("eval", "--bootstrap", "-o", "../draft.yaml")
    assert (result.status, result.out) == (0, "")
    draft = orchard.parent / "draft.yaml"
    written = draft.read_text(encoding="utf-8")
    assert docs_rag("eval", "--bootstrap").out == written
    again = docs_rag("eval", "--bootstrap", "-o", "../draft.yaml")
    assert (again.status, "is there already" in again.err) == (1, True)
    assert draft.read_text(encoding="utf-8") == written
    document = docs_rag("eval", draft, "--json").json
    kinds = {each["kind"] for each in document["kinds"]}
    assert {"superseded", "title"} <= kinds
    assert document["notices"] == []
    assert document["figures"]["leaks"]["value"] == 0.0


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        ([], 2, "no question file given"),
        (["gone.yaml"], 2, "there is no file gone.yaml"),
        (["../questions.yaml", "--bootstrap"], 2, "--bootstrap goes with -o alone"),
        (["--bootstrap", "--json"], 2, "--bootstrap goes with -o alone"),
        (["../questions.yaml", "-o", "x"], 2, "-o goes with --bootstrap"),
        (["../questions.yaml", "--json", "--plot"], 2, "--json holds the curve"),
        (
            ["../questions.yaml", "--compare", "../questions.yaml"],
            1,
            "the baseline ../questions.yaml is not valid JSON",
        ),
        (["handbook"], 1, "cannot read handbook: is a directory"),
        (["../wrong.yaml"], 1, "../wrong.yaml: questions[1] (who): answers names no path"),
        (["../latin.yaml"], 1, "cannot read ../latin.yaml: it is not UTF-8"),
    ],
)
def test_mistakes(
    arguments: list[str], status: int, complaint: str, asked: Path, docs_rag: CommandLine, orchard: Path
) -> None:
    (orchard.parent / "wrong.yaml").write_text("questions: [{question: who}]", encoding="utf-8")
    (orchard.parent / "latin.yaml").write_bytes(b"questions: [\xe9]")
    result = docs_rag("eval", *arguments)
    assert (result.status, result.out) == (status, "")
    assert complaint in result.err


def test_names_count_from_the_folder(
    asked: Path, docs_rag: CommandLine, orchard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(orchard.parent.parent)
    assert docs_rag("eval", "-C", orchard, "../questions.yaml").status == 0


def test_without_an_index_the_way_to_one_is_named(docs_rag: CommandLine, orchard: Path) -> None:
    (orchard.parent / "q.json").write_text(json.dumps({"no_answer": [{"query": "who won"}]}), encoding="utf-8")
    result = docs_rag("eval", "../q.json")
    assert (result.status, "run: docs-rag index" in result.err) == (1, True)


def test_a_path_outside_the_index_is_a_note_on_stderr(asked: Path, docs_rag: CommandLine, orchard: Path) -> None:
    write_config(orchard, limit=2)
    other = orchard.parent / "other.json"
    other.write_text(json.dumps({"queries": [{"query": "who", "answers": "no.md"}]}), encoding="utf-8")
    result = docs_rag("eval", other)
    assert result.err == "note: no.md is not in the index; the question 'who' names it\n"
    assert result.out.splitlines()[1].endswith("2 hits")
