"""Tables of documents as pipe tables."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docs_rag.core.mdtables import Cell, table


def row(*texts: str) -> list[Cell]:
    return [Cell(text) for text in texts]


def shown(lines: list[str]) -> list[list[str]]:
    """The table as a markdown reader sees it."""
    tokens = MarkdownIt("commonmark").enable("table").parse("\n".join(lines))
    assert [token.type for token in tokens if token.type == "table_open"] == ["table_open"]
    rows: list[list[str]] = []
    for number, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        if token.type in ("td_open", "th_open"):
            rows[-1].append("".join(child.content for child in tokens[number + 1].children or []))
    return rows


def test_a_plain_table() -> None:
    assert table([row("Fruit", "Price"), row("plum", "3")]) == ["| Fruit | Price |", "| --- | --- |", "| plum | 3 |"]


def test_merged_cells_have_their_text_once_and_push_the_others_aside() -> None:
    rows = [
        [Cell("Region", rowspan=2), Cell("Sales", colspan=2)],
        [Cell("2024"), Cell("2025")],
        [Cell("North"), Cell("5"), Cell("6")],
    ]
    assert shown(table(rows)) == [["Region", "Sales", ""], ["", "2024", "2025"], ["North", "5", "6"]]


def test_a_merged_cell_at_the_end_of_a_row_holds_its_place_below() -> None:
    rows = [[Cell("a"), Cell("b", rowspan=3)], [Cell("c")], [Cell("d")]]
    assert shown(table(rows)) == [["a", "b"], ["c", ""], ["d", ""]]


def test_short_rows_are_filled_up() -> None:
    assert shown(table([row("a"), row("b", "c")])) == [["a", ""], ["b", "c"]]


@pytest.mark.parametrize("text", ["a|b", r"a\|b", r"\|x\|", "|", "a\\"])
def test_pipes_stay_in_their_cell(text: str) -> None:
    rows = shown(table([row("head", "head"), row(text, "next")]))
    assert rows[1][1] == "next"
    assert rows[1][0].replace("\\", "") == text.replace("\\", "")


def test_line_breaks_stay_in_their_row() -> None:
    assert table([row("a\n\n b\t c\n", "d"), row("e", "f")])[0] == "| a<br>b c | d |"


def test_a_table_of_one_cell_is_paragraphs() -> None:
    assert table([row("Notice\nRead this.")]) == ["Notice", "", "Read this."]


def test_a_table_without_text_is_nothing() -> None:
    assert table([]) == []
    assert table([row("", " "), row("", "")]) == []


def test_a_nested_table_follows() -> None:
    inner = ((Cell("x"), Cell("y")),)
    lines = table([[Cell("a", tables=(inner,)), Cell("b")]])
    assert lines == ["| a<br>(table below) | b |", "| --- | --- |", "", "| x | y |", "| --- | --- |"]


def test_several_nested_tables_are_numbered() -> None:
    inner = ((Cell("x"), Cell("y")),)
    lines = table([[Cell("a", tables=(inner,)), Cell("", tables=(inner,))]])
    assert lines[0] == "| a<br>(table 1 below) | (table 2 below) |"
    assert [line for line in lines if line.startswith("(")] == ["(table 1)", "(table 2)"]


def test_nested_tables_without_text_leave_no_trace() -> None:
    blank = ((Cell(""), Cell("")),)
    assert table([[Cell("a", tables=(blank,)), Cell("b")]])[0] == "| a | b |"


def test_a_frame_around_a_table_leaves_the_table() -> None:
    inner = ((Cell("x"), Cell("y")),)
    assert table([[Cell("Title", tables=(inner,))]]) == ["Title", "", "| x | y |", "| --- | --- |"]


def test_tables_without_end_lose_no_text() -> None:
    inner: tuple[tuple[Cell, ...], ...] = ((Cell("core"), Cell("deep")),)
    for _ in range(3000):
        inner = ((Cell("", tables=(inner,)), Cell("side")),)
    lines = table(inner)
    assert len(lines) < 100
    assert " ".join(lines).count("side") == 3000
    assert "core deep" in lines[-1]


def test_absurd_spans_cost_nothing() -> None:
    lines = table([[Cell("a", rowspan=10**9, colspan=10**9), Cell("b")], row("c", "d")])
    assert len(lines) == 3
    assert sum(map(len, lines)) < 50_000


spans = st.integers(1, 4)
cells = st.builds(Cell, st.text(alphabet="ab|\\\n ", max_size=5), spans, spans)


@settings(max_examples=50)
@given(st.lists(st.lists(cells, min_size=1, max_size=5), max_size=6))
def test_every_row_is_one_line_and_every_word_is_there(rows: list[list[Cell]]) -> None:
    lines = table(rows)
    words = sum(cell.text.count("a") + cell.text.count("b") for row in rows for cell in row)
    assert sum(line.replace("<br>", "").count("a") + line.replace("<br>", "").count("b") for line in lines) == words
    if len([cell for row in rows for cell in row]) > 1 and lines:
        assert len(lines) == len(rows) + 1
        assert len({len(each) for each in shown(lines)}) == 1
