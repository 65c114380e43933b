"""The rules on small vaults: what they see, and above all what they leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linted import corpus, lint, note, told

from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.linting.corpus import Close, Corpus
from docs_rag.core.linting.findings import BackLink, Respelling, choose
from docs_rag.core.linting.rules import check
from docs_rag.core.parsing import parse_document

DEAD = {
    "adr/0001-files.md": note("# Files", status="superseded", superseded_by="0002-tables.md"),
    "adr/0002-tables.md": note("# Tables", status="accepted"),
}


def linking(body: str, path: str = "howto.md") -> list[tuple[str, int | None, str]]:
    return told({**DEAD, path: body}, "DR021")


@pytest.mark.parametrize(
    "body",
    [
        "# How\n\nWrite as [files](adr/0001-files.md) say.\n",
        "# How\n\nWrite as [[0001-files]] says.\n",
        "# How\n\nWrite as [[0001-files#Format|that one]] says.\n",
        "# How\n\nWrite as [this] says.\n\n[this]: adr/0001-files.md\n",
        "# How\n\n## Steps\n\n- Open it as [files](adr/0001-files.md) say.\n",
        "# How\n\nOlder machines are slow.\n\nWrite as [files](<adr/0001-files.md>) say.\n",
    ],
)
def test_a_link_as_if_the_target_were_in_force(body: str) -> None:
    assert [(path, code) for path, _, code in linking(body)] == [("howto.md", "DR021")]


@pytest.mark.parametrize(
    "body",
    [
        "# How\n\nWrite as [tables](adr/0002-tables.md) say.\n",
        "# How\n\nThis replaces [files](adr/0001-files.md).\n",
        "# How\n\nIt was [files](adr/0001-files.md) before.\n",
        "# How\n\nWe no longer follow\n[files](adr/0001-files.md).\n",
        "# How\n\nSuperseded:\n\n- [files](adr/0001-files.md) of the first year\n",
        "# How\n\n## History\n\nWe began with [files](adr/0001-files.md).\n",
        "# How\n\n## Considered alternatives\n\n[Files](adr/0001-files.md) are simple.\n",
        "# How\n\n## See also\n\n- [files](adr/0001-files.md)\n",
        "# How\n\n- [files](adr/0001-files.md)\n- [tables](adr/0002-tables.md)\n",
        "# How\n\n| record | state |\n|---|---|\n| [files](adr/0001-files.md) | superseded |\n",
        "# How\n\nRelated: [files](adr/0001-files.md)\n\n## Steps\n",
        "# How\n\n```\n[files](adr/0001-files.md)\n```\n",
        "# How\n\n<!-- [files](adr/0001-files.md) -->\n",
        "# How\n\nWrite `[files](adr/0001-files.md)` so.\n",
        "---\nstatus: draft\n---\n\nWrite as [files](adr/0001-files.md) say.\n",
        "---\nsee: '[files](adr/0001-files.md)'\n---\n\n# How\n",
        "# How\n\n[files](https://example.org/adr/0001-files.md)\n",
        "# 방법\n\n이전에는 [파일](adr/0001-files.md)을 썼다.\n",
    ],
)
def test_a_link_that_is_no_such_thing(body: str) -> None:
    assert linking(body) == []


def test_indexes_and_successors_may_link_to_the_dead() -> None:
    assert linking("All: take [files](adr/0001-files.md) first.\n", "adr/README.md") == []
    successor = note("# Tables\n\nAs [files](0001-files.md) say.", status="accepted")
    assert told({**DEAD, "adr/0002-tables.md": successor}, "DR021") == []


def test_a_target_is_told_of_once_and_with_what_took_its_place() -> None:
    body = "Take [files](adr/0001-files.md).\n\nAgain: take [files](adr/0001-files.md).\n"
    (finding,) = lint({**DEAD, "a.md": body}, "DR021")
    assert finding.line == 1
    assert finding.message == (
        "it links to adr/0001-files.md as if it were in force, but that is superseded by adr/0002-tables.md"
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("adr/ADR025-a.md", "adr/ADR025-b.md"),
        ("adr/0007-a.md", "adr/7-b.md"),
        ("rfcs/0007-a/README.md", "rfcs/0007-b/README.md"),
    ],
)
def test_two_records_with_one_number(first: str, second: str) -> None:
    accepted = note("# A", status="accepted")
    assert told({first: accepted, second: accepted}, "DR020") == [(max(first, second), None, "DR020")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("adr/ADR025-a.md", "rfc/ADR025-b.md"),
        ("adr/ADR025-a.md", "adr/RFC025-b.md"),
        ("adr/0007-a.md", "adr/0007.1-b.md"),
        ("adr/0007-a.md", "adr/0007-a.ko.md"),
        ("adr/2026-01-14-a.md", "adr/2026-01-14-b.md"),
        ("adr/202601-a.md", "adr/202601-b.md"),
    ],
)
def test_numbers_that_are_not_the_same(first: str, second: str) -> None:
    accepted = note("# A", status="accepted")
    assert told({first: accepted, second: accepted}, "DR020") == []


def test_numbered_notes_that_are_no_records_may_share_a_number() -> None:
    assert told({"course/01-intro.md": "# A\n", "course/01-tools.md": "# B\n"}, "DR020") == []


def test_a_note_that_speaks_for_a_document_has_its_number_by_right() -> None:
    accepted = note("# Budget", status="accepted")
    assert told({"docs/budget-24.xlsx": accepted, "docs/budget-24.xlsx.md": accepted}, "DR020") == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("travel", "travel_v2"),
        ("travel v1.0", "travel v1.1"),
        ("travel", "travel-final"),
        ("travel_old", "travel"),
        ("travel", "travel copy"),
        ("travel", "travel (1)"),
        ("travel", "travel-1"),
        ("policy-2022", "policy-2023"),
        ("휴가규정", "휴가규정 2023 개정"),
        ("휴가규정", "휴가규정_최종"),
        ("휴가규정(구)", "휴가규정"),
        ("旅費規程", "旅費規程_旧版"),
    ],
)
def test_names_that_differ_by_a_mark(first: str, second: str) -> None:
    files = {f"rules/{first}.md": "# One\n", f"rules/{second}.md": "# Other\n"}
    assert [code for _, _, code in told(files, "DR030")] == ["DR030"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("travel", "trains"),
        ("part-1", "part-2"),
        ("retro-2022", "retro-2023"),
        ("2026-01-14", "2026-01-15"),
        ("v1", "v2"),
        ("0001-files", "0002-files"),
        ("protocol-http2", "protocol-http3"),
        ("gold", "g"),
    ],
)
def test_names_that_differ_in_what_they_name(first: str, second: str) -> None:
    assert told({f"rules/{first}.md": "# One\n", f"rules/{second}.md": "# Other\n"}, "DR030") == []


def test_versions_are_no_suspects_once_one_is_marked() -> None:
    other = note("# Travel", status="superseded", superseded_by="travel_v2.md")
    assert told({"travel.md": other, "travel_v2.md": "# Travel\n"}, "DR030") == []
    assert told({"a/travel.md": "# Travel\n", "b/travel_v2.md": "# Travel\n"}, "DR030") == []


@pytest.mark.parametrize(("written", "right"), [("Superceded", "Superseded"), ("SUPERCEEDED", "SUPERSEDED")])
def test_a_slip_that_is_understood(written: str, right: str) -> None:
    files = {"adr/0001-a.md": f"# A\n\n## Status\n\n{written} by [2](0002-b.md)\n", "adr/0002-b.md": "# B\n"}
    (finding,) = lint(files, "DR005")
    assert (finding.line, finding.mend) == (5, Respelling(5, written, right))


def test_a_slip_that_is_not_understood_is_more_than_a_remark() -> None:
    (finding,) = lint({"a.md": note("# A", status="Depreccated")}, "DR00")
    assert finding.code.id == "DR004"
    assert finding.mend == Respelling(2, "Depreccated", "Deprecated")
    assert finding.message.endswith("did you mean 'deprecated'?")


def test_case_unknown_words_of_ones_own_are_told_of_once() -> None:
    garden = {f"{name}.md": note("# Note", status="seedling") for name in "abcdef"}
    (finding,) = lint(garden, "DR004")
    assert finding.path == "a.md"
    assert "here and in 5 other notes" in finding.message
    assert len(lint({"a.md": note("# A", status="seedling")}, "DR004")) == 1


def test_text_of_templates() -> None:
    left = "# A\n\n## Status\n\nAccepted\n\n> Valid ADR statuses are: proposed, accepted\n"
    assert told({"adr/0001-a.md": left}, "DR006") == [("adr/0001-a.md", 7, "DR006")]
    assert told({"adr/template.md": left, "guide.md": "# Guide\n\nValid statuses are: accepted\n"}, "DR006") == []
    fenced = note("# A\n\n```\n{title of option 1}\n```", status="accepted")
    assert told({"adr/0001-a.md": fenced}, "DR006") == []


def test_problems_between_notes_stand_on_the_line_that_speaks() -> None:
    files = {
        "adr/0001-a.md": "# A\n\n## Context\n\nADR-0009\n\n## Status\n\nSuperseded by ADR-0009\n",
        "adr/0002-b.md": note("# B", date="2026-01-01", status="accepted"),
        "adr/0003-c.md": note("# C", status="accepted", supersedes="ADR-0002"),
    }
    assert told(files, "DR01") == [("adr/0001-a.md", 9, "DR010"), ("adr/0002-b.md", 3, "DR012")]
    assert lint(files, "DR012")[0].mend == BackLink(DocPath("adr/0002-b.md"), DocPath("adr/0003-c.md"))


def test_a_line_that_breaks_off_is_told_of_where_it_does() -> None:
    files = {
        "1.md": note("# 1", status="superseded", superseded_by="2.md"),
        "2.md": note("# 2", status="superseded", superseded_by="3.md"),
        "3.md": note("# 3", status="superseded", superseded_by="gone.md"),
    }
    assert [(path, code) for path, _, code in told(files)] == [("3.md", "DR010")]


def test_files_that_cannot_be_read() -> None:
    skipped = [Skipped(DocPath("a.md"), "encoding", "not UTF-8"), Skipped(DocPath("b.md"), "busy", "not a problem")]
    (finding,) = check(Corpus(documents=[], skipped=skipped), choose())
    assert (finding.path, finding.code.id, finding.level) == ("a.md", "DR001", "error")


def close(*pairs: tuple[float, str, str], files: dict[str, str]) -> list[str]:
    found = [Close(score, DocPath(first), DocPath(second)) for score, first, second in pairs]
    documents = [parse_document(DocPath(path), text) for path, text in files.items()]
    return [each.message for each in check(Corpus(documents=documents, close=lambda _: found), choose(["DR031"]))]


def test_suspects_are_in_force_and_do_not_know_of_one_another() -> None:
    files = {
        "a.md": note("# A", date="2026-02-01"),
        "b.md": note("# B", date="2025-01-01"),
        "c.md": note("# C\n\nSee [a](a.md)."),
        "README.md": "# All\n",
        **DEAD,
    }
    pairs = [
        (0.9, "a.md", "b.md"),
        (0.9, "a.md", "c.md"),
        (0.9, "a.md", "README.md"),
        (0.9, "adr/0001-files.md", "b.md"),
        (0.9, "adr/0001-files.md", "adr/0002-tables.md"),
    ]
    assert close(*pairs, files=files) == [
        "it is close in meaning to b.md (0.90); if one overturned the other, neither says so"
    ]


def test_only_so_many_suspects() -> None:
    files = {f"{number:02}x.md": f"# Note {number}\n" for number in range(40)}
    pairs = [(0.9, f"{number:02}x.md", f"{number + 20:02}x.md") for number in range(20)]
    assert len(close(*pairs, files=files)) == 10


LINES = """
---
status: superceded
status: {a | b}
superseded_by: [[x]]
supersedes: 0002
# A
## Status
Superseded by [b](0002-b.md)
- [a](0001-a.md)
```
<!--
-->
| [a](0001-a.md) |
[a]: 0001-a.md
<!-- docs-rag: ignore DR0 -->
## D-1 x
Status: rejected
[a] [[0001-a]]
date: 2026-02-30
"""
TEXT = st.lists(st.sampled_from([*LINES.splitlines(), "\x00"]) | st.text(max_size=20), max_size=12).map("\n".join)


@given(first=TEXT, second=TEXT)
def test_whatever_the_notes_hold_it_is_checked(first: str, second: str) -> None:
    files = {"adr/0001-a.md": first, "adr/0002-b.md": second, "adr/0002-b_v2.md": first}
    vault = corpus(files)
    findings = check(vault, choose())
    assert findings == check(corpus(dict(reversed(files.items()))), choose())
    for each in findings:
        assert each.path in files
        assert each.line is None or 1 <= each.line <= files[each.path].count("\n") + 1
