"""Answers from notes that hold several decisions: each stands for itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import FakeEmbedder
from workbench import Workbench, benches, note

from docs_rag.core.answers import as_json
from docs_rag.core.status import Status

Files = dict[str, str | bytes]
Bench = Callable[[Files], Workbench]

LOG = """# Decisions

How things are decided around here.

## D-012 Lamps burn oil

- Status: accepted
- Date: 2024-01-10

Lamps burn whale oil through the night.

## D-013 Keepers sleep at noon

- Status: superseded by D-026
- Date: 2024-02-10

Lighthouse keepers sleep at noon every day.

### Why noon

Because lighthouse keepers eat at noon.

## D-026 Keepers sleep at dusk

- Status: accepted
- Date: 2025-03-01

Lighthouse keepers sleep at dusk instead.
"""
FILES: Files = {"log.md": LOG, "bread.md": "# Bread\n\nbread is baked in the morning\n"}


@pytest.fixture(params=["model", "words"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """Makes an indexed bench, with a model and without."""
    with benches(tmp_path) as make:
        yield lambda files: make(files, FakeEmbedder() if request.param == "model" else None)


def lines_of(the: Workbench, question: str, **query: object) -> list[int]:
    """The first lines of the hits, in the order of the file."""
    return sorted(hit.section.lines[0] for hit in the.ask(question, **query).hits)


def test_a_dead_decision_is_hidden_while_its_siblings_stay(bench: Bench) -> None:
    the = bench(FILES)
    answer = the.ask("lighthouse keepers sleep at noon")
    assert [hit.section.headings[1] for hit in answer.hits] == ["D-026 Keepers sleep at dusk"]
    assert answer.hidden["superseded"] == 2
    (record,) = answer.hidden_records
    assert (record.path, record.title, record.status) == (
        "log.md#D-013",
        "D-013 Keepers sleep at noon",
        Status.SUPERSEDED,
    )
    assert (record.superseded_by, record.current_end) == (("log.md#D-026",), ("log.md#D-026",))
    assert record.superseded_on == "2025-03-01"
    assert lines_of(the, "lamps burn whale oil") == [5]


def test_its_sections_come_back_with_its_own_standing(bench: Bench) -> None:
    the = bench(FILES)
    hits = the.ask("lighthouse keepers sleep at noon", search_all=True, limit=20).hits
    dead = next(hit for hit in hits if hit.section.headings[1].startswith("D-013"))
    assert (dead.section.path, dead.section.date, dead.section.superseded_on) == ("log.md", "2024-02-10", "2025-03-01")
    assert dead.standing == "SUPERSEDED 2025-03-01: no longer in force, replaced by log.md#D-026"
    assert dead.chain == ("log.md#D-013", "log.md#D-026")
    live = next(hit for hit in hits if hit.section.headings[1].startswith("D-026"))
    assert (live.section.status_text, live.section.date, live.standing) == ("accepted", "2025-03-01", "")


def test_a_successor_in_the_same_log_takes_its_place(bench: Bench) -> None:
    the = bench({"log.md": LOG.replace("Lighthouse keepers sleep at dusk instead.", "At dusk people go to bed daily.")})
    answer = the.ask("why do lighthouse keepers eat at noon every day")
    assert [hit.section.headings[1] for hit in answer.hits] == ["D-026 Keepers sleep at dusk"]
    (hit,) = answer.hits
    if hit.via is not None:
        assert (hit.via.path, hit.via.chain) == ("log.md#D-013", ("log.md#D-013", "log.md#D-026"))


@pytest.mark.parametrize("question", ["D-013", "what did D-013 decide?", "D-013 Keepers sleep at noon", "log.md#D-013"])
def test_a_question_that_names_a_dead_decision_is_told(bench: Bench, question: str) -> None:
    answer = bench(FILES).ask(question)
    assert answer.notices[0] == "D-013 is superseded by D-026 (2025-03-01)"
    assert answer.hidden_records[0].path == "log.md#D-013"


def test_a_question_that_is_a_living_decision_s_name_brings_it_first(bench: Bench) -> None:
    assert bench(FILES).ask("D-012").hits[0].section.lines[0] == 5


def test_on_a_day_the_decision_that_held_answers(bench: Bench) -> None:
    the = bench(FILES)
    then = the.ask("lighthouse keepers sleep", as_of="2024-12-31")
    assert then.hits[0].section.headings[1] == "D-013 Keepers sleep at noon"
    assert then.hits[0].standing == "IN FORCE until 2025-03-01, since superseded by log.md#D-026"
    assert "D-026 Keepers sleep at dusk" not in {hit.section.headings[-1] for hit in then.hits}
    assert the.ask("D-026", as_of="2024-12-31").notices[0] == "D-026 was not there on 2024-12-31: it is of 2025-03-01"


def test_a_note_may_be_replaced_by_a_decision_and_a_decision_by_a_note(bench: Bench) -> None:
    the = bench({
        "log.md": LOG.replace("superseded by D-026", "superseded by [new](new.md)"),
        "old.md": note("# Old\n\nlighthouse keepers sleep at noon", superseded_by='"[[log#D-026]]"'),
        "new.md": note("# New\n\nlighthouse keepers sleep at noon again", date="2025-05-01"),
    })  # fmt: skip
    answer = the.ask("lighthouse keepers sleep at noon")
    assert {record.path: record.current_end for record in answer.hidden_records} == {
        "log.md#D-013": ("new.md",), "old.md": ("log.md#D-026",),
    }  # fmt: skip
    assert answer.hits[0].section.path == "new.md"


def test_a_log_that_is_gone_is_named_by_none_of_its_decisions(bench: Bench) -> None:
    the = bench(FILES)
    the.automatic = False
    the.vault.delete("log.md")
    answer = the.ask("lighthouse keepers sleep at noon")
    assert answer.hits == ()
    assert answer.hidden_records == ()
    assert "log.md was left out: it is gone or changed since it was indexed" in answer.notices


def test_a_changed_log_is_read_again_before_it_is_quoted(bench: Bench) -> None:
    the = bench(FILES)
    the.automatic = False
    the.vault.write("log.md", LOG.replace("- Status: accepted\n- Date: 2025", "- Status: rejected\n- Date: 2025"))
    answer = the.ask("lighthouse keepers sleep at dusk")
    assert [hit.section.status for hit in answer.hits] == [Status.REJECTED]
    hits = as_json(answer)["hits"]
    assert isinstance(hits, list)
    assert hits[0]["standing"].startswith("REJECTED 2025-03-01")
