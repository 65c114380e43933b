"""The table of documents in a README's frontmatter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.doctable import rows, with_row

README = """---
title: Manuals
documents:
  manual-v1.pdf:
    status: superseded
    superseded_by: manual-v2.pdf

  'price: list.xlsx': archived
  plan.docx: {status: draft, tags: [a, b]}
  # nothing below
owner: Ann
---
# Manuals
"""


def test_each_row_reads_as_frontmatter() -> None:
    found = rows(README)
    assert {name: row.lines for name, row in found.items()} == {
        "manual-v1.pdf": ("status: superseded", "superseded_by: manual-v2.pdf"),
        "price: list.xlsx": ("status: archived",),
        "plan.docx": ("status: draft", "tags: [a, b]"),
    }
    assert found["plan.docx"].text == "---\nstatus: draft\ntags: [a, b]\n---\n"


@pytest.mark.parametrize(
    "text",
    ["", "documents:\n  a.pdf: archived\n", "---\ntitle: x\n---\ndocuments:\n  a.pdf: archived\n", "---\ndocuments:"],
)
def test_without_a_table_there_are_no_rows(text: str) -> None:
    assert rows(text) == {}


@pytest.mark.parametrize("name", ["manual-v1.pdf", "price: list.xlsx", "plan.docx"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_row_is_changed_in_its_place(name: str, ending: str) -> None:
    text = README.replace("\n", ending)
    before = rows(text)
    changed = with_row(text, before[name], "---\nstatus: rejected\ndate: 2026-01-02\n---\n")
    after = rows(changed)
    assert after[name].lines == ("status: rejected", "date: 2026-01-02")
    assert {each: row.lines for each, row in after.items() if each != name} == {
        each: row.lines for each, row in before.items() if each != name
    }
    assert changed.endswith(f"owner: Ann{ending}---{ending}# Manuals{ending}")
    assert changed.count("\n") == changed.count(ending)


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    for odd in (text, f"---\ndocuments:\n  a.pdf: {text}\n---\n", f"---\ndocuments:\n{text}\n---\n"):
        for row in rows(odd).values():
            assert with_row(odd, row, row.text)
