"""The two trees of a line of descent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from history_lines import line, looking_up, outline, records
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath
from docs_rag.core.history.tree import Entry, Mention, Relative, trace
from docs_rag.core.status import Status


@pytest.mark.parametrize(
    ("edges", "start", "before", "after"),
    [
        ("a>b b>c c>d", "b", "a", "c(d)"),
        ("a>b", "a", "", "b"),
        ("a>b", "b", "a", ""),
        ("a>c b>c c>d c>e", "c", "a b", "d e"),
        ("a>b a>c b>d c>d", "a", "", "b(d) c(=d)"),
        ("a>b a>c b>d c>d", "d", "b(a) c(=a)", ""),
        ("a>b b>a", "a", "b(~a)", "b(~a)"),
        ("a>b b>c c>b c>d", "a", "", "b(c(~b d))"),
        ("a>b b>c a>c", "a", "", "b(=c) c"),
        ("x>b a>b b>c", "a", "", "b(c)"),
    ],
)
def test_what_follows_what(edges: str, start: str, before: str, after: str) -> None:
    found = line(edges, start)
    assert (outline(found.predecessors.entries), outline(found.successors.entries)) == (before, after)


def test_a_record_that_stands_alone() -> None:
    assert line("", "a", a={}).is_alone
    assert not line("a>b", "a").is_alone


def test_references_that_lead_nowhere_are_kept_as_written() -> None:
    found = line("a>b", "a", a={"lost": ("ADR-99", "[[gone]]")}, b={"status": Status.SUPERSEDED})
    assert outline(found.successors.entries) == "b(?) ?ADR-99 ?[[gone]]"
    assert outline(line("a>b", "b", a={"lost": ("ADR-99",)}).predecessors.entries) == "a", "its own way is not ours"


def test_a_record_that_vanished_in_between_is_passed_over() -> None:
    known = records("a>b b>c")
    del known[DocPath("b")]
    assert trace(known[DocPath("a")], looking_up(known)).is_alone


@pytest.mark.slow
def test_what_does_not_fit_is_counted_and_what_is_near_is_kept() -> None:
    edges = " ".join(f"n{number}>n{number + 1}" for number in range(5_000))
    found = line(edges, "n0")
    assert (_depth(found.successors.entries), found.successors.left_out) == (100, 4_900)
    middle = line(edges, "n2000", most=3)
    assert (middle.predecessors.left_out, middle.successors.left_out) == (1_997, 2_997)
    wide = line(" ".join(f"a>b{number}" for number in range(1_000)), "a")
    assert (len(wide.successors.entries), wide.successors.left_out) == (100, 900)


def test_mentions_take_room_but_are_no_records_that_are_left_out() -> None:
    found = line("a>b a>c b>d c>d", "a", most=3)
    assert (outline(found.successors.entries), found.successors.left_out) == ("b(d) c", 0)


names = st.integers(0, 8).map(lambda number: "abcdefghi"[number])
graphs = st.lists(st.tuples(names, names).filter(lambda pair: pair[0] != pair[1]), max_size=24, unique=True)


@given(graphs, names, st.integers(1, 30))
def test_every_record_that_can_be_reached_stands_there_once_or_is_counted(
    pairs: list[tuple[str, str]], start: str, most: int
) -> None:
    edges = " ".join(f"{old}>{new}" for old, new in pairs)
    known = records("", **{start: {}}) | records(edges)
    found = trace(known[DocPath(start)], looking_up(known), most=most)
    for side, forward in ((found.successors, True), (found.predecessors, False)):
        whole = [entry.record for entry in _all(side.entries) if entry.mention is Mention.NONE]
        shown = [record.path for record in whole if record is not None]
        assert len(shown) == len(set(shown))
        assert {*shown} <= _reached(pairs, start, forward=forward)
        assert len(shown) + side.left_out == len(_reached(pairs, start, forward=forward))
        assert len(list(_all(side.entries))) <= most
        mentioned = {entry.record.path for entry in _all(side.entries) if entry.record is not None}
        assert mentioned <= {*shown, start}


@given(graphs, names)
def test_a_line_that_comes_round_does_so_to_one_of_its_own(pairs: list[tuple[str, str]], start: str) -> None:
    known = records("", **{start: {}}) | records(" ".join(f"{old}>{new}" for old, new in pairs))
    found = trace(known[DocPath(start)], looking_up(known))

    def check(entries: Iterable[Entry], line_so_far: tuple[str, ...]) -> None:
        for entry in entries:
            if entry.record is not None:
                assert (entry.record.path in line_so_far) == (entry.mention is Mention.ROUND)
                check(entry.following, (*line_so_far, entry.record.path))

    check(found.successors.entries, (start,))
    check(found.predecessors.entries, (start,))


def test_a_record_may_be_its_own_successor_in_a_damaged_index() -> None:
    own = Relative(path=DocPath("a"), title="A", superseded_by=(DocPath("a"),), supersedes=(DocPath("a"),))
    assert outline(trace(own, looking_up({DocPath("a"): own})).successors.entries) == "~a"


def _reached(pairs: list[tuple[str, str]], start: str, *, forward: bool) -> set[str]:
    found, queue = {start}, [start]
    for name in queue:
        for old, new in pairs:
            near, far = (old, new) if forward else (new, old)
            if near == name and far not in found:
                found.add(far)
                queue.append(far)
    return found - {start}


def _all(entries: Iterable[Entry]) -> Iterator[Entry]:
    waiting = list(entries)
    for entry in waiting:
        yield entry
        waiting.extend(entry.following)


def _depth(entries: tuple[Entry, ...]) -> int:
    depth = 0
    while entries:
        depth, entries = depth + 1, entries[0].following
    return depth
