"""Which dead records a note cites, by the list that `index` keeps."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.deadrecords import dead_records, short_name
from docs_rag.core.documents import DocPath
from docs_rag.core.listing import ListedNote
from docs_rag.core.status import Status
from docs_rag.hook.citing import cited


def listed(path: str, title: str, status: Status = Status.CURRENT, by: tuple[str, ...] = ()) -> ListedNote:
    return ListedNote(path=DocPath(path), title=title, status=status, superseded_by=by, current_end=by)


OLD = listed("adr/0012-cookies.md", "Auth with cookies", Status.SUPERSEDED, ("adr/0034-tokens.md",))
NOTES = [
    OLD,
    listed("adr/0034-tokens.md", "Auth with tokens"),
    listed("adr/0007-wiki.md", "The wiki", Status.ARCHIVED),
    listed("guide/auth.md", "Auth"),
    listed("teams/a/plan.md", "Plan", Status.SUPERSEDED, ("teams/b/plan.md",)),
    listed("teams/b/plan.md", "Plan"),
    listed("kep/12/README.md", "Old way", Status.ARCHIVED),
    listed("My old note.md", "A note", Status.ARCHIVED),
]
DEAD = json.loads(dead_records(NOTES))


def told(text: str, note: str = "guide/auth.md") -> str:
    return cited(DEAD, note, text).removeprefix(f"{note} cites ")


@pytest.mark.parametrize(
    "text",
    [
        "see [cookies](../adr/0012-cookies.md)",
        "see [cookies](../adr/0012-cookies.md#why)",
        "see [cookies](</adr/0012-cookies>)",
        "see [[0012-cookies]]",
        "see [[adr/0012-Cookies|that]]",
        "see [[Auth with cookies#Why]]",
        "![[0012-cookies.md]]",
        "see [that][1]\n\n[1]: ../adr/0012-cookies.md",
        "see [x](../adr/0012%2Dcookies.md)",
    ],
)
def test_a_link_in_any_form_is_found(text: str) -> None:
    assert told(text) == "0012, superseded by 0034"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "we use 0012-cookies no longer",
        "[x](0012-cookies.md)",
        "[x](https://example.org/adr/0012-cookies.md)",
        "[[0034-tokens]]",
        "[[plan]]",
        "[x](../teams/b/plan.md)",
        "[[0012-cookies and more]]",
        "[[b/plan]]",
    ],
)
def test_what_leads_elsewhere_is_not(text: str) -> None:
    assert told(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[0007-wiki]]", "0007, archived"),
        ("[x](../teams/a/plan.md)", "plan, superseded by plan"),
        ("[[teams/a/plan]]", "plan, superseded by plan"),
        ("[x](../kep/12/README.md)", "12, archived"),
        ("[x](<../My%20old%20note.md>) [[My old note]]", "My old note, archived"),
        ("[[0007-wiki]] and [[0012-cookies]]", "0012, superseded by 0034; 0007, archived"),
    ],
)
def test_what_became_of_it_is_said(text: str, expected: str) -> None:
    assert told(text) == expected


def test_the_successor_may_name_what_it_replaced() -> None:
    assert told("supersedes [[0012-cookies]]", "adr/0034-tokens.md") == ""


def test_a_dead_record_may_name_another() -> None:
    assert told("see [[0012-cookies]]", "adr/0007-wiki.md") == ""


def test_many_are_counted() -> None:
    old = [listed(f"a/{n:04}-x.md", f"Old {n}", Status.ARCHIVED) for n in range(8)]
    text = " ".join(f"[[{n:04}-x]]" for n in range(8))
    assert cited(json.loads(dead_records(old)), "b.md", text).endswith("0004, archived; and 3 more")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("adr/0012-x.md", "0012"),
        ("ADR-12.md", "ADR-12"),
        ("adr012-y.md", "adr012"),
        ("2026-01-02-talk.md", "2026-01-02-talk"),
        ("s3-storage.md", "s3-storage"),
        ("plain.md", "plain"),
        ("kep/0004-y/README.md", "0004"),
        ("README.md", "README"),
        ("a\u202eb`<x>\n.md", "a-b--x--"),
    ],
)
def test_a_record_is_called_by_its_number(path: str, name: str) -> None:
    assert short_name(path) == name


def test_two_records_of_one_number_are_called_by_their_names() -> None:
    both = [listed("a/0001-x.md", "X", Status.ARCHIVED), listed("b/0001-y.md", "Y")]
    assert [each["name"] for each in json.loads(dead_records(both))] == ["0001-x"]


def test_current_notes_and_unread_files_are_not_in_the_list() -> None:
    unread = ListedNote(path=DocPath("x.md"), title="", status=Status.ARCHIVED, indexed=False)
    part = listed("log.md#D-1", "One", Status.SUPERSEDED)
    assert json.loads(dead_records([listed("a.md", "A"), unread, part])) == []


@given(dead=st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["path", "called", "by", "kin", "name"]), inner)), text=st.text())  # fmt: skip
def test_no_list_and_no_text_is_too_odd(dead: object, text: str) -> None:
    assert isinstance(cited(dead, "a.md", text), str)
