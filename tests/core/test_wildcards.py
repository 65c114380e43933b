"""Globs as regular expressions."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.wildcards import path_regex


def matches(pattern: str, path: str, *, git: bool = False) -> bool:
    expression = path_regex(pattern.split("/"), git=git)
    return expression is not None and re.fullmatch(expression, path, re.DOTALL) is not None


def segment_matches(pattern: str, segment: str) -> bool:
    """What `*` and `?` mean, by definition; tries everything."""
    if not pattern:
        return not segment
    if pattern[0] == "*":
        return any(segment_matches(pattern[1:], segment[cut:]) for cut in range(len(segment) + 1))
    return bool(segment) and pattern[0] in ("?", segment[0]) and segment_matches(pattern[1:], segment[1:])


def path_matches(pattern: list[str], path: list[str]) -> bool:
    """What `**` means, by definition: any number of segments, at the end at least one."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        least = 1 if len(pattern) == 1 else 0
        return any(path_matches(pattern[1:], path[cut:]) for cut in range(least, len(path) + 1))
    return bool(path) and segment_matches(pattern[0], path[0]) and path_matches(pattern[1:], path[1:])


SEGMENT = st.text(alphabet="ab*?", min_size=1, max_size=6).filter(lambda text: "**" not in text)
PATTERN = st.lists(SEGMENT | st.just("**"), min_size=1, max_size=5).filter(
    lambda segments: all(pair != ("**", "**") for pair in pairwise(segments))
)
PATH = st.lists(st.text(alphabet="ab", min_size=1, max_size=6), min_size=1, max_size=5)


@given(PATTERN, PATH)
def test_an_expression_matches_what_the_definition_says(pattern: list[str], path: list[str]) -> None:
    expression = path_regex(pattern)
    assert expression is not None
    found = re.fullmatch(expression, "/".join(path), re.DOTALL) is not None
    assert found == path_matches(pattern, path)


@given(st.text(alphabet="ab*?[]!^-\\:alph{},/.é", max_size=14), st.booleans(), st.booleans())
def test_no_pattern_makes_an_expression_that_does_not_compile(text: str, git: bool, fold: bool) -> None:
    expression = path_regex(text.split("/"), git=git, fold_suffix=fold)
    if expression is not None:
        re.compile(expression, re.DOTALL)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/".join(["**", "*a" * 30 + "b"]), "a" * 250),
        ("/".join(["**", "a"] * 30 + ["b"]), "/".join("a" * 200)),
        ("*a*" * 20 + "/" + "?*" * 20 + "z", "a" * 100 + "/" + "b" * 100),
    ],
)
def test_a_hostile_pattern_is_done_with(pattern: str, path: str) -> None:
    assert not matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("[ab].md", "a.md", True),
        ("[ab].md", "c.md", False),
        ("[!ab]", "c", True),
        ("[^ab]", "a", False),
        ("[a-c]x", "bx", True),
        ("[]]", "]", True),
        ("[!]]", "a", True),
        ("[a-]", "-", True),
        ("[c-a]", "c", True),
        ("[c-a]", "b", False),
        ("[[:digit:]]", "7", True),
        ("[[:digit:][:upper:]]", "X", True),
        ("[[:nonsense:]]", "n", False),
        ("[,-0]", "/", False),
        ("[!a]", "/", False),
        ("a[", "a[", True),
        ("a[b", "a[b", True),
        ("a.b", "axb", False),
        ("a\nb*", "a\nb\nc", True),
        ("(a|b)", "a", False),
    ],
)
def test_brackets_and_plain_characters(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("\\*", "*", True),
        ("\\*", "a", False),
        ("\\[a]", "[a]", True),
        ("[\\]]", "]", True),
        ("[a\\-c]", "b", False),
        ("a[", "a[", False),
        ("a\\", "a", False),
        ("a\\", "a\\", False),
    ],
)
def test_backslashes_and_open_brackets_as_git_reads_them(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path, git=True) is expected
