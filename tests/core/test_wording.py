"""Status texts, read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core import spellings
from docs_rag.core.status import Status
from docs_rag.core.wording import is_partial, known_words, read_reason, read_status

CURRENT, DRAFT, REJECTED = Status.CURRENT, Status.DRAFT, Status.REJECTED
ARCHIVED, SUPERSEDED = Status.ARCHIVED, Status.SUPERSEDED

STATES = (
    ("accepted", CURRENT),
    ("✅ Accepted", CURRENT),
    ("**Final**.", CURRENT),
    ("Living", CURRENT),
    ("accepted by the board", CURRENT),
    ("Draft", DRAFT),
    ("Last Call", DRAFT),
    ("last-call", DRAFT),
    ("in_progress", DRAFT),
    ("Active Review", DRAFT),
    ("deferred", DRAFT),
    ("Rejected", REJECTED),
    ("returned for revision", REJECTED),
    ("Withdrawn", REJECTED),
    ("won’t do", REJECTED),
    ("Deprecated (no superseding record)", ARCHIVED),
    ("STAGNANT", ARCHIVED),
    ("moved", ARCHIVED),
    ("superseded", SUPERSEDED),
    ("Superceded", SUPERSEDED),
    ("SUPERCEEDED", SUPERSEDED),
    ("⌛️ Superseded", SUPERSEDED),
    ("> superseded", SUPERSEDED),
    ("Entirely superseded", SUPERSEDED),
    ("replaced", SUPERSEDED),
    ("[SUPERSEDED](/README.md#lifecycle)", SUPERSEDED),
    ("[[Superseded]]", SUPERSEDED),
    ("Superseded - kept only for history", SUPERSEDED),
    ("ＳＵＰＥＲＳＥＤＥＤ", SUPERSEDED),
    ("Accepted\n\nSuperseded", SUPERSEDED),
    ("Implemented. Superseded", SUPERSEDED),
    ("Accepted (superseded)", SUPERSEDED),
    ("Accepted; superseded", SUPERSEDED),
    ("Accepted - superseded", CURRENT),
    ("Accepted, see [5. Superseded flows](5.md)", CURRENT),
    ("Accepted, see 0005-superseded.md", CURRENT),
    ("승인됨", CURRENT),
    ("제안됨", DRAFT),
    ("기각", REJECTED),
    ("폐기", ARCHIVED),
    ("대체됨", SUPERSEDED),
    ("承認済み", CURRENT),
    ("却下", REJECTED),
    ("廃止", ARCHIVED),
    ("已接受", CURRENT),
    ("已废弃", ARCHIVED),
    ("已取代", SUPERSEDED),
    ("被 ADR-045 取代", SUPERSEDED),
)


@pytest.mark.parametrize(("text", "status"), STATES)
def test_state(text: str, status: Status) -> None:
    reading = read_status(text)
    assert (reading.status, reading.known) == (status, True)


@pytest.mark.parametrize(
    "text",
    [
        "not superseded",
        "superseded?",
        "superseded ?",
        "Will be superseded by ADR-5",
        "🌱 seedling",
        "未被取代",
        "fnord",
        "",
        "?",
        "supersedes",
        "Reviewed",
    ],
)
def test_case_02_only_a_text_that_begins_with_the_word_counts(text: str) -> None:
    reading = read_status(text)
    assert (reading.status, reading.known, reading.successors) == (CURRENT, False, ())


SUCCESSORS = (
    ("superseded by ADR-0123", ("ADR-0123",)),
    ("Superseded by [5. A title. Long](0005-x.md)", ("[5. A title. Long](0005-x.md)",)),
    ("**Superseded** by `docs/x.md`", ("`docs/x.md`",)),
    ("superseded-by-0042", ("0042",)),
    ("superseded by 18_chain_migration", ("18_chain_migration",)),
    ("SUPERSEDED by PACKET_v1_1.md (round 6: it mixed …) — do not decide from this", ("PACKET_v1_1.md",)),
    ("Superseded: 2019-12-19 by [ADR 14](x.md)", ("[ADR 14](x.md)",)),
    ("Superseded on 2026-08-13 by ADR 0063", ("ADR 0063",)),
    ("Superseded [0019](x.md)", ("[0019](x.md)",)),
    ("superseded → [[New]]", ("[[New]]",)),
    ("Superseded. See ADR-7.", ("ADR-7",)),
    ("`Superseded` by ADR-7", ("ADR-7",)),
    ("- **`Superseded by`** `new-note.md`", ("`new-note.md`",)),
    ("`superseded`: see [7](7.md)", ("[7](7.md)",)),
    ("superseded by `NewNote` and others", ("`NewNote`",)),
    ("Superseded: because the law changed", ()),
    ("Inactive (superseded by P-0121 and P-0122)", ("P-0121", "P-0122")),
    ("Inactive (merged into candidate P-0113)", ()),
    ("Rejected (In favor of CAP-0018)", ("CAP-0018",)),
    ("Deprecated in favour of [x#66](https://host/o/r/pull/66)", ("[x#66](https://host/o/r/pull/66)",)),
    ("Deprecated in favour of something better", ()),
    ("Deprecated, will be replaced by ADR-5", ()),
    ("Replaced by New auth flow", ("New auth flow",)),
    ("Accepted - to be superseded by 0042", ()),
    ("대체됨 — D-011 참고", ("D-011",)),
    ("폐기 ([0009](x.md) 로 대체)", ("[0009](x.md)",)),
    ("已废弃（被 ADR-014 取代）", ("ADR-014",)),
    ("廃止（ADR-0034 により置換）", ("ADR-0034",)),
)


@pytest.mark.parametrize(("text", "successors"), SUCCESSORS)
def test_successors(text: str, successors: tuple[str, ...]) -> None:
    assert read_status(text).successors == successors


@pytest.mark.parametrize(
    "text", ["Withdrawn in favor of EIP-1", "Archived, replaced by EIP-1", "Closed; moved to EIP-1", "被 EIP-1 取代"]
)
def test_out_of_force_with_a_successor_is_superseded(text: str) -> None:
    assert read_status(text).status is SUPERSEDED


PARTIAL = (
    ("Partly superseded", ()),
    ("PARTIALLY SUPERSEDED by [[0051-return]]", ("[[0051-return]]",)),
    ("Superseded in places", ()),
    ("Superseded (partially)", ()),
    ("Mostly superseded by 0007", ("0007",)),
    ("Accepted, partially superseded by ADR-16", ("ADR-16",)),
    ("Implemented. Parts of this were superseded by [A](./a.md).", ("[A](./a.md)",)),
    ("Active (the interactive components are deprecated in favor of SEP-24)", ("SEP-24",)),
    ("일부 대체됨 (ADR-0003)", ("ADR-0003",)),
    ("部分取代", ()),
)


@pytest.mark.parametrize(("text", "by"), PARTIAL)
def test_parts_superseded_leave_the_record_in_force(text: str, by: tuple[str, ...]) -> None:
    reading = read_status(text)
    assert (reading.status, reading.partial, reading.successors) == (CURRENT, True, by)


@pytest.mark.parametrize(
    "text",
    [
        "Accepted (partially implemented)",
        "superseded by 0012-partial-refunds.md",
        "Superseded by A, partially implemented",
        "Accepted - to be partially superseded by 7",
    ],
)
def test_not_every_part_is_a_superseded_part(text: str) -> None:
    assert not read_status(text).partial


def test_partial_draft_stays_a_draft() -> None:
    assert read_status("Draft, partly superseded by 7").status is DRAFT


def test_claims_within_a_status() -> None:
    assert read_status("accepted; supersedes ADR-0045").claims == ("ADR-0045",)
    assert read_status("Supercedes [1. Title](0001.md)").claims == ("[1. Title](0001.md)",)
    assert read_status("accepted; supersedes parts of ADR-0045").claims == ()


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("superseded (consolidated 2026-08-27)", "2026-08-27"),
        ("superseded by 2026-08-24-tours.md", None),
        ("accepted 2026-08-27", None),
    ],
)
def test_since(text: str, since: str | None) -> None:
    assert read_status(text).since == since


def test_what_only_mentions_the_end_is_told() -> None:
    assert read_status("Accepted - proposed to be superseded by 0042").mentions == "superseded"
    assert read_status("Accepted").mentions == ""


REASONS = (
    ("I chose to pursue P-3074 as the preferred solution.", ("P-3074",)),
    ("Niche, better implemented with P-7702.", ("P-7702",)),
    ("Policy is documented in P-1 and P-5069.", ("P-1", "P-5069")),
    ("material moved to P-2315", ("P-2315",)),
    ("The authors prefer [P-2200](./p-2200.md)", ("[P-2200](./p-2200.md)",)),
    ("Superseded by P-7702.", ("P-7702",)),
    ("Superseded by the other proposals.", ("the other proposals",)),
    ("Out of date. Conflicts with P-1559.", ()),
    ("May be replaced by P-9.", ()),
    ("Merged into candidate P-9.", ()),
    ("Nobody wanted it.", ()),
)


@pytest.mark.parametrize(("text", "references"), REASONS)
def test_reason(text: str, references: tuple[str, ...]) -> None:
    assert read_reason(text) == references


def test_remark_on_parts() -> None:
    assert is_partial("ADR-021 (the converter only)")
    assert not is_partial("read-only-mode.md")
    assert not is_partial("[[partly cloudy]]")


def test_known_words_counts_choices() -> None:
    assert known_words("{proposed | accepted | other}") == 2
    assert known_words("accepted | 2026-01-14") == 1


def test_every_word_of_the_tables_is_folded_and_leads_to_its_state() -> None:
    for phrase, status in spellings.WORDS.items():
        assert phrase == phrase.casefold().strip()
        assert read_status(phrase).status is status, phrase
    for stem, status in spellings.STEMS:
        assert read_status(stem).status is status, stem


@given(st.text(max_size=300))
def test_nothing_is_raised(text: str) -> None:
    assert read_status(text).status in Status
    read_reason(text)
    is_partial(text)


@pytest.mark.parametrize(
    "unit", ["superseded ", "superseded, ", "(", "[", "[[", "被", "by ", "_", "a-", "[a](b", "parts of "]
)
def test_long_texts_are_read_as_well(unit: str) -> None:
    assert read_status(unit * 20_000).status in Status
    read_reason(unit * 20_000)
