"""Which records are in force, as text cases; loops, order, long chains."""

from __future__ import annotations

import subprocess
import sys

import pytest
from casefiles import Case, cases
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.lineage import lineage
from docs_rag.core.parsing import parse_document
from docs_rag.core.status import Status
from docs_rag.core.succession import Record, Standing, resolve


def _record(path: str, text: str) -> Record:
    document = parse_document(DocPath(path), text)
    return Record(document.path, document.title, document.aliases, document.lifecycle)


def _records(given: str) -> list[Record]:
    records = []
    for part in f"\n{given}".split("\n@ ")[1:]:
        path, _, metadata = part.partition("\n")
        records.append(_record(path, f"---\n{metadata}\n---\n" if metadata else ""))
    return records


def _shown(standings: dict[DocPath, Standing]) -> str:
    lines = []
    for path, standing in sorted(standings.items()):
        lines.append(f"{path}: {standing.status}")
        lists = (("by", standing.superseded_by), ("end", standing.current_end))
        lines.extend(f"  {name} {' | '.join(paths)}" for name, paths in lists if paths)
        lines.extend([f"  on {standing.superseded_on}"] * (standing.superseded_on is not None))
        lines.extend([f"  supersedes {' | '.join(standing.supersedes)}"] * bool(standing.supersedes))
        lines.extend([f"  partial {standing.partial}"] * (standing.partial is not None))
        lists = (("parts-by", standing.partial_by), ("parts-of", standing.partly_supersedes))
        lines.extend(f"  {name} {' | '.join(paths)}" for name, paths in lists if paths)
        lines.extend(["  template"] * standing.template)
        lines.extend(f"  problem {each.code}" for each in standing.problems)
    return "\n".join(lines)


@pytest.mark.parametrize("case", cases("succession.txt"))
def test_standings(case: Case) -> None:
    assert _shown(resolve(_records(case.given))) == case.expected


def test_case_03_both_ends_are_named() -> None:
    standing = resolve(_records("@ a.md\nstatus: accepted\n@ b.md\nsupersedes: a"))[DocPath("a.md")]
    assert "b.md" in standing.problems[0].message


def test_case_05_the_value_is_named() -> None:
    standing = resolve(_records("@ a.md\nsuperseded_by: reference/auht.md"))[DocPath("a.md")]
    assert "reference/auht.md" in standing.problems[0].message


def test_case_10_the_candidates_are_named() -> None:
    standing = resolve(_records("@ x.md\nsuperseded_by: [[Auth]]\n@ a/Auth.md\n@ b/auth.md"))[DocPath("x.md")]
    assert "a/Auth.md, b/auth.md" in standing.problems[0].message


def _successors(edges: dict[str, tuple[str, ...]]) -> dict[DocPath, tuple[DocPath, ...]]:
    return {DocPath(path): tuple(map(DocPath, to)) for path, to in edges.items()}


@pytest.mark.parametrize(
    ("edges", "end", "chain"),
    [
        ({}, None, ("a",)),
        ({"a": ("b",), "b": ("c",)}, None, ("a", "b", "c")),
        ({"a": ("b",), "b": ("a",)}, None, ("a", "b")),
        ({"a": ("b", "c"), "c": ("d",)}, None, ("a", "b")),
        ({"a": ("b", "c"), "c": ("d",)}, "d", ("a", "c", "d")),
        ({"a": ("b", "d"), "b": ("d",)}, "d", ("a", "d")),
        ({"a": ("b",)}, "x", ("a", "b")),
        ({"a": ("b",), "b": ("a", "c"), "c": ("b", "d")}, "d", ("a", "b", "c", "d")),
        ({"a": ("b",)}, "a", ("a",)),
    ],
)
def test_lineage(edges: dict[str, tuple[str, ...]], end: str | None, chain: tuple[str, ...]) -> None:
    successors = _successors(edges)
    found = lineage(DocPath("a"), lambda path: successors.get(path, ()), None if end is None else DocPath(end))
    assert found == chain


def _superseded(by: str) -> Lifecycle:
    return Lifecycle(status=Status.SUPERSEDED, status_text="superseded", successors=(by,))


def test_a_chain_longer_than_the_stack() -> None:
    count = 3_000
    records = [Record(DocPath(f"{n:04}-x.md"), f"T{n}", (), _superseded(f"{n + 1:04}")) for n in range(count)]
    records.append(Record(DocPath(f"{count:04}-x.md"), "Last", (), Lifecycle()))
    standing = resolve(records)[DocPath("0000-x.md")]
    assert standing.current_end == (f"{count:04}-x.md",)


def test_a_loop_of_thousands_ends() -> None:
    count = 3_000
    records = [Record(DocPath(f"{n:04}-x.md"), f"T{n}", (), _superseded(f"{(n + 1) % count:04}")) for n in range(count)]
    standings = resolve(records)
    assert {each.problems[0].code for each in standings.values()} == {"cycle"}
    assert all(each.current_end == () for each in standings.values())


_references = st.lists(st.integers(0, 7).map(lambda n: f"{n:04}"), max_size=3).map(tuple)
_lifecycles = st.builds(
    Lifecycle,
    status=st.sampled_from(Status),
    successors=_references,
    claims=_references,
    partial=_references,
    date=st.sampled_from([None, "2026-01-14", "2026-02-01"]),
)


@given(st.lists(_lifecycles, max_size=8), st.randoms(use_true_random=False))
def test_any_graph_resolves_to_the_same_in_any_order(lives: list[Lifecycle], random: object) -> None:
    records = [Record(DocPath(f"{n:04}-x.md"), f"T{n}", (), life) for n, life in enumerate(lives)]
    standings = resolve(records)
    assert resolve(records[::-1]) == standings
    for path, standing in standings.items():
        assert path not in standing.superseded_by + standing.current_end
        assert standing.status is Status.SUPERSEDED or not standing.superseded_by
        assert all(path in standings[newer].supersedes for newer in standing.superseded_by)
        for end in standing.current_end:
            state = standings[end].status if end in standings else lives[int(end[:4])].status
            assert state in (Status.CURRENT, Status.DRAFT)


def test_reading_standings_loads_no_look_up_tables() -> None:
    code = "import sys, docs_rag.core.succession as s; sys.exit('docs_rag.core.references' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
