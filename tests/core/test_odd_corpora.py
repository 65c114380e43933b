"""Odd structures of real decision corpora: dangling and ambiguous ids, chains, claims, broken metadata, dates."""

from __future__ import annotations

import codecs

import pytest
from casefiles import Case, cases
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath, Document
from docs_rag.core.parsing import decode, parse_document
from docs_rag.core.status import Status
from docs_rag.core.succession import Record, Standing, resolve


def _read(path: str, text: str) -> Document:
    return parse_document(DocPath(path), text)


def _vault(given: str) -> list[Document]:
    parts = (part.partition("\n") for part in f"\n{given}".split("\n@ ")[1:])
    return [_read(path, f"{text}\n") for path, _, text in parts]


def _standings(documents: list[Document]) -> dict[DocPath, Standing]:
    return resolve(Record(each.path, each.title, each.aliases, each.lifecycle, each.links) for each in documents)


def _shown(document: Document, standing: Standing | None) -> list[str]:
    if standing is None:
        return [f"{document.path}: {document.lifecycle.status}", *(f"  told {each.code}" for each in document.problems)]
    lines = [f"{document.path}: {standing.status}"]
    lists = (("by", standing.superseded_by), ("end", standing.current_end))
    lines.extend(f"  {name} {' | '.join(paths)}" for name, paths in lists if paths)
    lines.extend([f"  on {standing.superseded_on}"] * (standing.superseded_on is not None))
    lines.extend([f"  partial {standing.partial}"] * (standing.partial is not None))
    lines.extend(f"  problem {each.code}" for each in standing.problems)
    return lines + [f"  told {each.code}" for each in document.problems]


@pytest.mark.parametrize("case", cases("oddcorpora.txt"))
def test_vault(case: Case) -> None:
    documents = _vault(case.given)
    standings = _standings(documents)
    ordered = sorted(documents, key=lambda each: each.path)
    assert "\n".join(line for each in ordered for line in _shown(each, standings.get(each.path))) == case.expected


def _state(text: str) -> tuple[Status, tuple[str, ...]]:
    life = _read("note.md", text).lifecycle
    return life.status, life.successors


BROKEN_METADATA = (
    ("a second colon", "title: ADR-011: On queues\nstatus: superseded\nsuperseded_by: b.md"),
    ("a link without quotes", "pr-number: [#118](https://example.org/118)\nstatus: superseded\nsuperseded_by: b.md"),
    ("an at sign", "owner: @ann\nstatus: superseded\nsuperseded_by: b.md"),
    ("a star", "note: *x\nstatus: superseded\nsuperseded_by: b.md"),
    ("a tab", "status: superseded\nlist:\n\t- x\nsuperseded_by: b.md"),
    ("a day that cannot be", "date: 2024-13-01\nstatus: superseded\nsuperseded_by: b.md"),
    ("a key twice", "status: accepted\nsuperseded_by: b.md\nstatus: superseded"),
    ("an unclosed list", "tags: [a, b\nstatus: superseded\nsuperseded_by: b.md"),
)


@pytest.mark.parametrize("block", [block for _, block in BROKEN_METADATA], ids=[name for name, _ in BROKEN_METADATA])
def test_case_08_broken_metadata_keeps_status_and_successor(block: str) -> None:
    assert _state(f"---\n{block}\n---\n\n# Queue\n") == (Status.SUPERSEDED, ("b.md",))


def test_a_placeholder_of_another_tool_is_told_and_loses_nothing() -> None:
    document = _read("note.md", "---\ncreated: {{date}}\nstatus: superseded\nsuperseded_by: b.md\n---\n")
    assert document.lifecycle.template
    assert [each.code for each in document.problems] == ["template"]


@pytest.mark.parametrize(
    ("value", "successors"),
    [
        ("0052", ("0052",)),
        ("0039", ("0039",)),
        ("'0118'", ("0118",)),
        ("[[e]]", ("[[e]]",)),
        ('"[[a/b|c]]"', ("[[a/b|c]]",)),
        ("['/keps/2386/']", ("/keps/2386/",)),
        ("['n/a']", ()),
        ("no", ()),
        ("null", ()),
        ("~", ()),
        ("[]", ()),
        ('""', ()),
        ("—", ()),
        ("nothing yet", ()),
        ("none (still in force)", ()),
        ("2024-13-01-slug.md", ("2024-13-01-slug.md",)),
        ("0x1F", ("0x1F",)),
        ("1e3", ("1e3",)),
    ],
)
def test_case_06_no_value_is_taken_for_something_else(value: str, successors: tuple[str, ...]) -> None:
    assert _read("note.md", f"---\nsuperseded_by: {value}\n---\n").lifecycle.successors == successors


SUPERSEDED = "---\nstatus: superseded\nsuperseded_by: b.md\n---\n\n# Queue\n"


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + SUPERSEDED.encode(),
        SUPERSEDED.replace("\n", "\r\n").encode(),
        SUPERSEDED.replace("\n", "\r").encode(),
        b"\n\n" + SUPERSEDED.encode(),
        SUPERSEDED.encode("utf-16"),
        SUPERSEDED.replace("---\n\n#", "...\n\n#").encode(),
    ],
    ids=["bom", "crlf", "cr", "blank lines first", "utf-16", "dots"],
)
def test_case_08_bytes_around_the_metadata_make_no_difference(data: bytes) -> None:
    assert _state(decode(data)) == (Status.SUPERSEDED, ("b.md",))


def test_case_08_metadata_that_is_never_closed() -> None:
    document = _read("note.md", "---\nstatus: superseded\nsuperseded_by: b.md\n\n# Queue\n\ntext\n")
    assert document.lifecycle.status is Status.SUPERSEDED


@pytest.mark.parametrize(
    ("value", "state"),
    [
        ("['[[Published]]']", Status.CURRENT),
        ("[superseded]", Status.SUPERSEDED),
        ("\n  - Accepted\n  - Superseded", Status.SUPERSEDED),
        ("SUPERSEDED", Status.SUPERSEDED),
    ],
)
def test_case_59_a_status_as_a_list(value: str, state: Status) -> None:
    assert _read("note.md", f"---\nstatus: {value}\n---\n").lifecycle.status is state


DATES = (
    ("2021-26-02", None, True),
    ("2021-30-03", None, True),
    ("2022-14-11", None, True),
    ("2022-0218", None, True),
    ("2023-02-29", None, True),
    ("<2022-12-05>", "2022-12-05", False),
    ("2018-02-1", "2018-02-01", False),
    ("2024-2-1", "2024-02-01", False),
    ("v1.30", None, True),
    ("2026‑02‑09", "2026-02-09", False),
    ("08/01/24", None, True),
    ("25/01/24", "2024-01-25", False),
    ("2024-10-31 :ghost:", "2024-10-31", False),
    ("10 feb 2023", "2023-02-10", False),
    ("01-Dec-2017", "2017-12-01", False),
    ("3.2.2026", "2026-02-03", False),
    ("2026/2/3", "2026-02-03", False),
    ('"[[2022-04]]"', None, False),
    ("September 2025", None, False),
    ("2021-11-01T01:00:00[Europe/Paris]", "2021-11-01", False),
    ("2017-12-03 15:01:36 +0900", "2017-12-03", False),
    ("2026年2月3日", "2026-02-03", False),
    ("null", None, False),
)


@pytest.mark.parametrize(("value", "day", "is_told"), DATES)
def test_case_59_dates_that_cannot_be_are_told_and_never_guessed(value: str, day: str | None, is_told: bool) -> None:
    for text in (f"---\ndate: {value}\n---\n", f"# Queue\n\n- Status: accepted\n- Date: {value}\n"):
        document = _read("note.md", text)
        assert document.lifecycle.date == day
        if text[0] == "-":
            assert ("date" in [each.code for each in document.problems]) is is_told


FALSE_POSITIVES = (
    "# KEP\n\n## History\n\nMilestones are:\n\n- when the KEP was retired or superseded\n",
    "# Queue\n\n| Superseded by | N/A |\n|---|---|\n| Status | Approved |\n",
    "# Queue\n\n- Status: accepted\n- Superseded by:\n- Supersedes:\n",
    "# Process\n\nA record may be superseded. The old one then says `Superseded by`.\n",
    "# Records\n\n| Record | Status |\n|---|---|\n| [1](1.md) | Superseded by 2 |\n| [2](2.md) | Accepted |\n",
    "# CIP-0001\n\n```\n---\nStatus: Superseded\n---\n```\n",
    '---\nstatus: "accepted; supersedes ADR-0045"\n---\n',
    "# Queue\n\n## Status\n\nAccepted or Rejected\n\n> Valid ADR statuses are: Accepted, Superseded by ADRzzz\n",
    "# Queue\n\n## Status\n\nAccepted\n\nSupercedes [1. Old](0001-old.md)\n",
)


@pytest.mark.parametrize("text", FALSE_POSITIVES)
def test_what_only_speaks_of_the_end_ends_nothing(text: str) -> None:
    assert _state(text) == (Status.CURRENT, ())


def test_a_choice_of_statuses_is_a_template() -> None:
    text = "---\nstatus: {proposed | rejected | accepted | superseded by ADR-0123}\n---\n"
    assert _read("adr.md", text).lifecycle.template


PIECES = """
Status: |superseded by |[a](b.md)|[[c]]|# |## Status|- |  - |> |> [!note] |---|```|<!-- |-->|**|~~|`|(|)|[|]|::|：|被
取代|ADR-7|ADR-7로 대체됨|에 의해|2026-01-02|2026-13-40|accepted|, |; |→|partly |only |:::warning |!!! note |{% hint %}
<div>|<tr><td>|<br>|</a>|{{x}}|superseded_by: |    |only for |in part|Superseded by:
- **Status**|## Superseded by [x](x.md)
"""
_pieces = st.sampled_from([*PIECES.replace("\n", "|").split("|"), "\n", "\n\n", "|", "| Status | ", "|---|\n", "\t"])


@given(st.lists(_pieces | st.text(max_size=5), max_size=60).map("".join))
def test_whatever_the_text_nothing_is_raised_and_every_line_lies_in_the_file(text: str) -> None:
    document = _read("note.md", text)
    last = text.count("\n") + 1
    problems = [*document.problems, *(each for part in document.parts for each in part.problems)]
    assert all(each.line is None or 1 <= each.line <= last for each in problems)
    assert all(1 <= part.lines[0] <= part.lines[1] <= last for part in document.parts)
    resolve([Record(document.path, document.title, document.aliases, document.lifecycle)])
