"""Own status words, the key, the globs and the folders of a project."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.status import Status
from docs_rag.core.statusrules import FOLDERS, PLAIN, StatusRules

GARDEN = StatusRules(
    words={
        "🌱 seedling": Status.DRAFT,
        "🌿 Budding": Status.DRAFT,
        "🌲 evergreen": Status.CURRENT,
        "In-Use": Status.CURRENT,
        "parked": Status.ARCHIVED,
        "parked for good": Status.REJECTED,
        "종료": Status.ARCHIVED,
        "⚰️": Status.ARCHIVED,
    }
)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("🌱 seedling", Status.DRAFT),
        ("🌱", Status.DRAFT),
        ("🌱️", Status.DRAFT),
        ("Seedling", Status.DRAFT),
        ("  SEEDLING  ", Status.DRAFT),
        ("🌱seedling", Status.DRAFT),
        ("seedling 🌱", Status.DRAFT),
        ("🌲 seedling", Status.DRAFT),
        ("**Seedling**", Status.DRAFT),
        ("`seedling`", Status.DRAFT),
        ("[[Seedling]]", Status.DRAFT),
        ("ｓｅｅｄｌｉｎｇ", Status.DRAFT),
        ("seedling, planted 2026-02-01", Status.DRAFT),
        ("🌱 seedling (since March)", Status.DRAFT),
        ("in use", Status.CURRENT),
        ("in_use since May", Status.CURRENT),
        ("parked until June", Status.ARCHIVED),
        ("Parked for good, sorry", Status.REJECTED),
        ("종료됨 (2026)", Status.ARCHIVED),
        ("⚰", Status.ARCHIVED),
        ("⚰️ buried", Status.ARCHIVED),
        ("🌱 something else", None),
        ("seedlings", None),
        ("not a seedling", None),
        ("seedling?", None),
        ("", None),
        ("?", None),
        ("🌵", None),
    ],
)
def test_an_own_word_is_found_at_the_beginning_of_a_status(text: str, status: Status | None) -> None:
    assert GARDEN.look_up(text) is status


def test_a_sign_that_words_of_two_states_bear_means_neither() -> None:
    rules = StatusRules(words={"🌱 seedling": Status.DRAFT, "🌱 compost": Status.ARCHIVED})
    assert rules.look_up("🌱") is None
    assert rules.look_up("🌱 compost") is Status.ARCHIVED


def test_a_word_as_written_goes_before_one_without_its_sign() -> None:
    rules = StatusRules(words={"✅ done": Status.CURRENT, "done": Status.ARCHIVED})
    assert rules.look_up("done") is Status.ARCHIVED
    assert rules.look_up("✅ done") is Status.CURRENT


def test_without_own_words_nothing_is_found() -> None:
    assert PLAIN.look_up("accepted") is None


@given(st.text(), st.text(min_size=1))
def test_looking_up_never_raises(text: str, word: str) -> None:
    rules = StatusRules(words={word: Status.ARCHIVED})
    assert rules.look_up(text) in (None, Status.ARCHIVED)


@given(st.text(alphabet=st.characters(categories=("L", "N")), min_size=1, max_size=20))
def test_a_word_as_it_is_written_is_always_found(word: str) -> None:
    assert StatusRules(words={word: Status.ARCHIVED}).look_up(word) is Status.ARCHIVED


def test_only_notes_that_the_globs_name_are_heard() -> None:
    rules = StatusRules(within=("decisions/**", "rfc/*.md"))
    assert rules.counts("decisions/old/a.md")
    assert rules.counts("rfc/7.md")
    assert not rules.counts("journal/a.md")
    assert PLAIN.counts("journal/a.md")
    assert not StatusRules(within=()).counts("a.md")


def test_a_folder_gives_what_lies_below_it_its_state() -> None:
    assert PLAIN.folder_status("adr/Archived/2019/a.md") is Status.ARCHIVED
    assert PLAIN.folder_status("adr/3 superseded/a.md") is Status.SUPERSEDED
    assert PLAIN.folder_status("archived.md") is None
    assert StatusRules(folders={}).folder_status("archived/a.md") is None
    assert StatusRules(folders={"attic": Status.ARCHIVED}).folder_status("attic/a.md") is Status.ARCHIVED


def test_the_digest_is_empty_for_the_default_and_tells_all_others_apart() -> None:
    assert PLAIN.digest == ""
    assert StatusRules(words={}, key="status", within=("**",), folders=dict(FOLDERS)).digest == ""
    others = [
        GARDEN,
        StatusRules(words={"a": Status.DRAFT}),
        StatusRules(words={"a": Status.ARCHIVED}),
        StatusRules(key="stage"),
        StatusRules(within=("a/**",)),
        StatusRules(within=()),
        StatusRules(folders={}),
        StatusRules(folders={"attic": Status.ARCHIVED}),
    ]
    digests = {rules.digest for rules in others}
    assert len(digests) == len(others)
    assert all(len(digest) == 12 and digest.isalnum() for digest in digests)


def test_the_digest_stays_the_same_from_run_to_run() -> None:
    one = StatusRules(words={"a": Status.DRAFT, "b": Status.CURRENT})
    other = StatusRules(words={"b": Status.CURRENT, "a": Status.DRAFT})
    assert one.digest == other.digest == "31e10ad02f77"
