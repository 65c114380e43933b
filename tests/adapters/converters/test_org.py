"""Org files: what their readers see, and what their head says of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_rag.adapters.converters.org import convert
from docs_rag.core.converted import location_of
from docs_rag.core.documents import DocPath
from docs_rag.core.parsing import parse_document
from docs_rag.core.status import Status


def markdown(text: str) -> str:
    return convert(text.encode(), "a.org").markdown.strip("\n")


def test_headings_are_sections_with_their_state_and_tags() -> None:
    text = "lead\n* TODO [#A] One 한글 :tag:x:\ntext\n** [[https://x.y][Two]]\nend\n*no heading*\n"
    assert markdown(text) == (
        "lead\n\n# TODO One 한글\n\nTags: tag, x\n\ntext\n\n## [Two](https://x.y)\n\nend\nno heading"
    )
    assert location_of(convert(text.encode(), "a.org").stretches, (1, 3)) == "beginning to section TODO One 한글"


def test_the_head_is_metadata_and_the_title_the_first_heading() -> None:
    text = (
        ":PROPERTIES:\n:ID: 1\n:status: superseded\n:END:\n#+TITLE: Tea /pot/\n#+filetags: :a:b:\n#+DATE: 2026-01-14\n"
        "#+OPTIONS: toc:nil\n# comment\n\nText.\n* One\n"
    )
    converted = markdown(text)
    assert converted == (
        '---\nstatus: "superseded"\ntags: "a, b"\ndate: "2026-01-14"\n---\n\n# Tea pot\n\nText.\n\n## One'
    )
    document = parse_document(DocPath("tea.org"), converted + "\n")
    assert (document.title, document.tags, document.lifecycle.status) == ("Tea pot", ("a", "b"), Status.SUPERSEDED)


def test_lines_are_markdown() -> None:
    text = (
        "*bold*, /em/, =code_x=, ~run~, +gone+, [[https://x.y/z][site]], [[https://x.y]], [[file:a b.png]], [[*Head]],"
        " [fn:1], [fn:: aside], \\(a^2\\), <<here>>a_b, 2*3*4, a/b/c, /etc/passwd."
    )
    assert markdown(text) == (
        "bold, em, `code_x`, run, ~~gone~~, [site](https://x.y/z), https://x.y, ![](a%20b.png), Head,"
        " [^1], ( aside), $a^2$, a_b, 2*3*4, a/b/c, /etc/passwd."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#+BEGIN_SRC py :results x\n  a\n    b\n  ,* c\n#+END_SRC", "```py\na\n  b\n* c\n```"),
        ("#+begin_quote\nq\n\nr\n#+end_quote", "> q\n>\n> r"),
        ("#+begin_verse\n a\n  b\n#+end_verse", "a\nb"),
        ("#+begin_note\n- a\n#+end_note", "- a"),
        ("#+begin_comment\na\n#+end_comment\nb", "b"),
        ("#+begin_src\nnever closed", "never closed"),
        (": fixed\n:   more\n", "```\nfixed\n  more\n```"),
        ("# comment\n#+STARTUP: x\n\n#+ATTR: y\nseen", "seen"),
        ("a\n#+CAPTION: A figure\n[[./i.png]]", "a\n\nA figure\n\n![](./i.png)"),
        ("| A | B |\n|---+---|\n| =1= | [[x][y]] |\n#+TBLFM: $1=2", "| A | B |\n| --- | --- |\n| 1 | y |"),
        ("\\begin{align}\na\n\\end{align}\nb", "$$\n\\begin{align} a \\end{align}\n$$\n\nb"),
        ("\\[ a \\] so", "$$\na\n$$\n\nso"),
        ("[fn:1] The note\nmore.\n[fn:2] Next.", "[^1]: The note\n    more.\n\n[^2]: Next."),
        ("-----\na", "* * *\n\na"),
        (":LOGBOOK:\nCLOCK: x\n:END:", "CLOCK: x"),
        ("* H\n:PROPERTIES:\n:owner: Ann\n:END:\nt", "# H\n\n- owner: Ann\n\nt"),
    ],
)
def test_block(text: str, expected: str) -> None:
    assert markdown(text) == expected


def test_lists() -> None:
    text = "- a\n  more\n\n  - [ ] b\n  - [X] c\n- term :: said\n- d\n\n  para\n\n1. one\n2) two\n   * three\n"
    assert markdown(text) == (
        "- a\n  more\n\n  - [ ] b\n  - [X] c\n- term: said\n- d\n\n  para\n\n1. one\n2. two\n   - three"
    )


def test_nesting_without_end_is_read() -> None:
    assert "item119" in markdown("\n".join(f"{'  ' * depth}- item{depth}" for depth in range(120)))
    assert markdown("*" * 50 + " deep") == "###### deep"


PIECES = (
    "word ",
    "- ",
    "* ",
    "1. ",
    "\n",
    "\n\n",
    "  ",
    "|",
    "#+begin_quote\n",
    "#+end_quote\n",
    ":a:\n",
    ":end:\n",
    "=",
    "*",
    ": ",
)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_no_word_is_lost(pieces: list[str]) -> None:
    text = markdown("".join(piece if piece != "word " else f"word{at}x " for at, piece in enumerate(pieces)))
    assert all(f"word{at}x" in text for at, piece in enumerate(pieces) if piece == "word ")
