"""A large index: words that stand nearly everywhere are not followed to their end, and answers stay what they were."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import FakeEmbedder
from workbench import Workbench, benches, note

from docs_rag.app import track
from docs_rag.app.track import LexicalTrack
from docs_rag.core.queries import Admission, Query, Scope
from docs_rag.core.terms import UnicodeAnalyser, query_terms

COMMON = ["gateway", "session", "token", "queue", "cache"]
SEVERAL = ["harbour", "lantern", "meadow", "copper", "thimble", "walnut"]


def _files() -> dict[str, str | bytes]:
    """Three hundred notes of common words, in every tenth a rarer one; every ninth is replaced."""
    chance = random.Random(3)
    files: dict[str, str | bytes] = {}
    for n in range(300):
        words = [*chance.choices(COMMON, k=3), f"filler{n}", *([chance.choice(SEVERAL)] if n % 10 == 0 else [])]
        chance.shuffle(words)
        text = f"# Note {n}\n\n{' '.join(words)}\n"
        files[f"area{n % 3}/n{n}.md"] = note(text, status="superseded", superseded_by="gone") if n % 9 == 4 else text
    return files


@pytest.fixture(params=["model", "words"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workbench]:
    with benches(tmp_path) as indexed:
        yield indexed(_files(), FakeEmbedder() if request.param == "model" else None)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is large begins with this vault."""
    monkeypatch.setattr(track, "MOST_HELD", 8)
    monkeypatch.setattr(track, "MOST_LISTED", 20)
    monkeypatch.setattr(track, "FEW", 3)


def _track(bench: Workbench) -> LexicalTrack:
    lookup = bench.store.lookup
    return LexicalTrack(lookup, lookup.admission(Scope(Query(text="", limit=1), ())), 0.01)


def test_a_common_word_is_looked_for_where_a_rarer_one_stands(bench: Workbench, large: None) -> None:
    terms = query_terms("copper token cache", UnicodeAnalyser())
    found = _track(bench).all(terms)
    both = {key for key, mask in found.visible.items() if mask & 1 and mask & 0b110}
    assert both
    for key in both:
        words = set(bench.store.lookup.sections([key])[key].text.split())
        assert {term.text for term in found.held(found.visible[key])} == words & {"copper", "token", "cache"}


@pytest.mark.parametrize("bench", ["words"], indirect=True)
def test_where_all_words_are_common_those_that_stand_together_answer(bench: Workbench, large: None) -> None:
    hits = bench.ask("gateway session token", limit=5).hits
    assert all({"gateway", "session", "token"} <= set(hit.section.text.split()) for hit in hits[:3])
    assert len(hits) == 5


def test_the_frequency_of_a_common_word_is_told_from_its_beginning(bench: Workbench, large: None) -> None:
    terms = query_terms("gateway copper", UnicodeAnalyser())
    exact = sum(
        "gateway" in str(text).split() and b"superseded" not in str(text).encode() for text in _files().values()
    )
    common, rarer = _track(bench).rare(terms).frequencies
    assert exact * 0.6 < common < exact * 1.7
    assert rarer == sum("copper" in str(text).split() and "superseded" not in str(text) for text in _files().values())


def test_a_narrowed_question_is_answered_from_its_folder(bench: Workbench, large: None) -> None:
    wide = [hit.section.path for hit in bench.ask("gateway token cache", within=("area1",), limit=5).hits]
    assert wide and all(path.startswith("area1/") for path in wide)


@pytest.mark.parametrize(
    "question", ["copper token", "lantern session queue", "walnut harbour cache", "filler77 token"]
)
def test_the_first_hit_is_the_same_as_in_a_small_index(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    before = bench.ask(question, limit=3).hits
    monkeypatch.setattr(track, "MOST_HELD", 8)
    monkeypatch.setattr(track, "MOST_LISTED", 20)
    after = bench.ask(question, limit=3).hits
    held = set(question.split())
    assert [held & set(hit.section.text.split()) for hit in after] == [
        held & set(hit.section.text.split()) for hit in before
    ]


def test_hidden_words_count_in_no_frequency(bench: Workbench, large: None) -> None:
    lookup = bench.store.lookup
    terms = query_terms("session", UnicodeAnalyser())
    dead = lookup.dead_sections()
    listed = set(lookup.holding(terms[0].match, terms[0].literal, -1)) - dead
    (count,) = LexicalTrack(lookup, Admission({}, None, {}), 1.0).all(terms).frequencies
    assert len(listed) * 0.6 < count < len(listed) * 1.7
