from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.chunks import chunk
from docs_rag.core.documents import DocPath
from docs_rag.core.notetext import note_text
from docs_rag.core.parsing import parse_document

NOTE = """---
status: draft
---

Intro.

# Tea

Hot. %% secret %% Green.

<!-- hidden

# Not a heading -->

## Cups

```
# no heading
```

## Pots
### Lids

Round.

# Coffee
Black.
"""


def test_the_file_is_cut_at_its_headings() -> None:
    found = note_text(NOTE, 3)
    assert [(each.path, each.first, each.last, each.end) for each in found.sections] == [
        ((), 1, 6, 6),
        (("Tea",), 7, 14, 25),
        (("Tea", "Cups"), 15, 20, 20),
        (("Tea", "Pots"), 21, 21, 25),
        (("Tea", "Pots", "Lids"), 22, 25, 25),
        (("Coffee",), 26, 27, 27),
    ]
    assert found.total == 27


def test_comments_leave_a_gap_in_the_numbers() -> None:
    found = note_text(NOTE, 3)
    lines = dict(found.within(7, 15))
    assert lines[9] == "Hot.  Green."
    assert "hidden" not in "".join(lines.values())
    assert 13 not in lines
    assert found.hides(7, 14)
    assert not found.hides(15, 27)


def test_sections_by_heading() -> None:
    found = note_text("# Tea\n\n## Notes\n\n# Coffee\n\n## Notes\n\n## Beans > raw #\n", 0)
    assert [each.first for each in found.named(["Notes"])] == [3, 7]
    assert [each.first for each in found.named(["coffee", " NOTES "])] == [7]
    assert [each.first for each in found.named(["## Beans > raw"])] == [9]
    assert [each.first for each in found.named(["Tea"])] == [1]
    assert found.named(["Tea", "Beans"]) == []
    assert found.named([]) == found.named([""]) == []


def test_an_empty_file_is_one_section() -> None:
    assert [each.path for each in note_text("", 0).sections] == [()]
    assert note_text("", 0).within(1, 1) == [(1, "")]


def test_control_characters_are_shown_as_such() -> None:
    assert note_text("a\x1b[31mb\u202ec\n", 0).lines == ["a\ufffd[31mb\ufffdc"]


@given(st.text(alphabet="ab# \n`%<!->*\t>=~$", max_size=200))
def test_every_line_lies_in_one_section_and_headings_are_those_of_hits(text: str) -> None:
    document = parse_document(DocPath("a.md"), text)
    found = note_text(document.text, document.body_start)
    bounds = [(each.first, each.last) for each in found.sections]
    assert bounds[0][0] == 1
    assert bounds[-1][1] == found.total
    assert all(one[1] + 1 == other[0] for one, other in itertools.pairwise(bounds))
    paths = {each.path for each in found.sections}
    assert all(each.headings in paths for each in chunk(document) if each.headings)
    for number, line in found.within(1, found.total):
        assert line == document.text.split("\n")[number - 1] or number in found.cut
