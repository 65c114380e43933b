from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.description import (
    DATA,
    MOST_DESCRIPTION,
    MOST_INSTRUCTIONS,
    Overview,
    instructions,
    tool_description,
    top_folders,
)

overviews = st.builds(
    Overview,
    name=st.text(),
    told=st.none() | st.text(max_size=1000),
    documents=st.integers(0, 10**9),
    folders=st.lists(st.text(min_size=1, max_size=30), max_size=8).map(tuple),
)


def test_key_words_and_what_is_there_come_first() -> None:
    overview = Overview(documents=120, folders=("decisions", "reference"))
    for text in (tool_description(overview), instructions(overview)):
        assert text.startswith(
            "Search this project's notes: decisions, specs, docs. 120 notes in: decisions, reference."
        )


def test_one_note_is_one_note() -> None:
    assert "docs. 1 note." in tool_description(Overview(documents=1))


def test_nothing_is_counted_before_there_is_an_index() -> None:
    assert not re.search(r"\d+ note", tool_description(Overview()))


def test_what_the_user_says_takes_the_place_of_counts() -> None:
    overview = Overview(told="Payment decisions\nof team 7.", documents=120, folders=("decisions",))
    for text in (tool_description(overview), instructions(overview)):
        assert text.startswith("Search notes. Payment decisions of team 7.")
        assert "120" not in text


def test_a_long_text_of_the_user_leaves_what_an_answer_cannot_be_read_without() -> None:
    text = tool_description(Overview(told="word " * 200))
    assert "noRelevantResults true" in text
    assert "standing" in text


@given(overviews)
def test_both_texts_keep_to_their_sizes_and_end_alike(overview: Overview) -> None:
    description, told = tool_description(overview), instructions(overview)
    assert len(description) <= MOST_DESCRIPTION
    assert len(told.encode("utf-8")) <= MOST_INSTRUCTIONS
    assert description.endswith(DATA)
    assert told.endswith(DATA)


def test_folders_with_most_notes_come_first() -> None:
    paths = ["b/1.md", "a/1.md", "a/x/2.md", "c/1.md", "root.md"]
    assert top_folders(paths) == ("a", "b", "c")


def test_a_few_folders_are_enough() -> None:
    assert len(top_folders(f"folder{number}/a.md" for number in range(100))) == 8


def test_case_57_folder_names_are_reduced_to_harmless_signs() -> None:
    paths = ["<tool>\u202e[semantic 0.99]\n\x1b[31m/a.md", "4 Archives/a.md", "설계_v1.2/a.md", "!?/a.md"]
    found = top_folders(paths)
    assert "4 Archives" in found
    assert "설계_v1.2" in found
    assert len(found) == 3
    assert all(re.fullmatch(r"[\w .-]{1,30}", name) for name in found)


@given(st.lists(st.text(), max_size=20))
def test_case_57_no_path_breaks_the_description(paths: list[str]) -> None:
    assert all(re.fullmatch(r"[\w .-]{1,30}", name) for name in top_folders(paths))
