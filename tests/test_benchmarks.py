"""The suite's parts on a vault of a few notes: what they say without a clock, and how a run is shown."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from benchmarks import (
    chunking,
    commands,
    curves,
    embedding,
    goals,
    golden,
    hook,
    indexing,
    manyvectors,
    measuring,
    server,
    warm,
)
from benchmarks.__main__ import main, measure
from benchmarks.columns import Column, corpora, generated
from benchmarks.generated import invented, write_vault
from benchmarks.parts import PARTS, PREPARATIONS, resolve, steps
from benchmarks.results import Results, load, save
from benchmarks.stages import Metered, stages
from benchmarks.table import table
from docs_rag.adapters.embedders.builtin import is_available

NOTES = 12
QUESTIONS = {
    "root": "notes",
    "queries": [{"query": "how often are spare keys counted", "answers": [{"path": "keys.md"}]}],
    "no_answer": [{"query": "which trains carry elephants"}],
}


@pytest.fixture
def column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Column:
    monkeypatch.setattr(measuring, "ROUNDS", 1)
    return generated(NOTES, tmp_path)


def corpus(folder: Path) -> Column:
    (folder / "golden" / "notes").mkdir(parents=True)
    note = "# Keys\n\nSpare keys are counted twice a year by the caretaker.\n"
    (folder / "golden" / "notes" / "keys.md").write_text(note, encoding="utf-8")
    (folder / "golden" / "small.json").write_text(json.dumps(QUESTIONS), encoding="utf-8")
    (folder / "golden" / "other.json").write_text("[]", encoding="utf-8")
    (found,) = corpora(folder / "golden", folder / "copies")
    return found


def run_of(**sizes: float) -> Results:
    return Results({label[1:]: {"noChange": {"milliseconds": value}} for label, value in sizes.items()}, "a machine")


def test_a_table_has_a_column_for_each_size_and_the_ratio_to_an_earlier_run() -> None:
    now = Results({"10": {"index": {"seconds": 1.5, "new": 2.0}}, "1000": {"index": {"seconds": 30.0}}}, "here", "abc")
    before = Results({"10": {"index": {"seconds": 3.0}}}, "there")
    head, seconds, new, machine, earlier = table(now, before)
    assert head.split() == ["10", "1,000", "notes"]
    assert seconds.split() == ["index", "seconds", "1.5", "(0.50x)", "30.0"]
    assert new.split() == ["index", "new", "2.0"]
    assert (machine, earlier) == ("here, commit abc", "compared with: there")


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    now = run_of(n10=1.5, n100=3.0)
    save(now, tmp_path / "run.json")
    assert load(tmp_path / "run.json") == now
    assert now.generated() == [10, 100]


def test_goals_are_judged_where_the_vault_is_large_enough() -> None:
    figures = {"noChange": {"ratio": 3.6}, "embed": {"busyRatio": 0.97}, "coldSearch": {"milliseconds": 300.0}}
    assert [line.split()[-3] for line in goals.lines(Results({"10000": figures}))] == ["met"]
    found = list(goals.lines(Results({"100000": figures})))
    assert ["missed, 2.00 of it" in line for line in found] == [True, False]
    assert all("(100,000 notes)" in line for line in found)


def test_growth_is_judged_between_two_sizes() -> None:
    seconds = {notes: {"coldSearch": {"milliseconds": value}} for notes, value in (("100", 100.0), ("10000", 300.0))}
    found = list(goals.lines(Results({**seconds, "100000": {"coldSearch": {"milliseconds": 900.0}}})))
    assert len(found) == 1 and "missed, 1.50 of it  (10,000 notes)" in found[0]


def test_growth_is_plotted_from_two_sizes_on() -> None:
    assert list(curves.plot(run_of(n10=1))) == []
    lines = list(curves.plot(run_of(n10=1, n1000=99)))
    assert lines[-1].split(maxsplit=1) == ["a", "nothing changed"]
    assert lines[0].startswith("      100 ms |")
    assert lines[0].count("a") == 1
    assert [line.index("a") for line in lines[1:5]] == sorted([line.index("a") for line in lines[1:5]], reverse=True)


def test_growth_is_drawn_with_the_earlier_run_dashed() -> None:
    root = ET.fromstring(curves.svg(run_of(n10=1, n1000=90), run_of(n10=2, n1000=200)))
    lines = [each for each in root if each.tag.endswith("polyline")]
    assert [each.get("stroke-dasharray") for each in lines] == [None, "5 4"]
    ends = [[float(pair.split(",")[1]) for pair in str(each.get("points")).split()] for each in lines]
    assert all(y[0] > y[-1] for y in ends)
    assert ends[0][0] > ends[1][0]
    with pytest.raises(SystemExit):
        curves.svg(run_of(n10=1), Results())


def test_every_row_can_be_resolved_and_what_it_needs_comes_first(tmp_path: Path) -> None:
    assert all(callable(resolve(part.function)) for part in PARTS)
    column, other = Column("12", tmp_path), Column("small", tmp_path, tmp_path / "small.json")
    everything = list(steps(column, (), is_first=True))
    assert [part for part, _ in everything if part] == [part.name for part in PARTS if part.columns != "corpus"]
    assert list(steps(column, ("warmSearch", "coldMeaning"), is_first=False)) == [
        ("", PREPARATIONS["index"]),
        ("", PREPARATIONS["vectors"]),
        ("warmSearch", "warm:question"),
        ("coldMeaning", "commands:cold_meaning"),
    ]
    names = {part for part, _ in steps(other, (), is_first=False)}
    assert "golden" in names
    assert not names & {"vectors", "embed"}


def test_calls_of_ports_are_told_apart() -> None:
    seconds: dict[str, float] = {}

    class Inner:
        def work(self) -> int:
            return sum(range(20_000))

    class Outer:
        inner = Inner()

    metered = Metered(Outer(), seconds_of := dict.fromkeys(("vault",), 0.0), "vault")
    assert metered.inner.work() == sum(range(20_000))
    assert seconds_of["vault"] > 0
    assert not seconds


def test_the_index_is_made_and_kept(column: Column) -> None:
    size = sum(note.stat().st_size for note in column.notes())
    assert indexing.floors(column)["megabytes"] == round(size / 1e6, 2)
    found = stages(column)
    assert found["notes"] == NOTES
    assert not (column.config_file.parent / "index.db").exists()
    assert indexing.one_processor(column)["peakMiB"] > 0
    built = indexing.index(column)
    assert (built["notes"], built["sections"] > 2 * NOTES) == (NOTES, True)
    assert indexing.no_change(column)["ratio"] > 0
    changed = indexing.edit(column)
    assert changed["beyondWalkMilliseconds"] > changed["beyondAllowedWalksMilliseconds"]
    assert indexing.bring_up(column)[0].unchanged == NOTES


@pytest.mark.slow
def test_commands_hook_and_server_are_measured(column: Column) -> None:
    indexing.index(column)
    for part in (commands.no_change, commands.cold_search):
        found = part(column)
        assert found["milliseconds"] > found["pythonMilliseconds"]
    told = hook.measure(column)
    assert told["runDoneMilliseconds"] > 0
    assert told["nothingToStartMilliseconds"] > 0 < told["runStartedMilliseconds"]
    assert indexing.bring_up(column)[0].unchanged == NOTES
    answered = server.by_words(column)
    assert answered["firstAnswerMilliseconds"] >= answered["listedMilliseconds"] >= answered["initializedMilliseconds"]


@pytest.mark.slow
@pytest.mark.skipif(not is_available(), reason="the builtin model is not installed")
def test_the_model_is_measured_alone_and_at_work(column: Column, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "NOTES", 2)
    found = embedding.measure(column)
    assert found["texts"] > 4
    assert 0 < found["indexBusy"] <= 1.01


@pytest.mark.slow
@pytest.mark.skipif(not is_available(), reason="the builtin model is not installed")
def test_processes_that_answer_by_meaning_are_measured(column: Column) -> None:
    warm.fill(column)
    found = commands.cold_meaning(column)
    assert found["milliseconds"] > found["pythonMilliseconds"]
    assert server.by_meaning(column)["secondAnswerMilliseconds"] > 0


def test_questions_by_meaning_need_a_vector_for_each_section(column: Column) -> None:
    assert warm.fill(column) == {}
    found = warm.question(column)
    assert found["notes"] == NOTES
    assert manyvectors.measure(column)["vectors"] == 10 * NOTES


def test_a_corpus_is_measured_by_its_questions(tmp_path: Path) -> None:
    found = golden.measure(corpus(tmp_path))
    assert (found["questions"], found["hit1"], found["abstained"]) == (2, 1.0, 1.0)
    assert golden.measure(generated(1, tmp_path)) == {}


@pytest.mark.slow
def test_a_whole_run_is_shown_saved_compared_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, drawn = tmp_path / "run.json", tmp_path / "run.svg"
    corpus(tmp_path)
    words = ["--notes", "3", "--notes", "6", "--only", "index", "--golden", str(tmp_path / "golden")]
    main([*words, "--save", str(saved)])
    assert list(load(saved).sizes) == ["3", "6", "small"]
    capsys.readouterr()
    main([*words, "--compare", str(saved), "--draw", str(drawn)])
    shown = capsys.readouterr().out
    assert "(1.00x)" in shown
    assert "first index" in shown
    assert "stroke-dasharray" in drawn.read_text(encoding="utf-8")


def test_a_part_that_fails_costs_no_other_its_figures(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    column = Column("0", tmp_path / "nothing")
    assert measure(column, ("floors",)) == {}
    assert "0: floors failed with status 1" in capfd.readouterr().err


def test_cutting_is_measured_where_there_are_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        chunking.main([str(tmp_path)])
    assert "holds no notes" in capsys.readouterr().err
    (tmp_path / "a.md").write_text("# Tea\n\nTea is hot.\n\n## Cold\n\nIt may be cold.\n", encoding="utf-8")
    chunking.main([str(tmp_path)])
    assert capsys.readouterr().out.startswith("1 notes, 0.00 MB, 2 sections\n")


def test_generated_things_are_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_vault(tmp_path / name, 3)
    texts = [[file.read_text() for file in sorted((tmp_path / name).rglob("*.md"))] for name in ("one", "other")]
    assert texts[0] == texts[1]
    assert list(warm.questions(4)) == list(warm.questions(9))[:4]
    assert len({invented(place) for place in range(5000)}) == 5000
    made_up = warm.MadeUp()
    assert made_up.embed_query("a question") == made_up.embed_query("a question") != made_up.embed_query("another")
