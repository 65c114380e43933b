"""The words on a hit."""

from dataclasses import replace

import pytest
from evaluated import believed

from docs_rag.core.answers import HiddenRecord, Hit, Via
from docs_rag.core.asof import Force, Reading
from docs_rag.core.documents import DocPath
from docs_rag.core.labels import (
    brackets,
    hidden_notice,
    no_relevant,
    no_relevant_words,
    reason,
    record_name,
    standing,
    superseded,
)
from docs_rag.core.sections import Section
from docs_rag.core.status import Status

SECTION = Section(
    id=1, path=DocPath("a.md"), title="A", ordinal=0, headings=(), lines=(1, 2), text="t", status=Status.CURRENT
)


def hit(section: Section = SECTION, label: str = "semantic", score: float | None = 0.7123, **more: object) -> Hit:
    return replace(Hit(section=section, label=label, score=score, text="t"), **more)  # type: ignore[arg-type]


def test_reasons() -> None:
    assert reason(hit()) == "[semantic 0.712]"
    assert reason(hit(label="both", score=0.688)) == "[both 0.688]"
    assert reason(hit(label="exact", score=None)) == "[exact match]"
    via = Via("old/auth.md", 0.7, ("old/auth.md", "a.md"))
    assert reason(hit(score=0.48, via=via)) == "[semantic 0.48 via superseded old/auth.md 0.70]"


def test_brackets_in_order_and_only_where_they_say_something() -> None:
    draft = replace(SECTION, status=Status.DRAFT, date="2026-01-14", stale=True)
    assert brackets(hit()) == []
    assert brackets(hit(draft, excluded="plans")) == ["[draft]", "[2026-01-14]", "[stale]", "[excluded: plans]"]


@pytest.mark.parametrize(
    ("chain", "direct", "on", "label"),
    [
        (("a", "b"), ("b",), "2026-03-01", "[superseded → b; 2026-03-01]"),
        (("a", "b", "c"), ("b",), None, "[superseded → b → c]"),
        (("a", "b", "c", "d", "e"), ("b",), "2026-03-01", "[superseded → b → … → e; 2026-03-01]"),
        ((), (), None, "[superseded → ?]"),
        (("a",), ("b", "c"), None, "[superseded → b, c]"),
    ],
)
def test_superseded_labels(chain: tuple[str, ...], direct: tuple[str, ...], on: str | None, label: str) -> None:
    assert superseded(chain, direct, on) == label


def test_several_successors_and_where_their_lines_lead() -> None:
    assert superseded(("a", "b"), ("b", "c"), "2026-03-01", ("c", "b")) == "[superseded → b, c; 2026-03-01]"
    assert superseded(("a", "b", "e"), ("b", "c"), None, ("e", "c")) == "[superseded → b, c → … → e, c]"


def test_standing_says_first_what_a_reader_must_know() -> None:
    rejected = replace(SECTION, status=Status.REJECTED, date="2026-01-02")
    assert standing(SECTION) == ""
    assert standing(rejected) == "REJECTED 2026-01-02: describes what was not done"
    assert standing(replace(SECTION, status=Status.DRAFT)) == "DRAFT: not decided"
    dead = replace(SECTION, status=Status.SUPERSEDED, superseded_on="2026-03-01", current_end=(DocPath("b.md"),))
    assert standing(dead) == "SUPERSEDED 2026-03-01: no longer in force, replaced by b.md"
    no_end = replace(dead, superseded_by=(DocPath("b.md"),), current_end=())
    assert standing(no_end) == "SUPERSEDED 2026-03-01: no longer in force, replaced by b.md, not in force either"
    assert standing(replace(no_end, superseded_by=())).endswith("no longer in force, successor unknown")


def test_on_a_day_the_days_in_force_stand_for_the_date() -> None:
    force = Force("2025-01-01", Reading.HELD, Status.SUPERSEDED, "2024-01-14", "2026-03-01")
    held = replace(SECTION, date="2024-01-14", superseded_by=(DocPath("b.md"),), force=force, stale=True)
    assert brackets(hit(held)) == ["[in force 2024-01-14 – 2026-03-01]", "[stale]"]
    assert standing(held) == "IN FORCE until 2026-03-01, since superseded by b.md"
    dead = replace(held, status=Status.SUPERSEDED, superseded_on="2024-06-01", stale=False)
    ended = replace(dead, force=Force("2025-01-01", Reading.ENDED, Status.SUPERSEDED, "2024-01-14", "2024-06-01"))
    assert brackets(hit(ended)) == ["[superseded → b.md; 2024-06-01]", "[in force 2024-01-14 – 2024-06-01]"]
    draft = replace(SECTION, status=Status.DRAFT, date="2024-01-14")
    drafted = replace(draft, force=Force("2025-01-01", Reading.HELD, Status.DRAFT, "2024-01-14", None))
    assert brackets(hit(drafted)) == ["[draft]", "[2024-01-14]"]
    assert standing(drafted) == "DRAFT 2024-01-14: not decided"


def test_no_relevant_results_shows_a_third_digit_when_two_look_equal() -> None:
    assert no_relevant(0.41, 0.55) == "No relevant results (best score 0.41, threshold 0.55)."
    assert no_relevant(0.548, 0.55) == "No relevant results (best score 0.548, threshold 0.550)."
    assert no_relevant(None, 0.55) == "No relevant results (threshold 0.55)."
    assert no_relevant_words(1, 4) == "No relevant results (lexical search only; the vault holds 1 of 4 words)."
    assert no_relevant_words(0, 0).endswith("the question holds no word to look for).")
    assert no_relevant_words(0, 1, in_force=True).endswith("; the notes in force hold 0 of 1 words).")


def test_a_named_hidden_record_is_told_by_its_number() -> None:
    record = HiddenRecord(
        path="adr/0012.md", title="ADR-0012: Old", status=Status.SUPERSEDED, superseded_by=("adr/0034.md",),
        current_end=("adr/0034.md",), superseded_on="2026-03-01",
    )  # fmt: skip
    assert hidden_notice(record, {"adr/0034.md": "ADR-0034"}) == "ADR-0012 is superseded by ADR-0034 (2026-03-01)"
    assert hidden_notice(replace(record, superseded_by=(), superseded_on=None), {}).startswith("ADR-0012 is superseded")
    assert record_name("Use Kafka", "adr/ADR-7-use-kafka.md") == "ADR-7"
    assert record_name("Keepers sleep at noon", "adr/log.md#D-013") == "D-013"


def test_a_named_hidden_record_is_told_where_its_line_leads() -> None:
    record = HiddenRecord(
        path="log.md#D-1", title="Old", status=Status.SUPERSEDED, superseded_by=("log.md#D-2",),
        current_end=("adr/0034.md",),
    )  # fmt: skip
    names = {"log.md#D-2": "D-2", "adr/0034.md": "ADR-0034"}
    assert hidden_notice(record, names) == "D-1 is superseded by D-2; its line leads to ADR-0034"
    assert hidden_notice(replace(record, current_end=()), names) == (
        "D-1 is superseded by D-2; its line leads to no record in force"
    )
    assert hidden_notice(replace(record, status=Status.ARCHIVED), names) == "D-1 is archived"


def test_on_a_day_a_named_hidden_record_is_told_as_it_stood() -> None:
    ended = Force("2025-01-01", Reading.ENDED, Status.ARCHIVED, "2023-01-01", "2024-01-01")
    record = HiddenRecord(
        path="a.md", title="ADR-7", status=Status.ARCHIVED, superseded_on="2024-01-01", force=ended
    )  # fmt: skip
    assert hidden_notice(record, {}) == "on 2025-01-01 ADR-7 was already archived (2024-01-01)"
    later = replace(record, force=Force("2025-01-01", Reading.LATER, Status.CURRENT, "2026-01-01", None))
    assert hidden_notice(later, {}) == "ADR-7 was not there on 2025-01-01: it is of 2026-01-01"


def test_a_date_from_git_says_so() -> None:
    first_commit = replace(SECTION, date="2026-01-14", date_source="git")
    assert brackets(hit(first_commit)) == ["[2026-01-14 (git)]"]
    assert standing(replace(first_commit, status=Status.DRAFT)) == "DRAFT 2026-01-14 (git): not decided"
    force = Force("2026-02-01", Reading.HELD, Status.CURRENT, "2026-01-14", None, "git")
    assert brackets(hit(replace(first_commit, force=force))) == ["[in force since 2026-01-14 (git)]"]
    assert brackets(hit(replace(first_commit, date_source="note"))) == ["[2026-01-14]"]


def test_silence_says_what_was_lacking() -> None:
    assert no_relevant(0.3, 0.1, believed(0.41)) == (
        "No relevant results (best score 0.30, threshold 0.10; confidence 0.41, needed 0.50)."
    )
    assert no_relevant(0.3, 0.1, believed(0.41, absent=("ERR_7\u202e", "b", "c", "d"))).endswith(
        " Nothing is called ERR_7\ufffd, b, c."
    )
    assert no_relevant(0.3, 0.4, believed(0.41)) == "No relevant results (best score 0.30, threshold 0.40)."
    named = replace(believed(0.6, needed=0.0, absent=("ERR_7",)), is_named_in_vain=True)
    assert no_relevant(0.6, 0.55, named) == (
        "No relevant results (best score 0.60, threshold 0.55). Nothing is called ERR_7."
    )
    assert no_relevant(0.3, 0.55, named).endswith("(best score 0.30, threshold 0.55). Nothing is called ERR_7.")
