"""What a note declares of its own state, as text cases."""

from __future__ import annotations

import dataclasses

import pytest
from casefiles import Case, cases
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath, Document
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.parsing import parse_document
from docs_rag.core.spellings import DATE_RANK, FLAGS, KEYS
from docs_rag.core.status import Status


def _parse(given: str) -> Document:
    name, _, rest = given.partition("\n") if given.startswith("@ ") else ("@ note.md", "", given)
    return parse_document(DocPath(name[2:]), rest)


def _shown(document: Document) -> str:
    """The fields that differ from those of a note that says nothing, then the problems."""
    lines = []
    for field in dataclasses.fields(Lifecycle):
        value = getattr(document.lifecycle, field.name)
        if value != getattr(Lifecycle(), field.name):
            lines.append(f"{field.name}: {' | '.join(value) if isinstance(value, tuple) else value}")
    return "\n".join([*lines, *(f"problem {code}" for code in sorted(each.code for each in document.problems))])


@pytest.mark.parametrize("case", [*cases("lifecycle.txt"), *cases("bodyforms.txt")])
def test_declared(case: Case) -> None:
    expected = case.expected.removeprefix("status: current\n")
    assert _shown(_parse(case.given)) == expected


def test_problems_name_their_line() -> None:
    document = _parse("---\ntitle: x\nstatus: fnord\ndate: 2026-02-30\n---\n")
    assert [(each.code, each.line) for each in document.problems] == [("unknown-status", 3), ("date", 4)]
    assert "fnord" in document.problems[0].message
    assert "2026-02-30" in document.problems[1].message


def test_conflict_names_both_ends() -> None:
    (problem,) = _parse("---\nstatus: accepted\nsuperseded_by: ADR-7\n---\n").problems
    assert "accepted" in problem.message
    assert "ADR-7" in problem.message


@pytest.mark.parametrize("key", ["superseded-by", "supersededBy", "Superseded-By", "SUPERSEDED_BY", "superseded by"])
def test_spellings_of_one_key(key: str) -> None:
    assert _parse(f"---\n{key}: b.md\n---\n").lifecycle.successors == ("b.md",)


@pytest.mark.parametrize("key", ["replaced_by", "replaced-by", "obsoleted_by", "superceded_by", "successor"])
def test_keys_that_name_a_successor(key: str) -> None:
    life = _parse(f"---\n{key}: b.md\n---\n").lifecycle
    assert (life.status, life.successors) == (Status.SUPERSEDED, ("b.md",))


@pytest.mark.parametrize("key", ["supersedes", "replaces", "obsoletes", "Supercedes"])
def test_keys_that_claim(key: str) -> None:
    assert _parse(f"---\n{key}: [a, b.md]\n---\n").lifecycle.claims == ("a", "b.md")


@pytest.mark.parametrize("value", ["", "null", "~", "[]", '""', "-", "—", "none", "n/a", "N/A", "TBD", "XXX", "false"])
def test_empty_values_say_nothing(value: str) -> None:
    life = _parse(f"---\nstatus: accepted\nsuperseded_by: {value}\nsupersedes: {value}\n---\n").lifecycle
    assert (life.status, life.successors, life.claims) == (Status.CURRENT, (), ())


def test_every_key_is_folded_and_has_one_role() -> None:
    assert all(key == key.casefold() and not set(key) & set(" _-") for key in KEYS)
    assert set(FLAGS) | set(DATE_RANK) <= set(KEYS)


@given(st.text(max_size=200), st.sampled_from(sorted(KEYS)))
def test_whatever_the_value_nothing_is_raised(value: str, key: str) -> None:
    document = _parse(f"---\n{key}: {value}\n---\n")
    assert document.lifecycle.status in Status
