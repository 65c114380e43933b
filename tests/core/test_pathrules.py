"""Entries that name folders and notes: defaultExclude, within, pathBoosts."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.pathrules import Boosts, PathRules


@pytest.mark.parametrize(
    ("entry", "path", "expected"),
    [
        ("archive", "archive/a.md", True),
        ("archive", "4 Archives/a.md", True),
        ("archive", "notes/_ARCHIVE/x/a.md", True),
        ("archive", "04-archive/a.md", True),
        ("archive", "📦 Archive/a.md", True),
        ("archive", "(Archives/a.md", True),
        ("archives", "Archive/a.md", True),
        ("archive", "archived/a.md", False),
        ("archive", "my archive/a.md", False),
        ("archive", "archive-2024/a.md", False),
        ("plans", "Plans/a.md", True),
        ("plans", "plan/a.md", True),
        ("plans", "plans.md", False),
        ("plans", "a/plans.md", False),
        ("plans.md", "a/Plans.md", True),
        ("plans.md", "a/02 plans.md", True),
        ("plans.md", "plans/a.md", False),
        ("plans", "a/plans", True),
        ("_drafts", "drafts/a.md", True),
        ("4 archives", "4 Archives/a.md", True),
        ("4 archives", "5 Archives/a.md", False),
        ("2024", "2024/a.md", True),
        ("2024", "2025/a.md", False),
        ("v1.2", "docs/v1.2/a.md", True),
        ("s", "s/a.md", True),
        ("s", "a/b.md", False),
        ("회의록", "3. 회의록/a.md", True),
        ("straße", "STRASSE/a.md", True),
    ],
)
def test_an_entry_without_a_slash_matches_one_segment(entry: str, path: str, expected: bool) -> None:
    assert PathRules([entry]).matches(path) == (entry if expected else None)


@pytest.mark.parametrize(
    ("entry", "path", "expected"),
    [
        ("team/plans", "team/plans/a.md", True),
        ("team/plans", "x/2 Teams/Plan/y/a.md", True),
        ("team/plans", "team/x/plans/a.md", False),
        ("team/plans", "plans/team/a.md", False),
        ("team/a.md", "x/team/a.md", True),
        ("team/a", "team/a.md", False),
        ("/team/plans/", "team/plans/a.md", True),
        ("team\\plans", "team/plans/a.md", True),
        ("./team", "team/a.md", True),
        ("team/", "x/team/a.md", True),
        ("team/**", "team/a.md", True),
        ("**/team/*", "x/team/a.md", True),
        ("team/plans/old", "plans/old/a.md", False),
    ],
)
def test_an_entry_with_slashes_matches_consecutive_segments(entry: str, path: str, expected: bool) -> None:
    assert PathRules([entry]).matches(path) == (entry if expected else None)


def test_the_entry_is_told_as_it_was_written_the_outer_folder_first() -> None:
    rules = PathRules(["Plans", "ARCHIVE"])
    assert rules.matches("archive/plans/a.md") == "ARCHIVE"
    assert rules.matches("x/plan/a.md") == "Plans"
    assert rules.matches("x/y/a.md") is None


def test_a_folder_is_judged_with_its_own_name() -> None:
    rules = PathRules(["archive", "a/b"])
    assert rules.matches_folder("x/Archives") == "archive"
    assert rules.matches_folder("a/b") == "a/b"
    assert rules.matches_folder("a") is None
    assert rules.matches_folder("") is None


@pytest.mark.parametrize("entries", [[], [""], ["/"], ["./"], ["**"], [" "]])
def test_entries_that_name_nothing_match_nothing(entries: list[str]) -> None:
    rules = PathRules(entries)
    assert not rules
    assert rules.matches("a/b.md") is None
    assert rules.matches_folder("a") is None


def test_unicode_form_makes_no_difference() -> None:
    for form in ("NFC", "NFD"):
        rules = PathRules([unicodedata.normalize(form, "회의")])
        assert rules.matches("1 회의/a.md")


def test_a_path_of_thousands_of_folders_is_judged() -> None:
    deep = "a/" * 3000
    assert PathRules(["archive"]).matches(f"{deep}x.md") is None
    assert PathRules(["archive"]).matches(f"archive/{deep}x.md") == "archive"


def test_boosts_multiply() -> None:
    boosts = Boosts({"reference": 2.0, "team/notes": 0.5, "absent": 9.0})
    assert boosts.factor("reference/a.md") == 2.0
    assert boosts.factor("1 References/team/notes/a.md") == 1.0
    assert boosts.factor("team/notes/a.md") == 0.5
    assert boosts.factor("a.md") == 1.0
    assert Boosts({}).factor("a.md") == 1.0


@given(st.lists(st.text(max_size=8), max_size=4), st.text(max_size=30))
def test_no_text_raises_and_an_answer_is_repeated(entries: list[str], path: str) -> None:
    rules = PathRules(entries)
    found = rules.matches(path)
    assert rules.matches(path) == found == PathRules(entries).matches(path)
    assert found is None or found in entries


@given(st.text(alphabet="abся회é", min_size=1, max_size=6), st.sampled_from(["", "4 ", "03. ", "_", "#", "(1) "]))
def test_a_folder_is_found_whatever_its_number_and_case(name: str, lead: str) -> None:
    entry = unicodedata.normalize("NFC", name)
    for folder in (f"{lead}{entry}", f"{lead}{entry}s", f"{lead}{entry.upper()}"):
        assert PathRules([entry]).matches(f"x/{folder}/note.md") == entry
