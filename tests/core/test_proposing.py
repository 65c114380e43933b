"""Where statuses should count, by what a sample says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.globs import Globs
from docs_rag.core.proposing import Proposal, Said, propose

DECISIONS = {f"decisions/{n}.md": "accepted" for n in range(3)}
GARDEN = {f"zettel/{n}.md": text for n, text in enumerate(["reading", "🌱 seedling", "reading", "done", ""])}


def within(said: dict[str, str], *logs: str) -> tuple[str, ...]:
    found = propose(Said(said, frozenset(logs)))
    return () if found is None else found.within


def test_a_zettelkasten_with_a_folder_of_decisions() -> None:
    assert propose(Said({**DECISIONS, **GARDEN})) == Proposal(
        within=("decisions/**",), decisions=3, others=4, words=("reading", "🌱 seedling", "done")
    )


@pytest.mark.parametrize(
    ("said", "places"),
    [
        ({}, ()),
        (DECISIONS, ()),
        (GARDEN, ()),
        ({**DECISIONS, "zettel/1.md": "reading", "zettel/2.md": "reading"}, ()),
        ({**DECISIONS, **{f"guides/{n}.md": "published" for n in range(9)}}, ()),
        ({**DECISIONS, **{f"guides/{n}.md": "published" for n in range(9)}, **GARDEN}, ()),
        ({**DECISIONS, **GARDEN, "decisions/x.md": "who knows"}, ("decisions/**",)),
        ({**GARDEN, "zettel/9.md": "superseded by 7"}, ()),
        (
            {**GARDEN, "adr/1.md": "superseded by 7", "a/rfc/1.md": "draft", "a/rfc/2.md": "rejected"},
            ("a/**", "adr/**"),
        ),
        ({**GARDEN, "zettel/adr/1.md": "Accepted", "zettel/adr/old/2.md": "폐기"}, ("zettel/adr/**",)),
        ({**GARDEN, "1.md": "accepted", "2.md": "superseded"}, ("*",)),
        ({**GARDEN, "[x], {y}/1.md": "accepted"}, ("?x?? ?y?/**",)),
        ({**GARDEN, **{f"f{n}/1.md": "accepted" for n in range(9)}}, ()),
    ],
)
def test_what_is_proposed(said: dict[str, str], places: tuple[str, ...]) -> None:
    assert within(said) == places


def test_logs_of_decisions_count_wherever_they_lie() -> None:
    assert within({**DECISIONS, **GARDEN, "log.md": ""}, "log.md") == ("*", "decisions/**")
    assert within({**DECISIONS, **GARDEN, "zettel/log.md": ""}, "zettel/log.md") == ("decisions/**", "zettel/log.md")
    assert within({**DECISIONS, **GARDEN, "decisions/log.md": ""}, "decisions/log.md") == ("decisions/**",)
    assert within({**GARDEN, "zettel/log.md": ""}, "zettel/log.md") == ()


def test_words_are_shown_short_and_harmless() -> None:
    found = propose(Said({**DECISIONS, **{f"z/{n}.md": "wander\x1b[2J\n" + "x" * 80 for n in range(3)}}))
    assert found is not None
    assert all(word.isprintable() and len(word) <= 24 for word in found.words)


_paths = st.lists(st.text("ab[]{},!*? ", min_size=1, max_size=4).filter(str.strip), min_size=1, max_size=3).map(
    "/".join
)


@given(st.dictionaries(_paths, st.sampled_from(["accepted", "superseded", "reading", "draft", "x?", ""]), max_size=20))
def test_no_decision_is_left_outside_a_folder_of_decisions(said: dict[str, str]) -> None:
    found = propose(Said(said))
    if found is not None:
        globs = Globs(found.within)
        assert any(globs.matches(path) for path, text in said.items() if text in ("accepted", "superseded"))
        assert found.others >= 3
