"""reStructuredText: what its readers see, and what its head says of the document."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_rag.adapters.converters.rst import convert
from docs_rag.core.converted import location_of
from docs_rag.core.documents import DocPath
from docs_rag.core.parsing import parse_document
from docs_rag.core.status import Status


def markdown(text: str) -> str:
    return convert(text.encode(), "a.rst").markdown.strip("\n")


def test_headings_have_the_level_of_their_style() -> None:
    text = "====\nTop\n====\n\nOne\n===\n\ntext\n\nTwo 한글\n--------\n\nNext\n====\n\nend\n"
    assert markdown(text) == "# Top\n\n## One\n\ntext\n\n### Two 한글\n\n## Next\n\nend"
    assert location_of(convert(text.encode(), "a.rst").stretches, (5, 5)) == "section One"


def test_the_head_of_a_proposal_is_its_metadata() -> None:
    text = (
        "PEP: 12\nTitle: Tea\nStatus: Superseded\nSuperseded-By: 34\nAuthor: A,\n  B\n\nAbstract\n========\n\nText.\n"
    )
    converted = markdown(text)
    assert converted.split("\n")[:7] == [
        "---",
        'PEP: "12"',
        'Title: "Tea"',
        'Status: "Superseded"',
        'Superseded-By: "34"',
        'Author: "A, B"',
        "---",
    ]
    document = parse_document(DocPath("pep-0012.rst"), converted + "\n")
    assert (document.title, document.lifecycle.status) == ("Tea", Status.SUPERSEDED)


def test_fields_below_the_title_are_metadata_too() -> None:
    text = ".. comment\n\nTea\n===\n\n:Status: Draft\n:Date: 2026-01-14\n\nText.\n"
    assert markdown(text) == '---\nStatus: "Draft"\nDate: "2026-01-14"\n---\n\n# Tea\n\nText.'
    assert markdown("Note: this\n\nis prose: yes\n") == "Note: this\n\nis prose: yes"


def test_lines_are_markdown() -> None:
    text = (
        "See ``get_it``, ``run``, *em*, **strong**, `site <https://x.y/z>`_, `Py`_, Go_, :pep:`8`, :ref:`there <x>`,\n"
        ":math:`a^2`, |name|, [1]_, [#n]_, 2 * 3 * 4, \\*args, __init__, a_b_c.\n\n"
        ".. _py: https://python.org\n.. _go: https://go.dev\n.. |name| replace:: tea *pot*\n"
        ".. [1] First\n   note.\n.. [#n] Second.\n"
    )
    assert markdown(text) == (
        "See `get_it`, run, em, strong, [site](https://x.y/z), [Py](https://python.org), [Go](https://go.dev), PEP 8, "
        "there,\n$a^2$, tea pot, [^1], [^n], 2 * 3 * 4, \\*args, __init__, a_b_c.\n\n"
        "[^1]: First\n    note.\n\n[^n]: Second."
    )


def test_lists_and_terms() -> None:
    text = "- a\n  b\n\n  - c\n- d\n\n3. e\n4. f\n\nterm\n s\n\n:key: value\n\n-v, --verbose  loud\n--out=F  where\n"
    assert markdown(text) == (
        "- a\n  b\n\n  - c\n- d\n\n3. e\n4. f\n\n- term: s\n\n- key: value\n\n"
        "- `-v, --verbose`: loud\n- `--out=F`: where"
    )


def test_a_number_that_begins_a_sentence_is_no_list() -> None:
    assert markdown("1984. A year\nof tea.\n") == "1984. A year\nof tea."


def test_literal_blocks_keep_their_lines() -> None:
    assert markdown("Run this::\n\n    a\n      b\n\n    c\n\nthen::\n\n> q\n\n::\n\n  d\n") == (
        "Run this:\n\n```\na\n  b\n\nc\n```\n\nthen:\n\n```\n> q\n```\n\n```\nd\n```"
    )


def test_grids_with_merged_cells_and_wide_characters() -> None:
    text = (
        "+------+-----------+\n| 이름 | B         |\n+======+=====+=====+\n| c    | d   | e|f |\n+      +-----+-----+\n"
        "|      | g   | h   |\n+------+-----+-----+\n"
    )
    assert markdown(text) == "| 이름 | B |  |\n| --- | --- | --- |\n| c | d | e\\|f |\n|  | g | h |"


def test_simple_tables_with_spans_and_further_lines() -> None:
    text = (
        "=====  =====  =====\nA      B      C\n-----  ------------\n1      span\n=====  =====  =====\nx      y      z\n"
        "       y2\nw      한글   longer than it\n=====  =====  =====\n"
    )
    assert markdown(text).split("\n")[2:] == ["| 1 | span |  |", "| x | y<br>y2 | z |", "| w | 한글 | longer than it |"]


def test_a_grid_that_does_not_close_is_kept_as_it_is() -> None:
    assert "| a" in markdown("+---+---+\n| a | b\n+---\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".. code-block:: python\n   :linenos:\n\n   def f():\n       pass\n", "```python\ndef f():\n    pass\n```"),
        (".. note:: Hear\n   this.\n", "> **Note**\n> Hear\n> this."),
        (".. admonition:: My *box*\n\n   text\n", "> **My box**\n> text"),
        (".. deprecated:: 3.1\n   Use g.\n", "> Deprecated since version 3.1: Use g."),
        (".. math::\n\n   a = b\n\n   c\n", "$$\na = b\n$$\n\n$$\nc\n$$"),
        (
            ".. list-table:: T\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     - two\n       lines\n",
            "T\n\n| A | B |\n| --- | --- |\n| 1 | two<br>lines |",
        ),
        ('.. csv-table::\n   :header: "x", "y"\n\n   1, "a, b"\n', "| x | y |\n| --- | --- |\n| 1 | a, b |"),
        (".. figure:: a b.png\n   :alt: Alt\n\n   Caption.\n", "![Alt](a%20b.png)\n\nCaption."),
        (".. toctree::\n   :maxdepth: 2\n\n   intro\n   usage\n", "- intro\n- usage"),
        (".. py:function:: f(a,\n                 b)\n\n   Does it.\n", "f(a, b)\n\nDoes it."),
        (".. unheard-of:: words\n\n   more\n", "words\n\nmore"),
        (".. a comment\n   of two lines\n\nseen\n", "seen"),
        ("| one\n| two\n", "one\ntwo"),
        (">>> 1\n1\n", "```pycon\n>>> 1\n1\n```"),
        ("a\n\n  quoted\n\n----\n\nb\n", "a\n\n> quoted\n\n* * *\n\nb"),
    ],
)
def test_block(text: str, expected: str) -> None:
    assert markdown(text) == expected


def test_nesting_without_end_is_read() -> None:
    text = "\n".join(f"{'  ' * depth}- item{depth}" for depth in range(120))
    assert "item119" in markdown(text)


PIECES = (
    "word ",
    "- ",
    "* ",
    "1. ",
    "\n",
    "\n\n",
    "  ",
    "    ",
    "::",
    "====",
    "|",
    "+--+",
    "`",
    "``",
    "**",
    ":a: ",
    ".. note:: ",
)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_no_word_is_lost(pieces: list[str]) -> None:
    text = markdown("".join(piece if piece != "word " else f"word{at}x " for at, piece in enumerate(pieces)))
    assert all(f"word{at}x" in text for at, piece in enumerate(pieces) if piece == "word ")
