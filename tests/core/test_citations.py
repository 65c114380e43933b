"""References found in texts and taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.citations import (
    Target,
    cited,
    clause,
    display,
    split_references,
    take_apart,
    without_references,
)

SPLIT = (
    ("ADR-013 + ADR-016 (note)", ("ADR-013", "ADR-016")),
    ("649, 749", ("649", "749")),
    ("a.md & b.md; c.md", ("a.md", "b.md", "c.md")),
    ("[[a]], [[b]]", ("[[a]]", "[[b]]")),
    ("[[x|y, z]] and [t](a, b.md)", ("[[x|y, z]]", "[t](a, b.md)")),
    ("[[SB-1]] (merged app #77 + web #21)", ("[[SB-1]]",)),
    ("[[a]], see also the wiki", ("[[a]]",)),
    ("ADR-1, ADR-1", ("ADR-1",)),
    ("P-7702.", ("P-7702",)),
    ("ADR-0004 and ADR-0005 on 2024-01-01", ("ADR-0004", "ADR-0005")),
    ("ADR-5, 2024-01-01", ("ADR-5",)),
    ("5. Title", ("5. Title",)),
    ("3 ways to cache", ("3 ways to cache",)),
    ("00-032-01", ("00-032-01",)),
    ("../dir/", ("../dir/",)),
    ("log.md#D-013", ("log.md#D-013",)),
    ("log.md#D-013, b.md and c.md#x (y)", ("log.md#D-013", "b.md", "c.md#x")),
    (":ref:`NEP56`", (":ref:`NEP56`",)),
    ("Roles and permissions.md", ("Roles and permissions.md",)),
    ("Caching, Queues", ("Caching, Queues",)),
    ("the other proposals — all of them", ("the other proposals",)),
    ("", ()),
    ("—", ()),
    ("(none)", ()),
    ("n/a", ()),
)


@pytest.mark.parametrize(("text", "references"), SPLIT)
def test_split(text: str, references: tuple[str, ...]) -> None:
    assert split_references(text) == references


def test_split_without_titles_keeps_what_is_certain() -> None:
    assert split_references("the other proposals", titles=False) == ()
    assert split_references("ADR-7 of the other team", titles=False) == ("ADR-7",)


def test_cited() -> None:
    text = "See `a/b.md`, [[Auth]], [t](u.md), EIP-1, D-4 and 0012; not 2024 nor x-1."
    assert cited(text) == ("`a/b.md`", "[[Auth]]", "[t](u.md)", "EIP-1", "D-4", "0012")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by ADR-7. More", " ADR-7"),
        ("by ADR-7; more", " ADR-7"),
        ("by ADR-7 - more", " ADR-7"),
        ("by ADR-7\nmore", " ADR-7"),
        ("by ADR-7 (x; y), B) more", " ADR-7 (x; y), B"),
        ("by [5. A. B](c.md) and v1.2", " [5. A. B](c.md) and v1.2"),
    ],
)
def test_clause(text: str, expected: str) -> None:
    assert clause(text, 2) == expected


TARGETS = (
    ("[[Note]]", Target("Note", is_wikilink=True)),
    ("![[Folder/Note.md#Part|alias]]", Target("Folder/Note.md", "alias", anchor="Part", is_wikilink=True)),
    ("[[a\\|b]]", Target("a", "b", is_wikilink=True)),
    ("[[#Part]]", Target("", anchor="Part", is_wikilink=True)),
    ("[t](My%20Note.md#x)", Target("My Note.md", "t", anchor="x", is_link=True)),
    ("[t](a%23b.md#x)", Target("a#b.md", "t", anchor="x", is_link=True)),
    ("[t](#d-%32)", Target("", "t", anchor="d-2", is_link=True)),
    ("[[a#^block]]", Target("a", is_wikilink=True)),
    ("log.md#D-013", Target("log.md", anchor="D-013")),
    ("#d-013", Target("", anchor="d-013")),
    ("[RFC 7][]", Target("RFC 7", "RFC 7")),
    ("[RFC 7][rfc-0007]", Target("rfc-0007", "RFC 7")),
    (":ref:`NEP56`", Target("NEP56")),
    ('[`t`](<a b.md> "T")', Target("a b.md", "t", is_link=True)),
    ("[t](https://host/x)", Target("", "t", is_link=True, url="https://host/x")),
    ("[t](C:/x/y.md)", Target("C:/x/y.md", "t", is_link=True)),
    ("`a/b.md`", Target("a/b.md")),
    (":doc:`Title <x>`", Target("x", "Title")),
    ('"ADR-7"', Target("ADR-7")),
    ("#12", Target("12")),
    ("a\\b.md", Target("a/b.md")),
)


@pytest.mark.parametrize(("reference", "target"), TARGETS)
def test_take_apart(reference: str, target: Target) -> None:
    assert take_apart(reference) == target


@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        ("[[a/b|The new one]]", "The new one"),
        ("[[a/b]]", "a/b"),
        ("[ADR 7](x.md)", "ADR 7"),
        ("`x.md`", "x.md"),
        ("7", "7"),
    ],
)
def test_display(reference: str, shown: str) -> None:
    assert display(reference) == shown


def test_without_references() -> None:
    assert "partial" not in without_references("by 0012-partial.md, [partial](x), [[partial]], `partial`, a/partial")
    assert without_references("[Stable](#stable) text", keep_first=True) == "Stable text"


@given(st.text(st.sampled_from("aB1 ,;+&[]()|`#/.-:<>'\"\n\\!_"), max_size=80))
def test_references_are_parts_of_the_text(text: str) -> None:
    assert all(each in text for each in split_references(text))
    assert all(each in text for each in cited(text))
    assert clause(text, 0) == text[: len(clause(text, 0))]
    take_apart(text)
    display(text)
    without_references(text)


@pytest.mark.parametrize("unit", ["[", "[a](", "((", "a/", "_", "A1-", "`", ", ", "<http://"])
def test_long_texts(unit: str) -> None:
    split_references(unit * 50_000)
    cited(unit * 50_000)
    take_apart(unit * 5_000)
