"""Two runs side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evaluated import evaluation, outcome

from docs_rag.core.evaluation import comparing, plainjson
from docs_rag.core.evaluation.comparing import Change, compare
from docs_rag.core.evaluation.outcomes import Outcome
from docs_rag.errors import ConfigError

GOOD = [outcome(f"q{n}", rank=1, ndcg=1.0, open_rank=1, confidence=0.5 + n / 100) for n in range(20)]
NONE = [outcome(f"n{n}", is_answerable=False, refused=True, confidence=n / 100) for n in range(20)]


def changes(then: list[Outcome], now: list[Outcome]) -> dict[str, Change]:
    return {each.key: each for each in compare(then, now).changes}


def worse(count: int) -> list[Outcome]:
    return [replace(each, rank=None, ndcg=0.0) if n < count else each for n, each in enumerate(GOOD)]


def test_the_same_run_is_not_worse() -> None:
    found = compare(GOOD + NONE, NONE + GOOD)
    assert (found.is_worse, found.common, found.added, found.gone) == (False, 40, 0, 0)
    assert all(each.difference == 0 and each.chance == 1.0 for each in found.changes)


@pytest.mark.parametrize(("count", "is_worse"), [(4, False), (5, True)])
def test_worse_is_what_chance_would_seldom_do(count: int, is_worse: bool) -> None:
    found = changes(GOOD, worse(count))["hit5"]
    assert (found.better, found.worse, found.chance) == (0, count, 1 / 2**count)
    assert found.difference == pytest.approx(-count / 20)
    assert (found.is_worse, compare(GOOD, worse(count)).is_worse) == (is_worse, is_worse)
    assert not compare(worse(count), GOOD).is_worse


def test_one_dead_record_more_breaks_the_promise() -> None:
    then = [outcome("a", is_trap=True, rank=1), outcome("b", is_trap=True, rank=1)]
    now = [replace(then[0], leaks=("old.md",)), then[1]]
    assert changes(then, now)["leaks"].is_worse
    assert not changes(now, then)["leaks"].is_worse


def test_less_is_better_of_refusals() -> None:
    refused = [replace(each, refused=True) for each in GOOD]
    assert changes(GOOD, refused)["wronglyRefused"].is_worse
    assert changes(refused, GOOD)["wronglyRefused"].better == 20


def test_confidences_that_no_longer_tell_the_sides_apart() -> None:
    mixed = [replace(each, confidence=n % 10 / 10) for n, each in enumerate(NONE)]
    found = changes(GOOD + NONE, GOOD + mixed)["auroc"]
    assert (found.then, found.is_worse, found.better) == (1.0, True, None)
    lexical = [replace(each, confidence=None) for each in GOOD + NONE]
    assert "auroc" not in changes(GOOD + NONE, lexical)


def test_only_questions_of_both_runs_are_compared() -> None:
    reworded = replace(GOOD[0], text="otherwise", rank=None)
    found = compare(GOOD, [reworded, *GOOD[1:], *NONE])
    assert (found.common, found.added, found.gone) == (19, 21, 1)
    assert not found.is_worse


def test_a_run_is_read_back_as_it_was() -> None:
    import json

    run = evaluation(*worse(3), *NONE)
    text = json.dumps(plainjson.as_json(run))
    assert plainjson.read_outcomes(text) == run.outcomes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{}", "is no document of docs-rag eval --json"),
        ('{"outcomes": [{"id": "a"}]}', "holds an outcome that is not complete: 'question'"),
        ('{"outcomes": [1]}', "not complete"),
        ("[]", "expected an object"),
    ],
)
def test_another_document_is_no_baseline(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        plainjson.read_outcomes(text)


def test_a_place_is_counted_from_one() -> None:
    import json

    document = plainjson.as_json(evaluation(GOOD[0]))
    text = json.dumps(document).replace('"rank": 1', '"rank": 0')
    with pytest.raises(ConfigError, match="0 is no place"):
        plainjson.read_outcomes(text)


def test_a_comparison_as_json() -> None:
    document = comparing.as_json(compare(GOOD, worse(5)))
    assert document["worse"] is True
    assert document["changes"]["hit1"] == {  # type: ignore[index]
        "then": 1.0,
        "now": 0.75,
        "difference": -0.25,
        "better": 0,
        "worse": 5,
        "chance": 0.0312,
        "isWorse": True,
    }
