"""Obsidian's settings, as far as they matter here."""

from __future__ import annotations

import json

import pytest

from docs_rag.core.obsidian import Excluded, excluded, ignore_filters, is_config_folder
from docs_rag.core.pathrules import PathRules

PATHS = ("index.md", "Templates/day.md", "work/log.md", "work/Templates2/x.md", "work/old/a.md", "archive/b.md")


@pytest.mark.parametrize(
    ("name", "entries", "is_one"),
    [
        (".obsidian", [], True),
        (".obsidian-phone", ["app.json", "workspace.json"], True),
        (".settings", ["app.json", "core-plugins.json", "plugins"], True),
        (".settings", ["app.json"], False),
        ("settings", ["app.json", "workspace.json"], False),
        (".git", ["config", "HEAD"], False),
    ],
)
def test_the_folder_of_settings_is_known_by_another_name(name: str, entries: list[str], is_one: bool) -> None:
    assert is_config_folder(name, entries) is is_one


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ('{"userIgnoreFilters": ["a/", " b/ ", "a/", "", 3]}', ("a/", "b/")),
        ('{"userIgnoreFilters": null}', ()),
        ('{"userIgnoreFilters": "a/"}', ()),
        ("{}", ()),
        ("[]", ()),
        ("{", ()),
        ("", ()),
        ("[" * 100_000, ()),
    ],
)
def test_filters_are_read_from_whatever_is_there(text: str, filters: tuple[str, ...]) -> None:
    assert ignore_filters(text) == filters


@pytest.mark.parametrize(
    ("written", "entries", "others"),
    [
        ("Templates/", ("Templates",), ()),
        ("work/old", ("work/old",), ()),
        ("work/log.md", ("work/log.md",), ()),
        ("work/l", (), ("work/l",)),
        ("/^work.*/", (), ("/^work.*/",)),
        ("node_modules/", (), ()),
        ("archive/", (), ()),
    ],
)
def test_a_filter_becomes_an_entry_where_that_says_the_same(
    written: str, entries: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert excluded([written], PATHS, PathRules(["archive"])) == Excluded(entries, others)


def test_a_name_that_means_other_notes_too_is_not_taken_over() -> None:
    paths = ("README.md", "work/README.md", "Templates/a.md", "work/templates/b.md")
    filters = ignore_filters(json.dumps({"userIgnoreFilters": ["README.md", "Templates/"]}))
    assert excluded(filters, paths, PathRules([])) == Excluded((), ("README.md", "Templates/"))
