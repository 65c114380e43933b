from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.paging import LineRange
from docs_rag.core.wanted import Version, Wanted, split_anchor, wanted, within_vault


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("a/b.md", Wanted(path="a/b.md")),
        ("  `a/b.md` ", Wanted(path="a/b.md")),
        ("[[a/b|the note]]", Wanted(path="a/b")),
        ("a/b.md#7@c41f0a", Wanted(path="a/b.md", hit=Version(7, "c41f0a"))),
        ("a/b.md:41", Wanted(path="a/b.md", lines=LineRange(41, 41), is_spot=True)),
        ("a/b.md:41-68", Wanted(path="a/b.md", lines=LineRange(41, 68), is_spot=True)),
        ("a/b.md:41:1:why it is there", Wanted(path="a/b.md", lines=LineRange(41, 41), is_spot=True)),
        ("docs-rag://notes/a/b%20c.md", Wanted(path="a/b c.md")),
        ("log.md#D-013", Wanted(path="log.md#D-013")),
    ],
)
def test_forms(typed: str, meant: Wanted) -> None:
    assert wanted(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("a/b.md", "a/b.md"),
        ("/a/b.md", "a/b.md"),
        ("./a//b.md", "a/b.md"),
        ("../../etc/passwd", "etc/passwd"),
        ("a/../../b.md", "b.md"),
        ("/vault/a/b.md", "a/b.md"),
        ("/vault2/b.md", "vault2/b.md"),
        ("a\\b.md", "a/b.md"),
        ("/", ""),
        ("e\u0301.md", "\u00e9.md"),
    ],
)
def test_case_26_a_path_counts_from_the_vault_whatever_is_written(typed: str, meant: str) -> None:
    assert within_vault(typed, "/vault") == meant


@given(st.text(alphabet="./\\a:\0~", max_size=20))
def test_case_26_no_path_climbs_out(typed: str) -> None:
    found = within_vault(typed, "/vault")
    assert not found.startswith("/")
    assert ".." not in found.split("/")


def test_an_anchor_is_a_heading() -> None:
    assert split_anchor(Wanted(path="a.md#Tea#Cups")) == Wanted(path="a.md", heading=("Tea", "Cups"))
    assert split_anchor(Wanted(path="a.md")) == Wanted(path="a.md")
