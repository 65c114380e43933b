"""Whether there is an answer at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.confidence import (
    ABSENT_IDENTIFIER,
    ABSENT_NAME,
    ALONE,
    MOST_ABSENT,
    OF_KNOWN,
    OF_NOTE,
    OF_SECTION,
    Backing,
    Words,
    absence,
    confidence,
)
from docs_rag.core.terms import Term

NOTHING = Words(known=0.0, absent=())
SHARES = st.floats(0, 1)


def name(text: str, *, code: bool = False) -> Term:
    return Term(text, f'"{text}"', is_identifier=code, is_name=True)


def test_the_best_section_is_the_one_that_score_and_words_speak_for() -> None:
    scores = {1: 0.40, 2: 0.30}
    backing = {1: Backing(), 2: Backing(section=0.5, note=1.0)}
    found = confidence(scores, backing, Words(known=0.5, absent=()), 0.5)
    assert found.score == 0.30
    assert found.value == pytest.approx(0.30 + 0.5 * OF_SECTION + OF_NOTE + 0.5 * OF_KNOWN)
    assert found.is_enough


def test_without_a_section_there_is_no_answer() -> None:
    assert not confidence({}, {}, NOTHING, 0.5).is_enough


def test_names_in_code_weigh_more_than_names_and_years_and_there_is_an_end() -> None:
    assert absence(()) == 0
    assert absence((name("Stripe"),)) == ABSENT_NAME
    assert absence((name("2019", code=True),)) == absence((name("2019-05", code=True),)) == ABSENT_NAME
    assert absence((name("SECRET_PELICAN", code=True),)) == ABSENT_IDENTIFIER
    assert absence([name(f"err_{n}", code=True) for n in range(9)]) == MOST_ABSENT


def test_what_is_named_in_code_and_stands_nowhere_outweighs_a_near_neighbour() -> None:
    scores, backing = {1: 0.6}, {1: Backing(section=0.4, note=0.4)}
    asked = Words(known=0.4, absent=(name("SECRET_PELICAN", code=True),))
    assert not confidence(scores, backing, asked, 0.53).is_enough
    assert confidence(scores, backing, Words(known=0.4, absent=()), 0.53).is_enough


@pytest.mark.parametrize("text", ["SECRET_PELICAN", "ADR-031", "HR-27B", "err_x", "EQUARANTINE44"])
def test_an_exact_name_that_stands_nowhere_ends_it(text: str) -> None:
    words = Words(known=1.0, absent=(name(text, code=True),))
    assert not confidence({1: 0.95}, {1: Backing(1.0, 1.0)}, words, 0.53).is_enough


@pytest.mark.parametrize("text", ["S3", "Q3", "UTXO", "2019", "2019-05-01", "GraphQL"])
def test_others_may_be_called_otherwise(text: str) -> None:
    words = Words(known=1.0, absent=(name(text, code=True),))
    assert confidence({1: 0.95}, {1: Backing(1.0, 1.0)}, words, 0.53).is_enough


def test_an_untested_model_refuses_for_a_name_in_code_alone() -> None:
    scores, backing = {1: 0.9}, {1: Backing()}
    assert not confidence(scores, backing, Words(known=0, absent=(name("ERR_7", code=True),)), None).is_enough
    assert confidence(scores, backing, Words(known=0, absent=(name("GraphQL", code=True),)), None).is_enough
    there = Words(known=0.5, absent=(name("ERR_7", code=True),), holds_exact=True)
    assert confidence(scores, backing, there, None).is_enough
    assert confidence(scores, backing, Words(known=0, absent=(name("Stripe"),)), None).is_enough
    assert confidence({1: -0.9}, backing, NOTHING, None).value < 0


def test_a_floor_of_the_config_decides_alone() -> None:
    asked = Words(known=0, absent=(name("ERR_7", code=True),))
    assert confidence({1: 0.6}, {1: Backing()}, asked, 0.0).is_enough


@given(SHARES, SHARES, SHARES, SHARES, SHARES)
def test_another_section_would_do_exactly_if_it_alone_were_enough(
    mine: float, other: float, share: float, known: float, needed: float
) -> None:
    words = Words(known=known, absent=())
    found = confidence({1: mine}, {1: Backing()}, words, needed)
    alone = confidence({2: other}, {2: Backing(share, share)}, words, needed)
    if abs(alone.value - needed) > 1e-9:
        assert found.would_do(other, Backing(share, share)) == alone.is_enough


def test_where_the_words_are_not_the_vaults_the_score_speaks_alone() -> None:
    foreign = Words(known=0.0, absent=(name("Urlaub"),), foreign=True)
    found = confidence({1: 0.28, 2: 0.1}, {1: Backing(), 2: Backing()}, foreign, 0.52)
    assert found.is_enough and found.value == pytest.approx(0.28 + ALONE)
    assert found.would_do(0.27, Backing()) and not found.would_do(0.2, Backing())
    assert not confidence({1: 0.24}, {1: Backing()}, foreign, 0.52).is_enough
    spoken = Words(known=0.0, absent=(), foreign=False)
    assert not confidence({1: 0.28}, {1: Backing()}, spoken, 0.52).is_enough
    code = Words(known=0.0, absent=(name("GraphQL", code=True),), foreign=True)
    assert not confidence({1: 0.28}, {1: Backing()}, code, 0.52).is_enough


def test_words_that_do_speak_count_even_if_most_of_them_are_foreign() -> None:
    words = Words(known=1.0, absent=(), foreign=True)
    found = confidence({1: 0.3}, {1: Backing(1.0, 1.0)}, words, 0.52)
    assert found.value == pytest.approx(0.3 + OF_SECTION + OF_NOTE + OF_KNOWN)
