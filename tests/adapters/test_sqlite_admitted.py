"""Which sections a scope admits, as masks: what `Admission` says of each of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.adapters.sqlite.admitted import Sections, best
from docs_rag.core.queries import Admission, Hidden
from docs_rag.core.sections import Place, section_id

NOTES = st.integers(1, 5)
IDS = st.frozensets(st.builds(section_id, NOTES, st.integers(0, 6)))
PARTS = st.builds(lambda note, first: Place(section_id(note, first), section_id(note, first + 2)), NOTES, st.just(1))
SCOPES = st.builds(
    Admission,
    st.dictionaries(NOTES, st.just(Hidden.ARCHIVED)),
    st.none() | st.frozensets(NOTES),
    st.dictionaries(PARTS, st.just(Hidden.SUPERSEDED)),
)


@given(IDS, SCOPES)
def test_masks_say_what_the_admission_says(ids: frozenset[int], scope: Admission) -> None:
    ordered = sorted(ids)
    sections = Sections(np.array(ordered, np.int64))
    assert sections.may_answer(scope).tolist() == [scope.admits(key) for key in ordered]
    out = sections.kept_out(scope)
    assert (out is None or out.tolist()) == (out is None or [scope.hides(key) is not None for key in ordered])
    if out is None:
        assert not any(scope.hides(key) for key in ordered)


@given(IDS, IDS, NOTES)
def test_places_of_sections_and_of_records(ids: frozenset[int], wanted: frozenset[int], note: int) -> None:
    ordered = sorted(ids)
    sections = Sections(np.array(ordered, np.int64))
    assert [ordered[place] for place in sections.find(wanted)] == sorted(ids & wanted)
    record = Place(section_id(note, 1), section_id(note, 4))
    assert ordered[sections.within(record)] == [key for key in ordered if record.first <= key < record.end]


def test_scopes_are_told_apart_by_what_they_are() -> None:
    sections = Sections(np.array([section_id(1, 0), section_id(2, 0)], np.int64))
    scopes = [Admission({n % 3: Hidden.ARCHIVED}) for n in range(12)]
    for scope in (*scopes, *scopes):
        assert sections.may_answer(scope).tolist() == [scope.admits(key) for key in sections.ids.tolist()]
    assert sections.may_answer(scopes[-1]) is sections.may_answer(scopes[-1])


def test_the_best_are_in_order_and_what_has_no_score_is_left_out() -> None:
    ids, values = np.array([5, 6, 7, 8], np.int64), np.array([0.5, -2.0, 0.5, 0.75], np.float32)
    assert best(ids, values, 9) == [(8, 0.75), (5, 0.5), (7, 0.5)]
    assert best(ids, values, 1) == [(8, 0.75)]
