"""A line of descent as text."""

from __future__ import annotations

from history_lines import line
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.history.drawing import LINES, PLAIN, Art, aligned, rows
from docs_rag.core.history.tree import History
from docs_rag.core.status import Status


def drawn(history: History, art: Art = LINES) -> list[str]:
    return [head + rest for head, rest, _ in aligned(rows(history, art))]


def test_a_line_without_branches_is_straight_oldest_first() -> None:
    found = line(
        "a>b b>c", "b", a={"date": "2021-02-03", "in_force_until": "2023-05-01"},
        b={"date": "2023-05-01", "date_source": "git"}, c={"date": "2024-06-01"},
    )  # fmt: skip
    assert drawn(found) == [
        "○  superseded  2021-02-03 – 2023-05-01  a  A",
        "●  superseded  2023-05-01 (git) – ?     b  B",
        "○  current     2024-06-01               c  C",
    ]


def test_branches_above_and_below() -> None:
    assert drawn(line("a>d b>c c>d d>e d>f e>g", "d")) == [
        "○    superseded  b  B",
        "○    superseded  c  C",
        "├─○  superseded  a  A",
        "●    superseded  d  D",
        "├─○  superseded  e  E",
        "│ ○  current     g  G",
        "○    current     f  F",
    ]


def test_plain_signs_for_terminals_that_know_no_others() -> None:
    text = "\n".join(drawn(line("a>c b>c c>d c>e", "c", d={"lost": ("ADR-9",)}, b={"date": "2021-02-03"}), PLAIN))
    assert text.isascii()
    assert text.splitlines()[1] == "|-o  superseded                  a      A"


def test_what_is_mentioned_or_lost() -> None:
    found = line("a>b a>c b>d c>d d>a", "a", d={"lost": ("[[ADR\n9]]",)})
    assert drawn(found)[-7:] == [
        "●      superseded  a          A",
        "├─○    superseded  b          B",
        "│ ○    superseded  d          D",
        "│ ├─○  superseded  a          (the line comes round)",
        "│ ?                [[ADR 9]]  (no record of this vault)",
        "○      superseded  c          C",
        "○      superseded  d          (its own line is elsewhere here)",
    ]


def test_a_superseded_record_without_a_successor_asks() -> None:
    found = line("", "a", a={"status": Status.SUPERSEDED})
    assert drawn(found) == ["●  superseded  a  A", "?              what replaced it is not known"]


def test_what_was_left_out_is_told_with_the_end_of_the_line() -> None:
    edges = " ".join(f"n{number}>n{number + 1}" for number in range(300))
    lines = drawn(line(edges, "n150", n150={"current_end": ("n300",)}))
    assert lines[0] == "… 50 earlier records are not shown"
    assert lines[-1] == "… 50 later records are not shown; its line ends in n300"
    assert len(lines) == 203


def test_columns_stand_below_each_other_also_after_wide_and_joined_characters() -> None:
    joined = "e\u0301e\u0301"
    assert drawn(line(f"결정>b b>{joined}", "b")) == [
        "○  superseded  결정  결정",
        "●  superseded  b     B",
        f"○  current     {joined}    {joined.upper()}",
    ]


def test_nothing_of_a_note_can_move_the_cursor() -> None:
    found = line("a>b", "a", a={"title": "x\x1b[2J\ny"}, b={"partial": "partly\x07 superseded"}, c={})
    assert all("\x1b" not in text and "\x07" not in text and "\n" not in text for text in drawn(found))


names = st.integers(0, 6).map(lambda number: "abcdefg"[number])


@given(st.lists(st.tuples(names, names).filter(lambda pair: pair[0] != pair[1]), max_size=16, unique=True))
def test_every_entry_is_one_line_and_one_only_is_the_asked(pairs: list[tuple[str, str]]) -> None:
    found = line(" ".join(f"{old}>{new}" for old, new in pairs), "a", a={})
    made = rows(found)
    assert [row.path for row in made if row.is_asked] == ["a"]
    assert len(list(aligned(made))) == len(made)
    assert all(row.art[-1] in "●○?" for row in made)
