"""Who is a hit, and in which order."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.answers import Via
from docs_rag.core.confidence import Backing
from docs_rag.core.documents import DocPath
from docs_rag.core.ranking import Candidate, Rules, clears, followed, rank
from docs_rag.core.sections import Section, section_id
from docs_rag.core.status import Status


def section(note: int, ordinal: int = 0, status: Status = Status.CURRENT, text: str = "") -> Section:
    return Section(
        id=section_id(note, ordinal),
        path=DocPath(f"{note}.md"),
        title=f"Note {note}",
        ordinal=ordinal,
        headings=(),
        lines=(1, 2),
        text=text or f"text {note} {ordinal}",
        status=status,
    )


def candidate(
    note: int, score: float | None, *, clears: bool = True, ordinal: int = 0, status: Status = Status.CURRENT,
    held: tuple[str, ...] = (), weight: float = 0.0, pinned: bool = False, via: Via | None = None, text: str = "",
) -> Candidate:  # fmt: skip
    return Candidate(
        section=section(note, ordinal, status, text), score=score, clears=clears, held=held, weight=weight,
        pinned=pinned, via=via,
    )  # fmt: skip


def rules(limit: int = 8, slots: int = 2, boosts: dict[str, float] | None = None) -> Rules:
    factors = boosts or {}
    return Rules(
        floor=0.5, relative_cutoff=0.88, lexical_slots=slots, limit=limit, boost=lambda path: factors.get(path, 1.0)
    )


def paths(candidates: list[Candidate], the_rules: Rules | None = None) -> list[str]:
    return [each.candidate.section.path for each in rank(candidates, the_rules or rules())]


def test_floor_and_cutoff_look_at_the_score() -> None:
    assert clears(0.6, 0.6, 0.5, 0.88)
    assert not clears(0.49, 0.6, 0.5, None)
    assert not clears(0.52, 0.6, 0.5, 0.88)
    assert clears(0.52, 0.6, 0.5, 0.0)
    assert not clears(0.0, 0.0, -1.0, None)


def test_words_and_decisions_change_the_order_but_not_who_clears() -> None:
    one, other = candidate(1, 0.60), candidate(2, 0.55)
    assert paths([one, other]) == ["1.md", "2.md"]
    assert paths([one, replace(other, backing=Backing(section=1.0))]) == ["2.md", "1.md"]
    assert paths([one, replace(candidate(3, 0.4, clears=False, held=("x",)), backing=Backing(1.0, 1.0))]) == [
        "1.md",
        "3.md",
    ]
    assert paths([candidate(1, 0.60, status=Status.DRAFT), other]) == ["2.md", "1.md"]
    assert paths([candidate(1, 0.70, status=Status.DRAFT), other]) == ["1.md", "2.md"]


def test_best_first_then_words_alone_within_their_slots() -> None:
    found = paths([
        candidate(1, 0.6), candidate(2, 0.7),
        candidate(3, 0.4, clears=False, held=("x",), weight=1), candidate(4, None, clears=False, held=("x",), weight=3),
        candidate(5, None, clears=False, held=("x",), weight=2),
    ])  # fmt: skip
    assert found == ["2.md", "1.md", "4.md", "5.md"]


def test_case_13_a_boost_orders_but_changes_neither_score_nor_floor() -> None:
    hits = rank(
        [candidate(1, 0.6), candidate(2, 0.7), candidate(3, 0.4, clears=False)], rules(0 + 8, 0, {"1.md": 10.0})
    )
    assert [(each.candidate.section.path, each.candidate.score) for each in hits] == [("1.md", 0.6), ("2.md", 0.7)]


def test_a_rejected_record_never_stands_above_one_that_clears_the_floor() -> None:
    found = paths([candidate(1, 0.9, status=Status.REJECTED), candidate(2, 0.6), candidate(3, 0.5)])
    assert found == ["2.md", "3.md", "1.md"]


def test_a_rejected_record_stands_above_words_alone() -> None:
    found = paths([candidate(1, 0.9, status=Status.REJECTED), candidate(2, None, clears=False, held=("x",))])
    assert found == ["1.md", "2.md"]


def test_two_hits_a_note_unless_nothing_else_clears() -> None:
    many = [candidate(1, 0.9 - n / 100, ordinal=n) for n in range(4)]
    assert paths([*many, candidate(2, 0.6)]) == ["1.md", "1.md", "2.md"]
    assert paths(many) == ["1.md"] * 4


def test_the_same_passage_is_one_hit() -> None:
    hits = rank([candidate(1, 0.7, text="same  text"), candidate(2, 0.6, text="same text")], rules())
    assert [(each.candidate.section.path, each.also_in) for each in hits] == [("1.md", ["2.md"])]


def test_what_the_question_names_comes_first() -> None:
    assert paths([candidate(1, 0.9), candidate(2, 0.2, clears=False, pinned=True)]) == ["2.md", "1.md"]


def test_a_successor_ranks_by_its_predecessors_score() -> None:
    via = Via("old.md", 0.75, ("old.md", "3.md"))
    hits = rank([candidate(1, 0.8), candidate(2, 0.7), candidate(3, 0.3, clears=False, via=via)], rules())
    assert [each.candidate.section.path for each in hits] == ["1.md", "3.md", "2.md"]
    assert hits[1].candidate.label == "semantic"


def test_labels() -> None:
    assert candidate(1, 0.8).label == "semantic"
    assert candidate(1, 0.8, held=("x",)).label == "both"
    assert candidate(1, 0.3, clears=False, held=("x",)).label == "exact"


def test_followed_takes_each_note_once_and_two_at_most() -> None:
    hits = rank([candidate(1, 0.8)], rules())
    successors = [
        candidate(n, 0.4, clears=False, via=Via("old.md", 0.7, ("old.md", f"{n}.md"))) for n in (1, 2, 2, 3, 4)
    ]
    chosen = followed(hits, successors)
    assert [each.section.note for each in chosen] == [2, 3]


scores = st.floats(0.5, 1.0)


@given(st.lists(st.tuples(st.integers(1, 6), scores, st.integers(0, 3)), max_size=20), st.integers(1, 10))
def test_never_more_than_the_limit_and_never_one_twice(rows: list[tuple[int, float, int]], limit: int) -> None:
    candidates = [candidate(note, score, ordinal=ordinal) for note, score, ordinal in rows]
    ids = [each.candidate.section.id for each in rank(candidates, rules(limit))]
    assert len(ids) <= limit
    assert len(ids) == len(set(ids))


def test_a_second_section_of_a_note_stands_back_a_little() -> None:
    first, second = candidate(1, 0.60), candidate(1, 0.59, ordinal=1)
    assert paths([first, second, candidate(2, 0.45)]) == ["1.md", "2.md", "1.md"]
    assert paths([first, second, candidate(2, 0.40)]) == ["1.md", "1.md", "2.md"]


def test_a_rejected_record_that_holds_the_identifier_stays_below_unless_it_is_named() -> None:
    rejected = candidate(1, 0.9, pinned=True, status=Status.REJECTED)
    current = candidate(2, 0.6, pinned=True)
    assert paths([rejected, current]) == ["2.md", "1.md"]
    assert paths([replace(rejected, named=True), current]) == ["1.md", "2.md"]


def test_the_record_that_the_question_names_comes_before_those_that_cite_it() -> None:
    named = replace(candidate(1, 0.05, pinned=True), named=True)
    citing = candidate(2, 0.6, pinned=True)
    assert paths([citing, named]) == ["1.md", "2.md"]


def test_the_same_words_in_other_dress_are_one_passage_and_another_number_is_not() -> None:
    plain = "Sessions last 30 minutes on every device, and no longer."
    dressed = "> **Sessions** last `30` minutes\n> on every device - and no longer"
    dressed = dressed.replace(" - and", ", and")
    other = plain.replace("30", "60")
    hits = rank(
        [candidate(1, 0.7, text=plain), candidate(2, 0.6, text=dressed), candidate(3, 0.5, text=other)], rules()
    )
    assert [(each.candidate.section.path, each.also_in) for each in hits] == [("1.md", ["2.md"]), ("3.md", [])]
