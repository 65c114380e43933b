"""The config's include and exclude patterns."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.globs import Globs
from docs_rag.errors import ConfigError


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/*.md", "a.md", True),
        ("**/*.md", "a/b/c.md", True),
        ("**/*.md", "A.MD", True),
        ("**/*.MD", "a.md", True),
        ("**/*.md", "a.mdx", False),
        ("*.md", "a.md", True),
        ("*.md", "a/b.md", False),
        ("docs/**", "docs/a.txt", True),
        ("docs/**", "docs/a/b.txt", True),
        ("docs/**", "docs", False),
        ("docs/", "docs/a/b.txt", True),
        ("docs/", "x/docs/a.txt", False),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "docs/a/b/c.Md", True),
        ("docs/**/*.md", "Docs/a.md", False),
        ("README.md", "README.MD", True),
        ("README.md", "readme.md", False),
        ("./docs/*.md", "docs/a.md", True),
        ("docs\\*.md", "docs/a.md", True),
        ("docs//a.md", "docs/a.md", True),
        ("note?.md", "note1.md", True),
        ("note?.md", "note12.md", False),
        ("v[12]/*.md", "v2/a.md", True),
        ("**/*.{md,txt}", "a/b.TXT", True),
        ("{a,b}/{c,d}.md", "b/c.md", True),
        ("{a,b{1,2}}/*.md", "b2/x.md", True),
        ("{a,b{1,2}}/*.md", "b/x.md", False),
        ("{draft}.md", "{draft}.md", True),
        ("**/*.tar.gz", "a/b.tar.GZ", True),
        ("**", "a/b", True),
        ("**/*", "a", True),
        (".", "a/b", True),
        ("drafts", "drafts/a/b.md", True),
        ("**/drafts", "a/drafts/b.md", True),
        ("**/drafts", "a/drafts2/b.md", False),
        ("*", "a/b.md", False),
        ("a[,]b.md", "a,b.md", True),
    ],
)
def test_what_a_glob_matches(pattern: str, path: str, expected: bool) -> None:
    assert Globs([pattern]).matches(path) is expected


def test_one_match_of_several_is_enough() -> None:
    globs = Globs(["**/*.md", "guide/*.txt"])
    assert [globs.matches(path) for path in ("a.md", "guide/a.txt", "a.txt")] == [True, True, False]


def test_no_glob_matches_nothing() -> None:
    globs = Globs([])
    assert not globs
    assert not globs.matches("a.md")
    assert not globs.could_match_below("")
    assert not globs.covers("a")
    assert not globs.matches_by_suffix("a.md")


@pytest.mark.parametrize("pattern", ["회의/**/*.md", "**/회의록.md", "caf\u00e9/*.md"])
def test_a_pattern_in_either_unicode_form_is_compared_as_nfc(pattern: str) -> None:
    path = {"회": "회의/a.md", "*": "a/회의록.md", "c": "caf\u00e9/a.md"}[pattern[0]]
    assert Globs([unicodedata.normalize("NFD", pattern)]).matches(path)


@pytest.mark.parametrize("pattern", ["../x.md", "../**/*.md", "docs/../../x", "/etc/*.md", "~/notes/*.md",
                                     "C:\\notes\\*.md", "..\\x", "{a,../b}/*.md"])  # fmt: skip
def test_case_26_a_pattern_that_leads_outside_is_refused(pattern: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Globs([pattern])
    assert f"include pattern {pattern!r} leads outside the vault" in caught.value.message
    assert "vaultPath" in caught.value.hint


def test_case_45_a_comma_list_in_one_string_is_refused_with_the_list_to_write() -> None:
    with pytest.raises(ConfigError) as caught:
        Globs(["a.md,*.txt"])
    assert "'a.md,*.txt'" in caught.value.message
    assert '"include": ["a.md", "*.txt"]' in caught.value.hint


@pytest.mark.parametrize("pattern", ["{a,b}.md,c.md", "{a,b", "a, b", "[a,b].md,x"])
def test_case_45_a_comma_outside_of_braces_and_brackets_is_refused(pattern: str) -> None:
    with pytest.raises(ConfigError, match="several patterns"):
        Globs([pattern])


@pytest.mark.parametrize("pattern", ["", "  "])
def test_an_empty_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ConfigError, match="empty pattern"):
        Globs([pattern])


def test_a_negation_is_refused_and_the_right_key_named() -> None:
    with pytest.raises(ConfigError) as caught:
        Globs(["!drafts/**"])
    assert '"exclude": ["drafts/**"]' in caught.value.hint


def test_an_error_names_the_key() -> None:
    with pytest.raises(ConfigError, match="exclude pattern"):
        Globs(["../x"], key="exclude")


def test_braces_that_multiply_without_end_are_refused() -> None:
    with pytest.raises(ConfigError, match="too many"):
        Globs(["{a,b,c,d,e,f,g,h}" * 8])


@pytest.mark.parametrize(
    ("pattern", "folder", "expected"),
    [
        ("docs/**/*.md", "", True),
        ("docs/**/*.md", "docs", True),
        ("docs/**/*.md", "docs/a/b", True),
        ("docs/**/*.md", "src", False),
        ("docs/**/*.md", "docs2", False),
        ("docs/a/*.md", "docs", True),
        ("docs/a/*.md", "docs/a", True),
        ("docs/a/*.md", "docs/b", False),
        ("docs/a/*.md", "docs/a/c", False),
        ("docs/*/x.md", "docs/b", True),
        ("docs/*/x.md", "docs/b/c", False),
        ("*.md", "", True),
        ("*.md", "docs", False),
        ("**/*.md", "a/b/c", True),
        ("docs/", "docs/a", True),
        ("docs", "docs/a", True),
        ("docs", "other", False),
        ("{a,b}/*.md", "b", True),
        ("{a,b}/*.md", "c", False),
    ],
)
def test_which_folders_are_worth_entering(pattern: str, folder: str, expected: bool) -> None:
    assert Globs([pattern]).could_match_below(folder) is expected


@pytest.mark.parametrize(
    ("pattern", "folder", "expected"),
    [
        ("drafts/**", "drafts", True),
        ("drafts/**", "drafts/a", True),
        ("drafts/", "drafts", True),
        ("drafts", "drafts", True),
        ("**/drafts/**", "a/drafts/b", True),
        ("**/drafts", "a/drafts", True),
        ("**", "a", True),
        ("**/*", "a", True),
        ("drafts/**/*.md", "drafts", False),
        ("drafts/*", "drafts", False),
        ("*", "drafts", False),
        ("drafts/**", "drafts2", False),
    ],
)
def test_which_folders_are_matched_as_a_whole(pattern: str, folder: str, expected: bool) -> None:
    assert Globs([pattern]).covers(folder) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/*.md", "a/x.md", True),
        ("docs/*.md", "docs/x.md", True),
        ("docs/**", "docs/x.md", False),
        ("docs/*", "docs/x.md", False),
        ("v1.2", "v1.2", False),
        ("**/[a-c]*.md", "x/b.md", True),
    ],
)
def test_which_matches_mean_a_file(pattern: str, path: str, expected: bool) -> None:
    assert Globs([pattern]).matches_by_suffix(path) is expected


SEGMENTS = st.lists(st.sampled_from(["a", "b", "ab", "*", "a*", "?", "[ab]", "**", "*.md"]), min_size=1, max_size=4)
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "x.md", "a.md"]), min_size=1, max_size=4)


@given(SEGMENTS, PATHS)
def test_pruning_loses_nothing(segments: list[str], path: list[str]) -> None:
    globs = Globs(["/".join(segments)])
    above = ["/".join(path[:end]) for end in range(len(path))]
    if globs.matches("/".join(path)):
        assert all(map(globs.could_match_below, above))
    elif len(path) > 1:
        assert not globs.covers(above[-1])


@given(st.text(max_size=20))
def test_any_text_is_compiled_or_refused_as_a_config_error(text: str) -> None:
    try:
        globs = Globs([text])
    except ConfigError as error:
        assert error.hint
    else:
        globs.matches("a/b.md")
        assert globs.could_match_below("")
