"""Paths that begin with the name of a root."""

from __future__ import annotations

from collections import Counter

import pytest

from docs_rag.core.changes import vanished_roots
from docs_rag.core.globs import GlobsBelow
from docs_rag.core.rootpaths import count_by_root, join_root, split_root
from docs_rag.core.wanted import prefix_within, within_vault

NAMES = ("papers", "논문")


@pytest.mark.parametrize(
    ("path", "name", "rest"),
    [
        ("papers/a/b.md", "papers", "a/b.md"),
        ("논문/a.md#D-1", "논문", "a.md#D-1"),
        ("papers", "", "papers"),
        ("papers.md", "", "papers.md"),
        ("docs/papers/a.md", "", "docs/papers/a.md"),
        ("Papers/a.md", "", "Papers/a.md"),
    ],
)
def test_a_path_is_taken_apart_and_joined_again(path: str, name: str, rest: str) -> None:
    assert split_root(path, NAMES) == (name, rest)
    assert join_root(name, rest) == path


def test_paths_are_counted_by_root() -> None:
    paths = ["a.md", "papers/a.md", "papers/b.md", "x/papers/c.md"]
    assert count_by_root(paths, NAMES) == {"": 2, "papers": 2}
    assert count_by_root(paths, ()) == {"": 4}


def test_each_root_is_judged_by_its_own_notes() -> None:
    indexed = Counter({"": 100, "papers": 3, "old": 2})
    removed = Counter({"": 3, "papers": 2, "old": 0})
    assert vanished_roots(indexed, removed, Counter({"": 97, "papers": 1, "old": 2})) == {"papers"}
    assert vanished_roots(indexed, removed, Counter({"papers": 1, "old": 2})) == {"", "papers"}
    assert vanished_roots(indexed, Counter(), Counter()) == frozenset()


def test_globs_of_a_root_see_its_name_before_each_path() -> None:
    some = GlobsBelow(["**/*.md", "papers/2024/**"], "papers")
    assert some.matches("a.md") and some.matches("2024/x.pdf") and not some.matches("2025/x.pdf")
    assert some.covers("2024") and not some.covers("")
    assert some.matches_by_suffix("sub/a.md")
    only = GlobsBelow(["docs/**/*.md", "papers/in/*.md"], "papers")
    assert only.could_match_below("") and only.could_match_below("in") and not only.could_match_below("out")
    assert not only.matches("docs/a.md")
    assert not GlobsBelow(["docs/*.md"], "papers").could_match_below("")
    assert GlobsBelow(["papers/"], "papers", key="exclude").covers("")


def test_an_absolute_path_in_a_root_is_one_of_its_notes() -> None:
    roots = (("papers", "/home/x/papers"),)
    assert within_vault("/home/x/papers/a/b.md", "/v", roots) == "papers/a/b.md"
    assert within_vault("/v/a.md", "/v", roots) == "a.md"
    assert within_vault("/home/x/papers2/a.md", "/v", roots) == "home/x/papers2/a.md"
    assert prefix_within("/home/x/papers/sub/", "/v", roots) == "papers/sub/"
