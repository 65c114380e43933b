"""Questions that name a day: what was in force then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import FakeEmbedder
from workbench import Workbench, benches, note

from docs_rag.core.answers import Answer, as_json
from docs_rag.core.status import Status

Files = dict[str, str | bytes]
Bench = Callable[[Files], Workbench]

LINE: Files = {
    "a.md": note(
        "# A\n\nlighthouse keepers sleep at noon", status="superseded", date="2023-01-01", superseded_by="b.md"
    ),
    "b.md": note(
        "# B\n\nlighthouse keepers sleep at dusk", status="superseded", date="2024-01-01", superseded_by="c.md"
    ),
    "c.md": note("# C\n\nlighthouse keepers never sleep", status="accepted", date="2025-01-01"),
    "other.md": "# Other\n\nbread is baked in the morning\n",
}


@pytest.fixture(params=["model", "words"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """Makes an indexed bench, with a model and without."""
    with benches(tmp_path) as make:
        yield lambda files: make(files, FakeEmbedder() if request.param == "model" else None)


def hidden(answer: Answer) -> list[dict[str, object]]:
    """The hidden records as JSON."""
    records = as_json(answer)["hiddenRecords"]
    assert isinstance(records, list)
    return records


def shown(answer: Answer) -> list[tuple[str, str | None, str | None]]:
    """Path, and from when to when, of each hit."""
    hits = as_json(answer)["hits"]
    assert isinstance(hits, list)
    return [(hit["path"], hit["inForceFrom"], hit["inForceUntil"]) for hit in hits]


@pytest.mark.parametrize(
    ("day", "path", "since", "until"),
    [
        ("2023-06-01", "a.md", "2023-01-01", "2024-01-01"),
        ("2023-12-31", "a.md", "2023-01-01", "2024-01-01"),
        ("2024-01-01", "b.md", "2024-01-01", "2025-01-01"),
        ("2026-01-01", "c.md", "2025-01-01", None),
    ],
)
def test_of_a_line_the_record_that_held_answers(
    bench: Bench, day: str, path: str, since: str, until: str | None
) -> None:
    answer = bench(LINE).ask("lighthouse keepers sleep", as_of=day)
    assert shown(answer) == [(path, since, until)]
    assert (answer.as_of, answer.hits[0].section.status) == (day, Status.CURRENT)
    assert answer.notices == ()


def test_a_hit_that_is_dead_today_says_so(bench: Bench) -> None:
    (hit,) = bench(LINE).ask("lighthouse keepers sleep", as_of="2024-06-01").hits
    assert hit.standing == "IN FORCE until 2025-01-01, since superseded by c.md"
    assert (hit.section.superseded_by, hit.section.superseded_on, hit.chain) == (("c.md",), "2025-01-01", ())


def test_before_everything_there_is_nothing(bench: Bench) -> None:
    answer = bench(LINE).ask("lighthouse keepers sleep", as_of="2020-01-01")
    assert answer.hits == ()
    assert answer.hidden == {"superseded": 0, "archived": 0, "excluded": 0, "later": 3}
    assert "A (a.md), of 2023-01-01" in answer.message


def test_a_line_is_followed_as_of_the_day(bench: Bench) -> None:
    the = bench({
        **LINE,
        "a.md": note("# A\n\nsessions expire after a long idle night", date="2023-01-01", superseded_by="b.md"),
        "b.md": note("# B\n\nsessions end when people are idle an hour", date="2024-01-01", superseded_by="c.md"),
        "c.md": note("# C\n\nsessions last for ever", date="2025-01-01"),
    })  # fmt: skip
    answer = the.ask("sessions expire after a long idle night", as_of="2024-06-01")
    (hit,) = answer.hits
    assert hit.section.path == "b.md"
    if hit.via is not None:
        assert hit.via.chain == ("a.md", "b.md")
    (record, *_) = answer.hidden_records
    assert (record.path, record.current_end, record.superseded_on) == ("a.md", ("b.md",), "2024-01-01")


def test_a_question_that_names_a_record_is_told_how_it_stood(bench: Bench) -> None:
    the = bench({
        "adr/0012-old.md": note("# ADR-0012: Old\n\nlighthouse", date="2023-01-01", superseded_by="0034-new.md"),
        "adr/0034-new.md": note("# ADR-0034: New\n\nsomething else", date="2025-03-01"),
    })  # fmt: skip
    assert the.ask("ADR-0012", as_of="2026-01-01").notices[0] == (
        "on 2026-01-01 ADR-0012 was already superseded by ADR-0034 (2025-03-01)"
    )
    before = the.ask("ADR-0012", as_of="2024-01-01")
    assert [hit.section.path for hit in before.hits] == ["adr/0012-old.md"]
    later = the.ask("ADR-0034", as_of="2024-01-01")
    assert later.notices[0] == "ADR-0034 was not there on 2024-01-01: it is of 2025-03-01"
    record = hidden(later)[0]
    assert (record["path"], record["status"], record["inForceFrom"]) == ("adr/0034-new.md", "current", "2025-03-01")


def test_a_record_that_ended_on_an_unknown_day_answers_below_the_others_and_says_so(bench: Bench) -> None:
    the = bench({
        "old.md": note("# Old\n\nlighthouse keepers sleep at noon", date="2023-01-01", superseded_by="new.md"),
        "new.md": note("# New\n\nlighthouse keepers sleep at noon and never again"),
        "gone.md": note("# Gone\n\nlighthouse keepers sleep at noon again", status="archived", date="2022-01-01"),
    })  # fmt: skip
    answer = the.ask("lighthouse keepers sleep at noon", as_of="2024-01-01", limit=9)
    assert answer.hits[0].section.path == "new.md"
    said = {str(hit.section.path): hit.standing for hit in answer.hits}
    assert said == {
        "new.md": "",
        "old.md": "SUPERSEDED by new.md, on what day is not known: may not have been in force on 2024-01-01",
        "gone.md": "ARCHIVED, on what day is not known: may not have been in force on 2024-01-01",
    }
    assert answer.notices == (
        "1 of 3 hits have no date: they may not have been there on 2024-01-01",
        "2 of 3 hits ended on a day that is not known, perhaps before 2024-01-01",
    )


def test_with_all_everything_comes_back_labelled(bench: Bench) -> None:
    answer = bench(LINE).ask("lighthouse keepers sleep", as_of="2024-06-01", search_all=True)
    said = {str(hit.section.path): hit for hit in answer.hits}
    assert set(said) == {"a.md", "b.md", "c.md"}
    assert said["a.md"].standing == "SUPERSEDED 2024-01-01: no longer in force, replaced by b.md"
    assert said["a.md"].chain == ("a.md", "b.md")
    assert said["b.md"].standing.startswith("IN FORCE until 2025-01-01")
    assert said["c.md"].standing == "LATER 2025-01-01: was not there on 2024-06-01"


def test_drafts_and_rejected_records_are_what_they_are_today(bench: Bench) -> None:
    the = bench({
        "d.md": note("# D\n\nlighthouse keepers sleep", status="draft", date="2023-01-01"),
        "r.md": note("# R\n\nlighthouse keepers wake", status="rejected", date="2023-01-01"),
        "late.md": note("# L\n\nlighthouse keepers dance", status="draft", date="2025-01-01"),
    })  # fmt: skip
    answer = the.ask("lighthouse keepers", as_of="2024-01-01")
    assert sorted(shown(answer)) == [("d.md", None, None), ("r.md", None, None)]
    assert {hit.standing for hit in answer.hits} == {
        "DRAFT 2023-01-01: not decided", "REJECTED 2023-01-01: describes what was not done",
    }  # fmt: skip


@pytest.mark.parametrize(("day", "partial"), [("2024-06-01", None), ("2025-06-01", "partly superseded by new.md")])
def test_a_part_that_was_replaced_later_was_not_yet(bench: Bench, day: str, partial: str | None) -> None:
    the = bench({
        "old.md": note("# Old\n\nlighthouse keepers sleep", status="partially superseded by new.md", date="2024-01-01"),
        "new.md": note("# New\n\nbread is baked", date="2025-01-01"),
    })  # fmt: skip
    (hit,) = the.ask("lighthouse keepers sleep", as_of=day).hits
    assert (hit.section.path, hit.section.partial) == ("old.md", partial)


def test_words_are_rare_by_the_state_of_the_day(bench: Bench) -> None:
    files: Files = {f"n{n}.md": note(f"# N{n}\n\nharbour rope number{n}", date="2025-01-01") for n in range(12)}
    files["old.md"] = note("# Old\n\nkangaroo boxing", date="2023-01-01", superseded_by="n1.md")
    answer = bench(files).ask("kangaroo boxing", as_of="2024-01-01")
    assert [hit.section.path for hit in answer.hits] == ["old.md"]


def test_a_day_to_come_is_told(bench: Bench) -> None:
    (notice,) = bench(LINE).ask("lighthouse keepers sleep", as_of="2999-12-31").notices
    assert notice.startswith("2999-12-31 is still to come")


def test_without_a_day_nothing_is_said_of_days(bench: Bench) -> None:
    answer = bench(LINE).ask("lighthouse keepers sleep")
    assert shown(answer) == [("c.md", None, None)]
    assert as_json(answer)["asOf"] is None
