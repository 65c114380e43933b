"""Why an answer is as it is, over a real index."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import FAKE_MODEL, FakeEmbedder
from workbench import Workbench, benches, note

from docs_rag.core.answers import as_json
from docs_rag.core.pathrules import Boosts
from docs_rag.core.why import Why

Bench = Callable[[dict[str, str | bytes], bool], Workbench]

CAREFUL = replace(FAKE_MODEL, min_score=0.1, min_confidence=0.53, relative_cutoff=0.6)
FILES: dict[str, str | bytes] = {
    "cranes.md": "# Cranes\n\nthe harbour crane lifts steel and timber at high tide\n",
    "tide.md": note("# Tide\n\nthe harbour gate opens at high tide for the ferry", status="draft"),
    "old.md": note(
        "# Old\n\nthe harbour crane lifts timber at low tide", status="superseded", superseded_by="cranes.md"
    ),
    **{f"x{n}.md": f"# X{n}\n\nbread number {n} is baked in oven {n}\n" for n in range(30)},
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with benches(tmp_path) as indexed:
        yield lambda files, model: indexed(files, FakeEmbedder(CAREFUL) if model else None)


def explained(the: Workbench, text: str, **query: object) -> Why:
    answer = the.ask(text, explain=True, **query)
    assert answer.why is not None
    assert len(answer.why.hits) == len(answer.hits)
    return answer.why


def test_only_who_asks_is_told(bench: Bench) -> None:
    the = bench(FILES, True)
    assert the.ask("harbour crane").why is None
    assert "explain" not in as_json(the.ask("harbour crane"))
    assert "explain" in as_json(the.ask("harbour crane", explain=True))


def test_each_hit_has_its_score_its_place_and_its_rare_terms(bench: Bench) -> None:
    why = explained(bench(FILES, True), "harbour crane lifts steel timber")
    first = why.hits[0]
    assert first.score is not None and first.score == why.best
    assert first.percentile is not None and first.percentile > 95
    assert dict(first.rare)["steel"] == 1
    assert 0 < first.backing.section <= 1 and 0 < first.backing.note <= 1
    assert first.order == pytest.approx(first.score + first.backing.aid)


def test_factors_are_named(bench: Bench) -> None:
    the = bench(FILES, True).with_rules(boosts=Boosts({"tide.md": 2.0}))
    answer = the.ask("harbour gate opens at high tide for the ferry", explain=True)
    assert answer.why is not None
    place = [str(hit.section.path) for hit in answer.hits].index("tide.md")
    assert dict(answer.why.hits[place].factors) == {"pathBoosts": 2.0, "draft": 0.9}


def test_what_was_kept_out_and_what_came_next(bench: Bench) -> None:
    why = explained(bench(FILES, True), "harbour crane lifts timber", limit=1)
    assert [(each.path, each.reason) for each in why.hidden] == [("old.md", "superseded")]
    assert why.next is not None and why.next.path == "tide.md"
    assert why.next.reason in ("there is no place left", "under 0.6 of the best score")


def test_silence_is_explained(bench: Bench) -> None:
    the = bench(FILES, True)
    why = explained(the, "which harbour pays customs duty on imported porcelain")
    assert why.confidence is not None and not why.confidence.is_enough
    assert why.next is not None and why.next.reason == "nothing is believed"
    assert {each.text: each.kind for each in why.terms}["porcelain"] == "absent"
    assert explained(the.with_rules(min_score=0.99), "harbour crane lifts").next is not None


def test_words_alone_are_explained_too(bench: Bench) -> None:
    the = bench(FILES, False)
    why = explained(the, "crane steel timber")
    assert (why.best, why.confidence) == (None, None)
    assert {text for text, _ in why.hits[0].rare} == {"crane", "steel", "timber"}
    assert [each.path for each in why.hidden] == ["old.md"]
    weak = explained(the, "timber for houses and barns in villages beside forests")
    assert weak.hits == () and weak.next is not None
    assert weak.next.reason.endswith("half of it is needed")


def test_an_empty_index_is_explained(bench: Bench) -> None:
    why = explained(bench({}, True), "anything at all")
    assert (why.hits, why.next, why.hidden) == ((), None, ())
